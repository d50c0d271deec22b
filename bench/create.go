package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// measureCreate compares creating a record with inserting its bare row, each in its own copy of a database.
func measureCreate(ctx context.Context, o options, t *table, p place) error {
	body, err := newRecord(ctx, p)
	if err != nil {
		return err
	}
	copied, err := p.copied()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(copied.dir) }()
	product, err := start(ctx, o, "product", copied)
	if err != nil {
		return err
	}
	rate, cpu, err := product.many(ctx, asking{"/api/runtime/form/save", copied.writer, body}, 16, 2*o.each)
	product.stop()
	if err != nil {
		return err
	}
	if copied, err = p.copied(); err != nil {
		return err
	}
	bare, err := start(ctx, o, "floor", copied)
	if err != nil {
		return err
	}
	defer bare.stop()
	bareRate, bareCPU, err := bare.many(ctx, asking{"/insert", copied.reader, func(n int) []byte {
		return []byte(floorBody(floorRequest{Word: lotNo(n), Date: "2026-01-02", ID: "bench"}))
	}}, 16, 2*o.each)
	if err != nil {
		return err
	}
	t.add("create with validation, number and history, 16 writers: records/s", fmt.Sprintf("%.0f", rate), fmt.Sprintf("%.0f", bareRate), bareRate/rate, "")
	t.add("create: server CPU a record", ms(cpu), ms(bareCPU), float64(cpu)/float64(bareCPU), "")
	return nil
}

// lotNo is a number in the form that the example asks for.
func lotNo(n int) string {
	letters := []byte("AAAA")
	for i, k := len(letters)-1, n/1000; i > 0; i, k = i-1, k/26 {
		letters[i] += byte(k % 26)
	}
	return fmt.Sprintf("%s-2026-%03d", letters, n%1000)
}

// newRecord makes bodies of the save call with references to records that are there.
func newRecord(ctx context.Context, p place) (func(n int) []byte, error) {
	a, err := open(ctx, p, false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.Close() }()
	refs := map[string]string{}
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	err = a.Store().Read(ctx, func(tx *store.Tx) error {
		for model, where := range map[string]plan.Expr{"department": plan.True, "user": plan.True, "qbs": &plan.Compare{Op: plan.EQ,
			A: &plan.Field{Column: "level", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "ITEM"}}} {
			q := &plan.Query{Model: model, Where: where, Select: []plan.Expr{id}, Order: []plan.Order{{By: id}}, Limit: 1}
			if err := tx.Query(ctx, a.State().Catalog, q, func(row []any) error { refs[model] = row[0].(string); return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	day := time.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	return func(n int) []byte {
		out, err := json.Marshal(map[string]any{"schemaCode": "inspection", "data": map[string]any{
			"lotNo": lotNo(n), "qbs": refs["qbs"], "part": "闸室底板 " + lotNo(n), "unit": refs["department"], "inspector": refs["user"],
			"checkDate": day, "quantity": "12.5", "price": "300.20", "items": []any{map[string]any{"item": "平整度", "points": "20", "passed": "19", "ok": true}}}})
		if err != nil {
			panic(err) // texts
		}
		return out
	}, err
}
