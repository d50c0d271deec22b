package action_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
)

type leaf struct {
	Title string          `json:"title"`
	Rate  *string         `json:"rate"`
	Due   *time.Time      `json:"due,omitempty"`
	Sum   decimal.Decimal `json:"sum"`
	own   int
	Parts []*leaf `json:"parts,omitempty"`
	Any   any     `json:"any"`
}

type paged[T any] struct {
	Content []T `json:"content"`
	leaf
	Counts map[string]map[string]int `json:"counts"`
	Share  float64                   `json:"share"`
	On     bool
	Skip   string `json:"-"`
	Of     struct {
		N uint8 `json:"n"`
	} `json:"of"`
	Bytes []byte     `json:"bytes"`
	Two   [2]int     `json:"two"`
	Leaf  *leaf      `json:"leaf"`
	Raw   rawAnswer  `json:"raw"`
	When  textAnswer `json:"when"`
}

type rawAnswer struct{}

func (rawAnswer) MarshalJSON() ([]byte, error) { return []byte(`[1]`), nil }

type textAnswer struct{}

func (textAnswer) MarshalText() ([]byte, error) { return []byte(`now`), nil }

// TestShape: what a type writes fits its shape, and other texts do not.
func TestShape(t *testing.T) {
	s, err := action.CompileSchema([]byte(action.Shape[paged[leaf]]()))
	if err != nil {
		t.Fatal(err)
	}
	rate, now := "0.5", time.Now()
	for _, of := range []paged[leaf]{
		{Content: []leaf{}, Counts: map[string]map[string]int{}, Bytes: []byte{1}},
		{Content: []leaf{{Title: "a", Rate: &rate, Due: &now, own: 1, Parts: []*leaf{{Title: "b", Any: 1.5}}, Any: "x"}}, Counts: map[string]map[string]int{"a": {"b": 1}}, Bytes: []byte{1}, Leaf: &leaf{}},
	} {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	whole, _ := json.Marshal(paged[leaf]{Content: []leaf{}, Counts: map[string]map[string]int{}, Bytes: []byte{1}})
	for name, value := range map[string]string{"content": `null`, "title": `1`, "rate": `1`, "due": `null`, "sum": `1`, "parts": `[{}]`, "counts": `{"a": {"b": "c"}}`, "share": `"1"`, "On": `null`, "of": `{"n": -1}`,
		"bytes": `1`, "two": `["a"]`, "leaf": `{"title": "a"}`, "when": `1`} {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(whole, &object); err != nil {
			t.Fatal(err)
		}
		object[name] = json.RawMessage(value)
		text, _ := json.Marshal(object)
		if s.Check(text) == nil {
			t.Errorf("%s may not be %s", name, value)
		}
	}
	if s.Check([]byte(`{}`)) == nil {
		t.Error("fields that are always written are required")
	}
	for text, want := range map[string]string{action.Shape[int](): `{"type":"integer"}`, action.Shape[any](): `{}`, action.Shape[*any](): `{}`, action.Shape[map[string]any](): `{"additionalProperties":{},"type":"object"}`,
		action.Shape[struct{}](): `{"properties":{},"type":"object"}`, action.Shape[[]leafPage](): `{"$defs":{"emptyleaf":{"properties":{},"type":"object"},"leafPage":{"properties":{"Page":{"$ref":"#/$defs/emptyleaf"}},"required":["Page"],"type":"object"}},"items":{"$ref":"#/$defs/leafPage"},"type":"array"}`} {
		if text != want {
			t.Errorf("%s, not %s", text, want)
		}
	}
}

type empty[T any] struct{}

type leafPage struct{ Page empty[leaf] }

// TestShaped: an action without a written answer answers by the shape of its type, which is not checked again.
func TestShaped(t *testing.T) {
	e := action.New("count", `{}`, "", func(context.Context, action.Call, struct{}) ([]int, error) { return nil, nil })
	if string(e.Output()) != `{"items":{"type":"integer"},"type":"array"}` {
		t.Error(string(e.Output()))
	}
	s, err := action.CompileOutput(e)
	if err != nil {
		t.Fatal(err)
	}
	if s.Check([]byte(`"x"`)) != nil || s.Check([]byte(`{`)) == nil {
		t.Error("an answer that the type describes is not read again")
	}
	written, err := action.CompileOutput(action.New("count", `{}`, string(e.Output()), func(context.Context, action.Call, struct{}) ([]int, error) { return nil, nil }))
	if err != nil || written.Check([]byte(`"x"`)) == nil {
		t.Error("one that the author describes is", err)
	}
}
