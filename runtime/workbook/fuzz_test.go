package workbook_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

// FuzzOpen: whatever the bytes are, reading ends soon, with rows or with a refusal. Seeds run as a test; go test -fuzz goes further.
func FuzzOpen(f *testing.F) {
	good := pack(f, sheet(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="2"><v>46086</v></c><c r="C1" t="inlineStr"><is><t>a_x0041_&amp;</t></is></c></row>`,
		parts{"xl/styles.xml": styled, "xl/sharedStrings.xml": `<sst><si><t>a</t></si></sst>`}))
	f.Add("a.xlsx", good)
	for i := 0; i < len(good); i += 97 {
		cut := bytes.Clone(good)
		cut[i] ^= 0x55
		f.Add("a.xlsx", cut)
		f.Add("a.xlsx", good[:i])
	}
	f.Add("a.xls", ole("Workbook"))
	f.Add("a.csv", []byte("a,b\n\"1\",2"))
	f.Add("a.csv", []byte("\xFF\xFEa\x00,\x00"))
	f.Fuzz(func(t *testing.T, name string, file []byte) { readAnything(t, name, file) })
}

// FuzzWorksheet mutates the XML itself: a zip hides it from FuzzOpen.
func FuzzWorksheet(f *testing.F) {
	for _, rows := range []string{
		`<row r="1"><c r="A1"><v>1</v></c></row>`, `<row><c t="inlineStr"><is><r><t> a</t></r><rPh><t>b</t></rPh></is></c></row>`, `<x:row xmlns:x="a"><x:c t='s'><x:v>0</x:v></x:c></x:row>`,
		`<row r="2"><c r="B2" t="str"><f>A1</f><v>&#x4E00;<![CDATA[<]]></v></c><c/></row><!-- a --><?b?>`, `<row><c t="d"><v>2026-03-05</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c></row>`,
		`<!DOCTYPE a>`, `<row`, `<row r="1048577"/>`, `</sheetData></worksheet>`,
	} {
		f.Add(rows, `<si><t>a</t></si>`)
	}
	f.Fuzz(func(t *testing.T, rows, shared string) {
		readAnything(t, "a.xlsx", pack(t, sheet(rows, parts{"xl/styles.xml": styled, "xl/sharedStrings.xml": `<sst>` + shared + `</sst>`})))
	})
}

func readAnything(t *testing.T, name string, file []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	b, err := workbook.Open(ctx, name, bytes.NewReader(file), int64(len(file)), workbook.Limits{Unpacked: 16 << 20})
	if err == nil {
		defer func() { _ = b.Close() }()
		for i := range b.Sheets() {
			_ = b.Extent(i)
			_, _ = b.Merged(ctx, i)
			last := 0
			err = errors.Join(err, b.Rows(ctx, i, 1, func(r workbook.Row) bool {
				if r.Number <= last || r.Number > workbook.MaxRows || len(r.Cells) == 0 || len(r.Cells) > workbook.MaxColumns {
					t.Errorf("row %d after %d with %d cells", r.Number, last, len(r.Cells))
				}
				last = r.Number
				for _, c := range r.Cells {
					if !utf8.ValidString(c.Text) || bytes.ContainsRune([]byte(c.Text), 0) {
						t.Errorf("%q", c.Text)
					}
				}
				return true
			}))
		}
	}
	var refusal *workbook.Refusal
	if err != nil && !errors.As(err, &refusal) {
		t.Error(err)
	}
}
