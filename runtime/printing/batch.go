package printing

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/sluice-platform/sluice/runtime/query"
)

// BatchKind is the kind of the jobs that print many records.
const BatchKind = "print"

// mostBatch is how many records a batch has at most.
const mostBatch = 100_000

// BatchRequest asks for a file of many records: those that are named, or all that the filters of a list find.
type BatchRequest struct {
	query.ListRequest
	All      bool
	Template string     // "" = the first
	Each     bool       // a PDF a record in a ZIP file, and not one PDF
	Address  string     // as in Request
	Told     *time.Time // as in Request
}

// asked is a batch in its job. What a batch prints is decided while it runs: the records that the list shows to its owner then.
type asked struct {
	exporter.Wanted
	List     query.ListRequest `json:"list"`
	Template string            `json:"template"`
	Each     bool              `json:"each"`
	Address  string            `json:"address"`
	Time     time.Time         `json:"time"`
	Told     *time.Time        `json:"told,omitempty"`
}

// Batch checks a batch with the caller's rights and enqueues it. Its file is kept as exports are.
func (s *Service) Batch(ctx context.Context, view *authz.View, req BatchRequest) (*exporter.Started, error) {
	t, err := s.template(view, Request{PrintRequest: query.PrintRequest{SchemaCode: req.SchemaCode}, Template: req.Template})
	if err != nil {
		return nil, err
	}
	l, err := s.Reader.ListOf(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return nil, err
	}
	if err := s.told(view, l.Model.Code, req.Told); err != nil {
		return nil, err
	}
	list := query.ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code, OrderByFields: req.OrderByFields, OrderType: req.OrderType, Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: []string{catalog.ID}}}
	switch {
	case req.All == (len(req.ObjectIDs) > 0) || len(req.ObjectIDs) > mostBatch:
		return nil, fault.New(fault.BadParameter, "objectIds")
	case req.All:
		list.Filters, list.Keyword = req.Filters, req.Keyword
	default:
		list.ObjectIDs = slices.Compact(slices.Sorted(slices.Values(req.ObjectIDs))) // the list orders them
	}
	if _, _, err := s.Reader.ExtractColumns(ctx, view, list, query.PrintRight); err != nil {
		return nil, err
	}
	if s.Address != "" {
		req.Address = s.Address
	}
	now, ending := s.Clock().In(s.Zone).Truncate(time.Second), ".pdf"
	if req.Each {
		ending = ".zip"
	}
	name := t.Label.In(view.Principal().Locale)
	file := exporter.Clean(name) + " " + now.Format("20060102150405") + ending
	return s.Exports.Order(ctx, view, exporter.Order{Kind: BatchKind, Model: l.Model.Code, List: l.Code, Name: file, Title: job.Title{Zh: "打印：" + t.Label.In("zh"), En: "Print: " + t.Label.In("en")},
		Subject: l.Model.Code, About: t.Label.In("zh"), Entry: audit.Printed, Detail: map[string]string{"file": file}},
		func(w exporter.Wanted) any { return asked{w, list, t.Code, req.Each, req.Address, now, req.Told} })
}

// batches is the service as a maker of files.
type batches struct{ *Service }

// Maker makes the files of batches.
func (s *Service) Maker() exporter.Maker { return batches{s} }

// Kind implements exporter.Maker.
func (batches) Kind() string { return BatchKind }

// Begin implements exporter.Maker.
func (b batches) Begin(ctx context.Context, view *authz.View, payload json.RawMessage, then names.Reading) (exporter.Making, error) {
	var a asked
	if err := json.Unmarshal(payload, &a); err != nil {
		return nil, err
	}
	if err := a.now(then, view.Catalog); err != nil {
		return nil, err
	}
	if _, err := b.template(view, Request{PrintRequest: query.PrintRequest{SchemaCode: a.List.SchemaCode}, Template: a.Template}); err != nil {
		return nil, err
	}
	p := &batch{s: b.Service, view: view, asked: a}
	err := b.Reader.Extract(ctx, view, a.List, query.PrintRight, func(rows *query.Rows) bool {
		for i := range rows.Len() {
			p.ids = append(p.ids, rows.ID(i))
		}
		return len(p.ids) <= mostBatch
	})
	switch {
	case err != nil:
		return nil, err
	case len(p.ids) == 0:
		return nil, fault.New(fault.PrintNothing)
	case len(p.ids) > mostBatch:
		return nil, fault.New(fault.PrintTooMany, mostBatch)
	}
	return p, nil
}

// now gives what was asked the codes of now.
func (a *asked) now(then names.Reading, c *catalog.Catalog) (err error) {
	if a.List, err = a.List.Now(then, c); err != nil {
		return err
	}
	template, ok := then.Document(names.Print, a.Template)
	if !ok {
		return fault.New(fault.RequestGone, a.Template)
	}
	a.Template = template
	return nil
}

// Readable implements exporter.Maker.
func (b batches) Readable(view *authz.View, model, list string, templates []string) error {
	for _, t := range templates {
		if _, err := b.template(view, Request{PrintRequest: query.PrintRequest{SchemaCode: model}, Template: t}); err != nil {
			return fault.Wrap(err, fault.ExportRights)
		}
	}
	if _, err := b.Reader.ListOf(view, model, list); err != nil {
		return fault.Wrap(err, fault.ExportRights)
	}
	return nil
}

// time is that of the file: what its paper says.
func (a *asked) time() time.Time {
	if a.Told != nil {
		return *a.Told
	}
	return a.Time
}

// batch is a file while it is made.
type batch struct {
	s     *Service
	view  *authz.View
	asked asked
	ids   []string
	done  int // records that were asked for

	printed int
	missing []rune // sorted
	tooWide []string
}

// Mime implements exporter.Making.
func (b *batch) Mime() string {
	if b.asked.Each {
		return "application/zip"
	}
	return "application/pdf"
}

// longBatch is how many sheets take more than a few seconds.
const longBatch = 100

// Long implements exporter.Making.
func (b *batch) Long() bool { return len(b.ids) > longBatch }

// Total implements exporter.Making.
func (b *batch) Total() int64 { return int64(len(b.ids)) }

// Rows implements exporter.Making.
func (b *batch) Rows() int64 { return int64(b.done) }

// Holds implements exporter.Making.
func (b *batch) Holds() []string { return []string{b.asked.Template} }

// Lacks implements exporter.Lacking. What their owner does not see has not been found when the batch began.
func (b *batch) Lacks() exporter.Lacks {
	return exporter.Lacks{Skipped: int64(max(len(b.asked.List.ObjectIDs), len(b.ids)) - b.printed), Missing: string(b.missing[:min(len(b.missing), mostMissing)]), TooWide: strings.Join(b.tooWide, "\n")}
}

// mostMissing is how many characters without a glyph a batch tells at most.
const mostMissing = 200

// A part is what a batch holds in memory: records that are read and laid out in one transaction. It ends after the record with which it has as many
// pages or bytes of pictures.
const (
	partRecords = 20
	partPages   = 100
	partImages  = 8 << 20
)

// Write implements exporter.Making. A record that has gone meanwhile is left out.
func (b *batch) Write(ctx context.Context, to io.Writer, each func() error) error {
	var out paperWriter = onePDF{pdf.New(to)}
	if b.asked.Each {
		out = &manyPDFs{zip: zip.NewWriter(to), width: len(fmt.Sprint(len(b.ids)))}
	}
	who := b.view.Principal()
	info := pdf.Info{Author: who.Name, Language: languages[who.Locale], Time: b.asked.time()}
	for size := partRecords; b.done < len(b.ids); {
		ids := b.ids[b.done:min(b.done+size, len(b.ids))]
		req := Request{PrintRequest: query.PrintRequest{SchemaCode: b.asked.List.SchemaCode, QueryCode: b.asked.List.QueryCode, ObjectIDs: ids}, Template: b.asked.Template, Address: b.asked.Address, Time: b.asked.Time, Told: b.asked.Told, part: true}
		reached := len(ids)
		p, err := b.s.Print(ctx, b.view, req, Batch, b.asked.Task)
		switch {
		case fault.Of(err) == fault.PrintNothing:
		case err != nil:
			return err
		default:
			reached = p.reached
			info.Title = p.Name.In(who.Locale)
			b.printed += len(p.Records)
			b.missing = append(b.missing, p.Missing...)
			slices.Sort(b.missing)
			b.missing = slices.Compact(b.missing)
			for _, figure := range p.TooWide {
				if len(b.tooWide) < mostTooWide && !slices.Contains(b.tooWide, figure) {
					b.tooWide = append(b.tooWide, figure)
				}
			}
			if err := out.add(p, info); err != nil {
				return err
			}
		}
		b.done += reached
		size = min(2*reached, partRecords) // records that were read in vain are read again
		if err := each(); err != nil {
			return err
		}
	}
	if b.printed == 0 {
		return fault.New(fault.PrintNothing)
	}
	return out.close(info)
}

// languages by locale, as PDF names them.
var languages = map[string]string{"zh": "zh-CN", "en": "en"}

// paperWriter takes the records of a batch.
type paperWriter interface {
	add(p *Printout, info pdf.Info) error
	close(info pdf.Info) error
}

// onePDF is one file of all records.
type onePDF struct{ file *pdf.File }

func (o onePDF) add(p *Printout, _ pdf.Info) error { return o.file.Add(p.Pages, p.Images) }

func (o onePDF) close(info pdf.Info) error { return o.file.Close(info) }

// manyPDFs is a file of each record. Their names begin with their number, so that they are different, and in order.
type manyPDFs struct {
	zip   *zip.Writer
	width int // digits of numbers
	n     int
}

func (m *manyPDFs) add(p *Printout, info pdf.Info) error {
	for i, from := range p.starts {
		to := len(p.Pages)
		if i+1 < len(p.starts) {
			to = p.starts[i+1]
		}
		m.n++
		name := exporter.Clean(fmt.Sprintf("%0*d %s", m.width, m.n, cut(cmp.Or(p.names[i], info.Title)))) + ".pdf"
		w, err := m.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: info.Time})
		if err != nil {
			return err
		}
		if err := pdf.Write(w, p.Pages[from:to], p.Images, info); err != nil {
			return err
		}
	}
	return nil
}

func (m *manyPDFs) close(pdf.Info) error { return m.zip.Close() }

// longestName is how many characters of a record's name are in that of its file.
const longestName = 60

func cut(name string) string {
	if r := []rune(name); len(r) > longestName {
		return string(r[:longestName])
	}
	return name
}
