package bpmn

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// element is an element of a file with its place.
type element struct {
	space, local string
	attrs        []xml.Attr // without declarations of namespaces
	children     []*element
	parent       *element
	text         string
	buffer       []byte // of text, while the element is read
	line, col    int
}

// attr is the value of an attribute; "" where it is missing.
func (e *element) attr(space, local string) string {
	if e == nil {
		return ""
	}
	for _, a := range e.attrs {
		if a.Name.Space == space && a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

func (e *element) is(space, local string) bool { return e.space == space && e.local == local }

// child is the first child of a name; nil where there is none, or no element.
func (e *element) child(space, local string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.is(space, local) {
			return c
		}
	}
	return nil
}

// all are the children of a name.
func (e *element) all(space, local string) (out []*element) {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.is(space, local) {
			out = append(out, c)
		}
	}
	return out
}

// model is the first child of the notation.
func (e *element) model(local string) *element { return e.child(nsModel, local) }

// body is the text of an element without the space around it; of nil it is empty.
func (e *element) body() string {
	if e == nil {
		return ""
	}
	return strings.TrimSpace(e.text)
}

// extensions are the children of extensionElements.
func (e *element) extensions() []*element {
	if x := e.model("extensionElements"); x != nil {
		return x.children
	}
	return nil
}

// extension is the first extension element of a name.
func (e *element) extension(space, local string) *element {
	return e.model("extensionElements").child(space, local)
}

// fault is why a file cannot be read; it becomes the one item of the report.
type fault struct {
	code      string
	line, col int
	args      []any
}

func (f *fault) Error() string { return f.code }

var declared = regexp.MustCompile(`^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// decoded gives a file in UTF-8.
func decoded(data []byte) ([]byte, error) {
	unit := func(order binary.ByteOrder) []byte {
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = order.Uint16(data[2*i:])
		}
		return []byte(string(utf16.Decode(units)))
	}
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		data = unit(binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		data = unit(binary.BigEndian)
	default:
		name := "utf-8"
		if m := declared.FindSubmatch(data[:min(len(data), 200)]); m != nil {
			name = strings.ToLower(string(m[1]))
		}
		switch name {
		case "gbk", "gb2312", "gb18030":
			out, err := simplifiedchinese.GB18030.NewDecoder().Bytes(data)
			if err != nil {
				return nil, &fault{code: "BPMN001", args: []any{name}}
			}
			data = out
		case "iso-8859-1", "latin1":
			runes := make([]rune, len(data))
			for i, b := range data {
				runes[i] = rune(b)
			}
			data = []byte(string(runes))
		case "utf-8", "us-ascii", "ascii":
		default:
			return nil, &fault{code: "BPMN001", args: []any{reason("不支持的编码 "+name, "unknown encoding "+name)}}
		}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return nil, &fault{code: "BPMN001", args: []any{reason("不是 UTF-8", "it is not UTF-8")}}
	}
	return data, nil
}

// parse reads a file into elements. Nothing outside of it is read, and entities besides those of XML itself are refused.
func parse(r io.Reader) (*element, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	if len(data) > MaxSize {
		return nil, &fault{code: "BPMN002", args: []any{"4 MiB"}}
	}
	if data, err = decoded(data); err != nil {
		return nil, err
	}
	seen, row, column := 0, 1, 1
	place := func(offset int64) (int, int) { // offsets only grow, so each byte is looked at once
		for at := min(int(offset), len(data)); seen < at; seen++ {
			switch b := data[seen]; {
			case b == '\n':
				row, column = row+1, 1
			case utf8.RuneStart(b):
				column++
			}
		}
		return row, column
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	var root, at *element
	depth, count := 0, 0
	for {
		offset := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root != nil && at == nil {
			return root, nil
		}
		line, col := place(offset)
		if err != nil {
			why := err.Error()
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				why = syntax.Msg
			}
			return nil, &fault{"BPMN001", line, col, []any{shorten(why)}}
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, &fault{code: "BPMN003", line: line, col: col}
		case xml.StartElement:
			depth, count = depth+1, count+1
			if depth > maxDepth || count > maxElements {
				return nil, &fault{"BPMN002", line, col, []any{reason("嵌套超过 64 层或元素超过 50000 个", "more than 64 levels or 50000 elements")}}
			}
			e := &element{space: t.Name.Space, local: t.Name.Local, parent: at, line: line, col: col}
			for _, a := range t.Attr {
				if a.Name.Space != "xmlns" && (a.Name.Space != "" || a.Name.Local != "xmlns") {
					e.attrs = append(e.attrs, a)
				}
			}
			switch {
			case at != nil:
				at.children = append(at.children, e)
			case root != nil:
				return nil, &fault{"BPMN001", line, col, []any{reason("有多个根元素", "it has several root elements")}}
			default:
				root = e
			}
			at = e
		case xml.EndElement:
			at.text, at.buffer = string(at.buffer), nil
			at, depth = at.parent, depth-1
		case xml.CharData:
			if at != nil {
				at.buffer = append(at.buffer, t...)
			}
		}
	}
}

// prefixes are the usual names of namespaces.
var prefixes = map[string]string{nsModel: "bpmn", nsDiagram: "bpmndi", nsDC: "dc", nsDI: "di", nsXSI: "xsi", Namespace: "sluice", nsCamunda: "camunda", nsZeebe: "zeebe",
	nsFlowable: "flowable", nsActiviti: "activiti", "http://bpmn.io/schema/bpmn": "bpmnio", "http://www.signavio.com": "signavio",
	"http://bpmn.io/schema/bpmn/biocolor/1.0": "bioc", "http://www.omg.org/spec/BPMN/non-normative/color/1.0": "color", "http://camunda.org/schema/modeler/1.0": "modeler"}

// spaces gives namespaces their prefixes.
type spaces struct{ byURI map[string]string }

func newSpaces() *spaces { return &spaces{byURI: map[string]string{}} }

func (s *spaces) prefix(uri string) string {
	if p, ok := s.byURI[uri]; ok {
		return p
	}
	p, usual := prefixes[uri]
	if !usual {
		p = fmt.Sprintf("ns%d", len(s.byURI)+1)
	}
	s.byURI[uri] = p
	return p
}

// qualified is the name of an element or attribute with its prefix.
func (s *spaces) qualified(space, local string) string {
	switch space {
	case "":
		return local
	case "xml", "http://www.w3.org/XML/1998/namespace":
		return "xml:" + local
	}
	return s.prefix(space) + ":" + local
}

// write renders an element as it is kept.
func (s *spaces) write(b *strings.Builder, e *element) {
	name := s.qualified(e.space, e.local)
	b.WriteString("<" + name)
	for _, a := range e.attrs {
		b.WriteString(" " + s.qualified(a.Name.Space, a.Name.Local) + `="` + escaped(a.Value) + `"`)
	}
	if len(e.children) == 0 && strings.TrimSpace(e.text) == "" {
		b.WriteString("/>")
		return
	}
	b.WriteString(">")
	if strings.TrimSpace(e.text) != "" {
		b.WriteString(escaped(e.text))
	}
	for _, c := range e.children {
		s.write(b, c)
	}
	b.WriteString("</" + name + ">")
}

// escaped is a text as XML writes it. Characters that XML cannot hold become the replacement character.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes it
	return b.String()
}

// local names that are part of the notation's flow.
func isOneOf(name string, names ...string) bool { return slices.Contains(names, name) }
