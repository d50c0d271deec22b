package workbook

import (
	"bytes"
	"context"
	"errors"
)

// maxMerged is how many merged ranges a worksheet can have.
const maxMerged = 1 << 17

// Merged are the merged cells of a worksheet. It is a pass of its own that skips the rows, for the file names them behind the rows.
func (b *Book) Merged(ctx context.Context, sheet int) ([]Range, error) {
	if b.text != nil {
		return nil, nil
	}
	if sheet < 0 || sheet >= len(b.parts) {
		return nil, refuse(NoSheet)
	}
	in, err := b.zip.open(ctx, b.parts[sheet])
	if err != nil {
		return nil, err
	}
	s := newScanner(in, b.limits.CellBytes)
	var all []Range
	for {
		switch s.next() {
		case tokenEnd:
			if errors.Is(s.err, errUnknown) {
				usual, err := b.usual(ctx, sheet, b.limits.Time)
				if err != nil {
					return nil, err
				}
				return usual.Merged(ctx, sheet)
			}
			return all, s.err
		case tokenStart:
			switch string(s.name) {
			case "sheetData":
				if !s.empty {
					s.skipRows()
				}
			case "mergeCell":
				ref, _ := attribute(s.attrs, "ref")
				r, ok := parseRange(ref)
				if !ok || len(all) >= maxMerged {
					return nil, refuse(Broken, "mergeCell")
				}
				all = append(all, r)
			}
		}
	}
}

// skipRows passes over the rest of sheetData without looking at it: its end is the only place where the word comes before ">".
func (s *scanner) skipRows() {
	mark := []byte("sheetData>")
	for {
		if i := bytes.Index(s.buf[s.pos:s.end], mark); i >= 0 {
			s.pos += i + len(mark)
			s.depth--
			return
		}
		s.pos = max(s.pos, s.end-len(mark)+1)
		if !s.more() {
			s.fail(refuse(Broken, "XML"))
			return
		}
	}
}
