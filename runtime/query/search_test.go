package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/finder/findertest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// find is what a search answers: "model: name #number !named (detail), ...+" of each group, + for more, ^ for beginnings only.
func (w *world) find(view *authz.View, keyword string, size int) (out string, left int) {
	w.t.Helper()
	found, err := w.Search(w.t.Context(), view, query.SearchRequest{Keyword: keyword, Size: size})
	must(w.t, err)
	text, err := json.Marshal(found)
	must(w.t, err)
	if strings.Contains(string(text), `"actions"`) { // what is found opens its form, which says what may be done now
		w.t.Errorf("a search offers what may be refused: %s", text)
	}
	var groups []string
	for _, g := range found.Groups {
		var names []string
		for _, r := range g.Content {
			name := r.Name
			if r.Number != nil {
				name += " #" + *r.Number
			}
			if r.Named != "" {
				name += " !" + r.Named
			}
			if r.Detail != nil {
				name += " (" + *r.Detail + ")"
			}
			names = append(names, name)
		}
		text := g.SchemaCode + ": " + strings.Join(names, ", ")
		if g.More {
			text += " +"
		}
		if g.Begins {
			text += " ^"
		}
		groups = append(groups, text)
	}
	return strings.Join(groups, "; "), len(found.Left)
}

// searched is a world with a few records of several models.
func searched(t *testing.T, f func(t *testing.T, w *world)) {
	c := catalogOf(t, "testdata/search.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		w.WithSearchTime(time.Minute, time.Minute, 100)
		add := func(model, key, name, number string, v values) {
			row := values{"title": name, "sequenceNo": number}
			for k, x := range v {
				row[k] = x
			}
			w.named(model, key, name, row)
		}
		boss := values{"owner": id("boss")}
		add("lot", "l1", "上游灌注桩", "JYP-1", nil)
		add("lot", "l2", "灌注桩检验", "JYP-2", boss)
		add("lot", "l3", "灌注桩", "JYP-3", boss)
		add("lot", "l4", "灌注桩基础", "JYP-4", nil)
		add("contract", "c1", "桩基合同", "S-1", values{"code": "HT-1"})
		add("contract", "c2", "灌注桩", "S-2", values{"code": "HT-2", "owner": id("boss")})
		add("letter", "e1", "关于灌注桩的函", "HJ-1", nil)
		add("letter", "e2", "灌注桩", "HJ-2", values{"sequenceStatus": "CANCELED"})
		add("drawing", "d1", "灌注桩布置图 TZ-7", "TZ-7", nil)
		add("part", "p1", "左岸", "B-1", nil)
		add("part", "p2", "右岸", "B-2", nil)
		add("part", "p3", "银行", "B-3", values{"above": "p1"})
		add("part", "p4", "银行", "B-4", values{"above": "p2", "owner": id("boss")})
		f(t, w)
	})
}

// TestSearchRanks: models in the order of their best record, records of each in the order of the finder, the newest first, by name, number, unique
// text and sound; what a list leaves out is not found.
func TestSearchRanks(t *testing.T) {
	searched(t, func(t *testing.T, w *world) {
		all := w.rights("clerk", "all")
		for _, x := range []struct{ typed, want string }{
			{"灌注桩", "lot: 灌注桩 #JYP-3 !text, 灌注桩基础 #JYP-4, 灌注桩检验 #JYP-2, 上游灌注桩 #JYP-1; contract: 灌注桩 #S-2 !text; drawing: 灌注桩布置图 TZ-7 #TZ-7; letter: 关于灌注桩的函 #HJ-1"},
			{"guanzhuzhuang", "lot: 灌注桩 #JYP-3 !sound, 灌注桩基础 #JYP-4, 灌注桩检验 #JYP-2, 上游灌注桩 #JYP-1; contract: 灌注桩 #S-2 !sound; drawing: 灌注桩布置图 TZ-7 #TZ-7; letter: 关于灌注桩的函 #HJ-1"},
			{"JYP-2", "lot: 灌注桩检验 #JYP-2 !text"}, {"TZ-7", "drawing: 灌注桩布置图 TZ-7 #TZ-7 !text"}, {"HT-1", "contract: 桩基合同 #S-1 !text"},
			{"HJ-2", ""}, {"nothing", ""}, {"", ""}, {"  ", ""},
			{"yinxing", "part: 银行 #B-4 !sound (右岸 · B-4), 银行 #B-3 !sound (左岸 · B-3)"},
			{"上游 桩", "lot: 上游灌注桩 #JYP-1"},
			{"灌", "drawing: 灌注桩布置图 TZ-7 #TZ-7 ^; lot: 灌注桩基础 #JYP-4, 灌注桩 #JYP-3, 灌注桩检验 #JYP-2 ^; contract: 灌注桩 #S-2 ^"},
			{"岸", "part: 右岸 #B-2, 左岸 #B-1"},
		} {
			if got, left := w.find(all, x.typed, 10); sameGroups(got, x.want) || left != 0 {
				t.Errorf("%q finds %s (%d left)\nwant %s", x.typed, got, left, x.want)
			}
		}
		if got, _ := w.find(all, "灌注桩", 2); !strings.Contains(got, "lot: 灌注桩 #JYP-3 !text, 灌注桩基础 #JYP-4 +") {
			t.Errorf("the best two are %s", got)
		}
		if _, err := w.Search(t.Context(), all, query.SearchRequest{Keyword: strings.Repeat("a", 101), Size: 1}); fault.Of(err) != fault.BadParameter {
			t.Errorf("a long text: %v", err)
		}
	})
}

