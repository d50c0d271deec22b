package importer_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// refColumns are the properties of the model ref that refer or choose.
var refColumns = []string{"one", "people", "dept", "depts", "mixed", "site", "sites", "thing", "things", "worths", "roles", "radio", "boxes"}

// file exports all records of a model, with their ids.
func (w *world) file(user, model, fileType, locale string, columns ...string) []byte {
	w.Helper()
	return w.exports(user, model, fileType, locale, true, columns...)
}

// exports writes columns of all records of a model into a file and returns its bytes.
func (w *world) exports(user, model, fileType, locale string, withID bool, columns ...string) []byte {
	w.Helper()
	req := exporter.Request{ListRequest: query.ListRequest{SchemaCode: model, QueryCode: model}, All: true, FileType: fileType, Language: locale, WithID: withID}
	for _, code := range columns {
		req.Columns = append(req.Columns, exporter.Column{PropertyCode: code})
	}
	started, err := w.app.Exports().Start(w.Context(), w.view(user), req)
	require.NoError(w, err)
	require.Eventually(w, func() bool {
		task, err := w.app.Exports().Progress(w.Context(), w.view(user), started.ID)
		require.NoError(w, err)
		require.NotContains(w, []string{"FAIL", "EXCEPTION"}, string(task.State))
		return string(task.State) == "END"
	}, time.Minute, 20*time.Millisecond)
	_, from, err := w.app.Exports().File(w.Context(), w.view(user), started.ID)
	require.NoError(w, err)
	content, err := io.ReadAll(from)
	require.NoError(w, err)
	require.NoError(w, from.Close())
	return content
}

// change saves a record that is there.
func (w *world) change(user, model, id string, values map[string]any) {
	w.Helper()
	set := map[string]json.RawMessage{}
	for code, v := range values {
		text, err := json.Marshal(v)
		require.NoError(w, err)
		set[code] = text
	}
	var version int64
	view := w.view(user)
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		now, err := w.app.Reader().Versions(w.Context(), tx, view, view.Model(model), []string{id})
		version = now[id].Version
		return err
	}))
	_, err := w.app.Writer().Save(w.Context(), view, record.Change{Model: model, ID: id, Version: &version, Set: set})
	require.NoError(w, err)
}

// stored are the values of a record as it keeps them, in the order of the columns, and those of its rows.
func (w *world) stored(user, model, id string, columns ...string) (out []string) {
	w.Helper()
	view := w.view(user)
	m := view.Model(model)
	var fields []*catalog.Field
	for _, code := range columns {
		fields = append(fields, m.Field(code))
	}
	for _, sheet := range m.Sheets {
		fields = append(fields, sheet.Fields...)
	}
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		held, err := w.app.Reader().Holds(w.Context(), tx, view, m, []string{id}, fields)
		if err != nil {
			return err
		}
		for _, code := range columns {
			out = append(out, fmt.Sprint(code, " ", held[id].Values[m.Field(code)]))
		}
		for sheet, rows := range held[id].Rows {
			for i, r := range rows {
				for _, f := range sheet.Sheet.Fields {
					out = append(out, fmt.Sprint(sheet.Code, i, f.Code, " ", r.Values[f]))
				}
			}
		}
		return nil
	}))
	slices.Sort(out[len(columns):])
	return out
}

// hardNames are what people, departments and records are called: equal names, separators, brackets, names that are codes.
var hardNames = []string{"张三", "张三", "钢筋、模板", "钢筋", "模板", "甲;乙", "甲", "乙", "甲；乙", "张三（zhangsan）", "张三（甲）", "泵 (P-1)", "泵", "P-1", `"引"`, `a"b`, "A", "a", "Ａ", "x|y", "x,y", "=1+1", "'q", "12", "左岸 / 边墩", "边墩", "左岸"}

