package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// documents is a small pack: orders with lines, of customers, in places.
var documents = map[string]string{
	"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
	"models/user.json": `{"name": "人员", "properties": [
		{"code": "username", "propertyType": "ShortText", "name": "账号", "required": true, "unique": true},
		{"code": "name", "propertyType": "ShortText", "name": "姓名", "required": true},
		{"code": "mainDepartment", "propertyType": "DeptSingle", "name": "主部门"},
		{"code": "roles", "propertyType": "RelevanceFormEx", "name": "角色", "relativeCode": "role"}]}`,
	"models/department.json": `{"name": "部门", "tree": "parent", "properties": [
		{"code": "name", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "parent", "propertyType": "RelevanceForm", "name": "上级", "relativeCode": "department"}]}`,
	"models/role.json": `{"name": "角色", "properties": [
		{"code": "code", "propertyType": "ShortText", "name": "编码", "required": true, "unique": true},
		{"code": "name", "propertyType": "ShortText", "name": "名称", "required": true}]}`,
	"models/place.json": `{"name": "地点", "digest": "{code} {title}", "tree": "parent", "properties": [
		{"code": "code", "propertyType": "ShortText", "name": "编码", "required": true, "unique": true},
		{"code": "title", "propertyType": "ShortText", "name": "名称"},
		{"code": "parent", "propertyType": "RelevanceForm", "name": "上级", "relativeCode": "place"}]}`,
	"models/customer.json": `{"name": "客户", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "secret", "propertyType": "ShortText", "name": "密"}, 
		{"code": "limit", "propertyType": "Number", "name": "额度", "scale": 2}]}`,
	"models/order.json": `{"name": "订单", "digest": "{sequenceNo} {title}", "sequence": {"prefix": "D-", "date": "yyyyMM", "length": 3, "reset": "month"}, "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题", "required": true, "maxLength": 20},
		{"code": "number", "propertyType": "ShortText", "name": "编号", "unique": true},
		{"code": "customer", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer"},
		{"code": "friends", "propertyType": "RelevanceFormEx", "name": "相关客户", "relativeCode": "customer", "onDelete": "clear"},
		{"code": "agent", "propertyType": "StaffSingle", "name": "经办人", "defaultValue": "user.id"},
		{"code": "day", "propertyType": "Date", "name": "日期", "defaultValue": "today()"},
		{"code": "price", "propertyType": "Number", "name": "单价", "scale": 2, "min": "0"},
		{"code": "state", "propertyType": "Radio", "name": "状态", "options": ["OPEN", "CLOSED"], "defaultValue": "'OPEN'"},
		{"code": "reason", "propertyType": "ShortText", "name": "原因", "requiredFormula": "state == 'CLOSED'"},
		{"code": "total", "propertyType": "Number", "name": "合计", "scale": 2, "computeFormula": "sum(lines, .amount)"},
		{"code": "rest", "propertyType": "Number", "name": "余额", "scale": 2, "computeFormula": "customer.limit - total"},
		{"code": "lines", "propertyType": "Sheet", "name": "明细", "maxRows": 5, "properties": [
			{"code": "item", "propertyType": "ShortText", "name": "品名", "required": true},
			{"code": "qty", "propertyType": "Number", "name": "数量", "scale": 2, "defaultValue": "1"},
			{"code": "supplier", "propertyType": "RelevanceForm", "name": "供方", "relativeCode": "customer", "onDelete": "clear"},
			{"code": "amount", "propertyType": "Number", "name": "金额", "scale": 2, "computeFormula": "row.qty * record.price"}]}],
		"dataRules": [
			{"propertyCode": "number", "checkType": "pattern", "pattern": "[A-Z]\\d+", "message": "字母加数字", "message_i18n": {"en": "A letter and digits"}},
			{"propertyCode": "day", "checkType": "formula", "formula": "day <= today()", "message": "不能晚于今天"}]}`,
	"forms/order.json": `{"schemaCode": "order", "items": ["title", {"propertyCode": "number", "write": ["boss"]}, {"propertyCode": "lines", "childColumns": ["item"]}]}`,
	"access/boss.json": `{"name": "主管", "models": [{"schemaCode": "*", "actions": ["*"], "rows": "all"}]}`,
	"access/clerk.json": `{"name": "文员", "models": [
		{"schemaCode": "order", "actions": ["view", "add", "edit", "delete"], "rows": "own", "editRows": "owner == user.id and state != 'CLOSED'", "fields": {"price": "r", "number": "rw", "friends": "-"}},
		{"schemaCode": "customer", "actions": ["view"], "rows": "secret == nil"}]}`,
	"data/place.json": `{"key": ["code"], "rows": [{"code": "11", "title": "北京", "parent": "1"}, {"code": "1", "title": "中国"}]}`,
}

