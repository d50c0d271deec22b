package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf16"
)

var (
	errForeign = errors.New("this is not a file of the library")
	startXref  = regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`)
	reference  = regexp.MustCompile(`\b(\d+) 0 R\b`)
	isPage     = regexp.MustCompile(`/Type\s*/Page\b[^s]`)
	isTree     = regexp.MustCompile(`/Type\s*/Pages\b`)
	isCatalog  = regexp.MustCompile(`/Type\s*/Catalog\b`)
	infoOf     = regexp.MustCompile(`/Info (\d+) 0 R`)
	mediaBox   = regexp.MustCompile(`/MediaBox\s*\[[^\]]*\]`)
	parent     = regexp.MustCompile(`/Parent \d+ 0 R`)
	lengthOf   = regexp.MustCompile(`/Length (\d+)\b`)
)

// object is a part of a file: its dictionary, and the rest from the word stream on.
type object struct {
	number     int
	dict, rest []byte
}

// data are the bytes of its stream.
func (o object) data() []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(o.rest, streamHead), streamEnd)
}

var streamHead, streamEnd = []byte("\nstream\n"), []byte("\nendstream")

// parse finds the objects of a file by its table, in the order of their places.
func parse(file []byte) (out []object, info int, err error) {
	m := startXref.FindSubmatch(file[max(0, len(file)-64):])
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
		offset, err := strconv.Atoi(string(bytes.TrimLeft(table[2+n][:min(10, len(table[2+n]))], "0")))
		if err != nil || offset >= at {
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

// objectAt reads an object. The length of a stream is in its dictionary: its bytes may look like anything.
func objectAt(file []byte, number int) (object, error) {
	head := fmt.Appendf(nil, "%d 0 obj", number)
	if !bytes.HasPrefix(file, head) {
		return object{}, errForeign
	}
	body := file[len(head):]
	end := bytes.Index(body, []byte("endobj"))
	if end < 0 {
		return object{}, errForeign
	}
	at := bytes.Index(body[:end], []byte("stream"))
	if at < 0 {
		return object{number: number, dict: bytes.TrimSpace(body[:end])}, nil
	}
	m := lengthOf.FindSubmatch(body[:at])
	if m == nil {
		return object{}, errForeign
	}
	length, _ := strconv.Atoi(string(m[1]))
	from := at + len("stream\n")
	if from+length > len(body) {
		return object{}, errForeign
	}
	return object{number, bytes.TrimSpace(body[:at]), enclosed(body[from : from+length])}, nil
}

// enclosed are the bytes of a stream as they follow its dictionary.
func enclosed(data []byte) []byte {
	return slices.Concat(streamHead, data, streamEnd)
}

// deflate compresses a stream that the library left as it is. The library makes a compressor for each page, which takes longer than the page.
func (f *File) deflate(number int, data []byte) object {
	f.packed.Reset()
	if f.packer == nil {
		f.packer, _ = zlib.NewWriterLevel(&f.packed, zlib.BestSpeed) // the level is one
	} else {
		f.packer.Reset(&f.packed)
	}
	_, _ = f.packer.Write(data) // to memory
	_ = f.packer.Close()
	return packed(number, f.packed.Bytes())
}

func packed(number int, data []byte) object {
	return object{number, fmt.Appendf(nil, "<</Length %d/Filter /FlateDecode>>", len(data)), enclosed(data)}
}

// look is how a part's font is named, and which characters it has.
type look struct {
	name   []byte
	cidSet int // object
}

const libraryName = "utf8" + family

// looks is the font of a part; nil = it has none.
func (f *File) looks(objects []object, codes map[rune]rune) *look {
	for _, o := range objects {
		if !bytes.Contains(o.dict, []byte("/Length1 ")) {
			continue
		}
		// A subset has six letters before its name (ISO 32000-1, 9.6.4): those of its bytes.
		sum := sha256.Sum256(o.rest)
		tag := make([]byte, 6)
		for i := range tag {
			tag[i] = 'A' + sum[i]%26
		}
		set := make([]byte, 1<<13)
		set[0] = 0x80 // the glyph of no character
		for at := range codes {
			set[at/8] |= 0x80 >> (at % 8)
		}
		bits := f.deflate(0, set)
		l := &look{append(tag, "+"+fontName...), f.next()}
		f.put(l.cidSet, bits.dict, bits.rest)
		return l
	}
	return nil
}

// dict is the dictionary of an object with the numbers that objects have here.
func (f *File) dict(of []byte, to map[int]int, paper []byte, l *look) []byte {
	dict := reference.ReplaceAllFunc(of, func(r []byte) []byte {
		n, _ := strconv.Atoi(string(r[:bytes.IndexByte(r, ' ')]))
		return fmt.Appendf(nil, "%d 0 R", to[n])
	})
	switch {
	case isPage.Match(append(dict, ' ')):
		own := fmt.Appendf(nil, "/Parent %d 0 R", f.page())
		if !mediaBox.Match(dict) {
			own = append(append(own, '\n'), paper...)
		}
		dict = parent.ReplaceAll(dict, own)
	case l != nil && bytes.Contains(dict, []byte("/"+libraryName)):
		dict = bytes.ReplaceAll(dict, []byte("/"+libraryName), append([]byte("/"), l.name...))
		if bytes.Contains(dict, []byte("/FontDescriptor /FontName")) {
			dict = append(bytes.TrimSuffix(dict, []byte(">>")), fmt.Sprintf(" /CIDSet %d 0 R>>", l.cidSet)...)
		}
	}
	return dict
}

// page notes the page that is written next, and tells its node in the tree.
func (f *File) page() int {
	if n := len(f.nodes); n == 0 || len(f.nodes[n-1].pages) == nodePages {
		f.nodes = append(f.nodes, node{object: f.next()})
	}
	n := &f.nodes[len(f.nodes)-1]
	n.pages = append(n.pages, f.writing)
	return n.object
}

var unicodeHead = []byte("\nstream\n/CIDInit")

// isUnicode tells the stream that says which characters the codes of a font are. That of the library knows the basic plane only.
func isUnicode(o object) bool { return bytes.HasPrefix(o.rest, unicodeHead) }

// mostRanges is how many entries a block of a character map has at most.
const mostRanges = 100

// unicodes is that stream for characters at their places.
func unicodes(codes map[rune]rune) []byte {
	var out bytes.Buffer
	out.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo\n<</Registry (Adobe)\n/Ordering (UCS)\n/Supplement 0\n>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	for part := range slices.Chunk(sorted(codes), mostRanges) {
		fmt.Fprintf(&out, "%d beginbfchar\n", len(part))
		for _, at := range part {
			fmt.Fprintf(&out, "<%04X> <%X>\n", at, utf16be(string(codes[at])))
		}
		out.WriteString("endbfchar\n")
	}
	out.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend")
	return out.Bytes()
}

func utf16be(s string) (out []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u>>8), byte(u))
	}
	return out
}
