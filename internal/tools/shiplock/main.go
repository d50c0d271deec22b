// Command shiplock writes the data of examples/ship-lock: an invented project with its people, breakdown, contracts and
// inspection lots. Its output is always the same, and it is committed.
//
//	go run ./internal/tools/shiplock -to examples/ship-lock/data
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/source"
)

func main() {
	to := flag.String("to", ".", "folder to write to")
	flag.Parse()
	if err := run(*to); err != nil {
		fmt.Fprintln(os.Stderr, "shiplock:", err)
		os.Exit(1)
	}
}

func run(to string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// document is a data file: its rows are told apart by the key.
type document struct {
	Key   []string `json:"key"`
	Rows  []row    `json:"rows"`
	Start []start  `json:"start,omitempty"`
}

// start are the keys of rows with which a workflow begins.
type start struct {
	Workflow  string   `json:"workflow"`
	Initiator string   `json:"initiator"`
	Rows      []string `json:"rows"`
}

// row keeps the order in which its fields were given; empty fields are left out.
type row []field

type field struct {
	code  string
	value any
}

// MarshalJSON writes the fields in their order.
func (r row) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for _, f := range r {
		if f.value == nil || f.value == "" {
			continue
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:%s", f.code, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// generate returns the text of every file by its name, formatted.
func generate() (map[string][]byte, error) {
	schemas, err := compile.Schemas(&pack.Set{})
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(2024, 3))
	documents := map[string]document{
		"department": {Key: []string{"name"}, Rows: departments()},
		"user":       {Key: []string{"username"}, Rows: users()},
		"qbs":        {Key: []string{"code"}, Rows: breakdown()},
		"site":       {Key: []string{"code"}, Rows: sites()},
		"drawing":    {Key: []string{"number"}, Rows: drawings(r)},
		"contract":   {Key: []string{"contractNo"}, Rows: contracts(r)},
		"inspection": {Key: []string{"lotNo"}, Rows: lots(r)},
		"payment":    {Key: []string{"paymentNo"}, Rows: requests(), Start: paying},

		"period":      {Key: []string{"periodNo"}, Rows: periods()},
		"measurement": {Key: []string{"sheetNo"}, Rows: measurements()},
		"certificate": {Key: []string{"certificateNo"}, Rows: certificates()},
	}
	out := map[string][]byte{}
	for name, d := range documents {
		text, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		root, problems := source.Parse(name, text)
		if problems.HasErrors() {
			return nil, fmt.Errorf("%s: %s", name, problems[0].En)
		}
		out[name+".json"] = source.Format(root, schemas.Layout(def.KindData))
	}
	return out, nil
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }
