package exporter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// write reads the records and writes them into a file, a page at a time.
func (s *Service) write(ctx context.Context, view *authz.View, to io.Writer, e *export) error {
	var w workbook.RowWriter
	if e.FileType == csv {
		w = workbook.NewCSV(to)
	} else {
		w = workbook.NewWriter(to, workbook.Options{Title: e.SheetName, Creator: view.Principal().Name, Created: s.Clock().UTC(), Locale: e.Language})
	}
	w.Sheet(e.options(w))
	e.cells = make([]workbook.Out, len(e.layout))
	// The next page is read while the last one is written.
	pages, written := make(chan *query.Rows), make(chan error, 1)
	go func() { written <- s.pages(w, e, pages) }()
	var broken error
	ended := false
	err := s.Reader.Extract(ctx, view, e.request, Action, func(rows *query.Rows) bool {
		select {
		case pages <- rows:
			broken = e.each()
		case broken = <-written:
			ended = true
		}
		return broken == nil
	})
	close(pages)
	if !ended {
		err = errors.Join(err, <-written)
	}
	err = errors.Join(err, broken)
	if err == nil {
		err = e.totals(w)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// pages writes pages until there are no more.
func (s *Service) pages(w workbook.RowWriter, e *export, pages <-chan *query.Rows) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	for rows := range pages {
		for i := range rows.Len() {
			if err := s.record(w, e, rows, i); err != nil {
				return err
			}
			e.rows.Add(1)
		}
	}
	return nil
}

// record writes a record: a row, or as many as its longest sub-table has. What the record itself holds is in the first of them.
func (s *Service) record(w workbook.RowWriter, e *export, rows *query.Rows, at int) error {
	most := 1
	for sheet := range e.sheets {
		most = max(most, rows.Inner(at, sheet))
	}
	for line := range most {
		for i := range e.layout {
			p := &e.layout[i]
			out := &e.cells[i]
			*out = workbook.Out{}
			switch {
			case p.sheet < 0 && p.column < 0:
				out.Cell = property.Cell{Kind: property.CellText, Text: workbook.LineKey(rows.ID(at), line)}
			case p.sheet < 0 && line > 0:
			case p.sheet < 0:
				out.Cell = s.linked(e, rows.Cell(at, p.column), rows.Column(p.column), rows.ID(at), rows.Value(at, p.column))
				if p.sum != nil {
					p.sum.add(out.Cell)
				}
			case line >= rows.Inner(at, p.sheet):
			case p.column < 0:
				out.Cell = property.Cell{Kind: property.CellText, Text: rows.InnerID(at, p.sheet, line)}
			default:
				c := e.sheets[p.sheet].Columns[p.column]
				out.Cell = s.linked(e, rows.InnerCell(at, p.sheet, line, p.column), &c, rows.ID(at), rows.InnerValue(at, p.sheet, line, p.column))
			}
		}
		if err := w.Row(e.cells, 0); err != nil {
			return err
		}
	}
	return nil
}

// linked makes the link of a cell whole. A cell has one link: of several files it opens the record that holds them.
func (s *Service) linked(e *export, c property.Cell, of *query.Column, record string, v any) property.Cell {
	switch {
	case s.Address == "":
		c.Link = ""
	case strings.HasPrefix(c.Link, "/"):
		c.Link = s.Address + c.Link
	case c.Link == "" && c.Kind == property.CellText && files(of, v) > 1:
		q := url.Values{"schemaCode": {e.Request.SchemaCode}, "queryCode": {e.Request.QueryCode}, "objectId": {record}}
		c.Link = s.Address + "/form/detail?" + q.Encode()
	}
	return c
}

// files is how many files a value has.
func files(of *query.Column, v any) int {
	if _, ok := of.Field.Property.(property.FileTaker); !ok {
		return 0
	}
	return len(of.Field.Property.(property.Referrer).Refs(v))
}
