package names_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
)

// choice is a property of options, each with its code and the texts by which people know it.
func choice(code string, former names.Former, options ...[]string) names.Entry {
	e := names.Entry{Code: code, Former: former, Form: names.FormOption, Parts: names.Set{}}
	for _, o := range options {
		e.Parts[names.Option] = append(e.Parts[names.Option], names.Entry{Code: o[0], Words: o[1:]})
	}
	return e
}

func held(code, form string, former ...string) names.Entry {
	return names.Entry{Code: code, Form: form, Former: former}
}

// several is a property that holds several options of a choice.
func several(e names.Entry) names.Entry {
	e.Form = names.FormOptions
	return e
}

// TestParts: a text names all of it where that is a word, and otherwise its parts, each once.
func TestParts(t *testing.T) {
	words := map[string]string{"防水、保温": "both", "防水": "water", "Heat": "heat"}
	for text, want := range map[string][]string{
		"":                   nil,
		" ,；\n":              nil,
		" 防水、保温\u3000":       {"both"},
		"防水, Heat":           {"water", "heat"},
		"防水;water，x y\r\n防水": {"water", "x y"},
		"heat":               {"heat"},
	} {
		require.Equal(t, want, names.Parts(text, words), text)
	}
}

// TestTextsAreReadAsOptions: a text of before its property held several options is read as a list, with the codes of now.
func TestTextsAreReadAsOptions(t *testing.T) {
	log := names.NewLog([]names.Logged{
		{Epoch: 1, Step: names.Step{Kind: names.Property, Owner: "order", Old: "kind", New: "kinds"}},
		{Epoch: 2, Step: names.Step{Kind: names.Word, Owner: "order.kinds", Old: "防水、保温", New: "both"}},
		{Epoch: 2, Step: names.Step{Kind: names.Word, Owner: "order.kinds", Old: "防水", New: "water"}},
		{Epoch: 2, Step: names.Step{Kind: names.Splitting, Owner: "order.kinds"}},
		{Epoch: 3, Step: names.Step{Kind: names.Option, Owner: "order.kinds", Old: "water", New: "wet"}},
	})
	for _, x := range []struct {
		epoch             int64
		property, in, out string
	}{
		{0, "kind", `"防水,heat"`, `["wet","heat"]`},
		{0, "kind", `"防水、保温"`, `["both"]`},
		{0, "kind", `null`, `null`},
		{1, "kinds", `"heat"`, `["heat"]`},
		{2, "kinds", `["water","heat"]`, `["wet","heat"]`},
		{2, "kinds", `"a,b"`, `"a,b"`},
		{0, "other", `"a,b"`, `"a,b"`},
	} {
		require.Equal(t, x.out, string(log.SinceEpoch(x.epoch).Value("order", x.property, json.RawMessage(x.in))), "%d %s", x.epoch, x.in)
	}
}

// TestWords: what a value becomes with the type of its property, by the texts that people know.
func TestWords(t *testing.T) {
	state := choice("state", nil, []string{"open", "进行中", "Open"}, []string{"done", "完成", "Done"}, []string{"x"})
	for name, x := range map[string]struct {
		have, want names.Entry
		out        string
	}{
		"to a text":         {state, held("state", names.FormText), "word order.state: open 进行中; word order.state: done 完成"},
		"renamed meanwhile": {state, held("status", names.FormText, "state"), "word order.status: open 进行中; word order.status: done 完成"},
		"from a text":       {held("state", names.FormText), state, "word order.state: 进行中 open; word order.state: Open open; word order.state: 完成 done; word order.state: Done done"},
		"a text that two options have, and one that is a code": {held("state", names.FormText), choice("state", nil, []string{"a", "same", "b"}, []string{"b", "same", "B"}), "word order.state: B b"},
		"the same":            {state, state, ""},
		"of no form":          {state, held("state", ""), ""},
		"several from a text": {held("state", names.FormText), several(state), "word order.state: 进行中 open; word order.state: Open open; word order.state: 完成 done; word order.state: Done done; splitting order.state:  "},
		"several from one":    {state, several(state), ""},
		"names of users":      {held("who", names.FormOf+"user"), held("who", names.FormText), "naming order.who: user user"},
		"users stay":          {held("who", names.FormOf+"user"), held("who", names.FormOf+"user"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, x.out, text(names.Words(set(model("order", nil, x.have)), set(model("order", nil, x.want)))))
		})
	}
	sheet := func(e names.Entry) names.Set { return set(model("order", nil, model("lines", nil, e))) }
	require.Equal(t, "word order.lines.state: open 进行中; word order.lines.state: done 完成", text(names.Words(sheet(state), sheet(held("state", names.FormText)))))
}

// TestWordsAreReadAsOfTheirTime: a value follows its options, then its words, then its options again; what was written later does not.
func TestWordsAreReadAsOfTheirTime(t *testing.T) {
	log := names.NewLog([]names.Logged{
		{Epoch: 1, Step: names.Step{Kind: names.Option, Owner: "order.state", Old: "ready", New: "done"}},
		{Epoch: 2, Step: names.Step{Kind: names.Property, Owner: "order", Old: "state", New: "status"}},
		{Epoch: 2, Step: names.Step{Kind: names.Option, Owner: "order.status", Old: "done"}},
		{Epoch: 2, Step: names.Step{Kind: names.Word, Owner: "order.status", Old: "done", New: "完成"}},
		{Epoch: 3, Step: names.Step{Kind: names.Word, Owner: "order.status", Old: "完成", New: "closed"}},
		{Epoch: 4, Step: names.Step{Kind: names.Model, Old: "user", New: "person"}},
		{Epoch: 4, Step: names.Step{Kind: names.Naming, Owner: "order.who", Old: "user", New: "user"}},
		{Epoch: 5, Step: names.Step{Kind: names.Naming, Owner: "order.amount"}},
	})
	for epoch, x := range map[int64]struct{ property, in, out string }{
		0: {"state", `"ready"`, `"closed"`},
		1: {"state", `"done"`, `"closed"`},
		2: {"status", `"完成"`, `"closed"`},
		3: {"status", `"完成"`, `"完成"`},
	} {
		require.Equal(t, x.out, string(log.Since(epoch, time.Time{}).Value("order", x.property, json.RawMessage(x.in))), epoch)
	}
	require.Equal(t, `"done"`, string(log.Since(2, time.Time{}).Value("order", "status", json.RawMessage(`"done"`))), "somebody wrote it as a text")
	of, others := log.Since(3, time.Time{}).Naming("order", "who")
	require.Equal(t, "person true", of+map[bool]string{true: " true"}[others], "the model by its code of now")
	_, others = log.Since(4, time.Time{}).Naming("order", "who")
	require.False(t, others, "names from then on")
	of, others = log.Since(0, time.Time{}).Naming("order", "amount")
	require.True(t, others)
	require.Empty(t, of, "nothing was kept")
	require.True(t, log.Since(1, time.Time{}).Recoded("order", "status"))
	require.False(t, log.Since(3, time.Time{}).Recoded("order", "status"))
}
