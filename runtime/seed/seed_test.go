package seed_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/seed"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var documents = map[string]string{
	"pack.json":              `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
	"models/user.json":       `{"name": "人员", "properties": [{"code": "username", "propertyType": "ShortText", "name": "账号"}]}`,
	"models/department.json": `{"name": "部门", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"}]}`,
	"models/order.json": `{"name": "订单", "properties": [
		{"code": "name", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "price", "propertyType": "Number", "name": "单价", "scale": 2},
		{"code": "quantity", "propertyType": "Number", "name": "数量", "scale": 2},
		{"code": "amount", "propertyType": "Number", "name": "金额", "scale": 2, "computeFormula": "round(price * quantity, 2)"},
		{"code": "total", "propertyType": "Number", "name": "合计", "scale": 2, "computeFormula": "sum(lines, .value)"},
		{"code": "lines", "propertyType": "Sheet", "name": "明细", "properties": [
			{"code": "points", "propertyType": "Number", "name": "点数"},
			{"code": "value", "propertyType": "Number", "name": "值", "scale": 2, "computeFormula": "row.points + (record.price ?? 0)"}]}]}`,
	"models/note.json": `{"name": "记录", "properties": [
		{"code": "order", "propertyType": "RelevanceForm", "name": "订单", "relativeCode": "order"},
		{"code": "price", "propertyType": "Number", "name": "单价", "scale": 2, "computeFormula": "order.price"}]}`,
}

// Seeded rows hold what their formulas give: computing them again changes none, and is not even begun. Formulas over other records
// are computed afterwards.
func TestSeededRowsAreComputed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		set := &pack.Set{}
		require.NoError(t, base.Register(set))
		set.Freeze()
		c := compiletest.Pack(t, set, documents, time.UTC)
		steps, err := db.Plan(ctx, c.Storage, store.PlanOptions{})
		require.NoError(t, err)
		require.NoError(t, db.Apply(ctx, steps, store.ApplyOptions{}))
		for _, code := range []string{"order", "note"} {
			require.NoError(t, seed.Fill(ctx, db, c, c.Model(code), 60, func(int) {}))
		}

		policy, err := authz.Compile(c)
		require.NoError(t, err)
		w := record.New(db, set, compiletest.Nobody{}, time.UTC, time.Now)
		view := policy.View(principal.System("test"), time.Now(), time.UTC)
		count := func(where plan.Expr, model string) (n int64) {
			require.NoError(t, db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
				id := &plan.Field{Column: catalog.ID, K: plan.ID}
				n, err = tx.Count(ctx, c, &plan.Query{Model: model, Where: where, Select: []plan.Expr{id}})
				return err
			}))
			return n
		}
		changed := func() plan.Expr {
			return &plan.Compare{Op: plan.GT, A: &plan.Field{Column: catalog.Version, K: plan.Int}, B: &plan.Const{K: plan.Int, Value: int64(1)}}
		}
		given := func(column string) plan.Expr {
			return &plan.Not{X: &plan.IsNull{X: &plan.Field{Column: column, K: plan.Number}}}
		}
		require.Positive(t, count(given("amount"), "order"))
		require.Positive(t, count(given("total"), "order"))

		require.NoError(t, w.Recompute(ctx, view))
		require.Zero(t, count(changed(), "order"), "known to be computed")
		require.Positive(t, count(changed(), "note"), "formulas over other records")

		require.NoError(t, db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return record.OutOfDate(tx, c.Model("order")) }))
		require.NoError(t, w.Recompute(ctx, view))
		require.Zero(t, count(changed(), "order"), "computed anew they stay as they are")
	}, append(record.Tables(), blob.Tables()...)...)
}