// refWorld are people, departments and records of hard names, by the property that refers to them.
func (w *world) refWorld(r *rand.Rand) map[string][]string {
	w.Helper()
	hard := func() string { return hardNames[r.IntN(len(hardNames))] }
	var people, departments, sites, things, roles []string
	for n := range 14 {
		parent := ""
		set := map[string]any{"name": hard()}
		if n > 2 && r.IntN(3) > 0 {
			parent = departments[r.IntN(len(departments))]
			set["parent"] = parent
		}
		departments = append(departments, w.save(w.boss, "department", set))
	}
	for n := range 20 {
		id, err := w.app.AddUser(w.Context(), []string{"zhangsan", "P-1", "12", "a"}[n%4]+strings.Repeat("x", n/4), hard(), []string{"clerk"})
		require.NoError(w, err)
		w.change(w.boss, "user", id, map[string]any{"mainDepartment": departments[r.IntN(len(departments))]})
		people = append(people, id)
	}
	for n := range 40 {
		set := map[string]any{"title": hard()}
		if r.IntN(2) > 0 {
			set["code"] = fmt.Sprint([]string{"P-", "甲", "张三", "12", "a;", "（"}[n%6], n/6)
		}
		if n > 5 && r.IntN(3) > 0 {
			set["above"] = sites[r.IntN(len(sites))]
		}
		sites = append(sites, w.save(w.boss, "site", set))
	}
	for range 25 {
		set := map[string]any{"worth": r.IntN(5)}
		if r.IntN(6) > 0 {
			set["title"] = hard()
		}
		things = append(things, w.save(w.boss, "thing", set))
	}
	for _, code := range []string{"administrator", "staff", "clerk", "organisationManager", "alike", "marked"} {
		id, ok := w.app.People().RoleID(w.Context(), code)
		require.True(w, ok, code)
		roles = append(roles, id)
	}
	return map[string][]string{"one": people, "people": people, "dept": departments, "depts": departments, "mixed": append(slices.Clone(people), departments...), "site": sites, "sites": sites,
		"thing": things, "things": things, "worths": things, "roles": roles, "radio": {"a", "b", "甲", "B"}, "boxes": {"a", "b", "c", "d", "e", "f"}}
}

// refRecords are sixty records that refer to a world.
func (w *world) refRecords(r *rand.Rand, of map[string][]string) (ids []string) {
	w.Helper()
	some := func(code string) any {
		all := slices.Clone(of[code])
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		if w.view(w.boss).Model("ref").Field(code).Columns()[0].Kind.String() == "set" {
			return all[:1+r.IntN(min(4, len(all)))]
		}
		return all[0]
	}
	for n := range 60 {
		set := map[string]any{"number": fmt.Sprintf("R-%03d", n)}
		for _, code := range refColumns {
			set[code] = some(code)
		}
		set["lines"] = []any{map[string]any{"who": some("people"), "where": some("site")}, map[string]any{"who": some("people"), "where": some("site")}}
		ids = append(ids, w.save(w.boss, "ref", set))
	}
	return ids
}

// What a file says of people, departments, records and options is read as the same ones, whatever they are called: files of records that were
// emptied since fill them again.
func TestWrittenIsRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := rand.New(rand.NewPCG(5, 6))
		of := w.refWorld(r)
		ids, empty := w.refRecords(r, of), map[string]any{}
		for _, code := range refColumns {
			empty[code] = nil
		}
		before := map[string][]string{}
		for _, id := range ids {
			before[id] = w.stored(w.boss, "ref", id, refColumns...)
		}
		for _, locale := range []string{"zh", "en"} {
			for _, kind := range []string{"xlsx", "csv"} {
				content := w.file(w.boss, "ref", kind, locale, append([]string{"number", "lines"}, refColumns...)...)
				out := w.run(w.boss, importer.Request{SchemaCode: "ref", FileName: w.upload(w.boss, "a."+kind, content), Mode: importer.Update, ClearEmpty: true}, false)
				require.Equal(t, []int64{0, 0, 60, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "%s %s %v", kind, locale, refusedAs(out))
				for _, id := range ids {
					e := map[string]any{}
					for code, v := range empty {
						e[code] = v
					}
					rows := []any{}
					for _, row := range w.rowIDs("ref", "lines", id) {
						rows = append(rows, map[string]any{"id": row, "who": nil, "where": nil})
					}
					e["lines"] = rows
					w.change(w.boss, "ref", id, e)
				}
				out = w.run(w.boss, importer.Request{SchemaCode: "ref", FileName: w.upload(w.boss, "a."+kind, content), Mode: importer.Update}, false)
				require.Equal(t, []int64{60, 0}, []int64{out.Changed, out.Errors}, "%s %s %v", kind, locale, refusedAs(out))
				for _, id := range ids {
					require.Equal(t, before[id], w.stored(w.boss, "ref", id, refColumns...), "%s %s", kind, locale)
				}
			}
		}
	})
}

