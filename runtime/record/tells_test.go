package record_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

var update = flag.Bool("update", false, "rewrite golden files")

// jobs of clients: formulas, rules and requirements of most kinds, on records and rows.
func jobs(docs map[string]string, s *pack.Set) {
	s.On("client").Holders = map[string]fault.Code{"order": fault.Forbidden, "job": fault.RecordBusy}
	s.On("job").Codes = map[hook.Refusal]fault.Code{{Property: "number", Code: fault.FieldDuplicate}: fault.RecordBusy}
	docs["models/client.json"] = `{"name": "甲方", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称"}, {"code": "limit", "propertyType": "Number", "name": "额度", "scale": 2}, {"code": "closed", "propertyType": "Logic", "name": "关"},
		{"code": "count", "propertyType": "Number", "name": "数", "computeFormula": "count(related('job', 'client'))"},
		{"code": "open", "propertyType": "Number", "name": "开", "scale": 2, "computeFormula": "sum(filter(related('job', 'client'), .state == 'OPEN' and not empty(.day) or .price > 100), .price)"},
		{"code": "most", "propertyType": "Number", "name": "最", "scale": 2, "computeFormula": "maximum(filter(related('job', 'client'), not (.ok == true)), .price)"},
		{"code": "wide", "propertyType": "Number", "name": "宽", "scale": 2, "computeFormula": "sum(related('job', 'client'), .price * 2)"}]}`
	docs["models/job.json"] = `{"name": "任务", "name_i18n": {"en": "Job"}, "digest": "{title}/{client}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题", "name_i18n": {"en": "Title"}, "required": true, "maxLength": 8},
		{"code": "number", "propertyType": "ShortText", "name": "编号", "unique": true}, {"code": "client", "propertyType": "RelevanceForm", "name": "甲方", "relativeCode": "client"},
		{"code": "clients", "propertyType": "RelevanceFormEx", "name": "各方", "relativeCode": "client", "onDelete": "clear", "condition": "closed != true"}, {"code": "agent", "propertyType": "StaffSingle", "name": "经办", "defaultValue": "user.id"},
		{"code": "day", "propertyType": "Date", "name": "日期", "defaultValue": "today()"}, {"code": "price", "propertyType": "Number", "name": "单价", "scale": 2, "min": "0", "defaultValue": "1 / (count(items) - count(items))"},
		{"code": "ok", "propertyType": "Logic", "name": "好"}, {"code": "state", "propertyType": "Radio", "name": "状态", "options": ["OPEN", "CLOSED"], "defaultValue": "'OPEN'"},
		{"code": "files", "propertyType": "Attachment", "name": "文件", "accept": [".pdf"], "maxCount": 1},
		{"code": "short", "propertyType": "ShortText", "name": "短", "maxLength": 5, "computeFormula": "concat(title, '-', client.title)"},
		{"code": "count", "propertyType": "Number", "name": "数", "computeFormula": "count(items)"}, {"code": "above", "propertyType": "Logic", "name": "超", "computeFormula": "any(items, .qty > record.price)"},
		{"code": "total", "propertyType": "Number", "name": "合计", "scale": 2, "computeFormula": "sum(filter(items, .qty > 1), .amount)"}, {"code": "ratio", "propertyType": "Number", "name": "比", "scale": 2, "computeFormula": "total / price"},
		{"code": "left", "propertyType": "Number", "name": "余", "scale": 2, "computeFormula": "client.limit - total"}, {"code": "reason", "propertyType": "ShortText", "name": "原因", "requiredFormula": "state == 'CLOSED' and empty(client)"},
		{"code": "items", "propertyType": "Sheet", "name": "项", "minRows": 1, "maxRows": 3, "properties": [
			{"code": "item", "propertyType": "ShortText", "name": "品", "required": true}, {"code": "qty", "propertyType": "Number", "name": "量", "scale": 2, "defaultValue": "record.price"},
			{"code": "mark", "propertyType": "ShortText", "name": "记", "requiredFormula": "row.qty > record.price"}, {"code": "amount", "propertyType": "Number", "name": "额", "scale": 2, "computeFormula": "row.qty * record.price"},
			{"code": "key", "propertyType": "ShortText", "name": "键", "unique": true}, {"code": "source", "propertyType": "RelevanceForm", "name": "源", "relativeCode": "client", "onDelete": "clear"}]},
		{"code": "notes", "propertyType": "Sheet", "name": "注", "properties": [{"code": "note", "propertyType": "ShortText", "name": "注"}, {"code": "loud", "propertyType": "ShortText", "name": "响", "computeFormula": "concat(row.note, '!')"}]},
		{"code": "plain", "propertyType": "Sheet", "name": "素", "properties": [{"code": "word", "propertyType": "ShortText", "name": "词"}]}],
		"dataRules": [{"propertyCode": "price", "checkType": "formula", "formula": "price < 1000 or old.price >= 1000", "message": "太贵"}, {"propertyCode": "items.qty", "checkType": "formula", "formula": "row.qty >= 0", "message": "负"},
			{"propertyCode": "day", "checkType": "formula", "formula": "day <= today() or client.limit > 5"}, {"propertyCode": "number", "checkType": "pattern", "pattern": "[A-Z]\\d*"}, {"propertyCode": "title", "checkType": "formula", "formula": "not any(items, .item == record.title)"}]}`
	docs["forms/job.json"] = `{"schemaCode": "job", "items": ["title", {"propertyCode": "number", "write": ["boss"]}, {"propertyCode": "client", "requiredFormula": "any(items, .qty > 50)"}, "price", "state", {"propertyCode": "day", "read": ["boss"]},
		{"propertyCode": "ok", "defaultValue": "true"}, {"propertyCode": "items", "requiredFormula": "price > 5", "childColumns": ["item", "qty", {"propertyCode": "key", "requiredFormula": "row.qty > 3", "write": ["boss"]}]}, "notes"]}`
	docs["access/clerk.json"] = `{"name": "文员", "models": [
		{"schemaCode": "job", "actions": ["view", "add", "edit", "delete"], "rows": "owner == user.id or state == 'CLOSED'", "editRows": "owner == user.id and state != 'CLOSED'", "fields": {"total": "-", "ok": "r", "items.amount": "-", "items.source": "r"}},
		{"schemaCode": "client", "actions": ["view"], "rows": "closed != true", "fields": {"limit": "-"}}]}`
	docs["access/part.json"] = `{"name": "部分", "models": [{"schemaCode": "job", "actions": ["view", "edit"], "rows": "all", "editRows": "state == 'OPEN'", "fields": {"items": "-", "client": "-", "price": "-"}}]}`
	docs["access/adder.json"] = `{"name": "录入", "models": [{"schemaCode": "job", "actions": ["view", "add"], "rows": "owner == user.id", "fields": {"title": "rw", "items": "rw+x", "*": "r"}}]}`
}