// TestSearchOfManyNames: of 40 names that longer ones have the search names the one itself, names of several readings by each of them, and files
// name records of large models as those of others.
func TestSearchOfManyNames(t *testing.T) {
	searched(t, func(t *testing.T, w *world) {
		all, names := w.rights("clerk", "all"), findertest.Names()
		known := map[string]bool{}
		add := func(name string) {
			if n := len(known); !known[name] {
				known[name] = true
				w.named("contract", fmt.Sprintf("q%d", n), name, values{"title": name, "code": fmt.Sprintf("Nr-%d", n), "sequenceNo": fmt.Sprintf("%08d", n)})
			}
		}
		for _, p := range names.Pairs {
			add(p[1])
			add(p[0])
		}
		for _, r := range names.Readings {
			add(r.Name)
		}
		group := func(typed string) (out []string) {
			found, err := w.Search(t.Context(), all, query.SearchRequest{Keyword: typed, Size: 20})
			must(t, err)
			for _, g := range found.Groups {
				for _, r := range g.Content {
					if g.SchemaCode == "contract" {
						out = append(out, r.Name+"!"+r.Named)
					}
				}
			}
			return out
		}
		for _, p := range names.Pairs {
			got := group(p[0])
			if len(got) == 0 || got[0] != p[0]+"!text" || slices.ContainsFunc(got[1:], func(one string) bool { return one != "灌注桩!text" && strings.HasSuffix(one, "!text") }) {
				t.Errorf("%s finds %v", p[0], got)
			}
		}
		for _, r := range names.Readings {
			for _, sound := range r.Sounds {
				if got := group(sound); len(got) < 20 && !slices.Contains(got, r.Name+"!sound") {
					t.Errorf("%s finds %v", sound, got)
				}
			}
		}
		// A number that the author has not shaped has no index: it is looked for where the text may be one.
		for typed, want := range map[string]string{"00000001": "灌注桩!text", " 00000001 ": "灌注桩!text", "0000001": "", "10000001": ""} {
			if got := strings.Join(group(typed), " "); got != want {
				t.Errorf("the number %q finds %s, want %s", typed, got, want)
			}
		}
		w.fileNames(all, "lot", findertest.Table{Pairs: [][2]string{{"灌注桩检验", ""}, {"上游灌注桩", ""}}, Readings: []findertest.Reading{{Name: "灌注桩基础", Sounds: []string{"guanzhuzhuangjichu", "gzzjc"}}}})
		names.Pairs = names.Pairs[1:] // there are two contracts of the first name
		w.fileNames(all, "contract", names)
		must(t, w.db.Read(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			m := w.c.Model("contract")
			found, err := w.Named(ctx, tx, all, m, m.Field("name"), []string{"灌注桩", "灌 注 桩", "h t-1", "ＨＴ－２", "HT"})
			if n := func(text string) int { return len(found[text]) }; n("灌注桩") != 2 || n("灌 注 桩") != 2 || n("h t-1") != 1 || n("ＨＴ－２") != 1 || n("HT") != 0 {
				t.Errorf("names and codes in files mean %v", found)
			}
			return err
		}))
	})
}

