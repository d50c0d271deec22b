package printing

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// Request names records of a list and a template of their model; Template "" = the first.
type Request struct {
	query.PrintRequest
	Template string
	Labels   *Labels   // codes with captions, instead of a template
	Sheets   bool      // a spreadsheet: worksheets instead of pages
	Draft    bool      // of a designer: the template is not published, and shows its background
	Time     time.Time // that of the paper; zero = now
	// Told is the time that the paper is to say, by who calls: only those may who administer the application. It is kept beside the time at which
	// it was printed.
	Told *time.Time
	// Address is at which the caller's browser reaches the system; it is taken where the installation does not know its own.
	Address string
	part    bool // pages may end before all records are laid out: Printout.reached
}

// Printout is paper: its pages, and the pictures on them.
type Printout struct {
	Name    plan.Label
	Pages   []layout.Page
	Records []string // that were laid out, in order
	Skipped int      // records that may not be seen or printed, or that the template is not for
	Time    time.Time
	Missing []rune             // characters that no font here has, in order: the sign of font.Missing stands for each
	TooWide []string           // figures that no box had room for, each once: ### stands for each
	images  map[string]picture // by their refs
	wanted  []wanted           // pictures that are shown and have not been read
	sheets  []spreadsheet      // of each record, where they were asked for

	reached  int              // how many of the requested records were looked at, from the first
	template string           // code; "" = labels
	starts   []int            // the first page of each record; none of labels
	names    []string         // of the records
	codes    map[string]coded // those that can be verified, by record
}

// miss notes a character that cannot be drawn.
func (p *Printout) miss(r rune) {
	if i, has := slices.BinarySearch(p.Missing, r); !has {
		p.Missing = slices.Insert(p.Missing, i, r)
	}
}

// noRoom notes a figure that its box has no room for.
func (p *Printout) noRoom(figure string) {
	if len(p.TooWide) < mostTooWide && !slices.Contains(p.TooWide, figure) {
		p.TooWide = append(p.TooWide, figure)
	}
}

// mostTooWide is how many figures without room are told.
const mostTooWide = 50

// Images implements pdf.Images.
func (p *Printout) Images(ref string) []byte { return p.images[ref].data }

// WritePDF writes the pages. The same records at the same time give the same bytes.
func (p *Printout) WritePDF(w io.Writer, locale, author string) error {
	return pdf.Write(w, p.Pages, p.Images, pdf.Info{Title: p.Name.In(locale), Author: author, Language: languages[locale], Time: p.Time})
}

// Templates are those that the caller can print records of a model with, for a form or for all.
func Templates(view *authz.View, m *catalog.Model, form string) []*catalog.Print {
	return slices.DeleteFunc(view.Catalog.PrintsOf(m, form), func(t *catalog.Print) bool { return !reads(view, t) })
}

// reads reports whether the caller may print with a template. To others it does not exist.
func reads(view *authz.View, t *catalog.Print) bool {
	return view.Reads(view.Catalog.Document(catalog.KindPrint, t.Code))
}

// printable is a model whose records the caller may print; to those who see none of them it does not exist.
func printable(view *authz.View, schemaCode, right string) (*catalog.Model, error) {
	m := view.Catalog.Model(schemaCode)
	switch {
	case m == nil || !view.Can(m, "view"):
		return nil, fault.New(fault.ModelNotFound)
	case !view.Can(m, right):
		return nil, fault.New(fault.Forbidden)
	}
	return m, nil
}

// template finds the one that a request means.
func (s *Service) template(view *authz.View, req Request) (*catalog.Print, error) {
	m, err := printable(view, req.SchemaCode, query.PrintRight)
	if err != nil {
		return nil, err
	}
	t := view.Catalog.Print(req.Template)
	if req.Template == "" {
		of := slices.DeleteFunc(Templates(view, m, ""), func(p *catalog.Print) bool { return p.External != nil })
		if len(of) == 0 {
			return nil, fault.New(fault.PrintNoTemplate)
		}
		t = of[0]
	}
	switch {
	case t == nil || t.Model != m || !req.Draft && !reads(view, t): // who designs a template for others sees how it looks
		return nil, fault.New(fault.PrintTemplateNotFound)
	case !slices.ContainsFunc(t.Pages, func(p []*catalog.PrintElement) bool { return len(p) > 0 }):
		return nil, fault.New(fault.PrintTemplateEmpty)
	}
	return t, nil
}

// usual is the first template that fits the records, where a request means none; "" where none fits.
func (s *Service) usual(ctx context.Context, view *authz.View, req Request) (string, error) {
	m, err := printable(view, req.SchemaCode, query.PrintRight)
	if err != nil {
		return "", err
	}
	of := slices.DeleteFunc(Templates(view, m, ""), func(p *catalog.Print) bool { return p.External != nil })
	if of, err = s.fitting(ctx, view, m, of, req.ObjectIDs); err != nil || len(of) == 0 {
		return "", err
	}
	return of[0].Code, nil
}