var now = time.Date(2026, 11, 21, 3, 4, 5, 0, time.UTC)

// world is an open database with the documents applied.
type world struct {
	t               testing.TB
	db              *store.DB
	set             *pack.Set
	c               *catalog.Catalog
	policy          *authz.Policy
	w               *record.Writer
	zone            *time.Location
	boss            *authz.View
	clerk           *authz.View
	bossID, clerkID string
}

// each runs a test on both databases.
func each(t *testing.T, f func(t *testing.T, w *world), change ...func(map[string]string, *pack.Set)) {
	storetest.Each(t, func(t *testing.T, db *store.DB) { f(t, newWorld(t, db, change...)) }, append(record.Tables(), blob.Tables()...)...)
}

func newWorld(t testing.TB, db *store.DB, change ...func(map[string]string, *pack.Set)) *world {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Shanghai")
	must(t, err)
	w := &world{t: t, db: db, set: &pack.Set{}, zone: zone}
	must(t, base.Register(w.set))
	docs := map[string]string{}
	for name, text := range documents {
		docs[name] = text
	}
	for _, f := range change {
		f(docs, w.set)
	}
	w.set.Freeze()
	w.compile(docs)
	p, err := db.Plan(t.Context(), w.c.Storage, store.PlanOptions{})
	must(t, err)
	must(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
	w.w = record.New(db, w.set, compiletest.Nobody{}, zone, func() time.Time { return now })
	must(t, w.w.LoadData(t.Context(), w.system()))
	w.bossID = w.save(w.system(), "user", "", 0, `{"username": "boss", "name": "张主管"}`).ID
	w.clerkID = w.save(w.system(), "user", "", 0, `{"username": "clerk", "name": "李文员"}`).ID
	w.boss, w.clerk = w.rights(w.bossID, "boss"), w.rights(w.clerkID, "clerk")
	return w
}

func (w *world) compile(docs map[string]string) {
	w.t.Helper()
	w.c = compiletest.Pack(w.t, w.set, docs, w.zone)
	var err error
	w.policy, err = authz.Compile(w.c)
	must(w.t, err)
}

func (w *world) rights(id string, roles ...string) *authz.View {
	return w.policy.View(principal.Principal{UserID: id, Name: id, Roles: roles, Locale: "en"}, now, w.zone)
}

func (w *world) rightsIn(locale, id string, roles ...string) *authz.View {
	return w.policy.View(principal.Principal{UserID: id, Name: id, Roles: roles, Locale: locale}, now, w.zone)
}

func (w *world) system() *authz.View {
	return w.policy.View(principal.System("test"), now, w.zone)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func set(text string) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		panic(err)
	}
	return out
}

func (w *world) try(view *authz.View, model, id string, version int64, text string) (record.Saved, error) {
	ch := record.Change{Model: model, ID: id, Set: set(text)}
	if id != "" {
		ch.Version = &version
	}
	return w.w.Save(w.t.Context(), view, ch)
}

func (w *world) save(view *authz.View, model, id string, version int64, text string) record.Saved {
	w.t.Helper()
	out, err := w.try(view, model, id, version, text)
	if err != nil {
		w.t.Fatalf("save %s %s: %s", model, text, explain(err))
	}
	return out
}

// explain writes a refusal so that tests can compare it.
func explain(err error) string {
	if err == nil {
		return "ok"
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		return err.Error()
	}
	if in, ok := f.Data.(fault.Invalid); ok {
		out := ""
		for _, e := range in.Errors {
			out += fmt.Sprintf("%s %d; ", e.PropertyCode, e.Code)
		}
		return out
	}
	return fmt.Sprint(int(f.Code))
}

// read gives columns of a model's rows as text, in the order of creation.
func (w *world) read(model string, where plan.Expr, columns ...string) []string {
	w.t.Helper()
	m := w.c.Model(model)
	q := &plan.Query{Model: model, Where: where, Order: []plan.Order{{By: &plan.Field{Column: "id", K: plan.ID}}}}
	for _, c := range columns {
		k := plan.Text
		for _, f := range m.Fields {
			for _, col := range f.Property.Columns() {
				if col.Name == c {
					k = col.Kind
				}
			}
		}
		if c == "sortKey" {
			k = plan.Int
		}
		q.Select = append(q.Select, &plan.Field{Column: c, K: k})
	}
	var out []string
	must(w.t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.Query(w.t.Context(), w.c, q, func(row []any) error {
			line := ""
			for i, v := range row {
				if i > 0 {
					line += " | "
				}
				line += fmt.Sprint(v)
			}
			out = append(out, line)
			return nil
		})
	}))
	return out
}

func id(id string) plan.Expr {
	return &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "id", K: plan.ID}, B: &plan.Const{K: plan.ID, Value: id}}
}