// TestCodesInAnyCase: in models with many records a code of small and capital letters is found however it is typed where searches look in it; any other
// one as it is written, in capitals, in small letters and in wide characters.
func TestCodesInAnyCase(t *testing.T) {
	searched(t, func(t *testing.T, w *world) {
		all := w.rights("clerk", "all")
		w.named("letter", "e3", "来函", values{"title": "来函", "mark": "NuAb-12"})
		w.named("contract", "c3", "大坝", values{"title": "大坝", "code": "NuAb-12"})
		letter, contract := "letter: 来函 !text", "contract: 大坝 !text"
		for typed, want := range map[string][]string{
			"NuAb-12": {letter, contract}, "nuab-12": {letter}, "NUAB-12": {letter}, "ｎｕａｂ－１２": {letter}, "ＮｕＡｂ－１２": {letter, contract}, "nuab": nil,
			"ht-1": {"contract: 桩基合同 #S-1 !text"}, "ＨＴ－１": {"contract: 桩基合同 #S-1 !text"},
		} {
			got, _ := w.find(all, typed, 10)
			for _, one := range want {
				if !strings.Contains(got, one) {
					t.Errorf("%q finds %s without %s", typed, got, one)
				}
			}
			if n := strings.Count(got, "!text"); n != len(want) {
				t.Errorf("%q names %d of %s", typed, n, got)
			}
		}
		must(t, w.db.Read(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			for model, texts := range map[string]map[string]int{
				"letter":   {"NuAb-12": 1, "nuab-12": 1, "NUAB-12": 1, "ｎｕａｂ－１２": 1, "nuab-1": 0},
				"contract": {"NuAb-12": 1, "ht-1": 1, "ＨＴ－１": 1, "nuab-12": 0, "HT": 0},
			} {
				m := w.c.Model(model)
				for text, want := range texts {
					found, err := w.Named(ctx, tx, all, m, m.Field("name"), []string{text})
					if err != nil || len(found[text]) != want {
						t.Errorf("%q in a file of %ss means %v (%v)", text, model, found, err)
					}
				}
			}
			return nil
		}))
	})
}

// sameGroups reports whether two answers differ; the ids of tests say nothing of the order of groups that fit alike.
func sameGroups(got, want string) bool {
	parts := func(s string) map[string]bool {
		out := map[string]bool{}
		for _, one := range strings.Split(s, "; ") {
			out[one] = true
		}
		return out
	}
	a, b := parts(got), parts(want)
	for one := range a {
		if !b[one] {
			return true
		}
	}
	first := func(s string) string { return s[strings.LastIndex(s, ";")+1:] }
	return len(a) != len(b) || strings.Contains(want, "!") && strings.Contains(first(got), "!") != strings.Contains(first(want), "!")
}

// TestSearchRights: nobody learns of a record by a search what the model's list does not show them.
func TestSearchRights(t *testing.T) {
	searched(t, func(t *testing.T, w *world) {
		for _, x := range []struct{ role, typed, want string }{
			// Only own lots, without numbers; contracts without names; own parts; no letters, no drawings.
			{"own", "灌注桩", "lot: 灌注桩基础, 上游灌注桩"}, {"own", "guanzhuzhuang", "lot: 灌注桩基础, 上游灌注桩"},
			{"own", "JYP-1", ""}, {"own", "JYP-2", ""}, {"own", "桩基合同", ""}, {"own", "HT-2", "contract: S-2 #S-2 !text"}, {"own", "S-1", "contract: S-1 #S-1 !text"},
			{"own", "TZ-7", ""}, {"own", "HJ-1", ""},
			// Of the two parts of one name one is there, and nothing tells that there is another; the one above is its own.
			{"own", "银行", "part: 银行 #B-3 !text"},
			// No application leads to the lots.
			{"outside", "灌注桩", ""}, {"outside", "JYP-1", ""},
			{"none", "灌注桩", ""},
		} {
			got, left := w.find(w.rights("clerk", x.role), x.typed, 1+3)
			if got != x.want || left != 0 {
				t.Errorf("%s finds %q by %q (%d left), want %q", x.role, got, x.typed, left, x.want)
			}
		}
		// Somebody who sees two of four is not told of more.
		if got, _ := w.find(w.rights("clerk", "own"), "灌注桩", 2); got != "lot: 灌注桩基础, 上游灌注桩" {
			t.Errorf("two of four: %s", got)
		}
		// A token for another application finds nothing.
		token := principal.Principal{UserID: id("clerk"), Roles: []string{"all"}, Locale: "en", Apps: []principal.AppScope{{App: "organisation"}}}
		if got, _ := w.find(w.policy.View(token, now, zone), "灌注桩", 5); got != "" {
			t.Errorf("a token for another application finds %s", got)
		}
	})
}