// rowIDs are the ids of the rows of a record's sub-table.
func (w *world) rowIDs(model, sheet, id string) (out []string) {
	w.Helper()
	view := w.view(w.boss)
	m := view.Model(model)
	require.NoError(w, w.app.Store().Read(w.Context(), func(ctx context.Context, tx *store.Tx) error {
		held, err := w.app.Reader().Holds(ctx, tx, view, m, []string{id}, []*catalog.Field{m.Field(sheet)})
		if err == nil {
			for _, row := range held[id].Rows[m.Field(sheet)] {
				out = append(out, row.ID)
			}
		}
		return err
	}))
	return out
}

// namesakes are two people of one name with two departments and two records of one name each.
func (w *world) namesakes() (people, departments, sites []string) {
	w.Helper()
	for n, name := range []string{"li1", "li2"} {
		id, err := w.app.AddUser(w.Context(), name, "李雷", []string{"clerk"})
		require.NoError(w, err)
		people = append(people, id)
		above := w.save(w.boss, "department", map[string]any{"name": fmt.Sprint("公司", n)})
		departments = append(departments, w.save(w.boss, "department", map[string]any{"name": "质量部", "parent": above}))
		sites = append(sites, w.save(w.boss, "site", map[string]any{"title": "边墩", "code": fmt.Sprint("S-", n)}))
	}
	return people, departments, sites
}

// cells are the texts of a record's columns in a file.
func (w *world) cells(locale string, columns ...string) string {
	w.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(w.file(w.boss, "ref", "csv", locale, columns...)), "\uFEFF"))).ReadAll()
	require.NoError(w, err)
	return strings.Join(rows[len(rows)-1][1:], " | ") // behind the id
}

// Two of one name in a cell stay two, and what is written says which each is.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		people, departments, sites := w.namesakes()
		id := w.save(w.boss, "ref", map[string]any{"number": "R", "one": people[1], "people": people, "depts": departments, "sites": sites, "mixed": []string{people[0], departments[1]}})
		columns := []string{"one", "people", "depts", "mixed", "sites"}
		require.Equal(t, "李雷（li2） | 李雷（li1）;李雷（li2） | 质量部（公司0）;质量部（公司1） | 李雷（li1）;质量部（公司1） | 边墩（S-0）;边墩（S-1）", w.cells("zh", columns...))
		before := w.stored(w.boss, "ref", id, columns...)

		// Files with the names alone: each that the record has counts once, and fewer than it has say nothing.
		req := importer.Request{SchemaCode: "ref", QueryField: "number", Mode: importer.Update}
		out := w.run(w.boss, req, false, []string{"编号", "人员", "多部门", "多工点"}, []string{"R", "李雷;李雷", "质量部;质量部", "边墩、边墩"})
		require.Equal(t, []int64{1, 0}, []int64{out.Same, out.Errors}, "%v", refusedAs(out))
		out = w.run(w.boss, req, false, []string{"编号", "人员"}, []string{"R", "李雷"})
		require.Equal(t, []string{"2 people AMBIGUOUS 305032"}, refusedAs(out))
		out = w.run(w.boss, req, false, []string{"编号", "人员"}, []string{"R", "李雷;李雷(li2)"})
		require.Equal(t, []int64{1, 0}, []int64{out.Same, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, before, w.stored(w.boss, "ref", id, columns...))

		// The check tells before and after apart.
		out = w.run(w.boss, req, true, []string{"编号", "人", "人员", "多部门", "多工点"}, []string{"R", "李雷(li1)", "李雷（LI2）", "质量部（公司1）", "边墩 ( S-1 )"})
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"one 李雷（li2） -> 李雷（li1）", "people 李雷（li1）;李雷（li2） -> 李雷（li2）", "depts 质量部（公司0）;质量部（公司1） -> 质量部（公司1）", "sites 边墩（S-0）、边墩（S-1） -> 边墩（S-1）"},
			w.differences(out))
	})
}

