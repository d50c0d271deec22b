package source_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
)

func parse(t *testing.T, text string) *source.Node {
	t.Helper()
	n, problems := source.Parse("f.json", []byte(text))
	if len(problems) > 0 {
		t.Fatalf("%v", problems)
	}
	return n
}

func TestPositions(t *testing.T) {
	n := parse(t, "{\n  \"名称\": \"检验批\", \"b\": [1, {\"c\": true}],\r\n\t\"d/e~f\": null}")
	for _, c := range []struct {
		node            *source.Node
		value, key, ptr string
	}{
		{n, "f.json:1:1", "f.json:1:1", ""},
		{n.Get("名称"), "f.json:2:9", "f.json:2:3", "/名称"},
		{n.At("b", "1", "c"), "f.json:2:31", "f.json:2:26", "/b/1/c"},
		{n.At("b", "0"), "f.json:2:22", "f.json:2:22", "/b/0"},
		{n.Get("d/e~f"), "f.json:3:11", "f.json:3:2", "/d~1e~0f"},
	} {
		if got := c.node.Pos().String(); got != c.value {
			t.Errorf("%s: value at %s, want %s", c.ptr, got, c.value)
		}
		if got := c.node.KeyPos().String(); got != c.key {
			t.Errorf("%s: key at %s, want %s", c.ptr, got, c.key)
		}
		if got := c.node.Pointer(); got != c.ptr {
			t.Errorf("pointer %s, want %s", got, c.ptr)
		}
	}
}

func TestMissingNodesAnswer(t *testing.T) {
	var none *source.Node
	n := none.Get("a").At("b", "0").Get("c")
	if n != nil || n.Text() != "" || n.Any() != nil || n.Pointer() != "" || n.Items() != nil || n.Entries() != nil || n.File() != "" || n.Pos() != (diag.Position{}) {
		t.Error("a missing node must answer like an empty one")
	}
}

// Byte i of the decoded text is found again behind escapes of every sort.
func TestPosInText(t *testing.T) {
	raw := `"a\n中\u4e2d\ud83d\ude00\"\ud83dx/\/z"`
	n := parse(t, raw)
	want := []struct {
		before string // of the decoded text
		col    int    // in the file
	}{
		{"", 2}, {"a", 3}, {"a\n", 5}, {"a\n中", 6}, {"a\n中中", 12}, {"a\n中中😀", 24}, {"a\n中中😀\"", 26}, {"a\n中中😀\"\ufffd", 32}, {"a\n中中😀\"\ufffdx/", 34}, {"a\n中中😀\"\ufffdx//", 36},
	}
	for _, w := range want {
		if !strings.HasPrefix(n.Text(), w.before) {
			t.Fatalf("%q is no prefix of %q", w.before, n.Text())
		}
		if got := n.PosInText(len(w.before)); got.Line != 1 || got.Col != w.col {
			t.Errorf("behind %q: column %d, want %d", w.before, got.Col, w.col)
		}
	}
	if got := n.PosInText(1000); got.Col != 37 {
		t.Errorf("behind the end: column %d", got.Col)
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 5_000_000)
	for _, c := range []struct{ name, text, want string }{
		{"depth", strings.Repeat("[", 65) + strings.Repeat("]", 65), "f.json:1:65 DOC005"},
		{"an attack by depth", deep, "f.json:1:65 DOC005"},
		{"size", `"` + strings.Repeat("x", source.MaxSize) + `"`, "f.json DOC003"},
		{"bytes that are no text", "{\"a\": \"中\xff\"}", "f.json:1:9 DOC004"},
		{"duplicate keys", `{"a": 1, "b": {"a": 2, "a": 3}}`, "f.json:1:24 DOC002"},
		{"keys that are equal once decoded", "{\"a\": 1,\n \"\\u0061\": 2}", "f.json:2:2 DOC002"},
		{"exponent", `{"a": 1e2000}`, "f.json:1:7 DOC011"},
		{"trailing comma", `{"a": [1, 2,]}`, "f.json:1:12 DOC001"},
		{"comment", "{\"中\": 1, /* x */ \"b\": 2}", "f.json:1:10 DOC001"},
		{"nothing", "", "f.json:1:1 DOC001"},
	} {
		_, out := source.Parse("f.json", []byte(c.text))
		var got []string
		for _, d := range out {
			got = append(got, d.Position.String()+" "+d.Code)
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if _, out := source.Parse("f.json", []byte(strings.Repeat("[", 64)+strings.Repeat("]", 64))); len(out) > 0 {
		t.Errorf("64 levels are allowed: %v", out)
	}
	if _, out := source.Parse("f.json", []byte(`"`+strings.Repeat("[{\\\"", 100)+`"`)); len(out) > 0 {
		t.Errorf("brackets in a text are no levels: %v", out)
	}
}

func TestByteOrderMark(t *testing.T) {
	n := parse(t, "\ufeff{\"a\": 1}")
	if got := n.Get("a").Pos().String(); got != "f.json:1:7" {
		t.Errorf("value at %s: the mark is no column", got)
	}
}

type entry struct {
	Node *source.Node `json:"@"`
	Code string       `json:"code"`
	N    int          `json:"n"`
	Flag *bool        `json:"flag"`
}

func (e *entry) DecodeNode(n *source.Node) {
	if n.Kind == source.String {
		e.Node, e.Code = n, n.Text()
		return
	}
	source.DecodeFields(n, reflect.ValueOf(e).Elem())
}

func TestDecode(t *testing.T) {
	n := parse(t, `{"items": ["a", {"code": "b", "n": 3, "flag": false}, {"code": 7, "n": "x"}], "map": {"k": "v"}, "any": {"n": 1.50}, "unknown": 1}`)
	var got struct {
		Items []entry           `json:"items"`
		Map   map[string]string `json:"map"`
		Any   map[string]any    `json:"any"`
		None  []string          `json:"none"`
	}
	source.Decode(n, &got)
	if len(got.Items) != 3 || got.Items[0].Code != "a" || got.Items[1].N != 3 || got.Items[1].Flag == nil || *got.Items[1].Flag {
		t.Errorf("items: %+v", got.Items)
	}
	if got.Items[2].Code != "" || got.Items[2].N != 0 {
		t.Error("values of another type are passed over")
	}
	if got.Items[1].Node.Pos().Col != 17 {
		t.Errorf("the node stays with the value: %v", got.Items[1].Node.Pos())
	}
	if got.Map["k"] != "v" || got.Any["n"] != json.Number("1.50") || got.None != nil {
		t.Errorf("maps: %+v", got)
	}
}

// FuzzParse: any text gives a tree or diagnostics and no panic; what is valid reads as encoding/json reads it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a": [1, "x\u4e2d", null]}`, `{"a": 1,}`, "\"\\ud83d\\ude00\"", "[[[", "\ufeff1", `{"a":1,"a":2}`, "1e5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, out := source.Parse("f", []byte(text))
		if n == nil {
			if !out.HasErrors() {
				t.Fatal("neither a tree nor an error")
			}
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(text, "\ufeff"))) {
			t.Fatal("accepted what is no JSON")
		}
		var walk func(*source.Node)
		walk = func(n *source.Node) {
			n.Pos()
			n.KeyPos()
			n.PosInText(len(n.Text()))
			for _, m := range n.Members {
				walk(m)
			}
		}
		walk(n)
		if len(out) == 0 && !json.Valid(n.Raw()) {
			t.Fatalf("Raw gives %s", n.Raw())
		}
	})
}
