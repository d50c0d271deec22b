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

// measureCreate compares creating a record with inserting its bare row, in turn; on SQLite each in its own copy of the database.
func measureCreate(ctx context.Context, o options, t *table, p place) error {
	body, person, err := newRecord(ctx, p)
	if err != nil {
		return err
	}
	var servers [2]*process
	for i, kind := range []string{"product", "floor"} {
		at := p
		if p.url == "" {
			if at, err = p.copied(kind); err != nil {
				return err
			}
			defer func() { _ = os.RemoveAll(at.dir) }()
		}
		if servers[i], err = start(ctx, o, kind, at); err != nil {
			return err
		}
		defer servers[i].stop()
	}
	out, err := measure(ctx, o, servers[0], servers[1], [2]asking{{"/api/runtime/form/save", p.writer, body}, {"/insert", p.reader, func(n int) []byte {
		return []byte(floorBody(floorRequest{Word: lotNo(n), Date: "2026-01-02", ID: person}))
	}}})
	if err != nil {
		return err
	}
	t.figures("create with validation, number, history and search words", out, "1.5")
	return nil
}

// lotNo is a number in the form that the example asks for.
func lotNo(n int) string {
	letters := []byte("AAAA")
	for i, k := len(letters)-1, n/1000; i >= 0; i, k = i-1, k/26 {
		letters[i] += byte(k % 26)
	}
	return fmt.Sprintf("%s-2026-%03d", letters, n%1000)
}

// newRecord makes bodies of the save call with references to records that are there, among them a person.
func newRecord(ctx context.Context, p place) (body func(n int) []byte, person string, err error) {
	a, err := open(ctx, p, false)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = a.Close() }()
	refs := map[string]string{}
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	err = a.Store().Read(ctx, func(ctx context.Context, tx *store.Tx) error {
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
	}, refs["user"], err
}