// Lay lays records out.
func (s *Service) Lay(ctx context.Context, view *authz.View, req Request) (*Printout, error) {
	if req.Address == "" || s.Address != "" {
		req.Address = s.Address
	}
	if err := s.told(view, req.SchemaCode, req.Told); err != nil {
		return nil, err
	}
	if req.Told != nil {
		req.Time = *req.Told
	}
	if req.Time.IsZero() {
		req.Time = s.Clock()
	}
	out := &Printout{Time: req.Time.In(s.Zone).Truncate(time.Second)}
	var lay store.Do
	var labels []captioned
	if req.Labels != nil {
		if req.Sheets {
			return nil, fault.New(fault.BadParameter, "labels")
		}
		if err := req.Labels.check(view, req); err != nil {
			return nil, err
		}
		out.Name = labelsName
		lay = func(ctx context.Context, tx *store.Tx) (err error) {
			labels, err = s.readLabels(ctx, tx, view, req, out)
			return err
		}
	} else {
		if req.Template == "" {
			var err error
			if req.Template, err = s.usual(ctx, view, req); err != nil {
				return nil, err
			}
		}
		t, err := s.template(view, req)
		if err != nil {
			return nil, err
		}
		out.Name, out.template = t.Label, t.Code
		lay = func(ctx context.Context, tx *store.Tx) error { return s.lay(ctx, tx, view, req, t, out) }
	}
	err := s.laid(ctx, &req, out, lay)
	switch {
	case err != nil:
		return nil, err
	case len(out.Records) == 0:
		return nil, fault.New(fault.PrintNothing)
	}
	out.Skipped = len(req.ObjectIDs) - len(out.Records)
	if req.Labels != nil {
		return out, s.drawLabels(ctx, req, labels, out)
	}
	return out, nil
}

func (s *Service) lay(ctx context.Context, tx *store.Tx, view *authz.View, req Request, t *catalog.Print, out *Printout) error {
	t, err := seen(view, t)
	if err != nil {
		return err
	}
	b := &binder{ctx: ctx, s: s, tx: tx, view: view, t: t, out: out, draft: req.Draft, sheets: req.Sheets, base: req.Address, locale: view.Principal().Locale, conditions: map[*catalog.PrintElement]int{}, font: font.Default(), counted: map[string]bool{}}
	paper := query.PaperRequest{PrintRequest: req.PrintRequest, Template: t.Code, Columns: b.columns()}
	when := t.When
	if when == nil {
		when = plan.True
	}
	paper.Conditions = []plan.Expr{when}
	for _, page := range t.Pages {
		for _, e := range page {
			if e.When != nil {
				b.conditions[e] = len(paper.Conditions)
				paper.Conditions = append(paper.Conditions, e.When)
			}
		}
	}
	records, err := s.Reader.Paper(ctx, tx, view, paper)
	if err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(p query.Paper) bool { return !p.Holds(0) })
	out.reached = len(req.ObjectIDs)
	if err := b.pointing(records); err != nil {
		return err
	}
	for _, r := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := b.document(r)
		if err != nil {
			return err
		}
		if len(out.wanted) > 0 {
			continue // it is laid out when they are there
		}
		out.starts, out.names = append(out.starts, len(out.Pages)), append(out.names, r.Text(catalog.Name, ""))
		if req.Sheets {
			out.sheets = append(out.sheets, spreadsheet{d.Setup, layout.SpreadOf(d, b.font)})
		} else {
			out.Pages = append(out.Pages, layout.Lay(d, b.font)...)
		}
		out.Records = append(out.Records, r.ID)
		if req.part && (len(out.Pages) >= partPages || b.size >= partImages) {
			out.reached = slices.Index(req.ObjectIDs, r.ID) + 1
			break
		}
	}
	return nil
}

// columns are the properties of related records that the template shows.
func (b *binder) columns() []string {
	var out []string
	add := func(p *catalog.Path) {
		if p != nil && len(p.Steps) > 0 && !p.Sheet && !slices.Contains(out, p.Code) {
			out = append(out, p.Code)
		}
	}
	within := func(t catalog.PrintText) {
		for _, parts := range append([][]catalog.PrintPart{t.Zh}, texts(t.I18n)...) {
			for _, p := range parts {
				add(p.Path)
			}
		}
	}
	for _, page := range b.t.Pages {
		for _, e := range page {
			add(e.Path)
			within(e.Text)
			if e.Sheet != nil {
				within(e.Sheet.Caption)
			}
		}
	}
	for _, band := range b.t.Bands() {
		for _, i := range band.Items {
			within(i.Parts)
		}
	}
	return out
}

func texts(of map[string][]catalog.PrintPart) (out [][]catalog.PrintPart) {
	for _, parts := range of {
		out = append(out, parts)
	}
	return out
}

// course is the workflow of a record.
func (b *binder) course(r query.Paper) (*workflow.PrintCourse, error) {
	if r.Workflow == "" {
		return nil, nil
	}
	return b.s.Workflows.Course(b.ctx, b.tx, b.view, r.Workflow)
}

// setup is the paper with its header and footer in words.
func (b *binder) setup() (layout.Setup, error) {
	s := b.t.Setup
	s.Header, s.Footer = b.band(b.t.Header), b.band(b.t.Footer)
	s.NextHeader, s.NextFooter = b.band(b.t.NextHeader), b.band(b.t.NextFooter)
	if g := b.t.Background; g != nil && (g.Printed || b.draft) {
		p, err := b.own(g)
		if err != nil {
			return s, err
		}
		p.Fit = layout.Fill
		s.Background = &p.Picture
	}
	return s, nil
}

func (b *binder) band(of *catalog.PrintBand) *layout.Band {
	if of == nil {
		return nil
	}
	out := &layout.Band{Edge: of.Edge, Align: of.Align, Size: of.Size, First: of.First}
	for _, i := range of.Items {
		value := map[string]string{"PageNum": layout.PageNumber, "Total": layout.PageTotal, "Date": b.out.Time.Format(time.DateOnly), "Time": b.out.Time.Format("15:04")}[i.Key]
		text := i.Text.In(b.locale)
		switch {
		case i.Key == "Text":
			text = b.text(i.Parts)
		case text == "":
			text = value
		default:
			text = strings.ReplaceAll(text, "{value}", value)
		}
		out.Items = append(out.Items, layout.Item{Text: b.ink(text), Fixed: i.Key == "Text"})
	}
	return out
}
