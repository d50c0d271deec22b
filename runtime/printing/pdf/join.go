package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// Join writes the pages of several files of Write into one, a file at a time: what it holds in memory is the file that it is given and
// eight bytes for each object. The library keeps all pages of a file in memory until it is written, which thousands of records have no room for.
type Join struct {
	w       *bufio.Writer
	at      int64
	offsets []int64 // of objects, from 1; 0 = not written yet
	pages   []int   // objects
	err     error
}

// The first objects of a joined file. The pages' tree comes last, when all pages are known.
const (
	rootObject  = 1
	pagesObject = 2
	infoObject  = 3
	reserved    = 3
)

// NewJoin begins a file.
func NewJoin(w io.Writer) *Join {
	j := &Join{w: bufio.NewWriter(w), offsets: make([]int64, reserved+1)}
	j.print("%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n")
	return j
}

func (j *Join) print(format string, args ...any) {
	if j.err == nil {
		var n int
		n, j.err = fmt.Fprintf(j.w, format, args...)
		j.at += int64(n)
	}
}

func (j *Join) write(b []byte) {
	if j.err == nil {
		var n int
		n, j.err = j.w.Write(b)
		j.at += int64(n)
	}
}

var (
	errForeign = errors.New("this is not a file of Write")
	startXref  = regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`)
	reference  = regexp.MustCompile(`\b(\d+) 0 R\b`)
	isPage     = regexp.MustCompile(`/Type\s*/Page\b[^s]`)
	isTree     = regexp.MustCompile(`/Type\s*/Pages\b`)
	isCatalog  = regexp.MustCompile(`/Type\s*/Catalog\b`)
	infoOf     = regexp.MustCompile(`/Info (\d+) 0 R`)
	mediaBox   = regexp.MustCompile(`/MediaBox\s*\[[^\]]*\]`)
	parent     = regexp.MustCompile(`/Parent \d+ 0 R`)
)

// object is a part of a file: its dictionary, and the rest from the word stream on.
type object struct {
	number     int
	dict, rest []byte
}

// Add appends the pages of a file.
func (j *Join) Add(file []byte) error {
	objects, info, err := parse(file)
	if err != nil {
		return err
	}
	// Objects keep their order, so that the same files give the same bytes.
	base := len(j.offsets) - 1
	to := map[int]int{}
	var kept []object
	var paper []byte // of the tree, for pages that say nothing else
	for _, o := range objects {
		switch {
		case isCatalog.Match(o.dict) || o.number == info:
		case isTree.Match(o.dict):
			to[o.number] = pagesObject
			paper = mediaBox.Find(o.dict)
		default:
			base++
			to[o.number] = base
			kept = append(kept, o)
		}
	}
	for _, o := range kept {
		dict := reference.ReplaceAllFunc(o.dict, func(r []byte) []byte {
			n, _ := strconv.Atoi(string(r[:bytes.IndexByte(r, ' ')]))
			return fmt.Appendf(nil, "%d 0 R", to[n])
		})
		if isPage.Match(append(dict, ' ')) {
			j.pages = append(j.pages, to[o.number])
			own := fmt.Appendf(nil, "/Parent %d 0 R", pagesObject)
			if !mediaBox.Match(dict) {
				own = append(append(own, '\n'), paper...)
			}
			dict = parent.ReplaceAll(dict, own)
		}
		j.offsets = append(j.offsets, j.at)
		j.print("%d 0 obj\n", to[o.number])
		j.write(dict)
		j.write(o.rest)
		j.print("\nendobj\n")
	}
	return j.err
}

// parse finds the objects of a file by its table, in the order of their places.
func parse(file []byte) (out []object, info int, err error) {
	m := startXref.FindSubmatch(file)
	if m == nil {
		return nil, 0, errForeign
	}
	at, _ := strconv.Atoi(string(m[1]))
	if at <= 0 || at >= len(file) {
		return nil, 0, errForeign
	}
	table := bytes.Split(file[at:], []byte("\n"))
	if len(table) < 3 || string(bytes.TrimSpace(table[0])) != "xref" {
		return nil, 0, errForeign
	}
	if m := infoOf.FindSubmatch(file[at:]); m != nil {
		info, _ = strconv.Atoi(string(m[1]))
	}
	var count int
	if _, err := fmt.Sscanf(string(table[1]), "0 %d", &count); err != nil || count > len(table)-2 {
		return nil, 0, errForeign
	}
	for n := 1; n < count; n++ {
		var offset int
		if _, err := fmt.Sscanf(string(table[2+n]), "%d", &offset); err != nil || offset >= at {
			return nil, 0, errForeign
		}
		o, err := objectAt(file[offset:at], n)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, o)
	}
	return out, info, nil
}

var lengthOf = regexp.MustCompile(`/Length (\d+)\b`)

// objectAt reads an object. The length of a stream is in its dictionary: its bytes may look like anything.
func objectAt(file []byte, number int) (object, error) {
	head := fmt.Appendf(nil, "%d 0 obj", number)
	if !bytes.HasPrefix(file, head) {
		return object{}, errForeign
	}
	body := file[len(head):]
	end, stream := bytes.Index(body, []byte("endobj")), bytes.Index(body, []byte("stream"))
	if end < 0 {
		return object{}, errForeign
	}
	if stream < 0 || stream > end {
		return object{number: number, dict: bytes.TrimSpace(body[:end])}, nil
	}
	m := lengthOf.FindSubmatch(body[:stream])
	if m == nil {
		return object{}, errForeign
	}
	length, _ := strconv.Atoi(string(m[1]))
	from := stream + len("stream\n")
	if from+length > len(body) {
		return object{}, errForeign
	}
	rest := append([]byte("\nstream\n"), body[from:from+length]...)
	return object{number, bytes.TrimSpace(body[:stream]), append(rest, "\nendstream"...)}, nil
}

// Close ends the file.
func (j *Join) Close(info Info) error {
	if len(j.pages) == 0 {
		return errors.New("a file without pages")
	}
	j.offsets[pagesObject] = j.at
	j.print("%d 0 obj\n<</Type /Pages\n/Kids [", pagesObject)
	for _, p := range j.pages {
		j.print("%d 0 R ", p)
	}
	j.print("]\n/Count %d\n>>\nendobj\n", len(j.pages))
	j.offsets[infoObject] = j.at
	stamp := info.Time.UTC().Format("D:20060102150405+00'00'")
	j.print("%d 0 obj\n<</Producer %s\n/Title %s\n/Author %s\n/CreationDate (%s)\n/ModDate (%s)\n>>\nendobj\n", infoObject, textString("Sluice"), textString(info.Title), textString(info.Author), stamp, stamp)
	j.offsets[rootObject] = j.at
	j.print("%d 0 obj\n<</Type /Catalog\n/Pages %d 0 R", rootObject, pagesObject)
	if info.Language != "" {
		j.print("\n/Lang %s", textString(info.Language))
	}
	j.print("\n>>\nendobj\n")
	xref := j.at
	j.print("xref\n0 %d\n0000000000 65535 f \n", len(j.offsets))
	for _, at := range j.offsets[1:] {
		j.print("%010d 00000 n \n", at)
	}
	j.print("trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n>>\nstartxref\n%d\n%%%%EOF\n", len(j.offsets), rootObject, infoObject, xref)
	if j.err == nil {
		j.err = j.w.Flush()
	}
	return j.err
}

// textString is a text as UTF-16 in hexadecimal digits (ISO 32000-1, 7.9.2.2 and 7.3.4.3): no character of it can end it.
func textString(s string) string {
	out := []byte("<FEFF")
	for _, r := range s {
		if r > 0xFFFF {
			r -= 0x10000
			out = fmt.Appendf(out, "%04X%04X", 0xD800+(r>>10), 0xDC00+(r&0x3FF))
			continue
		}
		out = fmt.Appendf(out, "%04X", r)
	}
	return string(append(out, '>'))
}