// teller writes down what was answered, with names in place of ids.
type teller struct {
	*world
	out   strings.Builder
	names []string // id, name, ...
}

func (k *teller) named(id, name string) string {
	k.names = append(k.names, id, name)
	return id
}

func (k *teller) tell(name string, answer any, err error) {
	var refused *fault.Error
	switch {
	case errors.As(err, &refused):
		if refused.Code == fault.Internal {
			k.t.Errorf("%s: %v", name, err)
		}
		raw, _ := json.Marshal(refused.Data)
		fmt.Fprintf(&k.out, "%s: refused %d %v %s\n", name, refused.Code, refused.Args, raw)
	case err != nil:
		k.t.Errorf("%s: %v", name, err)
	default:
		raw, err := json.Marshal(answer)
		must(k.t, err)
		fmt.Fprintf(&k.out, "%s: %s\n", name, raw)
	}
}

// stored is all that is in the tables of jobs and clients.
func (k *teller) stored() {
	for _, of := range [][2]string{{"client", "title limit count open most wide version"}, {"job", "title number client day price ok state short count above total ratio left reason version name"},
		{"job.items", "item qty mark amount key source"}, {"job.notes", "note loud"}} {
		if rows := k.read(of[0], plan.True, strings.Fields(of[1])...); len(rows) > 0 {
			k.out.WriteString("  " + of[0] + "\n    " + strings.Join(rows, "\n    ") + "\n")
		}
	}
}