// TestPastedNames: what the clipboard has of a cell means for a form what it means for a file, of those that may be chosen.
func TestPastedNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		people, departments, sites := w.namesakes()
		marked := w.save(w.boss, "site", map[string]any{"title": "钢筋；模板", "code": "S-9"})
		values := map[string][]string{"one": {people[1]}, "people": people, "dept": {departments[0]}, "depts": departments, "mixed": {people[0], departments[1]}, "site": {marked}, "sites": append(sites, marked)}
		set := map[string]any{"number": "R"}
		for code, ids := range values {
			if set[code] = ids; code == "one" || code == "dept" || code == "site" {
				set[code] = ids[0]
			}
		}
		id := w.save(w.boss, "ref", set)
		meant := func(code, text string) (ids []string) {
			found, err := w.app.Reader().FieldOptions(t.Context(), w.view(w.boss), query.OptionsRequest{SchemaCode: "ref", PropertyCode: code, Keyword: text, Meant: true, Form: map[string]json.RawMessage{}, Size: 20})
			require.NoError(t, err)
			for _, e := range found.Content {
				ids = append(ids, e.ID)
			}
			return ids
		}
		for _, locale := range []string{"zh", "en"} {
			for code, ids := range values {
				text := w.cells(locale, code)
				require.Equal(t, ids, meant(code, text), "%s %q", code, text)
				require.Equal(t, ids, meant(code, " "+text+"\n"), "%s %q", code, text)
			}
		}
		for text, want := range map[string][]string{
			"李雷": nil, "李雷(LI2)": people[1:], "li1": people[:1], "李": nil, "li": nil, "": nil, "nobody": nil, people[0]: people[:1], "李雷（li3）": nil, "li1;li2": nil,
		} {
			require.Equal(t, want, meant("one", text), text)
		}
		require.Equal(t, people, meant("people", "li1、li2;li1"))
		require.Nil(t, meant("people", "li1;nobody"))
		require.Nil(t, meant("people", "li1;李雷"))
		require.Equal(t, []string{departments[1], people[0]}, meant("mixed", "公司1/质量部；李雷 (li1)"))
		require.Equal(t, []string{marked}, meant("site", `"钢筋；模板"`))

		// A box finds what was copied from a file, and nothing more than it found before by other texts.
		box := func(code, text string) (told []string) {
			found, err := w.app.Reader().FieldOptions(t.Context(), w.view(w.boss), query.OptionsRequest{SchemaCode: "ref", PropertyCode: code, Keyword: text, Size: 20})
			require.NoError(t, err)
			for _, e := range found.Content {
				told = append(told, e.ID+" "+e.Named)
			}
			return told
		}
		require.Equal(t, []string{people[1] + " text"}, box("people", "李雷（li2）"))
		require.Equal(t, []string{sites[0] + " text"}, box("site", "边墩 (S-0)"))
		require.Empty(t, box("people", "李雷（li3）"))
		require.Len(t, box("people", "李雷"), 2)

		// Somebody who may not be chosen any more is none, and the one who is left is the one.
		w.change(w.boss, "user", people[0], map[string]any{"disabled": true})
		require.Eventually(t, func() bool { return len(meant("one", "李雷")) == 1 }, 10*time.Second, 20*time.Millisecond)
		require.Equal(t, people[1:], meant("one", "李雷"))
		for i, text := range []string{"li1", "李雷（li1）", "li1;boss"} {
			w.change(w.boss, "ref", id, map[string]any{"people": nil, "one": nil})
			out := w.run(w.boss, importer.Request{SchemaCode: "ref", QueryField: "number", Mode: importer.Update}, i == 0, []string{"编号", "人员"}, []string{"R", text})
			require.Equal(t, []string{fmt.Sprintf("2 people NOEXIT %d", fault.CellDisabled)}, refusedAs(out), text)
		}
	})
}

