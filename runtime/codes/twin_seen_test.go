package codes_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

var (
	anID   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	aLabel = regexp.MustCompile(`⟦\d+⟧`)
	aWord  = regexp.MustCompile(`"Text":"[^"]*"`)
	// formerly are the codes that options had: by them a browser knows filters of then, and nobody sees them.
	formerly = regexp.MustCompile(`,"former":\[[^\]]*\]`)
	aRecord  = regexp.MustCompile(`[0-9a-f]{32,}`)
	anyWord  = regexp.MustCompile(`\w+`)
	aCursor  = regexp.MustCompile(`"(next|previous)":"[^"]*"`) // signed, with an id in it
)

// named are the names of all codes of now, and of what is gone with those of its time: what was kept of it has them.
func (s *shop) named() map[string]string {
	out := map[string]string{}
	for _, one := range s.gone {
		for _, code := range s.was[one.name] {
			out[code] = one.name
		}
	}
	maps.Copy(out, s.came)
	for _, name := range slices.Sorted(maps.Keys(s.now)) {
		out[s.now[name]] = name
	}
	return out
}

// said is what people see, the same in both worlds: codes are names, labels have no marks, and ids are numbered as they come.
func (s *shop) said(v any) string { s.Helper(); return s.saidBy(s.named(), v) }

func (s *shop) saidBy(named map[string]string, v any) string {
	s.Helper()
	b, err := json.Marshal(v)
	require.NoError(s, err)
	out := anyWord.ReplaceAllStringFunc(string(b), func(word string) string {
		if name, ok := named[word]; ok {
			return "<" + name + ">"
		}
		return word
	})
	var sorted any
	require.NoError(s, json.Unmarshal([]byte(out), &sorted))
	b, err = json.Marshal(sorted)
	require.NoError(s, err)
	numbers := map[string]int{}
	out = aCursor.ReplaceAllString(formerly.ReplaceAllString(aLabel.ReplaceAllString(string(b), ""), ""), `"$1":"page"`)
	for _, of := range []*regexp.Regexp{anID, aRecord} {
		out = of.ReplaceAllStringFunc(out, func(id string) string {
			if numbers[id] == 0 {
				numbers[id] = len(numbers) + 1
			}
			return fmt.Sprint("#", numbers[id])
		})
	}
	return out
}

// compare requires that people see the same in both worlds. What there is grows with each round, and the time of comparing it with its square: some
// of many records, instances and papers are looked at, other ones each time; all of them when the whole is asked for.
func (w *twins) compare(whole bool) {
	w.Helper()
	look := w.random.Uint64()
	seen := w.look(look, whole)
	for until := time.Now().Add(settles); !maps.Equal(seen[0], seen[1]) && time.Now().Before(until); { // what a server starts by itself comes when it comes
		time.Sleep(100 * time.Millisecond)
		seen = w.look(look, whole)
	}
	for _, what := range slices.Sorted(maps.Keys(seen[1])) {
		if seen[0][what] != seen[1][what] {
			codes, labels := apart(seen[0][what], seen[1][what])
			w.Errorf("%s differs\ncodes:  %s\nlabels: %s", what, codes, labels)
		}
	}
	if w.Failed() {
		for i, s := range w.both() {
			for _, l := range s.app.Store().NameLog().Steps() {
				w.Logf("%s: %d %s %s: %s -> %s", []string{"codes", "labels"}[i], l.Epoch, l.Kind, l.Owner, l.Old, l.New)
			}
		}
		w.Fatal(w.story())
	}
}

// settles is how long two worlds that differ are looked at again.
const settles = 20 * time.Second

// look is what both see of records that a number draws.
func (w *twins) look(draw uint64, whole bool) (seen []map[string]string) {
	w.Helper()
	for _, s := range w.both() {
		random := rand.New(rand.NewPCG(draw, 3))
		seen = append(seen, s.sees(w, func(n int) []int {
			all := random.Perm(n)
			if !whole {
				all = all[:min(n, mostSeen)]
			}
			return all
		}))
	}
	return seen
}

// mostSeen is how many of the records of a model, of the instances and of the papers are looked at in a comparison of some.
const mostSeen = 8