// TestTells compares what previews, saves, explanations, deletions and restores say, and what is stored after each, with
// testdata/tells.golden; both databases give the same. -update rewrites the file.
func TestTells(t *testing.T) {
	const file = "testdata/tells.golden"
	var got string
	each(t, func(t *testing.T, w *world) {
		k := &teller{world: w}
		k.run()
		text := strings.NewReplacer(k.names...).Replace(k.out.String())
		if got != "" && got != text {
			t.Error("the databases answer differently: " + differs(got, text))
		}
		got = text
	}, jobs)
	if *update {
		must(t, os.MkdirAll("testdata", 0o700))
		must(t, os.WriteFile(file, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if got != string(want) {
		t.Error(differs(string(want), got))
	}
}

// differs is the first line in which two texts differ.
func differs(a, b string) string {
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			return fmt.Sprintf("line %d was\n%s\nand is\n%s", i+1, was[i], is[i])
		}
	}
	return fmt.Sprintf("%d lines, and %d", len(was), len(is))
}

func (k *teller) run() {
	ctx := k.t.Context()
	k.named(k.bossID, "BOSS")
	k.named(k.clerkID, "CLERK")
	must(k.t, k.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Create([]blob.File{{ID: "01900000-0000-7000-8000-00000000000a", Name: "a.pdf", Mime: "application/pdf", Size: 50 << 20, CreatedBy: k.bossID}, {ID: "01900000-0000-7000-8000-00000000000b", Name: "b.png", Mime: "image/png", CreatedBy: k.bossID},
			{ID: "01900000-0000-7000-8000-00000000000c", Name: "c.pdf", Mime: "application/pdf", Size: 50<<20 + 1, CreatedBy: k.bossID}}).Error
	}))
	pdf, png := "01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000b"
	views := map[string]*authz.View{"boss": k.boss, "clerk": k.clerk, "part": k.rights(k.clerkID, "part"), "adder": k.rights(k.clerkID, "adder"), "both": k.rights(k.clerkID, "clerk", "part")}
	ids := map[string]string{"none": "01900000-0000-7000-8000-0000000000ff"}
	for _, c := range []string{`{"title": "one", "limit": "100"}`, `{"title": "two", "limit": "3"}`, `{"title": "shut", "closed": true}`} {
		saved := k.save(k.boss, "client", "", 0, c)
		name := strings.Split(c, `"`)[3]
		ids[name] = k.named(saved.ID, name)
	}
	in := func(text string) string {
		for name, id := range ids {
			text = strings.ReplaceAll(text, "<"+name+">", id)
		}
		return strings.NewReplacer("<pdf>", pdf, "<png>", png, "<large>", "01900000-0000-7000-8000-00000000000c").Replace(text)
	}
	for i, try := range []struct{ as, form, at, text string }{
		{"boss", "", "a", `{"title": "A", "number": "N1", "client": "<one>", "price": "2", "items": [{"item": "x", "qty": "1", "key": "k1"}, {"item": "y", "mark": "m", "qty": "4.5", "source": "<two>"}], "notes": [{"note": "hm"}], "plain": [{"word": "p"}]}`},
		{"boss", "", "", `{}`}, {"boss", "job", "", `{"price": "6"}`}, {"clerk", "", "", `{"title": "123456789", "number": "n", "client": "<shut>", "clients": ["<shut>", "<one>"], "price": "-1", "day": "2027-01-01", "state": "OTHER", "items": []}`},
		{"boss", "", "b", `{"title": "B", "clients": ["<one>", "<two>"], "client": "<one>", "price": "200.005", "day": "2027-01-01", "items": [{"item": "x"}], "files": ["<pdf>"]}`},
		{"boss", "", "b", `{"title": "B", "clients": ["<one>", "<two>"], "client": "<one>", "price": "200", "day": "2027-01-01", "items": [{"item": "x"}], "files": ["<pdf>"]}`},
		{"boss", "", "", `{"title": "F", "files": ["<png>"], "items": [{"item": "x", "qty": "0"}]}`}, {"boss", "", "", `{"title": "F", "files": ["<large>"], "items": [{"item": "x", "qty": "0"}]}`}, {"boss", "", "", `{"title": "F", "files": ["<pdf>", "<png>", "<none>"], "items": [{"item": "x", "qty": "0"}]}`},
		{"boss", "", "", `{"title": "A", "number": "N1", "items": [{"item": "z", "key": "k1", "qty": "0"}]}`}, {"boss", "", "", `{"title": "A", "items": [{"item": "z", "key": "k2", "qty": "0"}, {"item": "w", "key": "k2", "qty": "0"}]}`},
		{"boss", "", "", `{"title": "A", "items": [{"item": "A", "qty": "-1"}, {"qty": "2", "source": "<none>"}, {"item": 7, "amount": "3", "nothing": 1}, {"item": "u"}]}`},
		{"boss", "job", "", `{"title": "A", "price": "1", "items": [{"item": "x", "qty": "60", "mark": "m"}, {"item": "y", "key": "k9", "qty": "60"}]}`}, {"boss", "job", "", `{"title": "A", "reason": "r", "short": "s"}`},
		{"clerk", "job", "", `{"title": "C", "number": "N3", "day": "2026-01-01", "price": "1", "items": [{"item": "x", "qty": "1", "key": "k3"}]}`}, {"clerk", "job", "c", `{"title": "C", "price": "1", "items": [{"item": "x", "qty": "1"}], "notes": [{"note": "hey"}]}`},
		{"clerk", "", "c", `{"ok": true}`}, {"clerk", "", "c", `{"total": "5"}`}, {"clerk", "", "c", `{"items": [{"item": "x", "source": "<two>"}]}`}, {"clerk", "", "c", `{"state": "CLOSED"}`}, {"clerk", "", "c", `{"state": "CLOSED", "reason": "done"}`}, {"clerk", "", "c", `{"reason": "more"}`},
		{"part", "", "a", `{"title": "AA"}`}, {"part", "", "a", `{"price": "3"}`}, {"part", "", "c", `{"title": "CC"}`}, {"part", "", "", `{"title": "P"}`}, {"adder", "", "d", `{"title": "D", "items": [{"item": "x", "qty": "1", "mark": "m"}]}`}, {"adder", "", "", `{"title": "D", "price": "5", "items": []}`}, {"adder", "", "a", `{"title": "X"}`},
		{"both", "", "a", `{"reason": "r"}`}, {"both", "", "c", `{"reason": "r"}`}, {"both", "job", "c", `{"items": [{"id": "<c0>", "qty": "60"}]}`}, {"both", "", "c", `{"price": "1000"}`}, {"both", "", "a", `{"price": "1000"}`}, {"boss", "", "a", `{"price": "1000"}`}, {"boss", "", "a", `{"price": null}`}, {"boss", "", "a", `{"price": "3", "client": "<two>"}`}, {"boss", "", "a", `{"items": [{"id": "<a1>", "qty": "9"}]}`},
		{"boss", "", "a", `{"notes": []}`}, {"boss", "", "a", `{"items": []}`}, {"boss", "", "none", `{"title": "X"}`}, {"boss", "", "a", `{"day": "2027-02-02"}`}, {"boss", "", "a", `{"day": "2026-02-02", "agent": "<none>"}`}, {"boss", "nothing", "a", `{}`},
	} {
		view, ch := views[try.as], record.Change{Model: "job", Form: try.form, ID: ids[try.at], Set: set(in(try.text))}
		name := fmt.Sprintf("%d %s in %q at %q", i, try.as, try.form, try.at)
		p, err := k.w.Preview(ctx, view, ch)
		k.tell("preview "+name, p, err)
		if ch.ID != "" {
			if have := k.read("job", id(ch.ID), "version"); len(have) == 1 {
				var version int64
				_, err := fmt.Sscan(have[0], &version)
				must(k.t, err)
				ch.Version = &version
			}
		}
		saved, err := k.w.Save(ctx, view, ch)
		if err == nil && ids[try.at] == "" {
			ids[try.at] = k.named(saved.ID, cmp.Or(try.at, fmt.Sprint("new", i)))
			of := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "parentId", K: plan.ID}, B: &plan.Const{K: plan.ID, Value: saved.ID}}
			for n, row := range slices.Concat(k.read("job.items", of, "id"), k.read("job.notes", of, "id"), k.read("job.plain", of, "id")) {
				ids[fmt.Sprint(try.at, n)] = k.named(row, fmt.Sprint(try.at, ".", n))
			}
		}
		k.tell("save "+name, saved, err)
		if err == nil {
			k.stored()
		}
	}
	k.explained(views, ids)
	k.past(ids)
	k.gone(views, ids)
}

