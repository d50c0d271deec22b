package importer

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Limits of what is told of a file before it is imported.
const (
	previewRows    = 20
	previewColumns = 200
	previewText    = 80 // characters of a cell
	sampledRows    = 60
	samples        = 3
	mostLooked     = 60 // worksheets whose heads are looked for
)

// HeadRequest asks how an upload would be read.
type HeadRequest struct {
	FileName   string `json:"fileName"`
	SchemaCode string `json:"schemaCode"`
	QueryCode  string `json:"queryCode"`
	QueryField string `json:"queryField"`
	Language   string `json:"languageType"`
	Sheet      *int   `json:"sheet"`    // nil = the one whose head fits best
	HeadRow    int    `json:"headRow"`  // 0 = the one that fits best
	Encoding   string `json:"encoding"` // of a text file; "" = as it looks
}

// Proposal is how an upload would be read (api.yaml ImportHead).
type Proposal struct {
	Sheets     []SheetFit       `json:"sheets"`
	Sheet      int              `json:"sheet"`
	Encoding   string           `json:"encoding"`
	HeadRow    int              `json:"headRow"`
	Columns    []ProposedColumn `json:"columns"`
	Properties []Assignable     `json:"properties"`
	Missing    []string         `json:"missing"` // codes of required properties that no column brings
	Unclear    bool             `json:"unclear"` // an import would be refused until somebody says what the columns are
	Kept       bool             `json:"kept"`    // something is as the caller said the last time
	Preview    []PreviewRow     `json:"preview"`
}

// SheetFit is a worksheet with how many of its columns are recognized, and whether it can be imported with the one that is read; otherwise Code says why not.
type SheetFit struct {
	Name    string     `json:"name"`
	Fits    int        `json:"fits"`
	Alike   bool       `json:"alike"`
	Code    fault.Code `json:"errcode"`
	Args    []any      `json:"-"`
	Message string     `json:"errmsg"` // filled at the edge
}

// ProposedColumn is a column of the file.
type ProposedColumn struct {
	Column  int      `json:"column"` // 0 = A
	Name    string   `json:"name"`   // "A"
	Heading string   `json:"heading"`
	Samples []string `json:"samples"`      // of the first values below the head
	Code    string   `json:"propertyCode"` // "" = left out, or to be asked for
	By      string   `json:"by"`           // code, name, kept; "" = Code is empty
	May     []string `json:"candidates"`   // what it may be, when that is to be asked for
}

