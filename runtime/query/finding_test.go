package query_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/width"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/finder/findertest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// places asks a picker of parts: each as its name, how the text names it and what tells it apart.
func (w *world) places(view *authz.View, keyword string, page, size int) (out []string, total int64) {
	w.t.Helper()
	found, err := w.FieldOptions(w.t.Context(), view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: "place", Keyword: keyword, Page: page, Size: size})
	must(w.t, err)
	for _, e := range found.Content {
		text := e.Name
		if e.Named != "" {
			text += "!" + e.Named
		}
		if e.Detail != nil {
			text += " (" + *e.Detail + ")"
		}
		out = append(out, text)
	}
	return out, found.Total
}

// named adds a record that is called otherwise than its key.
func (w *world) named(model, key, name string, v values) {
	w.t.Helper()
	must(w.t, w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		row := values{"id": id(key), "createdTime": now, "modifiedTime": now, "version": int64(1), "owner": id("clerk")}
		w.row(w.c.Model(model), row, v)
		row["name"], row["name__pinyin"] = name, finder.Index(name)
		return tx.Insert(ctx, w.c.Model(model), row)
	}))
}

// TestPickersRankRecords: of a typed text pickers offer what it names first, then what begins with it, has it, sounds so, over all pages; what
// several are called is told apart by what the caller may read.
func TestPickersRankRecords(t *testing.T) {
	c := catalogOf(t, "testdata/finding.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		part := func(key, name, label, above string) {
			v := values{"title": name, "label": label, "sequenceNo": nil}
			if above != "" {
				v["above"] = above
			}
			w.named("part", key, name, v)
		}
		part("a", "地基灌注桩", "P-1", "")
		part("b", "灌注桩", "P-2", "")
		part("c", "灌注桩基础", "P-3", "")
		part("d", "三峡银行", "P-4", "")
		part("e", "混凝土（Ｃ３０）", "P-5", "")
		part("f", "P-4", "P-6", "")
		part("left", "左 闸室", "P-7", "")
		part("right", "右闸室", "P-8", "left")
		part("g", "底板混凝土", "P-9", "left")
		part("h", "底板混凝土", "P-10", "right")
		part("k", "lot", "P-13", "")
		part("l", "LOT 1", "P-14", "")
		part("i", "曾家坝", "P-11", "")
		part("j", "zengjia", "P-12", "")
		all, some := w.rights("clerk", "all"), w.rights("clerk", "part")
		for _, x := range []struct{ typed, want string }{
			{"灌注桩", "灌注桩!text,灌注桩基础,地基灌注桩"}, {" 灌 注 桩 ", "灌注桩!text,灌注桩基础,地基灌注桩"}, {"银行", "三峡银行"}, {"yinhang", "三峡银行"}, {"yinxing", "三峡银行"},
			{"混凝土(c30)", "混凝土（Ｃ３０）!text"}, {"左闸室", "左 闸室!text"}, {"zengjia", "zengjia!text,曾家坝"}, {"cengjiaba", "曾家坝!sound"},
			{"p-4", "P-4!text,三峡银行!text"}, {"P-4", "P-4!text,三峡银行!text"}, {"P-11", "曾家坝!text"}, {"nothing", ""}, {"LOT", "lot!text,LOT 1"},
			{"底板混凝土", "底板混凝土!text (左 闸室 · P-9),底板混凝土!text (左 闸室 / 右闸室 · P-10)"},
		} {
			got, total := w.places(all, x.typed, 0, 10)
			if want := x.want; sortedAlike(got, want) != "" || int(total) != len(got) {
				t.Errorf("%q finds %v of %d, want %s", x.typed, got, total, want)
			}
			var paged []string
			for page := range got {
				one, _ := w.places(all, x.typed, page, 1)
				paged = append(paged, strings.Split(one[0], " (")[0])
			}
			for i := range got {
				if got[i] = strings.Split(got[i], " (")[0]; i < len(paged) && got[i] != paged[i] {
					t.Errorf("%q finds %v page by page, not %v", x.typed, paged, got)
					break
				}
			}
		}
		// A hidden number neither finds a record nor names it, and tells none apart.
		for typed, want := range map[string]string{"P-11": "", "P-4": "P-4!text", "底板混凝土": "底板混凝土!text,底板混凝土!text"} {
			if got, _ := w.places(some, typed, 0, 10); strings.Join(got, ",") != want {
				t.Errorf("who may not read numbers finds %v by %q, want %s", got, typed, want)
			}
		}
	})
}

