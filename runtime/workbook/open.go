package workbook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Open reads what a file is and which worksheets it has; no rows yet. The name decides nothing but if its ending fits. Errors are *Refusal
// unless the file can't be read at all.
func Open(ctx context.Context, name string, file io.ReaderAt, size int64, l Limits) (*Book, error) {
	return OpenAs(ctx, name, "", file, size, l)
}

// OpenAs is Open for a file whose text is in an encoding of Encodings; "" finds it out. Workbooks say their own.
func OpenAs(ctx context.Context, name, encoding string, file io.ReaderAt, size int64, l Limits) (*Book, error) {
	if _, ok := encodingNamed(encoding); !ok && encoding != "" {
		return nil, fmt.Errorf("workbook: unknown encoding %q", encoding)
	}
	l = l.filled()
	if size > l.Packed {
		return nil, refuse(TooLarge, l.Packed)
	}
	head := make([]byte, min(size, 4096))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	b := &Book{file: file, size: size, limits: l}
	ending := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if ending == "et" || ending == "ett" { // of WPS: it is of one kind or another, and does not say which
		return nil, refuse(Foreign, "."+ending)
	}
	switch kind := kindOf(head); kind {
	case "zip":
		if err := b.openZip(ctx); err != nil {
			return nil, err
		}
		if ending != "xlsx" && ending != "xlsm" && ending != "xltx" && ending != "xltm" {
			return nil, refuse(WrongExtension, "xlsx")
		}
	case "ole":
		if err := b.openOLE(ctx); err != nil {
			return nil, err
		}
		if ending != "xls" && ending != "xlt" {
			return nil, errors.Join(refuse(WrongExtension, "xls"), b.Close())
		}
	case "":
		if err := b.openCSV(ctx, name, encoding); err != nil {
			return nil, err
		}
		if ending != "csv" && ending != "txt" && ending != "tsv" {
			return nil, refuse(WrongExtension, "csv")
		}
	case "biff": // Excel 2 to 4: records without a container
		return nil, refuse(OldFormat)
	default:
		return nil, refuse(NotASpreadsheet, kind)
	}
	return b, nil
}

// kindOf is what a file looks like by its first bytes; "" may be text.
func kindOf(head []byte) string {
	for _, k := range []struct{ magic, kind string }{
		{"PK\x03\x04", "zip"}, {"PK\x05\x06", "zip"}, {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "ole"}, {"%PDF", "pdf"}, {"\x89PNG", "png"}, {"\xFF\xD8\xFF", "jpg"},
		{"GIF8", "gif"}, {"{\\rtf", "rtf"}, {"\x1F\x8B", "gz"}, {"Rar!", "rar"}, {"7z\xBC\xAF", "7z"}, {"\x7FELF", "exe"},
		{"\x09\x08", "biff"}, {"\x09\x04\x06\x00", "biff"}, {"\x09\x02\x06\x00", "biff"}, {"\x09\x00\x04\x00", "biff"},
	} {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.kind
		}
	}
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"))
	switch {
	case len(head) == 0:
		return "empty"
	case bytes.HasPrefix(text, []byte("<?xml")), bytes.HasPrefix(text, []byte("<workbook")):
		return "xml"
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.HasPrefix(text, []byte("<html")), bytes.HasPrefix(text, []byte("<table")),
		bytes.HasPrefix(text, []byte("<head")), bytes.HasPrefix(text, []byte("<meta")):
		return "html"
	case bytes.HasPrefix(text, []byte("{\"")):
		return "json"
	}
	return ""
}

// utf16le is a name as OLE containers have it.
func utf16le(s string) []byte {
	b := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		b = append(b, s[i], 0)
	}
	return b
}

// openOLE opens an OLE container if it is a file of Excel 97 to 2003. An xlsx with a password is one too; others are older, or something else such
// as doc.
func (b *Book) openOLE(ctx context.Context) error {
	const chunk = 1 << 20
	book, old := false, false
	buf := make([]byte, chunk)
	for at := int64(0); at < b.size; at += chunk - 64 {
		n, err := b.file.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if bytes.Contains(buf[:n], utf16le("EncryptedPackage")) {
			return refuse(Encrypted)
		}
		book = book || bytes.Contains(buf[:n], utf16le("Workbook"))
		old = old || bytes.Contains(buf[:n], utf16le("Book\x00"))
	}
	switch {
	case book:
		return b.openXLS(ctx)
	case old:
		return refuse(OldFormat)
	}
	return refuse(NotASpreadsheet, "ole")
}

// openZip checks the zip and reads the small parts of an xlsx.
func (b *Book) openZip(ctx context.Context) error {
	zip, err := openArchive(b.file, b.size, b.limits)
	if err != nil {
		return err
	}
	b.zip = zip
	main, err := b.mainPart(ctx)
	if err != nil {
		return err
	}
	rels, err := b.relations(ctx, main)
	if err != nil {
		return err
	}
	for _, r := range rels {
		switch {
		case r.external || !zip.has(r.target):
		case r.kind == "sharedStrings":
			b.shared = r.target
		case r.kind == "styles":
			if b.styles, err = b.readStyles(ctx, r.target); err != nil {
				return err
			}
		}
	}
	if err := b.readWorkbook(ctx, main, rels); err != nil {
		return err
	}
	if len(b.sheets) == 0 {
		return refuse(NoSheet)
	}
	return nil
}

// mainPart finds the workbook among the parts: wherever the relations say that it is.
func (b *Book) mainPart(ctx context.Context) (string, error) {
	if b.zip.has("_rels/.rels") {
		rels, err := b.relations(ctx, "")
		if err != nil {
			return "", err
		}
		for _, r := range rels {
			if r.kind != "officeDocument" || r.external || !b.zip.has(r.target) {
				continue
			}
			if strings.HasSuffix(cleanName(r.target), ".bin") {
				return "", refuse(Foreign, ".xlsb")
			}
			root, err := b.rootOf(ctx, r.target)
			if err != nil {
				return "", err
			}
			if root == "workbook" {
				return r.target, nil
			}
		}
	}
	for _, k := range []struct {
		part string
		why  error
	}{{"xl/workbook.bin", refuse(Foreign, ".xlsb")}, {"word/document.xml", refuse(NotASpreadsheet, "docx")}, {"ppt/presentation.xml", refuse(NotASpreadsheet, "pptx")},
		{"content.xml", refuse(Foreign, ".ods")}} {
		if b.zip.has(k.part) {
			return "", k.why
		}
	}
	if b.zip.has("xl/workbook.xml") {
		return "xl/workbook.xml", nil
	}
	if b.zip.has("[Content_Types].xml") {
		return "", refuse(Broken, "xl/workbook.xml")
	}
	return "", refuse(NotASpreadsheet, "zip")
}

// rootOf is the name of a part's first element.
func (b *Book) rootOf(ctx context.Context, part string) (string, error) {
	in, err := b.zip.open(ctx, part)
	if err != nil {
		return "", err
	}
	s := newScanner(in, 1<<20)
	for {
		switch s.next() {
		case tokenStart:
			return string(s.name), nil
		case tokenEnd:
			if s.err == nil || errors.Is(s.err, errUnknown) {
				return "", refuse(Broken, part)
			}
			return "", s.err
		}
	}
}