// TestSearchTime: a model that was not searched in its time is told, and so are those behind the last; a caller that gives up is answered with that.
func TestSearchTime(t *testing.T) {
	searched(t, func(t *testing.T, w *world) {
		all := w.rights("clerk", "all")
		w.WithSearchTime(time.Nanosecond, time.Minute, 100)
		got, left := w.find(all, "灌注桩", 5)
		if got != "" || left < 5 {
			t.Errorf("without time %q is found, and %d models are left", got, left)
		}
		w.WithSearchTime(time.Minute, time.Nanosecond, 100)
		if got, n := w.find(all, "灌注桩", 5); got != "" || n != left {
			t.Errorf("without time for all %q is found, and %d models are left, not %d", got, n, left)
		}
		w.WithSearchTime(time.Minute, time.Minute, 1)
		if got, n := w.find(all, "灌注桩", 5); strings.Contains(got, ";") || n != left-1 {
			t.Errorf("in one model %q is found, and %d models are left", got, n)
		}
		w.WithSearchTime(time.Minute, time.Minute, 100)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := w.Search(ctx, all, query.SearchRequest{Keyword: "灌注桩", Size: 5}); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		if got, n := w.find(all, "灌注桩", 5); got == "" || n != 0 {
			t.Errorf("afterwards %q is found, and %d models are left", got, n)
		}
	})
}

// TestSearchAgreesWithLists: whatever roles see of a record in the list of its model, a search by its name or number finds it exactly then.
func TestSearchAgreesWithLists(t *testing.T) {
	searched(t, func(t *testing.T, w *world) {
		for _, role := range []string{"all", "own"} {
			view := w.rights("clerk", role)
			for _, model := range []string{"lot", "contract", "letter", "drawing", "part"} {
				page, err := w.list(view, query.ListRequest{SchemaCode: model})
				if err != nil && fault.Of(err) != fault.ModelNotFound {
					t.Fatal(err)
				}
				listed := map[string]bool{}
				for _, r := range page.Content {
					listed[r.ID] = true
				}
				for _, typed := range []string{"灌注桩", "银行", "岸", "HT-", "JYP-3", "JYP-4", "HJ-1", "HJ-2", "TZ-7", "S-1", "桩基合同", "zhuang"} {
					found, err := w.Search(t.Context(), view, query.SearchRequest{Keyword: typed, Size: query.MaxSearchSize})
					must(t, err)
					for _, g := range found.Groups {
						for _, r := range g.Content {
							if g.SchemaCode == model && !listed[r.ID] {
								t.Errorf("%s finds %s of %s by %s, which its list does not show", role, r.Name, model, typed)
							}
						}
					}
				}
			}
		}
	})
}

// TestSearchLane: a person's second search waits for the first, and gives its place up when its caller does; others go on.
func TestSearchLane(t *testing.T) {
	lane := query.NewSearchLane()
	leave, err := lane.Enter(t.Context(), "a")
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := lane.Enter(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the second of one person: %v", err)
	}
	var places []func()
	for n := range query.SearchPlaces() - 1 {
		other, err := lane.Enter(t.Context(), fmt.Sprint("other ", n))
		must(t, err)
		places = append(places, other)
	}
	// Of two searches of one person the first has the turn and gives up where there is no place: the second goes on.
	short, end := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer end()
	if _, err := lane.Enter(short, "b"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a place: %v", err)
	}
	first, second := make(chan error, 1), make(chan error, 1)
	giveUp, gives := context.WithCancel(t.Context())
	enter := func(ctx context.Context, done chan error) {
		leave, err := lane.Enter(ctx, "c")
		if err == nil {
			leave()
		}
		done <- err
	}
	go enter(giveUp, first)
	time.Sleep(20 * time.Millisecond)
	go enter(t.Context(), second)
	time.Sleep(20 * time.Millisecond)
	gives()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	for _, other := range places {
		other()
	}
	if len(places) > 0 {
		must(t, <-second)
	} else {
		leave()
		must(t, <-second)
		leave, err = lane.Enter(t.Context(), "a")
		must(t, err)
	}
	waiting := make(chan error, 20)
	for range 20 {
		go func() {
			leave, err := lane.Enter(t.Context(), "a")
			if err == nil {
				leave()
			}
			waiting <- err
		}()
	}
	refused := 0
	for range 20 - 8 {
		if err := <-waiting; fault.Of(err) == fault.TooManyRequests {
			refused++
		}
	}
	leave()
	for range 8 {
		must(t, <-waiting)
	}
	if refused != 12 || lane.People() != 0 {
		t.Errorf("%d of 20 were refused, %d people are remembered", refused, lane.People())
	}
	if again, err := lane.Enter(t.Context(), "a"); err != nil {
		t.Error(err)
	} else {
		again()
	}
}