// apart are two texts from shortly before they differ.
func apart(a, b string) (string, string) {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	cut := func(text string) string { return strings.ToValidUTF8(text[max(0, at-300):min(len(text), at+300)], "") }
	return cut(a), cut(b)
}

// sees is what people see; some are those to look at of so many.
func (s *shop) sees(w *twins, some func(n int) []int) map[string]string {
	s.Helper()
	out, named := map[string]string{}, s.named()
	add := func(what string, v any, err error) { out[what] = s.saidBy(named, v) + s.failure(err) }
	boss := s.boss()
	models := map[string][]string{"order": s.made, "ware": s.wares}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		for _, i := range some(len(models[name])) {
			s.seesRecord(w, name, models[name][i], func(what string, v any, err error) { add(fmt.Sprintf("%s of %s %d", what, name, i), v, err) })
		}
		bin, err := s.app.Reader().Recycled(s.Context(), boss, query.RecycleRequest{SchemaCode: s.now[name], Size: 100})
		add("bin of "+name, bin, err)
		ofModel, err := s.app.Bulk().Log(s.Context(), boss, s.now[name], 0, 100)
		add("batches of "+name, ofModel, err)
	}
	for _, i := range some(len(s.instances)) {
		s.seesInstance(s.instances[i], func(what string, v any, err error) { add(fmt.Sprintf("%s of instance %d", what, i), v, err) })
	}
	for who, id := range map[string]string{"root": s.root, "ann": s.person, "bob": s.other} {
		s.seesPerson(s.viewOf(id), func(what string, v any, err error) { add(what+" of "+who, v, err) })
	}
	s.seesDocuments(add)
	versions, err := s.app.Workflows().Versions(s.Context(), boss, s.now["approval"])
	add("versions", versions, err)
	tokens := s.tokens()
	for _, i := range some(len(tokens)) {
		is, err := s.app.Prints().Verify(s.Context(), boss, boss, tokens[i])
		add(fmt.Sprint("paper ", i), is, err)
	}
	return out
}

// seesRecord is a record as it is, as it was at each version, deleted, printed and commented.
func (s *shop) seesRecord(w *twins, model, id string, add func(what string, v any, err error)) {
	s.Helper()
	r, boss, code := s.app.Reader(), s.boss(), s.now[model]
	form, err := r.FormLoad(s.Context(), boss, query.FormRequest{SchemaCode: code, ObjectID: id})
	add("form", form, err)
	form, err = r.FormLoad(s.Context(), s.view(), query.FormRequest{SchemaCode: code, ObjectID: id})
	add("form for a clerk", form, err)
	bin, err := r.RecycledOne(s.Context(), boss, query.RecycledRequest{SchemaCode: code, ID: id})
	add("what was deleted", bin, err)
	page, err := r.History(s.Context(), boss, query.HistoryRequest{SchemaCode: code, BizObjectID: id})
	add("history", page, err)
	comments, err := s.app.Comments().List(s.Context(), boss, query.Ref{SchemaCode: code, ID: id}, "", 100)
	add("comments", comments, err)
	past, err := s.app.Prints().History(s.Context(), boss, code, "", id)
	add("printings", past, err)
	flows, err := s.app.Workflows().OfRecord(s.Context(), boss, code, id)
	add("workflow", flows, err)
	if model == "order" {
		out, err := s.app.Prints().Lay(s.Context(), boss, printing.Request{PrintRequest: query.PrintRequest{SchemaCode: code, ObjectIDs: []string{id}}, Template: s.now["paper"]})
		var words []string
		if err == nil {
			words = aWord.FindAllString(string(raw(out.Pages)), -1)
		}
		add("print", words, err)
	}
	if page == nil || boss.Model(code) == nil {
		return
	}
	for _, e := range page.Content {
		add(fmt.Sprint("version ", e.Version), s.valuesAt(boss, propertiesOf(w.trees, model), code, id, e.Version), nil)
	}
}