// past are the versions of a record, one write of which tells of rows that nobody knows.
func (k *teller) past(ids map[string]string) {
	var written record.History
	unknown := func(kind record.Kind) record.RowChange {
		return record.RowChange{Sheet: "items", ID: "01900000-0000-7000-8000-0000000000fe", Kind: kind, Was: 1, Place: 1, Changes: []record.FieldChange{{Code: "item", Before: []json.RawMessage{json.RawMessage(`"gone"`)}}}}
	}
	for _, kind := range []record.Kind{record.Created, record.Updated, record.Deleted} {
		must(k.t, k.db.Write(k.t.Context(), func(_ context.Context, tx *store.Tx) error {
			if err := tx.System().Where("record = ? AND version = 6", ids["a"]).First(&written).Error; err != nil {
				return err
			}
			var ch record.Changes
			must(k.t, json.Unmarshal([]byte(written.Changes), &ch))
			ch.Rows = append(ch.Rows, unknown(kind))
			raw, err := json.Marshal(ch)
			must(k.t, err)
			return tx.System().Model(&written).Update("changes", string(raw)).Error
		}))
		must(k.t, k.db.Read(k.t.Context(), func(_ context.Context, tx *store.Tx) error {
			for version := range int64(9) {
				st, by, err := record.AsOf(k.t.Context(), tx, k.boss, k.c.Model("job"), ids["a"], record.Moment{Version: &version})
				k.tell(fmt.Sprintf("version %d, with a row %s", version, kind), []any{by.Version, by.Kind, st.Row, st.Sheets}, err)
			}
			return nil
		}))
	}
}

