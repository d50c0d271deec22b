package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// with adds documents to the pack.
func with(more map[string]string) func(map[string]string, *pack.Set) {
	return func(docs map[string]string, _ *pack.Set) {
		for name, text := range more {
			docs[name] = text
		}
	}
}

// refusals checks what saves answer.
func (w *world) refusals(saves []struct{ name, model, id, set, want string }, role string) {
	w.t.Helper()
	for _, s := range saves {
		version := int64(0)
		if s.id != "" {
			version = 1
		}
		if _, err := w.try(w.rights(w.clerkID, role), s.model, s.id, version, s.set); explain(err) != s.want {
			w.t.Errorf("%s: %s, want %s", s.name, explain(err), s.want)
		}
	}
}

// TestGranting: people who can edit users grant no more than they have themselves.
func TestGranting(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		role := map[string]string{}
		for _, row := range w.read("role", plan.True, "id", "code") {
			id, code, _ := strings.Cut(row, " | ")
			role[code] = id
		}
		give := func(codes ...string) string {
			ids := []string{}
			for _, c := range codes {
				ids = append(ids, role[c])
			}
			text, err := json.Marshal(map[string]any{"username": strings.Join(codes, "-"), "name": "x", "roles": ids})
			must(t, err)
			return string(text)
		}
		const no = "roles 302009; "
		w.refusals([]struct{ name, model, id, set, want string }{
			{"the highest, to himself", "user", w.clerkID, `{"roles": ["` + role["boss"] + `"]}`, no},
			{"the highest, to another", "user", w.bossID, `{"roles": ["` + role["boss"] + `"]}`, no},
			{"the highest, to a new person", "user", "", give("boss"), no},
			{"one among others", "user", "", give("hr", "clerk"), no},
			{"a role with rows of which he sees some", "user", "", give("clerk"), no},
			{"his own", "user", "", give("hr"), "ok"},
			{"a role that his own covers", "user", "", give("reader"), "ok"},
			{"a role that shows a field more", "user", "", give("nosy"), no},
			{"a role that includes more", "user", "", give("heir"), no},
			{"a platform permission", "user", "", give("operator"), no},
			{"a code that no document names", "role", "", `{"code": "later", "name": "x"}`, "code 302015; "},
			{"a record takes such a code", "role", role["hr"], `{"code": "later"}`, "code 302015; "},
			{"a record of a role takes the highest's code", "role", role["hr"], `{"code": "BOSS"}`, "code 302017; "},
			{"a record of a role above", "role", role["boss"], `{"code": "reader2"}`, "code 302017; code 302015; "},
			{"its name is a label", "role", role["boss"], `{"name": "主管们"}`, "ok"},
		}, "hr")
		// What the system itself made of an old document gives nothing, and may be given by nobody.
		later := w.save(w.system(), "role", "", 0, `{"code": "later", "name": "x"}`).ID
		for _, view := range []*authz.View{w.boss, w.rights(w.clerkID, "hr")} {
			if _, err := w.try(view, "user", w.bossID, 1, `{"roles": ["`+later+`"]}`); explain(err) != "roles 302015; " {
				t.Errorf("a role without a document: %s", explain(err))
			}
		}
		if _, err := w.try(w.boss, "role", "", 0, `{"code": "later2", "name": "x"}`); explain(err) != "code 302015; " {
			t.Errorf("the highest, too, makes no role without a document: %s", explain(err))
		}
		w.save(w.boss, "user", "", 0, give("boss", "clerk", "hr"))
	}, with(map[string]string{
		"access/hr.json": `{"name": "人事", "models": [{"schemaCode": "user", "actions": ["*"], "rows": "all"},
			{"schemaCode": "role", "actions": ["view", "add", "edit"], "rows": "all"},
			{"schemaCode": "customer", "actions": ["view"], "rows": "all", "fields": {"secret": "-"}}]}`,
		"access/reader.json":   `{"name": "看客户", "models": [{"schemaCode": "customer", "actions": ["view"], "rows": "limit > 5", "fields": {"secret": "-", "*": "r"}}]}`,
		"access/nosy.json":     `{"name": "看密", "models": [{"schemaCode": "customer", "actions": ["view"], "rows": "all"}]}`,
		"access/heir.json":     `{"name": "继承", "includes": ["clerk"], "models": []}`,
		"access/operator.json": `{"name": "运维", "permissions": ["SYS_MNG"], "models": []}`,
	}))
}

