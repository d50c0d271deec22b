package source_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sluice-platform/sluice/engine/source"
)

func TestParseCSV(t *testing.T) {
	n, out := source.ParseCSV("d.csv", []byte("\ufeffcode,name,parent\r\n11,北京市,\r\n\"1101\",\"a \"\"b\"\"\nc\",11\r\n"))
	if len(out) > 0 {
		t.Fatal(out)
	}
	want := `{"key":["code"],"rows":[{"code":"11","name":"北京市"},{"code":"1101","name":"a \"b\"\nc","parent":"11"}]}`
	if diff := cmp.Diff(want, string(n.Raw())); diff != "" {
		t.Error(diff)
	}
	for at, node := range map[string]*source.Node{"d.csv:1:1": n.At("key", "0"), "d.csv:2:4": n.At("rows", "0", "name"), "d.csv:4:4": n.At("rows", "1", "parent")} {
		if got := node.Pos().String(); got != at {
			t.Errorf("%s stands at %s, want %s", node.Pointer(), got, at)
		}
	}
}

func TestParseCSVRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":              "d.csv:1:1 DOC010",
		"a,b\n1\n":      "d.csv:2:1 DOC010",
		"a,b\n1,\"x\n":  "d.csv:2:1 DOC010",
		"a,b\n1,x\"y\n": "d.csv:2:4 DOC010",
		"a,a\n":         "d.csv:1:3 DOC002",
		"a,b\n\xff,1\n": "d.csv:2:1 DOC004",
	} {
		_, out := source.ParseCSV("d.csv", []byte(text))
		if len(out) != 1 || out[0].Position.String()+" "+out[0].Code != want {
			t.Errorf("%q: %v, want %s", text, out, want)
		}
	}
}
