package source

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/diag"
)

// ParseCSV reads a table as the document {"key": [first heading], "rows": [{heading: cell}]}, so that rows look the same
// whether they were written as JSON or with a spreadsheet. Cells are texts; empty ones are missing. Nodes point at cells.
func ParseCSV(name string, data []byte) (*Node, diag.List) {
	f := newFile(name, data)
	if len(f.data) > MaxSize {
		return nil, diag.List{diag.New("DOC003", diag.Position{File: name}, MaxSize>>20)}
	}
	if !utf8.Valid(f.data) {
		return nil, diag.List{diag.New("DOC004", f.position(firstInvalid(f.data)))}
	}
	r := csv.NewReader(bytes.NewReader(f.data))
	head, err := r.Read()
	if err != nil {
		return nil, diag.List{f.csvProblem(err)}
	}
	f.headings = make(map[string]int, len(head))
	root := &Node{Kind: Object, file: f}
	key := root.member("key", Array, 0)
	rows := root.member("rows", Array, 0)
	key.item(String, f.cell(r, 0)).text = head[0]
	var out diag.List
	seen := map[string]bool{}
	for i, h := range head {
		if seen[h] {
			out = append(out, diag.New("DOC002", f.position(f.cell(r, i)), h))
		}
		if !seen[h] {
			f.headings[h] = f.cell(r, i)
		}
		seen[h] = true
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return root, out
		}
		if err != nil {
			return nil, append(out, f.csvProblem(err))
		}
		row := rows.item(Object, f.cell(r, 0))
		for i, c := range cells {
			if c != "" && row.Get(head[i]) == nil {
				row.member(head[i], String, f.cell(r, i)).text = c
			}
		}
	}
}

// cell is the offset of field i of the record that was read last.
func (f *file) cell(r *csv.Reader, i int) int {
	line, col := r.FieldPos(i)
	return f.lines[line-1] + col - 1
}

func (f *file) csvProblem(err error) diag.Diagnostic {
	what := diag.Text{Zh: "没有表头", En: "missing header row"}
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return diag.New("DOC010", f.position(0), what)
	}
	switch {
	case errors.Is(p.Err, csv.ErrFieldCount):
		what = diag.Text{Zh: "列数与表头不同", En: "the row has a different number of columns than the header"}
	case errors.Is(p.Err, csv.ErrQuote), errors.Is(p.Err, csv.ErrBareQuote):
		what = diag.Text{Zh: "引号不成对", En: "a quote is not closed or stands in the middle"}
	default:
		what = diag.Text{Zh: p.Err.Error(), En: p.Err.Error()}
	}
	at := f.lines[p.Line-1] + max(p.Column-1, 0)
	if at >= len(f.data) { // a quote that was never closed: where the record begins tells more
		at = f.lines[p.StartLine-1]
	}
	return diag.New("DOC010", f.position(at), what)
}

func (n *Node) member(key string, kind Kind, off int) *Node {
	c := &Node{Kind: kind, Key: key, Parent: n, file: n.file, off: off, keyOff: off}
	n.Members = append(n.Members, c)
	return c
}

func (n *Node) item(kind Kind, off int) *Node {
	c := n.member("", kind, off)
	c.Index = len(n.Members) - 1
	return c
}
