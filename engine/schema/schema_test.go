package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/schema/schematest"
	"github.com/sluice-platform/sluice/engine/source"
)

func compose(t *testing.T) *schema.Schemas {
	t.Helper()
	s, err := compile.Schemas(schematest.Set())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, text string) *source.Node {
	t.Helper()
	n, out := source.Parse("f.json", []byte(text))
	if len(out) > 0 {
		t.Fatal(out)
	}
	return n
}

// What editors get is one valid draft 2020-12 text, and it says the same to any validator as Validate does.
func TestJSONStandsAlone(t *testing.T) {
	s := compose(t)
	for _, k := range compile.Kinds(schematest.Set()) {
		kind := k.Code
		text := s.JSON(kind)
		if strings.Contains(string(text), "schema.json#") {
			t.Errorf("%s refers to another file", kind)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("urn:editor:x", doc); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile("urn:editor:x"); err != nil { // checks against the metaschema too
			t.Errorf("%s: %v", kind, err)
		}
	}
	if s.JSON("nothing") != nil {
		t.Error("an unknown kind has a schema")
	}
}

func TestComposeRefusesBrokenOptions(t *testing.T) {
	for name, options := range map[string]string{
		"no JSON":                  `{"properties": `,
		"no object":                `["x"]`,
		"no schema":                `{"properties": {"a": {"type": "texts"}}}`,
		"another file":             `{"properties": {"a": {"$ref": "https://example.org/x.json"}}}`,
		"a part that is not there": `{"properties": {"a": {"$ref": "#/$defs/nowhere"}}}`,
	} {
		set := &pack.Set{}
		if err := set.Properties.Add(schematest.Entry{Named: "X", Schema: options}); err != nil {
			t.Fatal(err)
		}
		if _, err := compile.Schemas(set); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Rules of other people's schemas that have no sentence of their own still become a diagnostic at the right place.
func TestUnknownRule(t *testing.T) {
	set := &pack.Set{}
	if err := set.Properties.Add(schematest.Entry{Named: "X", Schema: `{"properties": {"step": {"multipleOf": 5}, "pair": {"contains": {"const": 1}}}}`}); err != nil {
		t.Fatal(err)
	}
	s, err := compile.Schemas(set)
	if err != nil {
		t.Fatal(err)
	}
	out := s.Validate(def.KindModel, parse(t, `{"properties": [{"code": "a", "propertyType": "X", "step": 7, "pair": [2]}]}`))
	var got []string
	for _, d := range out {
		got = append(got, d.Position.String()+" "+d.Code)
	}
	if diff := cmp.Diff([]string{"f.json:1:60 SCHEMA017", "f.json:1:72 SCHEMA005"}, got); diff != "" {
		t.Error(diff, out)
	}
}

// The keys that authors may write and those that engine/def reads are the same.
func TestKeysAreThoseOfDef(t *testing.T) {
	s := compose(t)
	for kind, example := range map[def.Kind]any{
		def.KindPack: def.Pack{}, def.KindApp: def.App{}, def.KindModel: def.Model{}, def.KindList: def.List{}, def.KindForm: def.Form{},
		def.KindAccess: def.Access{}, def.KindDictionary: def.Dictionary{}, def.KindData: def.Data{},
	} {
		var root map[string]any
		if err := json.Unmarshal(s.JSON(kind), &root); err != nil {
			t.Fatal(err)
		}
		d := &drift{t: t, root: root, seen: map[reflect.Type]bool{}}
		d.compare(string(kind), root, reflect.TypeOf(example))
	}
}

type drift struct {
	t    *testing.T
	root map[string]any
	seen map[reflect.Type]bool
}

func (d *drift) compare(at string, s map[string]any, typ reflect.Type) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
		s = d.resolve(s)
		if items, ok := s["items"].(map[string]any); ok && s["type"] == "array" {
			s = items
		}
	}
	s = d.resolve(s)
	if typ.Kind() != reflect.Struct || d.seen[typ] {
		return
	}
	d.seen[typ] = true
	fields := map[string]reflect.Type{}
	collect(typ, fields)
	properties, _ := s["properties"].(map[string]any)
	for key := range properties {
		// Notes and the editor's schema address are for people; data files have no name or history of their own.
		if _, ok := fields[key]; !ok && key != "description" && key != "$schema" {
			d.t.Errorf("%s: the schema has %q, engine/def does not", at, key)
		}
	}
	for key, field := range fields {
		part, ok := properties[key].(map[string]any)
		switch {
		case ok:
			d.compare(at+"."+key, part, field)
		case at == "data" && slices.Contains([]string{"name", "name_i18n", "renamedFrom"}, key):
		case typ == reflect.TypeFor[def.Property]() && key == "properties": // an option of the type Sheet
		default:
			d.t.Errorf("%s: engine/def has %q, the schema does not", at, key)
		}
	}
}

func (d *drift) resolve(s map[string]any) map[string]any {
	for {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s
		}
		s = d.root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
}

func collect(typ reflect.Type, into map[string]reflect.Type) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			collect(f.Type, into)
			continue
		}
		if tag := f.Tag.Get("json"); tag != "" && tag != "@" && tag != "-" {
			into[tag] = f.Type
		}
	}
}