// TestManaging: who may edit people does not disable, rename, move or remove those above them.
func TestManaging(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		role := map[string]string{}
		for _, row := range w.read("role", plan.True, "id", "code") {
			id, code, _ := strings.Cut(row, " | ")
			role[code] = id
		}
		later := w.save(w.system(), "role", "", 0, `{"code": "later", "name": "x"}`).ID
		person := func(name string, roles ...string) string {
			ids, err := json.Marshal(roles)
			must(t, err)
			return w.save(w.system(), "user", "", 0, `{"username": "`+name+`", "name": "`+name+`", "roles": `+string(ids)+`}`).ID
		}
		chief, other, ghost := person("chief", role["boss"], role["reader"]), person("other", role["reader"]), person("ghost", later)
		place := w.save(w.system(), "department", "", 0, `{"name": "d"}`).ID
		w.refusals([]struct{ name, model, id, set, want string }{
			{"disable", "user", chief, `{"disabled": true}`, "disabled 302017; "},
			{"rename", "user", chief, `{"username": "x", "name": "y"}`, "username 302017; name 302017; "},
			{"move", "user", chief, `{"mainDepartment": "` + place + `"}`, "departments 302017; mainDepartment 302017; "},
			{"take a role", "user", chief, `{"roles": ["` + role["reader"] + `"]}`, "roles 302017; "},
			{"the same again", "user", chief, `{"username": "chief", "roles": ["` + role["boss"] + `", "` + role["reader"] + `"]}`, "ok"},
			{"what gives no rights", "user", chief, `{"phone": "1"}`, "ok"},
			{"one whom he covers", "user", other, `{"disabled": true, "roles": [], "name": "z"}`, "ok"},
			{"one with a role that is no more", "user", ghost, `{"disabled": true, "roles": []}`, "ok"},
		}, "hr")
		hr := w.rights(w.clerkID, "hr")
		for who, want := range map[string]int{chief: record.DeleteNotPossible, other: record.DeletePossible} {
			states, err := w.w.DeleteCheck(t.Context(), hr, "user", []string{who})
			must(t, err)
			if states[0].ResultCode != want {
				t.Errorf("removing: %+v", states)
			}
		}
		out, err := w.w.Delete(t.Context(), hr, "role", []string{role["nobody"], role["idle"]})
		must(t, err)
		if out.SuccessCount != 1 || out.Errors[0].ObjectID != role["nobody"] || !strings.Contains(out.Errors[0].ResultDesc, "could not grant") {
			t.Errorf("removing roles: %+v", out)
		}
		w.save(w.boss, "user", chief, 2, `{"disabled": true, "username": "deputy"}`)
	}, with(map[string]string{
		"models/user.json": strings.Replace(documents["models/user.json"], `"properties": [`, `"properties": [
			{"code": "disabled", "propertyType": "Logic", "name": "停用"}, {"code": "phone", "propertyType": "ShortText", "name": "电话"}, {"code": "departments", "propertyType": "DeptMulti", "name": "部门"},`, 1),
		"access/hr.json": `{"name": "人事", "models": [{"schemaCode": "user", "actions": ["*"], "rows": "all"}, {"schemaCode": "department", "actions": ["view"], "rows": "all"},
			{"schemaCode": "role", "actions": ["*"], "rows": "all"}, {"schemaCode": "customer", "actions": ["view"], "rows": "all", "fields": {"secret": "-"}}]}`,
		"access/reader.json": `{"name": "看客户", "models": [{"schemaCode": "customer", "actions": ["view"], "rows": "limit > 5", "fields": {"secret": "-", "*": "r"}}]}`,
		"access/idle.json":   `{"name": "闲", "models": []}`,
		"access/nobody.json": `{"name": "无人", "permissions": ["SYS_MNG"], "models": []}`,
	}))
}