// Assignable is a property that a column can bring.
type Assignable struct {
	Code     string            `json:"propertyCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Required bool              `json:"required"` // of new records, and nothing fills it in
}

// PreviewRow is a row of the file, as texts.
type PreviewRow struct {
	Number int      `json:"rowNumber"`
	Cells  []string `json:"cells"`
}

// Propose looks into an upload and tells its worksheets, its head and what its columns would be, with what the caller said of such columns the last time.
func (s *Service) Propose(ctx context.Context, view *authz.View, req HeadRequest) (out Proposal, err error) {
	l, err := query.Offers(view, req.SchemaCode, req.QueryCode, Right)
	if err != nil {
		return out, err
	}
	f, err := s.upload(ctx, view.User(), req.FileName)
	if err != nil {
		return out, err
	}
	imp, err := s.newImport(view, l, Request{QueryField: req.QueryField, Language: req.Language, Encoding: req.Encoding, HeadRow: req.HeadRow, Mode: Add})
	if err != nil {
		return out, err
	}
	imp.FileID = f.ID
	tops, err := s.topsOf(ctx, imp, f)
	if err != nil {
		return out, err
	}
	defer tops.close()
	columns := columnsOf(view, l.Model)
	p := &proposing{tops: tops, k: newHeadings(l.Model, withKey(columns, l.Model.Field(imp.KeyField))), at: req.HeadRow, locale: imp.Locale}
	if p.k.kept, err = s.remembered(ctx, view.User(), l); err != nil {
		return out, err
	}
	if found := tops.encodings; len(found) > 0 {
		out.Encoding = found[0]
	}
	if out.Sheet, out.Sheets, err = p.choose(ctx, req.Sheet); err != nil {
		return out, err
	}
	if err := p.read(ctx, out.Sheet, max(sampledRows, req.HeadRow+previewRows)); err != nil {
		return out, err
	}
	p.fill(&out)
	if err := p.compare(ctx, &out); err != nil {
		return out, err
	}
	out.Missing = append([]string{}, missing(columns, p.h.head(p.k))...)
	return out, nil
}

// proposing reads the first rows of worksheets.
type proposing struct {
	tops   *tops
	k      *known
	at     int
	locale string
	rows   []workbook.Row
	h      headings
}

// choose finds the worksheet whose head fits best, and how well those of the others do.
func (p *proposing) choose(ctx context.Context, wanted *int) (sheet int, fits []SheetFit, err error) {
	all := p.tops.names
	if wanted != nil && (*wanted < 0 || *wanted >= len(all)) {
		return 0, nil, fault.New(fault.WorkbookNoSheet)
	}
	at := p.at
	defer func() { p.at = at }()
	p.at = 0
	for i, one := range all {
		fits = append(fits, SheetFit{Name: one})
		if i >= mostLooked || len(all) == 1 {
			continue
		}
		if err := p.read(ctx, i, headRows+2); err != nil {
			return 0, nil, err
		}
		if fits[i].Fits = p.h.score; p.h.score > fits[sheet].Fits {
			sheet = i
		}
	}
	if wanted != nil {
		sheet = *wanted
	}
	return sheet, fits, nil
}

// compare tells which of the other worksheets can be imported with the one that is read.
func (p *proposing) compare(ctx context.Context, out *Proposal) error {
	l := lead{name: out.Sheets[out.Sheet].Name, headings: p.h, k: p.k, said: p.at > 0, open: true}
	for i := range out.Sheets {
		one := &out.Sheets[i]
		switch {
		case i == out.Sheet:
			one.Alike = true
			continue
		case i >= mostLooked:
			continue
		}
		top, err := p.tops.top(ctx, i)
		if err == nil {
			_, err = l.read(one.Name, top.rows[:min(len(top.rows), max(headRows, p.at)+2)], top.merged)
		}
		var why *fault.Error
		switch {
		case err == nil:
			one.Alike = true
		case errors.As(err, &why):
			one.Code, one.Args = why.Code, why.Args
		default:
			return err
		}
	}
	return nil
}

// read reads the first rows of a worksheet and its head.
func (p *proposing) read(ctx context.Context, sheet, most int) error {
	top, err := p.tops.top(ctx, sheet)
	if err != nil {
		return err
	}
	merged := top.merged
	p.rows = top.rows[:min(len(top.rows), most)]
	p.h = headings{}
	if len(p.rows) > 0 {
		p.h = p.k.find(p.rows, merged, p.at)
		if p.at == 0 && p.h.score == 0 {
			p.h = p.k.unread(p.rows, p.looksLikeHead())
		}
	}
	return nil
}

// looksLikeHead is the row that most likely has the headings of a sheet of which nothing is known: the first with the most texts.
func (p *proposing) looksLikeHead() int {
	best, most := p.rows[0].Number, 0
	for _, r := range p.rows[:min(len(p.rows), headRows)] {
		texts := 0
		for at := range r.Cells {
			if text := textOf(r, at); text != "" {
				if _, number := numberIn(r.Cells[at]); !number {
					texts++
				}
			}
		}
		if texts > most {
			best, most = r.Number, texts
		}
	}
	return best
}

// fill tells what was read.
func (p *proposing) fill(out *Proposal) {
	out.HeadRow, out.Columns, out.Preview = p.h.last, []ProposedColumn{}, []PreviewRow{}
	known := 0
	for at := range p.width() {
		c := ProposedColumn{Column: at, Name: workbook.ColumnName(at), Samples: p.samples(at), May: []string{}}
		i := slices.IndexFunc(p.h.columns, func(h headedColumn) bool { return h.at == at })
		if i >= 0 {
			h := p.h.columns[i]
			c.Heading = cut(h.text)
			switch {
			case h.asked():
				c.May, out.Unclear = h.codes, true
			case h.sure:
				c.Code, c.By = h.codes[0], h.by
				known++
			case h.by == byKept:
				c.By = h.by
			}
			out.Kept = out.Kept || h.by == byKept
		}
		if i >= 0 || len(c.Samples) > 0 {
			out.Columns = append(out.Columns, c)
		}
	}
	out.Unclear = out.Unclear || known == 0
	for _, r := range p.rows {
		if len(out.Preview) == previewRows+min(p.h.last, mostHeadRow) {
			break
		}
		row := PreviewRow{Number: r.Number, Cells: []string{}}
		for at := range min(len(r.Cells), previewColumns) {
			row.Cells = append(row.Cells, cut(textOf(r, at)))
		}
		out.Preview = append(out.Preview, row)
	}
	out.Properties = p.k.assignable()
}

// width is how many columns are told.
func (p *proposing) width() (n int) {
	for _, r := range p.rows {
		n = max(n, len(r.Cells))
	}
	return min(n, previewColumns)
}

func (p *proposing) samples(at int) []string {
	out := []string{}
	for _, r := range p.rows {
		if text := textOf(r, at); r.Number > p.h.last && text != "" && len(out) < samples && !workbook.IsExample(r) {
			out = append(out, cut(text))
		}
	}
	return out
}

// cut is the beginning of a text.
func cut(text string) string {
	if runes := []rune(text); len(runes) > previewText {
		return string(runes[:previewText]) + "…"
	}
	return text
}

// assignable are what columns can bring: the properties, and ids of records and rows.
func (k *known) assignable() []Assignable {
	id := func(code string, of plan.Label) Assignable {
		text := func(locale string) string { return strings.TrimPrefix(of.In(locale)+".ID", ".") }
		return Assignable{Code: code, Name: text("zh"), NameI18n: map[string]string{"zh": text("zh"), "en": text("en")}}
	}
	var out []Assignable
	needed := missing(k.columns, head{})
	for i, c := range k.columns {
		if c.Sheet != nil && (i == 0 || k.columns[i-1].Sheet != c.Sheet) {
			out = append(out, id(c.Sheet.Code+"."+rowID, c.Sheet.Label))
		}
		out = append(out, Assignable{Code: c.Code(), Name: c.Label("zh"), NameI18n: map[string]string{"zh": c.Label("zh"), "en": c.Label("en")},
			Required: slices.Contains(needed, c.Code())})
	}
	return append(out, id(rowID, plan.Label{}))
}
