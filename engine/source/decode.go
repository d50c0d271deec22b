package source

import (
	"reflect"
	"strconv"
	"strings"
)

// Decoder is a type that reads itself from a node: the short forms of docs/authoring.md, How definitions work.
type Decoder interface{ DecodeNode(*Node) }

var (
	decoderType = reflect.TypeFor[Decoder]()
	nodeType    = reflect.TypeFor[*Node]()
)

// Decode fills the struct that into points to from an object by its `json` tags. A field of type *Node tagged "@"
// receives the node itself. Values of another JSON type than the field's are passed over, for the schema stage has
// reported them; so every later stage can go on and report its own.
func Decode(n *Node, into any) { decode(n, reflect.ValueOf(into).Elem()) }

func decode(n *Node, v reflect.Value) {
	if n == nil || n.Kind == Null {
		return
	}
	if v.CanAddr() && v.Addr().Type().Implements(decoderType) {
		v.Addr().Interface().(Decoder).DecodeNode(n)
		return
	}
	if v.Type() == nodeType {
		v.Set(reflect.ValueOf(n))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		decode(n, p.Elem())
		v.Set(p)
	case reflect.String:
		if n.Kind == String {
			v.SetString(n.text)
		}
	case reflect.Bool:
		if n.Kind == Bool {
			v.SetBool(n.text == "true")
		}
	case reflect.Int, reflect.Int64:
		if i, err := strconv.ParseInt(n.text, 10, 64); n.Kind == Number && err == nil {
			v.SetInt(i)
		}
	case reflect.Float64:
		if f, err := strconv.ParseFloat(n.text, 64); n.Kind == Number && err == nil {
			v.SetFloat(f)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(n.Any()))
	case reflect.Slice:
		if n.Kind != Array {
			return
		}
		out := reflect.MakeSlice(v.Type(), len(n.Members), len(n.Members))
		for i, m := range n.Members {
			decode(m, out.Index(i))
		}
		v.Set(out)
	case reflect.Map:
		if n.Kind != Object {
			return
		}
		out := reflect.MakeMapWithSize(v.Type(), len(n.Members))
		for _, m := range n.Members {
			e := reflect.New(v.Type().Elem()).Elem()
			decode(m, e)
			out.SetMapIndex(reflect.ValueOf(m.Key), e)
		}
		v.Set(out)
	case reflect.Struct:
		decodeStruct(n, v)
	}
}

func decodeStruct(n *Node, v reflect.Value) {
	if n.Kind != Object {
		return
	}
	DecodeFields(n, v)
}

// DecodeShort reads what may be written as an object or as a bare text: of an object it fills the tagged fields of the struct that into points
// to, a bare text is each of texts. The field tagged "@" receives the node in both forms.
func DecodeShort(n *Node, into any, texts ...*string) {
	v := reflect.ValueOf(into).Elem()
	if n.Kind != String {
		DecodeFields(n, v)
		return
	}
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("json") == "@" {
			v.Field(i).Set(reflect.ValueOf(n))
		}
	}
	for _, text := range texts {
		*text = n.Text()
	}
}

// DecodeFields fills a struct value's tagged fields; a Decoder calls it for its long form.
func DecodeFields(n *Node, v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			DecodeFields(n, v.Field(i))
			continue
		}
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch tag {
		case "", "-":
		case "@":
			v.Field(i).Set(reflect.ValueOf(n))
		default:
			decode(n.Get(tag), v.Field(i))
		}
	}
}
