package workbook

import (
	"bytes"
	"context"
	"errors"
	"path"
	"strconv"
	"strings"
)

// relation is a line of a .rels part.
type relation struct {
	id, kind, target string
	external         bool
}

// look is what the style of a cell means for its value.
type look struct {
	format string
	parts  formatParts
	time   bool
}

// maxParts bound the small parts: no file that people make has more worksheets or styles.
const (
	maxSheets    = 4096
	maxRelations = 1 << 16
	maxStyles    = 1 << 17
)

// elements calls each with the start of every element of a part and the name of its parent.
func (b *Book) elements(ctx context.Context, part string, each func(parent string, s *scanner)) error {
	in, err := b.zip.open(ctx, part)
	if err != nil {
		return err
	}
	s := newScanner(in, 1<<20)
	var open []string
	for {
		switch s.next() {
		case tokenEnd:
			var r *Refusal
			switch {
			case errors.Is(s.err, errUnknown):
				return refuse(Broken, part)
			case errors.As(s.err, &r) && r.Why != DTD && r.Why != TooLarge:
				return refuse(Broken, part)
			}
			return s.err
		case tokenStart:
			parent := ""
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			name := string(s.name)
			each(parent, s)
			open = append(open, name)
		case tokenClose:
			if len(open) == 0 || open[len(open)-1] != string(s.name) && !bytes.Equal(s.name, []byte(open[len(open)-1])) {
				return refuse(Broken, part)
			}
			open = open[:len(open)-1]
		}
	}
}

// plain is an attribute with its entities replaced.
func plain(attrs []byte, name string) string {
	v, _ := attribute(attrs, name)
	out, ok := appendUnescaped(nil, v)
	if !ok {
		return ""
	}
	return string(out)
}

// relations reads the .rels part of a part; "" is the file itself.
func (b *Book) relations(ctx context.Context, of string) ([]relation, error) {
	dir, base := path.Split(of)
	part := dir + "_rels/" + base + ".rels"
	if !b.zip.has(part) {
		return nil, nil
	}
	var all []relation
	err := b.elements(ctx, part, func(_ string, s *scanner) {
		if string(s.name) != "Relationship" || len(all) >= maxRelations {
			return
		}
		r := relation{id: plain(s.attrs, "Id"), kind: path.Base(plain(s.attrs, "Type")), target: plain(s.attrs, "Target")}
		r.external = strings.EqualFold(plain(s.attrs, "TargetMode"), "External")
		if !strings.HasPrefix(r.target, "/") {
			r.target = dir + r.target
		}
		r.target = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(r.target, `\`, "/")), "/")
		all = append(all, r)
	})
	return all, err
}

// readWorkbook reads the worksheets and the system of dates.
func (b *Book) readWorkbook(ctx context.Context, part string, rels []relation) error {
	byID := map[string]relation{}
	for _, r := range rels {
		byID[r.id] = r
	}
	missing := ""
	err := b.elements(ctx, part, func(parent string, s *scanner) {
		switch string(s.name) {
		case "workbookPr":
			v := plain(s.attrs, "date1904")
			b.is1904 = v == "1" || v == "true" || v == "on"
		case "sheet":
			if parent != "sheets" || len(b.sheets) >= maxSheets {
				return
			}
			r := byID[relationID(s.attrs)]
			if state := plain(s.attrs, "state"); r.kind != "worksheet" || r.external || state == "hidden" || state == "veryHidden" {
				return
			}
			if !b.zip.has(r.target) {
				missing = r.target
				return
			}
			b.sheets = append(b.sheets, Sheet{Name: plain(s.attrs, "name")})
			b.parts = append(b.parts, r.target)
		}
	})
	if err == nil && missing != "" {
		return refuse(Broken, missing)
	}
	return err
}

// relationID is the attribute id with any prefix: r:id.
func relationID(attrs []byte) string {
	for {
		key, value, rest, ok := nextAttribute(attrs)
		if !ok {
			return ""
		}
		if i := bytes.IndexByte(key, ':'); i >= 0 && string(key[i+1:]) == "id" {
			return string(value)
		}
		attrs = rest
	}
}

// readStyles reads the number formats of the cells' styles.
func (b *Book) readStyles(ctx context.Context, part string) ([]look, error) {
	formats := map[int]string{}
	var ids []int
	err := b.elements(ctx, part, func(parent string, s *scanner) {
		switch {
		case parent == "numFmts" && string(s.name) == "numFmt" && len(formats) < maxStyles:
			if n, err := strconv.Atoi(plain(s.attrs, "numFmtId")); err == nil {
				formats[n] = plain(s.attrs, "formatCode")
			}
		case parent == "cellXfs" && string(s.name) == "xf" && len(ids) < maxStyles:
			n, _ := strconv.Atoi(plain(s.attrs, "numFmtId"))
			ids = append(ids, n)
		}
	})
	if err != nil {
		return nil, err
	}
	looks := make([]look, len(ids))
	for i, id := range ids {
		looks[i] = lookOf(id, formats)
	}
	return looks, nil
}

func lookOf(id int, formats map[int]string) look {
	code, own := formats[id]
	if !own {
		code = builtinFormats[id]
	}
	if code == "General" {
		code = ""
	}
	p := partsOf(code)
	return look{format: code, parts: p, time: p.any()}
}