// valuesAt are the values of a record at a version.
func (s *shop) valuesAt(view *authz.View, of []prop, model, id string, version int64) any {
	s.Helper()
	out := map[string]any{}
	err := s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		st, _, err := record.AsOf(ctx, tx, view, view.Model(model), id, record.Moment{Version: &version})
		if err != nil {
			return err
		}
		for _, p := range of {
			f := st.Model.Field(s.now[p.name])
			if f == nil {
				out[s.now[p.name]] = "unknown"
				continue
			}
			if f.Sheet == nil {
				out[s.now[p.name]] = record.ValueOf(st.Row, f)
				continue
			}
			rows := []any{}
			for _, row := range st.Sheets[f.Code] {
				for _, c := range p.of {
					rows = append(rows, s.now[c.name], record.ValueOf(row, f.Sheet.Field(s.now[c.name])))
				}
			}
			out[s.now[p.name]] = rows
		}
		return nil
	})
	return []any{out, s.failure(err)}
}

// seesInstance is the course of an instance, as it is kept and as paper shows it.
func (s *shop) seesInstance(id string, add func(what string, v any, err error)) {
	s.Helper()
	all, boss := s.app.Workflows(), s.boss()
	track, err := all.Track(s.Context(), boss, id)
	add("track", track, err)
	detail, err := all.Detail(s.Context(), boss, id)
	add("detail", detail, err)
	kept, rebuilt, err := all.Verify(s.Context(), id)
	add("state", []any{kept, rebuilt}, err)
	fits, err := all.Migrate(s.Context(), boss, s.now["approval"], []string{id}, true)
	add("whether it can move", fits, err)
	var course *workflow.PrintCourse
	err = s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
		course, err = all.Course(ctx, tx, boss, id)
		return err
	})
	add("signatures", course, err)
}

// seesPerson is what somebody has.
func (s *shop) seesPerson(view *authz.View, add func(what string, v any, err error)) {
	s.Helper()
	ctx := s.Context()
	for _, which := range []string{"unfinished", "finished"} {
		tasks, err := s.app.Workflows().Items(ctx, view, which, workflow.Search{Size: 100})
		add(which+" tasks", tasks, err)
	}
	list, err := s.app.Reader().List(ctx, view, query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"]})
	add("list", json.RawMessage(orNull(list)), err)
	list, err = s.app.Reader().List(ctx, view, query.ListRequest{SchemaCode: s.now["order"], QueryCode: "waiting"})
	add("list of what waits", json.RawMessage(orNull(list)), err)
	drafts, err := s.app.Drafts().List(ctx, view, "", 0, 100)
	add("drafts", drafts, err)
	if err == nil {
		for i, one := range drafts.Content {
			is, err := s.app.Drafts().Open(ctx, view, one.ID)
			add(fmt.Sprint("draft ", i), is, err)
		}
	}
	filters, err := s.app.SavedFilters().List(ctx, view, s.now["order"], s.now["orders"])
	add("filters", filters, err)
	chosen, err := s.app.Exports().History(ctx, view, s.now["order"], s.now["orders"])
	add("columns of exports", chosen, err)
	places, err := s.app.Home().Places(ctx, view)
	add("places", places, err)
	page, err := s.app.Portals().Get(ctx, view, s.now["home"])
	add("page", page, err)
	delegations, err := s.app.Workflows().Delegations(ctx, view)
	add("delegations", delegations, err)
	messages, err := s.app.Messages().Search(ctx, view, notify.Search{Type: string(notify.Comment), Size: 100})
	add("messages", messages, err)
	add("roles", view.Principal().Roles, nil)
}

func orNull(b []byte) []byte {
	if b == nil {
		return []byte("null")
	}
	return b
}

// tokens are the codes on paper, in the order of their printings.
func (s *shop) tokens() (out []string) {
	s.Helper()
	var codes []string
	require.NoError(s, s.app.Store().Read(s.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT r.code FROM sl_print_record r JOIN sl_print p ON p.id = r.print_id WHERE r.code IS NOT NULL ORDER BY p.created_at, p.id").Scan(&codes).Error
	}))
	for _, code := range codes {
		name, err := hex.DecodeString(code)
		require.NoError(s, err)
		out = append(out, base64.RawURLEncoding.EncodeToString(slices.Concat(name, s.signed(name)[:8])))
	}
	return out
}