// TestUnseenFields: a refusal names no field that the caller may not know of. Its cause, for the log, does.
func TestUnseenFields(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		view := w.rights(w.clerkID, "desk")
		taken := w.save(w.boss, "visit", "", 0, `{"guest": "a", "secret": "s", "number": 1}`)
		w.save(w.boss, "visit", "", 0, `{"guest": "b", "secret": "s", "number": 2}`)
		for _, s := range []struct{ name, id, set, want, cause string }{
			{"required, unseen", "", `{"guest": "c"}`, "302016", "visit.secret: 302004"},
			{"a rule of an unseen field", "", `{"guest": "rule"}`, "302016", "visit.secret: 302004"},
			{"a named field beside it", "", `{"number": 7}`, "guest 302004; ", "visit.secret: 302004"},
			{"an unseen field, sent wrongly", "", `{"guest": "c", "secret": 5}`, "secret 302003; ", ""},
			{"an unseen field, sent", "", `{"guest": "c", "secret": "x"}`, "secret 302003; ", ""},
			{"no field at all", "", `{"guest": "c", "nothing": 5}`, "nothing 302003; ", ""},
			{"a rule that his value breaks", taken.ID, `{"number": 99}`, "302016", "visit.secret: 302011"},
			{"a unique field", taken.ID, `{"number": 2}`, "number 302012; ", ""},
		} {
			_, err := w.try(view, "visit", s.id, 1, s.set)
			if explain(err) != s.want {
				t.Errorf("%s: %s, want %s", s.name, explain(err), s.want)
			}
			var f *fault.Error
			var unseen *record.Unseen
			if errors.As(err, &f); errors.As(err, &unseen) != (s.cause != "") || unseen != nil && !strings.Contains(unseen.Error(), s.cause) {
				t.Errorf("%s: the log says %v", s.name, unseen)
			}
			if text, _ := json.Marshal([]any{f.Args, f.Data}); s.cause != "" && strings.Contains(string(text), "secret") || strings.Contains(string(text), "密") {
				t.Errorf("%s: the caller is told %s", s.name, text)
			}
		}
		if _, err := w.try(w.boss, "visit", "", 0, `{"guest": "c"}`); explain(err) != "secret 302004; " {
			t.Errorf("who may read it is told: %s", explain(err))
		}
		// Who may set a field without reading it is told of it.
		if _, err := w.try(w.rights(w.clerkID, "adder"), "visit", "", 0, `{"guest": "c"}`); explain(err) != "secret 302004; " {
			t.Errorf("who may set it is told: %s", explain(err))
		}
	}, with(map[string]string{
		"models/visit.json": `{"name": "来访", "properties": [
			{"code": "guest", "propertyType": "ShortText", "name": "访客", "required": true},
			{"code": "number", "propertyType": "Number", "name": "号", "unique": true},
			{"code": "secret", "propertyType": "ShortText", "name": "密", "required": true}],
			"dataRules": [{"propertyCode": "secret", "checkType": "formula", "formula": "number < 50", "message": "密不符"}]}`,
		"access/desk.json": `{"name": "前台", "models": [{"schemaCode": "visit", "actions": ["view", "add", "edit"], "rows": "all", "fields": {"secret": "-"}}]}`,
		"access/adder.json": `{"name": "登记", "models": [{"schemaCode": "visit", "actions": ["add"], "rows": "all"},
			{"schemaCode": "visit", "actions": ["view"], "rows": "all", "fields": {"secret": "-"}}]}`,
	}))
}

// TestNameOfRecord: the stored name does not depend on what its writer may see.
func TestNameOfRecord(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer := w.save(w.boss, "customer", "", 0, `{"title": "甲", "secret": "x"}`).ID
		d := w.save(w.boss, "deal", "", 0, `{"customer": "`+customer+`", "note": "1"}`)
		w.save(w.rights(w.clerkID, "blind"), "deal", d.ID, 1, `{"note": "2"}`)
		if got := w.read("deal", plan.True, "name"); got[0] != "甲 2" {
			t.Errorf("the name is %q", got)
		}
	}, with(map[string]string{
		"models/deal.json": `{"name": "交易", "digest": "{customer} {note}", "properties": [
			{"code": "customer", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer"},
			{"code": "note", "propertyType": "ShortText", "name": "备注"}]}`,
		"access/blind.json": `{"name": "看不到客户", "models": [{"schemaCode": "deal", "actions": ["view", "edit"], "rows": "all"},
			{"schemaCode": "customer", "actions": ["view"], "rows": "secret == nil"}]}`,
	}))
}