// differences are what a check says of the first record that it would change.
func (w *world) differences(out importer.Result) (told []string) {
	w.Helper()
	rows, _, err := w.app.Importer().Rows(w.Context(), w.view(w.boss), out.ID, "changed", 0, 10)
	require.NoError(w, err)
	var changes []query.HistoryChange
	require.NoError(w, json.Unmarshal(rows[0].Changes, &changes))
	for _, c := range changes {
		told = append(told, fmt.Sprint(c.PropertyCode, " ", *c.BeforeText, " -> ", *c.AfterText))
	}
	return told
}

// Names that have the marks of lists, labels that are codes, and equal labels.
func TestMarksInNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		var sites []string
		for _, title := range []string{"钢筋、模板", "钢筋", "模板", "甲;乙", "泵（大）"} {
			sites = append(sites, w.save(w.boss, "site", map[string]any{"title": title}))
		}
		id := w.save(w.boss, "ref", map[string]any{"number": "R", "sites": []string{sites[0], sites[3], sites[4]}, "radio": "甲", "boxes": []string{"a", "d"}})
		require.Equal(t, `钢筋、模板;"甲;乙";泵（大） | 甲 | 钢筋、模板;同名（d）`, w.cells("zh", "sites", "radio", "boxes"))
		before := w.stored(w.boss, "ref", id, "sites", "radio", "boxes")
		req := importer.Request{SchemaCode: "ref", QueryField: "number", Mode: importer.Update}
		out := w.run(w.boss, req, false, []string{"编号", "多工点", "单选", "多选"}, []string{"R", "钢筋、模板;甲;乙;泵(大)", "甲", "钢筋、模板，同名（d）"})
		require.Equal(t, []int64{1, 0}, []int64{out.Same, out.Errors}, "%v", refusedAs(out))
		out = w.run(w.boss, req, true, []string{"编号", "多工点", "多选", "单选"}, []string{"R", "钢筋、模板", "同名（e）", "甲（a）"})
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"sites 钢筋、模板、甲;乙、泵（大） -> 钢筋、模板", "radio 甲 -> 甲（a）", "boxes 钢筋、模板;同名（d） -> 同名（e）"}, w.differences(out))
		require.Equal(t, before, w.stored(w.boss, "ref", id, "sites", "radio", "boxes"))
	})
}

// Roles are found by their names in every language.
func TestRolesInEnglish(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		var roles []string
		for _, code := range []string{"administrator", "staff", "marked", "alike"} {
			id, _ := w.app.People().RoleID(w.Context(), code)
			roles = append(roles, id)
		}
		id := w.save(w.boss, "ref", map[string]any{"number": "R", "roles": roles})
		require.Equal(t, "Administrator;Staff（staff）;Staff（marked）;Reader", w.cells("en", "roles"))
		out := w.run(w.boss, importer.Request{SchemaCode: "ref", QueryField: "number", Mode: importer.Update}, false, []string{"编号", "角色"}, []string{"R", "ADMINISTRATOR、Staff（marked）"})
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{fmt.Sprintf("roles [%s %s]", roles[0], roles[2])}, w.stored(w.boss, "ref", id, "roles"))
	})
}