func (k *teller) explained(views map[string]*authz.View, ids map[string]string) {
	for _, as := range []string{"boss", "clerk", "part", "both"} {
		for _, at := range []string{"a", "c"} {
			for _, code := range []string{"short", "count", "above", "total", "ratio", "left", "items.amount", "notes.loud", "items", "notes.note", "title"} {
				x, err := k.w.Explain(k.t.Context(), views[as], record.Change{Model: "job", ID: ids[at]}, code, 0)
				k.tell(fmt.Sprintf("%s explains %s of %s", as, code, at), x, err)
			}
		}
		for _, code := range []string{"count", "open", "most", "wide"} {
			x, err := k.w.Explain(k.t.Context(), views[as], record.Change{Model: "client", ID: ids["two"]}, code, 0)
			k.tell(fmt.Sprintf("%s explains %s of two", as, code), x, err)
		}
	}
}

func (k *teller) gone(views map[string]*authz.View, ids map[string]string) {
	ctx := k.t.Context()
	deleted := func(as, model string, of ...string) {
		var named []string
		for _, name := range of {
			named = append(named, ids[name])
		}
		states, err := k.w.DeleteCheck(ctx, views[as], model, named)
		k.tell(fmt.Sprint(as, " may delete ", of), states, err)
		result, err := k.w.Delete(ctx, views[as], model, named)
		k.tell(fmt.Sprint(as, " deletes ", of), result, err)
		k.stored()
	}
	deleted("part", "job", "a")
	deleted("clerk", "job", "a", "c", "d", "none")
	deleted("boss", "client", "one", "two")
	for _, as := range []string{"boss", "clerk"} {
		for _, at := range []string{"one", "shut"} {
			k.tell(as+" deletes "+at+" in a batch", nil, k.w.Together(ctx, views[as], func(b *record.Batch) error { return b.Delete("client", ids[at]) }))
		}
	}
	deleted("boss", "job")
	deleted("boss", "job", "b", "b", "a")
	deleted("boss", "client", "one")
	for _, as := range []string{"clerk", "part", "boss", "boss"} {
		for _, at := range []string{"a", "d", "none"} {
			saved, err := k.w.Restore(ctx, views[as], "job", ids[at])
			k.tell(as+" restores "+at, saved.Version, err)
		}
	}
	k.stored()
	k.tell("boss purges", nil, k.w.Purge(ctx, views["boss"], "job", ids["b"]))
	saved, err := k.w.Restore(ctx, views["boss"], "job", ids["b"])
	k.tell("boss restores b", saved.Version, err)
	for _, models := range [][]string{{"job"}, {"client", "job"}, nil} {
		for _, limit := range []int{2, 100} {
			written, err := record.Recent(ctx, k.db, models, now.Add(-time.Hour), limit)
			said := []string{}
			for _, w := range written {
				said = append(said, fmt.Sprint(w.Model, " ", w.Record, " ", w.Version, " ", w.Kind))
			}
			if slices.Sort(said); limit == 2 { // all are of one moment: any two
				said = nil
			}
			k.tell(fmt.Sprintf("%d of recent %v, %d at most", len(written), models, limit), said, err)
		}
	}
}