// TestChoosable: what a relation does not offer it does not take either.
func TestChoosable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		small := w.save(w.boss, "customer", "", 0, `{"title": "small", "limit": "5"}`).ID
		large := w.save(w.boss, "customer", "", 0, `{"title": "large", "limit": "50"}`).ID
		deal := w.save(w.boss, "deal", "", 0, `{"customer": "`+small+`", "rows": [{"most": 50, "whose": "`+large+`"}]}`)
		w.refusals([]struct{ name, model, id, set, want string }{
			{"not offered", "deal", "", `{"customer": "` + large + `"}`, "customer 302018; "},
			{"one of several", "deal", "", `{"several": ["` + small + `", "` + large + `"]}`, "several 302018; "},
			{"offered for other values", "deal", "", `{"other": "` + small + `", "most": 3}`, "other 302018; "},
			{"not offered without the value", "deal", "", `{"other": "` + small + `"}`, "other 302018; "},
			{"offered for these values", "deal", "", `{"other": "` + small + `", "most": 5}`, "ok"},
			{"in a row", "deal", "", `{"most": 50, "rows": [{"most": 5, "whose": "` + large + `"}]}`, "rows.whose 302018; "},
		}, "boss")
		// What was chosen once stays, though it is offered no longer.
		w.save(w.boss, "customer", small, 1, `{"limit": "60"}`)
		w.save(w.boss, "deal", deal.ID, 1, `{"most": 9}`)
	}, with(map[string]string{"models/deal.json": `{"name": "交易", "properties": [
		{"code": "most", "propertyType": "Number", "name": "上限"},
		{"code": "customer", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer", "condition": "limit < 10"},
		{"code": "several", "propertyType": "RelevanceFormEx", "name": "客户", "relativeCode": "customer", "condition": "limit < 10"},
		{"code": "other", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer", "condition": "limit <= form.most"},
		{"code": "rows", "propertyType": "Sheet", "name": "明细", "properties": [
			{"code": "most", "propertyType": "Number", "name": "上限"},
			{"code": "whose", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer", "condition": "limit <= form.most"}]}]}`}))
}

// TestFilesOfOthers: a file is attached by the person who uploaded it, and stays attached no matter who saves.
func TestFilesOfOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine, others := "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Create([]blob.File{{ID: mine, CreatedBy: w.clerkID}, {ID: others, CreatedBy: w.bossID}}).Error
		}))
		held := w.save(w.boss, "note", "", 0, `{"files": ["`+others+`"]}`)
		w.refusals([]struct{ name, model, id, set, want string }{
			{"another's", "note", "", `{"files": ["` + others + `"]}`, "files 302009; "},
			{"his own", "note", "", `{"files": ["` + mine + `"]}`, "ok"},
			{"beside another's", "note", held.ID, `{"files": ["` + others + `", "` + mine + `"]}`, "ok"},
		}, "boss")
	}, with(map[string]string{"models/note.json": `{"name": "笔记", "properties": [{"code": "files", "propertyType": "Attachment", "name": "附件"}]}`}))
}

