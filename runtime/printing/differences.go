package printing

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/query"
)

// Difference is a property that has another value now.
type Difference struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	OnPaper  bool              `json:"onPaper"` // the paper shows it; others were only read with it
	Before   string            `json:"before"`  // in the words of the paper
	After    string            `json:"after"`
	Rows     *RowChange        `json:"rows"` // of a sub-table; null = it is none
}

// RowChange is how the rows of a sub-table differ.
type RowChange struct {
	Before  int    `json:"before"`
	After   int    `json:"after"`
	Changed int    `json:"changed"` // of those that both have, by their order
	Cells   []Cell `json:"cells"`   // what differs in them, those on the paper first
}

// Cell is a place of a sub-table whose value is another one now.
type Cell struct {
	Row      int               `json:"row"` // from 1
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	OnPaper  bool              `json:"onPaper"`
	Before   string            `json:"before"`
	After    string            `json:"after"`
}

// mostCells is how many cells of a sub-table are told.
const mostCells = 100

// untold are the properties that change whenever something else does.
var untold = []string{catalog.ModifiedTime, catalog.Modifier, catalog.Version}

// differences compares what somebody sees now with what was read for the paper: first what the paper shows, then the rest, in the
// order of the model. What either does not have was hidden from the one who printed or is from the one who asks, and is not
// compared; what is kept no more is counted.
func (p *found) differences(now query.Printed) (out []Difference, gone int, err error) {
	out = []Difference{}
	var before, after map[string]json.RawMessage
	if err := json.Unmarshal(p.Data, &before); err != nil {
		return nil, 0, err
	}
	if err := json.Unmarshal(now.Data, &after); err != nil {
		return nil, 0, err
	}
	before, gone = codes.Values(p.read, p.model, before)
	texts := codes.Keys(p.read, p.model, p.Texts)
	for _, f := range p.model.Fields {
		a, was := before[f.Code]
		b, is := after[f.Code]
		if !was || !is || bytes.Equal(a, b) || slices.Contains(untold, f.Code) {
			continue
		}
		d := Difference{Code: f.Code, Name: f.Label.Zh, NameI18n: f.Label.I18n, OnPaper: p.shows(f.Code, ""), Before: text(texts[f.Code]), After: text(now.Texts[f.Code])}
		if f.Sheet != nil {
			if d.Rows, err = p.rowChange(f, a, b, rowTexts(texts[f.Code]), rowTexts(now.Texts[f.Code])); err != nil {
				return nil, 0, err
			}
			if d.Rows == nil {
				continue
			}
			d.OnPaper = d.OnPaper && (d.Rows.Before != d.Rows.After || slices.ContainsFunc(d.Rows.Cells, func(c Cell) bool { return c.OnPaper }))
		} else if same, err := sameJSON(a, b); err != nil {
			return nil, 0, err
		} else if same {
			continue
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return first(a.OnPaper, b.OnPaper) })
	return out, gone, nil
}

// first orders what holds before what does not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// rowTexts are the rows of a sub-table in words, as snapshots and records have them.
func rowTexts(v any) []map[string]string {
	switch v := v.(type) {
	case []map[string]string:
		return v
	case []any:
		out := make([]map[string]string, len(v))
		for i, row := range v {
			of, _ := row.(map[string]any)
			out[i] = map[string]string{}
			for code, word := range of {
				out[i][code] = text(word)
			}
		}
		return out
	}
	return nil
}

// rowChange compares the rows of a sub-table by what they hold; nil = they are the same. Rows that are replaced have other ids.
func (p *found) rowChange(of *catalog.Field, then, now []byte, was, is []map[string]string) (*RowChange, error) {
	var before, after []map[string]json.RawMessage
	if err := json.Unmarshal(then, &before); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &after); err != nil {
		return nil, err
	}
	out := RowChange{Before: len(before), After: len(after), Cells: []Cell{}}
	for i := range min(len(before), len(after)) {
		changed := false
		for _, f := range of.Sheet.Fields {
			a, had := before[i][f.Code]
			b, has := after[i][f.Code]
			if f.System || !had || !has {
				continue
			}
			same, err := sameJSON(a, b)
			if err != nil {
				return nil, err
			}
			if same {
				continue
			}
			changed = true
			out.Cells = append(out.Cells, Cell{i + 1, f.Code, f.Label.Zh, f.Label.I18n, p.shows(of.Code, f.Code), cellText(p.words(of, was), i, f.Code), cellText(is, i, f.Code)})
		}
		if changed {
			out.Changed++
		}
	}
	if out.Changed == 0 && out.Before == out.After {
		return nil, nil
	}
	slices.SortStableFunc(out.Cells, func(a, b Cell) int { return first(a.OnPaper, b.OnPaper) })
	out.Cells = out.Cells[:min(len(out.Cells), mostCells)]
	return &out, nil
}

// words are the texts of rows by the codes that their properties have now.
func (p *found) words(of *catalog.Field, rows []map[string]string) []map[string]string {
	if p.read.Now() {
		return rows
	}
	out := make([]map[string]string, len(rows))
	for i, row := range rows {
		out[i] = map[string]string{}
		for code, word := range row {
			for _, sheet := range p.sheetsOf(of) {
				if path, ok := codes.Path(p.read, p.model, []string{sheet, code}); ok && len(path) == 2 {
					out[i][path[1]] = word
				}
			}
		}
	}
	return out
}

// sheetsOf are the codes that a sub-table had when the paper was printed.
func (p *found) sheetsOf(of *catalog.Field) (out []string) {
	for code := range p.Texts {
		if path, ok := codes.Path(p.read, p.model, []string{code}); ok && path[0] == of.Code {
			out = append(out, code)
		}
	}
	return out
}

func cellText(rows []map[string]string, row int, code string) string {
	if row >= len(rows) {
		return ""
	}
	return rows[row][code]
}

func sameJSON(a, b []byte) (bool, error) {
	if bytes.Equal(a, b) {
		return true, nil
	}
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		return false, err
	}
	if err := json.Unmarshal(b, &y); err != nil {
		return false, err
	}
	return reflect.DeepEqual(x, y), nil
}