// Options that were removed or switched off stay in the records that have them, and an unchanged file says nothing of them.
func TestRemovedOptions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		id := w.save(w.boss, "ref", map[string]any{"number": "R"})
		off := w.save(w.boss, "ref", map[string]any{"number": "Q"})
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for number, code := range map[string]string{"R": "gone", "Q": "off"} {
				if err := tx.System().Table(w.view(w.boss).Model("ref").Table).Where("number = ?", number).Update("radio", code).Error; err != nil {
					return err
				}
			}
			return nil
		}))
		content := w.file(w.boss, "ref", "xlsx", "en", "number", "radio")
		out := w.run(w.boss, importer.Request{SchemaCode: "ref", FileName: w.upload(w.boss, "a.xlsx", content), Mode: importer.Update}, false)
		require.Equal(t, []int64{2, 0}, []int64{out.Same, out.Errors}, "%v", refusedAs(out))
		out = w.run(w.boss, importer.Request{SchemaCode: "ref", QueryField: "number", Mode: importer.AddOrUpdate}, false, []string{"number", "radio"}, []string{"R", "gone"}, []string{"S", "gone"})
		require.Equal(t, []string{fmt.Sprint("3 radio NOEXIT ", fault.FieldOption)}, refusedAs(out), "another record does not get it")
		require.Equal(t, []string{"radio gone"}, w.stored(w.boss, "ref", id, "radio"))
		require.Equal(t, []string{"radio off"}, w.stored(w.boss, "ref", off, "radio"))

		several := w.save(w.boss, "ref", map[string]any{"number": "M", "boxes": []string{"b", "c"}})
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			table := w.view(w.boss).Model("ref").Table
			if err := tx.System().Table(table).Where("number = ?", "M").Update("boxes", "b;gone").Error; err != nil {
				return err
			}
			return tx.System().Table(store.LinkTable(table, "boxes")).Where("id = ?", "c").Update("id", "gone").Error
		}))
		require.Equal(t, []string{"boxes [b gone]"}, w.stored(w.boss, "ref", several, "boxes"))
		again := func(cells ...string) importer.Result {
			req := importer.Request{SchemaCode: "ref", QueryField: "number", Mode: importer.AddOrUpdate}
			return w.run(w.boss, req, false, []string{"number", "boxes", "one"}, cells)
		}
		out = again("M", "钢筋;gone", "boss")
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"boxes [b gone]"}, w.stored(w.boss, "ref", several, "boxes"), "another cell was changed")
		out = again("M", "gone;同名（d）")
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"boxes [gone d]"}, w.stored(w.boss, "ref", several, "boxes"), "what was there stays beside what is new")
		out = again("M", "gone;never")
		require.Equal(t, []string{fmt.Sprint("2 boxes NOEXIT ", fault.FieldOption)}, refusedAs(out))
		out = again("M", "同名（d）")
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		out = again("M", "gone")
		require.Equal(t, []string{fmt.Sprint("2 boxes NOEXIT ", fault.FieldOption)}, refusedAs(out), "what is gone from the record does not come back")
	})
}

// What files call records is the same where a file has so many names that all records are looked at once.
func TestManyNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		sites, refs := [][]string{{"名称", "编码"}}, [][]string{{"编号", "工点"}}
		for n := range 1700 {
			name := fmt.Sprint("工点", n)
			if n%17 == 0 && n > 1000 {
				name = fmt.Sprint("工点", n-1)
			}
			sites = append(sites, []string{name, fmt.Sprint("S-", n)})
			refs = append(refs, []string{fmt.Sprintf("R-%04d", n), fmt.Sprint("S-", n)})
		}
		require.Zero(t, w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.Add}, false, sites...).Errors)
		require.Zero(t, w.run(w.boss, importer.Request{SchemaCode: "ref", Mode: importer.Add}, false, refs...).Errors)
		content := w.file(w.boss, "ref", "csv", "zh", "number", "site")
		require.Contains(t, string(content), ",R-1699,工点1699\r\n")
		require.Contains(t, string(content), ",R-1682,工点1682（S-1682）")
		require.Contains(t, string(content), ",R-1683,工点1682（S-1683）")
		out := w.run(w.boss, importer.Request{SchemaCode: "ref", FileName: w.upload(w.boss, "a.csv", content), Mode: importer.Update}, false)
		require.Equal(t, []int64{1700, 0}, []int64{out.Same, out.Errors}, "%v", refusedAs(out)[:min(3, len(refusedAs(out)))])
	})
}