// TestFilesOfReadable: who may read a file where it is may put it into a record of their own, which then holds it too.
func TestFilesOfReadable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		people, err := directory.New(t.Context(), w.db, w.c)
		must(t, err)
		reader := query.New(w.db, people, directory.NewPlaces(w.db), w.zone, func() time.Time { return now }, []byte("a key of this installation"))
		w.w.CopyFiles(reader.ReadsFile)
		id := func(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }
		seen, secret, unseen, binned, fresh, said, large := id(1), id(2), id(3), id(4), id(5), id(6), id(7)
		var files []blob.File
		for _, f := range []string{seen, secret, unseen, binned, fresh, said, large} {
			files = append(files, blob.File{ID: f, Name: "a.txt", Mime: "text/plain", CreatedBy: w.bossID, Held: f == said})
		}
		files[5].CreatedBy, files[5].Model, files[6].Size = "", "sl_comment", 1<<20+1 // a comment's, and a large one
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&files).Error }))
		first := w.save(w.boss, "note", "", 0, `{"title": "seen", "files": ["`+seen+`"], "secret": ["`+secret+`"], "parts": [{"scans": ["`+large+`"]}]}`).ID
		w.save(w.boss, "note", "", 0, `{"title": "hidden", "files": ["`+unseen+`"]}`)
		gone := w.save(w.boss, "note", "", 0, `{"title": "seen", "files": ["`+binned+`"]}`).ID
		w.delete(w.boss, "note", gone)
		one := func(f string) string { return `{"title": "seen", "files": ["` + f + `"]}` }
		w.refusals([]struct{ name, model, id, set, want string }{
			{"of a field that he reads", "note", "", one(seen), "ok"},
			{"into a row", "note", "", `{"title": "seen", "parts": [{"scans": ["` + seen + `"]}]}`, "ok"},
			{"of a field that he does not read", "note", "", one(secret), "files 302009; "},
			{"of a row that he does not see", "note", "", one(unseen), "files 302009; "},
			{"of a deleted one, who may not delete", "note", "", one(binned), "files 302009; "},
			{"another's upload", "note", "", one(fresh), "files 302009; "},
			{"of a comment", "note", "", one(said), "files 302009; "},
			{"none", "note", "", one(id(99)), "files 302009; "},
			{"too large for the other field", "note", "", one(large), "files 302072; "},
			{"after one that he may not read", "note", "", `{"title": "seen", "files": ["` + unseen + `"], "parts": [{"scans": ["` + unseen + `"]}]}`, "files 302009; parts.scans 302009; "},
		}, "half")
		w.refusals([]struct{ name, model, id, set, want string }{
			{"of a deleted one, who may delete", "note", "", one(binned), "ok"},
		}, "janitor")
		held := func(f string) bool {
			var rows []blob.File
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.System().Where("id = ? AND held = ?", f, true).Find(&rows).Error
			}))
			return len(rows) == 1
		}
		// What the first record held stays while a copy holds it, and goes with the last of them.
		for _, n := range []string{first, gone} {
			if n == first {
				w.delete(w.boss, "note", n)
			}
			must(t, w.w.Purge(t.Context(), w.boss, "note", n))
		}
		if got := [3]bool{held(seen), held(binned), held(secret)}; got != [3]bool{true, true, false} {
			t.Errorf("held after the first went: %v", got)
		}
	}, with(map[string]string{
		"models/note.json": `{"name": "笔记", "properties": [
			{"code": "title", "propertyType": "ShortText", "name": "标题"},
			{"code": "files", "propertyType": "Attachment", "name": "附件", "maxSize": "1MB"},
			{"code": "secret", "propertyType": "Attachment", "name": "密件"},
			{"code": "parts", "propertyType": "Sheet", "name": "段", "properties": [{"code": "scans", "propertyType": "Attachment", "name": "扫描件"}]}]}`,
		"access/half.json":    `{"name": "一半", "models": [{"schemaCode": "note", "actions": ["view", "add"], "rows": "title == 'seen'", "fields": {"secret": "-"}}]}`,
		"access/janitor.json": `{"name": "清理", "models": [{"schemaCode": "note", "actions": ["view", "add", "edit", "delete"], "rows": "all"}]}`,
	}))
}