// TestPickersOfManyNames: of 40 names that longer ones have pickers name the one itself, and names of several readings by each of them.
func TestPickersOfManyNames(t *testing.T) {
	c := catalogOf(t, "testdata/finding.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		all, names := w.rights("clerk", "all"), findertest.Names()
		known := map[string]bool{}
		add := func(name string) {
			if n := len(known); !known[name] {
				known[name] = true
				w.named("part", fmt.Sprintf("q%d", n), name, values{"title": name, "label": fmt.Sprintf("L-%d", n), "sequenceNo": nil})
			}
		}
		for _, p := range names.Pairs {
			add(p[1])
			add(p[0])
		}
		for _, r := range names.Readings {
			add(r.Name)
		}
		for _, p := range names.Pairs {
			got, _ := w.places(all, p[0], 0, 30)
			if len(got) < 2 || got[0] != p[0]+"!text" || slices.ContainsFunc(got[1:], func(one string) bool { return strings.HasSuffix(one, "!text") }) {
				t.Errorf("%s finds %v", p[0], got)
			}
		}
		for _, r := range names.Readings {
			for _, sound := range r.Sounds {
				if got, _ := w.places(all, sound, 0, 100); !slices.Contains(got, r.Name+"!sound") {
					t.Errorf("%s finds %v", sound, got)
				}
			}
		}
		w.fileNames(all, "part", names)
	})
}

// fileNames: in a file a name means the record that is called so, never one that is called longer and none by its sound.
func (w *world) fileNames(view *authz.View, model string, names findertest.Table) {
	m := w.c.Model(model)
	named := func(texts ...string) (out map[string][]query.Matched) {
		must(w.t, w.db.Read(w.t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
			out, err = w.Named(ctx, tx, view, m, m.Field("title"), texts)
			return err
		}))
		return out
	}
	for _, p := range names.Pairs {
		for _, text := range []string{p[0], " " + p[0] + "　", strings.ToLower(p[0]), width.Widen.String(p[0])} {
			if got := named(text)[text]; len(got) != 1 || got[0].Name != p[0] {
				w.t.Errorf("%q in a file means %v", text, got)
			}
		}
	}
	for _, r := range names.Readings {
		if got := named(append(r.Sounds, r.Name)...); len(got) != 1 || len(got[r.Name]) != 1 {
			w.t.Errorf("in a file %v means %v", r, got)
		}
	}
}

// sortedAlike compares an answer with what it has to be; what is equally good may come in any order.
func sortedAlike(got []string, want string) string {
	if strings.Join(got, ",") == want {
		return ""
	}
	other := strings.Split(want, ",")
	if named := func(s string) bool { return strings.Contains(s, "!text") }; len(got) == len(other) && slices.IndexFunc(other, func(s string) bool { return !named(s) }) < 0 {
		a, b := slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(other))
		if slices.Equal(a, b) {
			return ""
		}
	}
	return "other"
}

// TestPeopleByNumberAndReading: people are found by every reading of their names, the surname's first, and by their employee numbers where the
// one who asks may read these.
func TestPeopleByNumberAndReading(t *testing.T) {
	w := newWorld(t, catalogOf(t, "testdata/finding.txtar"), store.Options{Dir: t.TempDir()})
	w.organise()
	for i, name := range []string{"曾国", "层国", "翟刚", "单雄", "解珍", "仇英", "区志", "查良", "朴正", "尉迟恭", "Zenguo"} {
		key := fmt.Sprintf("n%d", i)
		w.put("user", map[string]values{key: {"username": key, "name": name, "employeeNo": fmt.Sprintf("E%03d", i)}})
	}
	for _, x := range []struct {
		typed, want string
		keys        directory.MatchKeys
	}{
		{"zengguo", "曾国!sound", directory.MatchKeys{}}, {"cengguo", "层国!sound 曾国!sound", directory.MatchKeys{}}, {"zhaigang", "翟刚!sound", directory.MatchKeys{}},
		{"digang", "翟刚!sound", directory.MatchKeys{}}, {"shanx", "单雄", directory.MatchKeys{}}, {"danxiong", "单雄!sound", directory.MatchKeys{}}, {"xiezhen", "解珍!sound", directory.MatchKeys{}},
		{"qiuying", "仇英!sound", directory.MatchKeys{}}, {"ouzhi", "区志!sound", directory.MatchKeys{}}, {"chaliang", "查良!sound", directory.MatchKeys{}},
		{"piaozheng", "朴正!sound", directory.MatchKeys{}}, {"yuchi", "尉迟恭", directory.MatchKeys{}}, {"zenguo", "Zenguo!text", directory.MatchKeys{}},
		{"e003", "", directory.MatchKeys{}}, {"e003", "单雄!text", directory.MatchKeys{EmployeeNo: true}}, {"E00", "", directory.MatchKeys{Mobile: true, Email: true}},
	} {
		found, _ := w.people.Search(t.Context(), directory.Wanted{Kind: directory.User, Text: x.typed, Keys: x.keys, Limit: 20})
		var got []string
		for _, f := range found {
			if f.Named != "" {
				f.Name += "!" + string(f.Named)
			}
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s finds %v, want %s", x.typed, got, x.want)
		}
	}
}
