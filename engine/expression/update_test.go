package expression_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		panic(err)
	}
	return b.String()
}

func plainJSON(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// writeCorpus puts one case on a line.
func writeCorpus(t *testing.T, c *corpus) {
	t.Helper()
	var b bytes.Buffer
	line := func(key string, v any) {
		b.WriteString(` "` + key + `": `)
		b.Write(plainJSON(t, v))
		b.WriteString(",\n")
	}
	b.WriteString("{\n")
	line("zone", c.Zone)
	line("models", c.Models)
	line("vars", c.Vars)
	line("records", c.Records)
	b.WriteString(" \"cases\": [\n")
	for i, k := range c.Cases {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("  ")
		b.Write(plainJSON(t, k))
	}
	b.WriteString("\n ]\n}\n")
	if err := os.WriteFile(corpusFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