// TestRefusedDeleteSaysByWhat: the refusal counts the records that refer, model by model, as far as the caller sees them.
func TestRefusedDeleteSaysByWhat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer := w.save(w.boss, "customer", "", 0, `{"title": "c"}`).ID
		for _, title := range []string{"seen", "seen", "hidden"} {
			w.save(w.boss, "order", "", 0, `{"title": "`+title+`", "customer": "`+customer+`"}`)
		}
		w.save(w.boss, "note", "", 0, `{"parts": [{"of": "`+customer+`"}, {"of": "`+customer+`"}]}`)
		for role, want := range map[string][2]string{
			"boss":    {"被 1 条“笔记”、3 条“订单”引用，不能删除", "1 record of “Note” and 3 records of “订单” refer to it"},
			"half":    {"被 2 条“订单”、其他数据引用，不能删除", "2 records of “订单” and other records refer to it"},
			"janitor": {"被其他数据引用，不能删除", "other records refer to it"},
			"blind":   {"被其他数据引用，不能删除", "other records refer to it"},
		} {
			for locale, text := range map[string]string{"zh": want[0], "en": want[1]} {
				view := w.rightsIn(locale, w.clerkID, role)
				out, err := w.w.DeleteCheck(t.Context(), view, "customer", []string{customer})
				must(t, err)
				if out[0].ResultDesc != text {
					t.Errorf("%s in %s is told %q", role, locale, out[0].ResultDesc)
				}
				coded := map[string]string{"boss": "3", "half": map[string]string{"zh": "2（及其他）", "en": "2 and other"}[locale], "blind": ""}[role]
				if said := diag.Fill("{0}", out[0].Args, locale); out[0].Code != 0 && said != coded || (out[0].Code != 0) != (coded != "") {
					t.Errorf("%s in %s is told %d of %q by the code of the pack", role, locale, out[0].Code, said)
				}
			}
		}
	}, func(_ map[string]string, s *pack.Set) {
		s.On("customer").Holders = map[string]fault.Code{"order": fault.RecordBusy}
	}, with(map[string]string{
		"models/note.json": `{"name": "笔记", "name_i18n": {"en": "Note"}, "name_plural_i18n": {"en": "Notes"}, "properties": [{"code": "parts", "propertyType": "Sheet", "name": "段", "properties": [
			{"code": "of", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer"}]}]}`,
		"access/half.json": `{"name": "一半", "models": [{"schemaCode": "customer", "actions": ["view", "delete"], "rows": "all"},
			{"schemaCode": "order", "actions": ["view"], "rows": "title == 'seen'"}]}`,
		"access/blind.json": `{"name": "看不到", "models": [{"schemaCode": "customer", "actions": ["view", "delete"], "rows": "all"},
			{"schemaCode": "order", "actions": ["view"], "rows": "title == 'none'"}]}`,
		"access/janitor.json": `{"name": "清理", "models": [{"schemaCode": "customer", "actions": ["view", "delete"], "rows": "all"}]}`,
	}))
}

// TestHiddenNames: neither the answer to a stale version nor that of a delete names what the caller may not see.
func TestHiddenNames(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer := w.save(w.boss, "customer", "", 0, `{"title": "hush-hush"}`).ID
		o := w.save(w.clerk, "order", "", 0, `{"title": "x", "customer": "`+customer+`"}`)
		w.save(w.boss, "order", o.ID, 1, `{"title": "y"}`)
		for role, seen := range map[string]bool{"boss": true, "blind": false} {
			_, err := w.try(w.rights(w.clerkID, role), "order", o.ID, 1, `{"title": "z"}`)
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != fault.VersionStale {
				t.Fatal(explain(err))
			}
			text, err := json.Marshal(f.Data)
			must(t, err)
			if strings.Contains(string(text), "hush-hush") != seen {
				t.Errorf("%s is told %s", role, text)
			}
		}
		for role, want := range map[string]string{"boss": `"order"`, "janitor": "null"} {
			for _, call := range []func() (any, error){
				func() (any, error) {
					return w.w.DeleteCheck(t.Context(), w.rights(w.clerkID, role), "customer", []string{customer})
				},
				func() (any, error) {
					return w.w.Delete(t.Context(), w.rights(w.clerkID, role), "customer", []string{customer})
				},
			} {
				out, err := call()
				must(t, err)
				if text, _ := json.Marshal(out); !strings.Contains(string(text), `"relativeModel":`+want+`,"resultCode":1004`) {
					t.Errorf("%s is told %s", role, text)
				}
			}
		}
	}, with(map[string]string{
		"access/blind.json": `{"name": "看不到客户名", "models": [{"schemaCode": "order", "actions": ["view", "edit"], "rows": "all"},
			{"schemaCode": "customer", "actions": ["view"], "rows": "all", "fields": {"title": "-"}}]}`,
		"access/janitor.json": `{"name": "清理", "models": [{"schemaCode": "customer", "actions": ["view", "delete"], "rows": "all"}]}`,
	}))
}
