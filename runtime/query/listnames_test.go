package query_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/width"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/finder/findertest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestListsOfManyNames: of 40 names that longer ones have, and of those with several readings, the search of a list finds what has them, however they are
// spelled and by every sound; a filter on a text finds what has it or is it; the choices of a filter name the one itself.
func TestListsOfManyNames(t *testing.T) {
	names := findertest.Names()
	all := everyName(names)
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, compileFile(t, withOptions(t, all), zone), o)
		w.organise()
		for i, name := range all {
			w.named("lot", fmt.Sprint("q", i), name, values{"title": name, "remark": name, "kind": fmt.Sprint("o", i), "like": fmt.Sprint("q", i)})
		}
		view := w.rights("clerk", "all")
		for _, p := range names.Pairs {
			w.searches(view, p)
			w.filters(view, p)
		}
		for _, r := range names.Readings {
			for _, sound := range append(r.Sounds, r.Name) {
				if got := w.rowsOf(view, query.ListRequest{Keyword: sound}); !slices.Contains(got, r.Name) {
					t.Errorf("the search finds %v by %q", got, sound)
				}
			}
			for _, sound := range r.Sounds {
				if got := w.choices(view, "kind", sound); !slices.Contains(got, r.Name+"!sound") {
					t.Errorf("the filter's choices are %v by %q", got, sound)
				}
			}
		}
	})
}

// everyName are the names of a table, each once.
func everyName(names findertest.Table) (out []string) {
	for _, p := range names.Pairs {
		out = append(out, p[1], p[0])
	}
	for _, r := range names.Readings {
		out = append(out, r.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// withOptions is the file of testdata with the names as options.
func withOptions(t *testing.T, names []string) string {
	t.Helper()
	var options []map[string]any
	for i, name := range names {
		options = append(options, map[string]any{"code": fmt.Sprint("o", i), "name": name, "name_i18n": map[string]string{"en": name}})
	}
	text, err := json.Marshal(options)
	must(t, err)
	file, err := os.ReadFile("testdata/listnames.txtar")
	must(t, err)
	out := filepath.Join(t.TempDir(), "listnames.txtar")
	must(t, os.WriteFile(out, []byte(strings.Replace(string(file), `"options": []`, `"options": `+string(text), 1)), 0o600))
	return out
}

// rowsOf are the titles of the rows that a list answers.
func (w *world) rowsOf(view *authz.View, req query.ListRequest) (out []string) {
	w.t.Helper()
	size := 200
	req.Size = &size
	p, err := w.list(view, req)
	must(w.t, err)
	for _, row := range p.Content {
		out = append(out, fmt.Sprint(row.Data["title"]))
	}
	return out
}

// choices are what a filter on a property offers for a typed text, each with how the text names it.
func (w *world) choices(view *authz.View, code, typed string) (out []string) {
	w.t.Helper()
	found, err := w.FieldOptions(w.t.Context(), view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: code, Keyword: typed, Size: 200})
	must(w.t, err)
	for _, e := range found.Content {
		text := e.Name
		if e.Named != "" {
			text += "!" + e.Named
		}
		out = append(out, text)
	}
	return out
}

// searches checks what the search of the list finds by a name: it and the longer one.
func (w *world) searches(view *authz.View, p [2]string) {
	w.t.Helper()
	spaced := strings.Join(strings.Split(p[0], ""), " ")
	for _, typed := range []string{p[0], " " + p[0] + " ", width.Widen.String(p[0]), strings.ToLower(p[0]), strings.ToUpper(p[0]), spaced} {
		got := w.rowsOf(view, query.ListRequest{Keyword: typed})
		if !slices.Contains(got, p[0]) || !slices.Contains(got, p[1]) {
			w.t.Errorf("the search finds %v by %q, which %s and %s have", got, typed, p[0], p[1])
		}
	}
}

// filters checks what filters find by a name, and which choice it names.
func (w *world) filters(view *authz.View, p [2]string) {
	w.t.Helper()
	for _, code := range []string{"title", "remark"} {
		if got := w.rowsOf(view, query.ListRequest{Filters: []query.Filter{filter(code, "Equal", p[0])}}); !slices.Equal(got, []string{p[0]}) {
			w.t.Errorf("%s = %s finds %v", code, p[0], got)
		}
		got := w.rowsOf(view, query.ListRequest{Filters: []query.Filter{filter(code, "Contains", p[0])}})
		if !slices.Contains(got, p[0]) || !slices.Contains(got, p[1]) {
			w.t.Errorf("%s has %s finds %v", code, p[0], got)
		}
	}
	for _, code := range []string{"kind", "like"} {
		for _, typed := range []string{p[0], " " + p[0], width.Widen.String(p[0]), strings.ToLower(p[0])} {
			got := w.choices(view, code, typed)
			if len(got) < 2 || got[0] != p[0]+"!text" || slices.ContainsFunc(got[1:], func(one string) bool { return strings.HasSuffix(one, "!text") }) {
				w.t.Errorf("the choices of %s are %v by %q", code, got, typed)
			}
		}
	}
}
