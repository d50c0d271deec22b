package access_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var now = time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)

// models are the documents of the tests, without their roles.
var models = map[string]string{
	"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
	"models/lot.json": `{"name": "批", "name_i18n": {"en": "Lot"}, "name_plural_i18n": {"en": "Lots"}, "properties": [
		{"code": "place", "propertyType": "ShortText", "name": "地点"},
		{"code": "price", "propertyType": "Number", "name": "单价"},
		{"code": "secret", "propertyType": "ShortText", "name": "机密", "name_i18n": {"en": "Secret"}},
		{"code": "items", "propertyType": "Sheet", "name": "明细", "properties": [
			{"code": "rate", "propertyType": "Number", "name": "率"}]}]}`,
	"models/site.json": `{"name": "工点", "properties": [{"code": "title", "propertyType": "ShortText", "name": "名称"}]}`,
}

// compiled compiles the documents with others.
func compiled(t *testing.T, others map[string]string) *authz.Policy {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	all := maps.Clone(models)
	maps.Copy(all, others)
	p, err := authz.Compile(compiletest.Pack(t, set, all, time.UTC))
	require.NoError(t, err)
	return p
}

// id makes an id of a number.
func id(kind, n int) string { return fmt.Sprintf("%08d-0000-7000-8000-%012d", kind, n) }

const (
	isPerson = iota + 1
	isDepartment
	isLot
)

// lot is a record as the tests know it.
type lot struct {
	id, owner, dept, place string
	price                  int
}

// each runs a test on an empty database of each kind, which has the tables of the models.
func each(t *testing.T, f func(t *testing.T, db *store.DB)) {
	t.Parallel()
	c := compiled(t, nil).Catalog()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		p, err := db.Plan(t.Context(), c.Storage, store.PlanOptions{})
		require.NoError(t, errors.Join(err, db.Apply(t.Context(), p, store.ApplyOptions{})))
		f(t, db)
	})
}

// put adds lots: of three owners, of three departments, at two places, at prices from 1 on.
func put(t *testing.T, db *store.DB, c *catalog.Catalog, count int) (out []lot) {
	t.Helper()
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		for n := range count {
			l := lot{id(isLot, n), id(isPerson, n%3), id(isDepartment, n/2%3), []string{"A", "B"}[n%2], n + 1}
			err := tx.Insert(t.Context(), c.Model("lot"), map[string]any{
				"id": l.id, "name": "lot", "sequenceNo": l.id, "sequenceStatus": "COMPLETED",
				"createdTime": now, "modifiedTime": now, "version": int64(1), "owner": l.owner, "ownerDeptId": l.dept, "place": l.place,
				"price": decimal.NewFromInt(int64(l.price)),
			})
			if err != nil {
				return err
			}
			out = append(out, l)
		}
		return nil
	}))
	return out
}

// below are a department and those under it: 0 is over 1, and 1 over 2.
func below(departments []string) (out []string) {
	for n := range 3 {
		for k := range n + 1 {
			if slices.Contains(departments, id(isDepartment, k)) && !slices.Contains(out, id(isDepartment, n)) {
				out = append(out, id(isDepartment, n))
			}
		}
	}
	return out
}

// view is what a person may do, as the server makes it.
func view(p *authz.Policy, of principal.Person) *authz.View {
	return p.View(principal.Principal{
		UserID: of.ID, Name: of.Name, Roles: of.Roles, Departments: of.Departments, MainDepartment: of.MainDepartment,
		DepartmentTree: below(of.Departments),
	}, now, time.UTC)
}

// grant is one of a role, on lots.
type grant struct {
	Model   string            `json:"schemaCode"`
	Actions []string          `json:"actions"`
	Rows    string            `json:"rows,omitempty"`
	Edit    string            `json:"editRows,omitempty"`
	Fields  map[string]string `json:"fields,omitempty"`
}

// documents are roles with their grants.
func documents(t *testing.T, roles map[string][]grant) map[string]string {
	t.Helper()
	out := map[string]string{}
	for code, of := range roles {
		text, err := json.Marshal(map[string]any{"name": strings.ToUpper(code), "models": of})
		require.NoError(t, err)
		out["access/"+code+".json"] = string(text)
	}
	return out
}
