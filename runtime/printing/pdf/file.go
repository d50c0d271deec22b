package pdf

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/sluice-platform/sluice/engine/layout"
)

// File is a PDF while it is written, some pages at a time. The library keeps all pages of a file in memory until it is written, which thousands
// of records have no room for; so it writes parts, and their objects go one after another into the file. What a File holds is the part that is
// written and a few bytes for each object.
//
// Files are PDF/A-1b (ISO 19005-1): fonts with all that is drawn, colors by a profile, metadata that says the same as the dictionary of the
// file, an identifier, and nothing that is seen through: pictures are opaque, and the library writes transparency groups only for those that
// are not.
type File struct {
	w       *bufio.Writer
	sum     hash.Hash // of all that is written before the identifier
	at      int64
	offsets []int64 // of objects, from 1; 0 = not written yet
	nodes   []node
	writing int // the object that is written
	packed  bytes.Buffer
	packer  *zlib.Writer
	kept    map[[sha256.Size]byte]int // objects that parts share: pictures, fonts
	err     error
}

// node is a part of the tree of pages.
type node struct {
	object int
	pages  []int // objects
}

// The first objects of a file. They are written last, when all pages are known.
const (
	rootObject = iota + 1
	pagesObject
	infoObject
	metadataObject
	profileObject
	reserved = profileObject
)

// partPages is how many pages the library holds at once; nodePages, how many a node of the tree has. An array has at most 8,191 entries.
const (
	partPages = 100
	nodePages = 500
)

// New begins a file.
func New(w io.Writer) *File {
	f := &File{w: bufio.NewWriter(w), sum: sha256.New(), offsets: make([]int64, reserved+1), kept: map[[sha256.Size]byte]int{}}
	f.print("%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n")
	return f
}

// Write paints pages as one file.
func Write(w io.Writer, pages []layout.Page, images Images, info Info) error {
	f := New(w)
	if err := f.Add(pages, images); err != nil {
		return err
	}
	return f.Close(info)
}

// Add paints pages.
func (f *File) Add(pages []layout.Page, images Images) error {
	var buf bytes.Buffer
	for part := range slices.Chunk(pages, partPages) {
		buf.Reset()
		p, err := paint(&buf, part, images)
		if err != nil {
			return err
		}
		if err := f.add(buf.Bytes(), p.codes); err != nil {
			return err
		}
	}
	return f.err
}

func (f *File) print(format string, args ...any) {
	f.write(fmt.Appendf(nil, format, args...))
}

func (f *File) write(b []byte) {
	if f.err == nil {
		var n int
		n, f.err = f.w.Write(b)
		f.sum.Write(b)
		f.at += int64(n)
	}
}

// begin writes the head of an object.
func (f *File) begin(object int) {
	f.offsets[object] = f.at
	f.print("%d 0 obj\n", object)
}

func (f *File) next() int {
	f.offsets = append(f.offsets, 0)
	return len(f.offsets) - 1
}

// add appends the pages of a file of the library. codes are the places of characters in its font.
func (f *File) add(file []byte, codes map[rune]rune) error {
	objects, info, err := parse(file)
	if err != nil {
		return err
	}
	look := f.looks(objects, codes)
	to := map[int]int{} // objects keep their order, so that the same files give the same bytes
	var kept []object
	var paper []byte // of the tree, for pages that say nothing else
	for _, o := range objects {
		switch {
		case isCatalog.Match(o.dict) || o.number == info:
			continue
		case isTree.Match(o.dict):
			to[o.number], paper = pagesObject, mediaBox.Find(o.dict)
			continue
		case look != nil && isUnicode(o):
			o = f.deflate(o.number, unicodes(codes))
		case o.rest != nil && !bytes.Contains(o.dict, []byte("/Filter")):
			o = f.deflate(o.number, o.data())
		}
		if o.rest != nil && !reference.Match(o.dict) {
			sum := sha256.Sum256(append(slices.Clone(o.dict), o.rest...))
			if n, has := f.kept[sum]; has {
				to[o.number] = n
				continue
			}
			f.kept[sum] = f.next()
			to[o.number] = f.kept[sum]
		} else {
			to[o.number] = f.next()
		}
		kept = append(kept, o)
	}
	for _, o := range kept {
		f.writing = to[o.number]
		f.put(f.writing, f.dict(o.dict, to, paper, look), o.rest)
	}
	return f.err
}

// put writes an object.
func (f *File) put(object int, dict, rest []byte) {
	f.begin(object)
	f.write(dict)
	f.write(rest)
	f.print("\nendobj\n")
}

// Close ends the file.
func (f *File) Close(info Info) error {
	if len(f.nodes) == 0 {
		return errors.New("a file without pages")
	}
	pages := 0
	for _, n := range f.nodes {
		f.begin(n.object)
		f.print("<</Type /Pages\n/Parent %d 0 R\n/Kids [", pagesObject)
		for _, p := range n.pages {
			f.print("%d 0 R ", p)
		}
		f.print("]\n/Count %d\n>>\nendobj\n", len(n.pages))
		pages += len(n.pages)
	}
	f.begin(pagesObject)
	f.print("<</Type /Pages\n/Kids [")
	for _, n := range f.nodes {
		f.print("%d 0 R ", n.object)
	}
	f.print("]\n/Count %d\n>>\nendobj\n", pages)
	f.begin(infoObject)
	f.print("<<")
	for _, e := range [][2]string{{"Title", info.Title}, {"Author", info.Author}, {"Producer", producer}} {
		if e[1] != "" {
			f.print("/%s %s\n", e[0], textString(e[1]))
		}
	}
	stamp := info.Time.UTC().Format("D:20060102150405+00'00'")
	f.print("/CreationDate (%s)\n/ModDate (%s)\n>>\nendobj\n", stamp, stamp)
	packet := metadata(info)
	f.put(metadataObject, fmt.Appendf(nil, "<</Type /Metadata /Subtype /XML /Length %d>>", len(packet)), enclosed(packet))
	profile := f.deflate(profileObject, sRGB())
	f.put(profileObject, append([]byte("<</N 3"), bytes.TrimPrefix(profile.dict, []byte("<<"))...), profile.rest)
	f.begin(rootObject)
	f.print("<</Type /Catalog\n/Pages %d 0 R\n/Metadata %d 0 R\n/OutputIntents [<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) /Info (sRGB) /DestOutputProfile %d 0 R>>]",
		pagesObject, metadataObject, profileObject)
	if info.Language != "" {
		f.print("\n/Lang (%s)", info.Language)
	}
	f.print("\n>>\nendobj\n")
	xref := f.at
	f.print("xref\n0 %d\n0000000000 65535 f \n", len(f.offsets))
	for _, at := range f.offsets[1:] {
		f.print("%010d 00000 n \n", at)
	}
	id := f.sum.Sum(nil)[:16]
	f.print("trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n/ID [<%x> <%x>]\n>>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets), rootObject, infoObject, id, id, xref)
	if f.err == nil {
		f.err = f.w.Flush()
	}
	return f.err
}

// textString is a text as UTF-16 in hexadecimal digits (ISO 32000-1, 7.9.2.2 and 7.3.4.3): no character of it can end it.
func textString(s string) string { return fmt.Sprintf("<FEFF%X>", utf16be(s)) }