const untidy = `{"queryColumns":["a",{"propertyCode":"b"},{"width":90,"propertyCode":"c"},{"sumType":"sum","propertyCode":"amount","description":"note"}],
 "later": 1.50, "queryActions": ["add", {"actionCode": "delete"}, {"ink": "red", "actionCode": "stamp"}],
 "name_i18n":{"en":"A"},"orderBy":[{"propertyCode":"a"}],"schemaCode":"a","name":"甲 \u4e59 <b>", "queryPresentation":{"fixedLeftColumns":["a"],"presentationType":"tree"},
 "queryConditions": ["a", "b"]}`

const tidy = `{
  "schemaCode": "a",
  "name": "甲 乙 <b>",
  "name_i18n": {"en": "A"},
  "orderBy": ["a"],
  "queryConditions": ["a", "b"],
  "queryColumns": [
    "a",
    "b",
    {"propertyCode": "c", "width": 90},
    {"propertyCode": "amount", "description": "note", "sumType": "sum"}
  ],
  "queryActions": [
    "add",
    "delete",
    {"actionCode": "stamp", "ink": "red"}
  ],
  "queryPresentation": {"presentationType": "tree", "fixedLeftColumns": ["a"]},
  "later": 1.50
}
`

func TestFormat(t *testing.T) {
	s := compose(t)
	if diff := cmp.Diff(tidy, string(source.Format(parse(t, untidy), s.Layout(def.KindList)))); diff != "" {
		t.Error(diff)
	}
	form := `{"schemaCode":"a","items":[{"items":[{"items":["a","b",{"childColumns":[{"propertyCode":"item","width":240},"value"],"propertyCode":"items"}],"type":"Section","name":"一"},` +
		`{"type":"Section","items":["x"]}],"type":"Tabs"}]}`
	want := `{
  "schemaCode": "a",
  "items": [
    {"type": "Tabs", "items": [
      {"type": "Section", "name": "一", "items": [
        "a",
        "b",
        {"propertyCode": "items", "childColumns": [{"propertyCode": "item", "width": 240}, "value"]}
      ]},
      {"type": "Section", "items": ["x"]}
    ]}
  ]
}
`
	if diff := cmp.Diff(want, string(source.Format(parse(t, form), s.Layout(def.KindForm)))); diff != "" {
		t.Error(diff)
	}
}

// Formatting keeps what a document says, and formatting what is formatted changes nothing, for documents of any content.
func TestFormatIsStable(t *testing.T) {
	s, kinds := compose(t), compile.Kinds(schematest.Set())
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		kind := kinds[r.IntN(len(kinds))].Code
		text, err := json.Marshal(random(r, s, 4))
		if err != nil {
			t.Fatal(err)
		}
		n := parse(t, string(text))
		once := source.Format(n, s.Layout(kind))
		again := parse(t, string(once))
		twice := source.Format(again, s.Layout(kind))
		if !bytes.Equal(once, twice) {
			t.Fatalf("%s\nbecame\n%s\nthen\n%s", text, once, twice)
		}
		if codes(n) != codes(again) {
			t.Fatalf("%s\nlost something in\n%s", text, once)
		}
	}
}

// codes is the document's content with entries of one key written as their text, in either form.
func codes(n *source.Node) string {
	switch n.Kind {
	case source.Array:
		var out []string
		for _, m := range n.Members {
			if m.Kind == source.Object && len(m.Members) == 1 && slices.Contains([]string{"code", "propertyCode", "actionCode"}, m.Members[0].Key) {
				m = m.Members[0]
			}
			out = append(out, codes(m))
		}
		return fmt.Sprint(out)
	case source.Object:
		out := map[string]string{}
		for _, m := range n.Members {
			out[m.Key] = codes(m)
		}
		return fmt.Sprint(out)
	}
	return string(n.Raw())
}

// random makes a value out of the words of all kinds of documents.
func random(r *rand.Rand, s *schema.Schemas, depth int) any {
	keys := []string{"code", "propertyCode", "actionCode", "name", "properties", "propertyType", "items", "queryColumns", "queryActions", "options",
		"childColumns", "type", "rows", "x", "菜单", "menu", "children", "sequence", "scale", "models", "fields"}
	words := []any{"a", "Section", "Radio", "Number", "stamp", strings.Repeat("很长的文字", r.IntN(30)), 1, 2.5, true, nil, json.Number("1.500")}
	out := map[string]any{}
	for range r.IntN(6) {
		key := keys[r.IntN(len(keys))]
		switch {
		case depth == 0 || r.IntN(3) == 0:
			out[key] = words[r.IntN(len(words))]
		case r.IntN(3) == 0:
			out[key] = random(r, s, depth-1)
		default:
			list := []any{}
			for range r.IntN(5) {
				switch r.IntN(4) {
				case 0:
					list = append(list, words[r.IntN(len(words))])
				case 1: // what a short form may say
					list = append(list, map[string]any{keys[r.IntN(3)]: words[r.IntN(len(words))]})
				default:
					list = append(list, random(r, s, depth-1))
				}
			}
			out[key] = list
		}
	}
	return out
}