var strict = map[string]string{
	"pack.json":              `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
	"models/user.json":       `{"name": "人员", "properties": [{"code": "username", "propertyType": "ShortText", "name": "账号"}]}`,
	"models/department.json": `{"name": "部门", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"}]}`,
	"models/place.json":      `{"name": "工点", "properties": [{"code": "open", "propertyType": "Logic", "name": "在用", "required": true}]}`,
	"models/lot.json": `{"name": "检验批", "digest": "{code} {part}", "unique": [["place", "part"]], "properties": [
		{"code": "code", "propertyType": "ShortText", "name": "编号", "required": true, "unique": true, "maxLength": 20},
		{"code": "part", "propertyType": "ShortText", "name": "部位", "required": true},
		{"code": "place", "propertyType": "RelevanceForm", "name": "工点", "required": true, "relativeCode": "place", "condition": "open == true"},
		{"code": "share", "propertyType": "Number", "name": "比例", "scale": 2, "min": "-1.5", "max": "2"},
		{"code": "day", "propertyType": "Date", "name": "日期", "required": true},
		{"code": "until", "propertyType": "Date", "name": "期限", "requiredFormula": "result == 'BAD'"},
		{"code": "result", "propertyType": "Radio", "name": "结论", "options": [{"code": "OK", "name": "合格"}, {"code": "BAD", "name": "不合格"}]},
		{"code": "inspector", "propertyType": "StaffSingle", "name": "检查人", "required": true},
		{"code": "where", "propertyType": "Address", "name": "地点"},
		{"code": "photos", "propertyType": "Attachment", "name": "照片"},
		{"code": "opinion", "propertyType": "ApprovalOpinion", "name": "意见"},
		{"code": "items", "propertyType": "Sheet", "name": "明细", "minRows": 1, "properties": [
			{"code": "points", "propertyType": "Number", "name": "点数", "required": true, "min": "1"},
			{"code": "passed", "propertyType": "Number", "name": "合格点数", "min": "0"}]}],
		"dataRules": [
			{"propertyCode": "code", "checkType": "pattern", "pattern": "[A-Z]{2,4}-\\d{4}-\\d{3}", "message": "编号"},
			{"propertyCode": "day", "checkType": "formula", "formula": "day <= today()", "message": "日期"},
			{"propertyCode": "until", "checkType": "formula", "formula": "empty(until) or until >= day", "message": "期限"},
			{"propertyCode": "items.passed", "checkType": "formula", "formula": "empty(row.passed) or row.passed <= row.points", "message": "点数"}]}`,
}

// The model accepts seeded rows as it does what people enter, and their names are those that the model gives.
func TestSeededRowsAreValid(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		set := &pack.Set{}
		require.NoError(t, base.Register(set))
		set.Freeze()
		c := compiletest.Pack(t, set, strict, time.UTC)
		steps, err := db.Plan(ctx, c.Storage, store.PlanOptions{})
		require.NoError(t, err)
		require.NoError(t, db.Apply(ctx, steps, store.ApplyOptions{}))
		for code, n := range map[string]int{"user": 5, "department": 5, "place": 20} {
			require.NoError(t, seed.Fill(ctx, db, c, c.Model(code), n, func(int) {}))
		}
		const rows = 300
		require.NoError(t, seed.Fill(ctx, db, c, c.Model("lot"), rows, func(int) {}))

		policy, err := authz.Compile(c)
		require.NoError(t, err)
		w := record.New(db, set, compiletest.Nobody{}, time.UTC, time.Now)
		view := policy.View(principal.System("test"), time.Now(), time.UTC)
		field := func(name string) plan.Expr { return &plan.Field{Column: name, K: plan.Text} }
		q := &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, field("name"), field("code"), field("part"), field("name__pinyin")}}
		var ids []string
		require.NoError(t, db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.Query(ctx, c, q, func(row []any) error {
				ids = append(ids, row[0].(string))
				require.Equal(t, row[2].(string)+" "+row[3].(string), row[1])
				require.NotEmpty(t, row[4])
				return nil
			})
		}))
		require.Len(t, ids, rows)
		bad := 0
		for _, id := range ids {
			refused, err := w.Refusals(ctx, view, c.Model("lot"), id)
			require.NoError(t, err)
			require.Empty(t, refused)
		}
		require.NoError(t, db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
			n, err := tx.Count(ctx, c, &plan.Query{Model: "lot", Where: &plan.Not{X: &plan.IsNull{X: &plan.Field{Column: "until", K: plan.Date}}}})
			bad = int(n)
			return err
		}))
		require.Greater(t, bad, rows/4, "what may be empty is given too")
	}, append(record.Tables(), blob.Tables()...)...)
}
