// Command divisions writes plugins/core/data/division.csv: the provinces, cities and districts of China with their names in
// Chinese and English. It reads the tables of the data set "Administrative-divisions-of-China" (see NOTICE), which holds
// the mainland by its official codes and Hong Kong, Macao and Taiwan by name only; those get codes of ours.
//
//	go run ./internal/tools/divisions -from FOLDER > plugins/core/data/division.csv
package main

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"
)

type division struct {
	code, name, english, parent string
}

func main() {
	from := flag.String("from", ".", "folder of provinces.csv, cities.csv, areas.csv and HK-MO-TW.json")
	flag.Parse()
	if err := run(*from, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "divisions:", err)
		os.Exit(1)
	}
}

func run(from string, out io.Writer) error {
	all, err := mainland(from)
	if err != nil {
		return err
	}
	rest, err := others(filepath.Join(from, "HK-MO-TW.json"))
	if err != nil {
		return err
	}
	all = append(all, rest...)
	w := csv.NewWriter(out)
	if err := w.Write([]string{"code", "name", "nameEn", "parent", "level"}); err != nil {
		return err
	}
	for level := 1; level <= 3; level++ { // those above come first, so that the rows can be written in this order
		for _, d := range all {
			if len(d.code) != 2*level {
				continue
			}
			if err := w.Write([]string{d.code, d.name, d.english, d.parent, fmt.Sprint(level)}); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

// mainland reads the three tables.
func mainland(from string) ([]division, error) {
	var out []division
	for i, file := range []string{"provinces.csv", "cities.csv", "areas.csv"} {
		f, err := os.Open(filepath.Join(from, file))
		if err != nil {
			return nil, err
		}
		rows, err := csv.NewReader(f).ReadAll()
		if err = errorsOf(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, row := range rows[1:] {
			d := division{code: row[0], name: row[1], english: english(row[1])}
			if i > 0 {
				d.parent = row[2]
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// provinceCodes are the official two digits; cities and districts are numbered in the order of the file.
var provinceCodes = map[string]string{"台湾省": "71", "香港特别行政区": "81", "澳门特别行政区": "82"}

// others reads {province: {city: [district]}}; the order of the text is kept.
func others(file string) ([]division, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	doc, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	var out []division
	for _, p := range members(doc) {
		code := provinceCodes[name(p)]
		if code == "" {
			return nil, fmt.Errorf("no code for %s", name(p))
		}
		out = append(out, division{code: code, name: name(p), english: english(name(p))})
		for i, c := range members(p.Value) {
			city := fmt.Sprintf("%s%02d", code, i+1)
			out = append(out, division{city, name(c), english(name(c)), code})
			var districts []string
			if err := json.Unmarshal(c.Value.Pack(), &districts); err != nil {
				return nil, err
			}
			for j, d := range districts {
				d = strings.TrimSpace(d)
				known, ok := wholeNames[code+d]
				if !ok {
					known = english(d)
				}
				out = append(out, division{fmt.Sprintf("%s%02d", city, j+1), d, known, city})
			}
		}
	}
	return out, nil
}

func members(v hujson.Value) []hujson.ObjectMember {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	return o.Members
}

func name(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }
