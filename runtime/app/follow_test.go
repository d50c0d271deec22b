package app_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A contract with two amounts, as packs write it.
func contract(properties string) string {
	return `{"name": "合同", "name_i18n": {"en": "Contract"}, "properties": [
  {"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}},
  ` + properties + `
]}
`
}

func number(code, more string) string {
	return `{"code": "` + code + `", ` + more + `"propertyType": "Number", "name": "数", "name_i18n": {"en": "Number"}}`
}

func choice(code, more string) string {
	return `{"code": "` + code + `", "propertyType": "Radio", ` + more + `, "name": "选", "name_i18n": {"en": "Choice"}}`
}

func units(items ...string) string {
	return `{"name": "单位", "name_i18n": {"en": "Units"}, "items": [` + strings.Join(items, ", ") + `]}`
}

func subTable(code, columns string) string {
	return `{"code": "` + code + `", "propertyType": "Sheet", "name": "行", "name_i18n": {"en": "Rows"}, "properties": [` + columns + `]}`
}

func listOf(model, columns string) string {
	return `{"schemaCode": "` + model + `", "name": "自", "name_i18n": {"en": "Own"}, "queryColumns": [` + columns + `]}`
}

func formOf(model, items string) string {
	return `{"schemaCode": "` + model + `", "name": "单", "name_i18n": {"en": "Form"}, "items": [` + items + `]}`
}

// agreement is a workflow of contracts with one step.
func agreement(node, more string) string {
	return `{"schemaCode": "contract", "name": "审", "name_i18n": {"en": "Agreement"}, "nodes": [
  {"id": "start", "type": "START", "name": "起", "name_i18n": {"en": "Start"}, "next": ["` + node + `"]},
  {"id": "` + node + `", ` + more + `"type": "APPROVE", "name": "核", "name_i18n": {"en": "Check"}, "participants": [{"type": "initiator"}], "next": ["end"]},
  {"id": "end", "type": "END"}]}
`
}

// version brings the files of a pack to a version of it.
func version(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(dir))
	all := map[string]string{"pack.json": `{"code": "firm", "name": "包", "name_i18n": {"en": "Pack"}, "version": "1.0.0"}`}
	maps.Copy(all, files)
	for name, text := range all {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
}

// A pack's next version renames what a site's published documents name: they follow, as they are written, once.
func TestPublishedFollowRenames(t *testing.T) {
	t.Parallel()
	swap := contract(number("a", `"renamedFrom": "b", `) + ",\n  " + number("b", `"renamedFrom": "a", `))
	for name, c := range map[string]struct {
		before, after map[string]string // files of the pack
		published     map[string]string
		want          map[string]string // "" = nothing lies over it
		earlier       map[string]string // before that
		pack          string            // code of the pack after; "" = firm
	}{
		"a property": {
			before:    map[string]string{"models/contract.json": contract(number("amount", ""))},
			after:     map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": "amount", `))},
			published: map[string]string{"lists/own.json": listOf("contract", `"name", {"propertyCode": "amount", "width": 90}`)},
			want:      map[string]string{"lists/own.json": listOf("contract", `"name", {"propertyCode": "total", "width": 90}`)},
		},
		"a property of a model that the site changed": {
			before:    map[string]string{"models/contract.json": contract(number("amount", ""))},
			after:     map[string]string{"models/contract.json": strings.Replace(contract(number("total", `"renamedFrom": "amount", `)), "合同", "合约", 1)},
			published: map[string]string{"models/contract.json": contract(number("amount", `"required": false, `) + ",\n  " + number("own", `"computeFormula": "amount * 2", `))},
			want:      map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": "amount", "required": false, `) + ",\n  " + number("own", `"computeFormula": "total * 2", `))},
		},
		"options of a property and of a dictionary": {
			before: map[string]string{"models/contract.json": contract(choice("state", `"options": ["open", "done"]`) + ",\n  " + choice("unit", `"dictionary": "units"`) + ",\n  " + choice("other", `"dictionary": "units"`)),
				"dictionaries/units.json": units(`"m"`, `"M"`)},
			after: map[string]string{"models/contract.json": contract(choice("state", `"options": [{"code": "begun", "renamedFrom": "open"}, "done"]`) + ",\n  " + choice("unit", `"dictionary": "units"`) + ",\n  " + choice("other", `"dictionary": "units"`)),
				"dictionaries/units.json": units(`{"code": "M", "renamedFrom": "m"}`, `{"code": "m", "renamedFrom": "M"}`)},
			published: map[string]string{"lists/own.json": strings.Replace(listOf("contract", `"name"`), `"queryColumns"`, `"condition": "unit == 'm' and state != 'open' and other in ['m', 'M']", "queryColumns"`, 1)},
			want:      map[string]string{"lists/own.json": strings.Replace(listOf("contract", `"name"`), `"queryColumns"`, `"condition": "unit == 'M' and state != 'begun' and other in ['M', 'm']", "queryColumns"`, 1)},
		},
		"a node": {
			before:    map[string]string{"models/contract.json": contract(number("amount", "")), "workflows/agreement.json": agreement("check", "")},
			after:     map[string]string{"models/contract.json": contract(number("amount", "")), "workflows/consent.json": `{"renamedFrom": "agreement", ` + agreement("review", `"renamedFrom": "check", `)[1:]},
			published: map[string]string{"lists/own.json": strings.Replace(listOf("contract", `"name"`), `"queryColumns"`, `"condition": "any(tasks_, .workflow == 'agreement' and .node == 'check')", "queryColumns"`, 1)},
			want:      map[string]string{"lists/own.json": strings.Replace(listOf("contract", `"name"`), `"queryColumns"`, `"condition": "any(tasks_, .workflow == 'consent' and .node == 'review')", "queryColumns"`, 1)},
		},
		"a node of a workflow that the site changed": {
			before:    map[string]string{"models/contract.json": contract(number("amount", "")), "workflows/agreement.json": agreement("check", "")},
			after:     map[string]string{"models/contract.json": contract(number("amount", "")), "workflows/agreement.json": agreement("review", `"renamedFrom": "check", `)},
			published: map[string]string{"workflows/agreement.json": strings.Replace(agreement("check", ""), "审", "议", 1)},
			want:      map[string]string{"workflows/agreement.json": strings.Replace(agreement("review", `"renamedFrom": "check", `), "审", "议", 1)},
		},
		"options of a model that the site changed": {
			before:    map[string]string{"models/contract.json": contract(choice("state", `"options": ["open", "done"]`))},
			after:     map[string]string{"models/contract.json": contract(choice("state", `"options": [{"code": "begun", "renamedFrom": "open"}, "done"]`))},
			published: map[string]string{"models/contract.json": contract(choice("state", `"options": ["open", "done", "own"]`))},
			want:      map[string]string{"models/contract.json": contract(choice("state", `"options": [{"code": "begun", "name": "open", "renamedFrom": "open"}, "done", "own"]`))},
		},
		"a column of a sub-table": {
			before:    map[string]string{"models/contract.json": contract(subTable("items", number("rate", "")))},
			after:     map[string]string{"models/contract.json": contract(strings.Replace(subTable("lines", number("price", `"renamedFrom": "rate", `)), `"lines", `, `"lines", "renamedFrom": "items", `, 1))},
			published: map[string]string{"lists/own.json": listOf("contract", `"name", {"propertyCode": "items", "childColumns": ["rate"]}`)},
			want:      map[string]string{"lists/own.json": listOf("contract", `"name", {"propertyCode": "lines", "childColumns": ["price"]}`)},
		},
		"an earlier version of the pack comes back": {
			earlier:   map[string]string{"models/contract.json": contract(number("amount", ""))},
			before:    map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": "amount", `))},
			after:     map[string]string{"models/contract.json": contract(number("amount", ""))},
			published: map[string]string{"lists/own.json": listOf("contract", `"total"`)},
			want:      map[string]string{"lists/own.json": listOf("contract", `"amount"`)},
		},
		"the pack is renamed too": {
			before: map[string]string{"models/contract.json": contract(number("amount", ""))},
			after: map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": "amount", `)),
				"pack.json": `{"code": "house", "renamedFrom": "firm", "name": "包", "name_i18n": {"en": "Pack"}, "version": "1.0.0"}`},
			published: map[string]string{"lists/own.json": listOf("contract", `"amount"`)},
			want:      map[string]string{"lists/own.json": listOf("contract", `"total"`)},
			pack:      "house",
		},
		"a form": {
			before:    map[string]string{"models/contract.json": contract(number("amount", ""))},
			after:     map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": "amount", `))},
			published: map[string]string{"forms/own.json": formOf("contract", `"name", {"type": "Section", "name": "组", "name_i18n": {"en": "Group"}, "items": ["amount"]}`)},
			want:      map[string]string{"forms/own.json": formOf("contract", `"name", {"type": "Section", "name": "组", "name_i18n": {"en": "Group"}, "items": ["total"]}`)},
		},
		"an expression and a role": {
			before: map[string]string{"models/contract.json": contract(number("amount", ""))},
			after:  map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": "amount", `))},
			published: map[string]string{
				"access/looker.json": `{"name": "看", "name_i18n": {"en": "Looker"}, "models": [{"schemaCode": "contract", "actions": ["view"], "rows": "amount > 5 && name != 'amount'"}]}`},
			want: map[string]string{
				"access/looker.json": `{"name": "看", "name_i18n": {"en": "Looker"}, "models": [{"schemaCode": "contract", "actions": ["view"], "rows": "total > 5 && name != 'amount'"}]}`},
		},
		"two properties change places": {
			before:    map[string]string{"models/contract.json": contract(number("a", "") + ",\n  " + number("b", ""))},
			after:     map[string]string{"models/contract.json": swap},
			published: map[string]string{"lists/own.json": listOf("contract", `"a", "name", "b"`)},
			want:      map[string]string{"lists/own.json": listOf("contract", `"b", "name", "a"`)},
		},
		"a version that was skipped": {
			before:    map[string]string{"models/contract.json": contract(number("sum", ""))},
			after:     map[string]string{"models/contract.json": contract(number("total", `"renamedFrom": ["amount", "sum"], `))},
			published: map[string]string{"lists/own.json": listOf("contract", `"sum"`)},
			want:      map[string]string{"lists/own.json": listOf("contract", `"total"`)},
		},
		"a model": {
			before:    map[string]string{"models/contract.json": contract(number("amount", ""))},
			after:     map[string]string{"models/deal.json": `{"renamedFrom": "contract", ` + contract(number("amount", ""))[1:]},
			published: map[string]string{"models/contract.json": contract(number("amount", "") + ",\n  " + number("own", "")), "lists/own.json": listOf("contract", `"amount", "own"`)},
			want: map[string]string{"models/contract.json": "", "lists/own.json": listOf("deal", `"amount", "own"`),
				"models/deal.json": `{"renamedFrom": "contract", ` + contract(number("amount", "") + ",\n  " + number("own", ""))[1:]},
		},
		"a list": {
			before: map[string]string{"models/contract.json": contract(number("amount", "")), "lists/all.json": listOf("contract", `"name"`)},
			after:  map[string]string{"models/contract.json": contract(number("amount", "")), "lists/every.json": `{"renamedFrom": "all", ` + listOf("contract", `"name"`)[1:]},
			published: map[string]string{"lists/all.json": listOf("contract", `"name", "amount"`),
				"app.json": `{"name": "应用", "name_i18n": {"en": "App"}, "menu": [{"code": "m", "type": "BizModel", "schemaCode": "contract", "queryCode": "all"}]}`},
			want: map[string]string{"lists/all.json": "", "lists/every.json": `{"renamedFrom": "all", ` + listOf("contract", `"name", "amount"`)[1:],
				"app.json": `{"name": "应用", "name_i18n": {"en": "App"}, "menu": [{"code": "m", "type": "BizModel", "schemaCode": "contract", "queryCode": "every"}]}`},
		},
		"two lists change places": {
			before: map[string]string{"models/contract.json": contract(number("amount", "")), "lists/a.json": listOf("contract", `"name"`), "lists/b.json": listOf("contract", `"amount"`)},
			after: map[string]string{"models/contract.json": contract(number("amount", "")), "lists/a.json": `{"renamedFrom": "b", ` + listOf("contract", `"amount"`)[1:],
				"lists/b.json": `{"renamedFrom": "a", ` + listOf("contract", `"name"`)[1:]},
			published: map[string]string{"lists/a.json": listOf("contract", `"name", "createdTime"`), "lists/b.json": listOf("contract", `"amount", "creator"`)},
			want: map[string]string{"lists/b.json": `{"renamedFrom": "a", ` + listOf("contract", `"name", "createdTime"`)[1:],
				"lists/a.json": `{"renamedFrom": "b", ` + listOf("contract", `"amount", "creator"`)[1:]},
		},
		"a role": {
			before:    map[string]string{"models/contract.json": contract(number("amount", "")), "access/clerk.json": `{"name": "员", "name_i18n": {"en": "Clerk"}}`},
			after:     map[string]string{"models/contract.json": contract(number("amount", "")), "access/agent.json": `{"renamedFrom": "clerk", "name": "员", "name_i18n": {"en": "Clerk"}}`},
			published: map[string]string{"access/boss.json": `{"name": "主", "name_i18n": {"en": "Boss"}, "includes": ["clerk"]}`},
			want:      map[string]string{"access/boss.json": `{"name": "主", "name_i18n": {"en": "Boss"}, "includes": ["agent"]}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			publishing.Each(t, func(t *testing.T, o store.Options) {
				dir := filepath.Join(t.TempDir(), "firm")
				cfg := config(t, o, dir)
				cfg.Dev = true // renames are safe
				if c.earlier != nil {
					version(t, dir, c.earlier)
					during(t, cfg, func(*app.App) {})
				}
				version(t, dir, c.before)
				pack := cmp.Or(c.pack, "firm")
				during(t, cfg, func(a *app.App) {
					paths := slices.Sorted(maps.Keys(c.published))
					slices.Reverse(paths) // models before lists
					for _, path := range paths {
						publishIn(t, a, "firm", path, c.published[path])
					}
				})
				version(t, dir, c.after)
				var logged bytes.Buffer
				cfg.Log = slog.New(slog.NewTextHandler(&logged, nil))
				var first int64
				for turn := range 2 {
					during(t, cfg, func(a *app.App) {
						for path, want := range c.want {
							d, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), pack, path, 0)
							if want == "" {
								require.True(t, err != nil || d.Text == nil, "%s: %v", path, d)
								continue
							}
							require.NoError(t, err, path)
							require.NotZero(t, d.Published, path)
							last, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), pack, path, a.State().Catalog.Version)
							require.NoError(t, err, path)
							require.Equal(t, want, *last.Text, path)
						}
						sets, err := a.History(t.Context(), rightsOf(a, "administrator"), 0, 1)
						require.NoError(t, err)
						require.Contains(t, sets[0].Note, "→")
						require.Equal(t, a.State().Catalog.Version, sets[0].Version)
						if turn == 0 {
							first = sets[0].Version
							require.Contains(t, logged.String(), "PUB011")
						}
						require.Equal(t, first, sets[0].Version, "once")
						for _, code := range warned(t, a) {
							require.NotContains(t, code, "PUB008", "%v", warned(t, a))
							require.NotContains(t, code, "PUB009", "%v", warned(t, a))
						}
					})
				}
			})
		})
	}
}

// applyTo applies documents to a database, as the command does. Then fails the transaction at its end; nil = it does not fail.
func applyTo(t *testing.T, cfg app.Config, then error) error {
	t.Helper()
	ctx := t.Context()
	db, err := app.OpenStore(ctx, cfg)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	d, err := cfg.WithPublished(ctx, db)
	require.NoError(t, err)
	c, list, err := d.Compile()
	require.NoError(t, err)
	require.NotNil(t, c, "%v", list)
	o := app.PlanOptions(c)
	o.Version = d.Version
	p, err := db.Plan(ctx, c.Storage, o)
	require.NoError(t, err)
	write := d.Following()
	if then != nil {
		require.NotNil(t, write)
		follow := write
		write = func(ctx context.Context, tx *store.Tx, version int64) error {
			return errors.Join(follow(ctx, tx, version), then)
		}
	}
	return db.Apply(ctx, p, store.ApplyOptions{Yes: true, AllowDestructive: true, Publish: write})
}

// Drafts follow with the documents, and an author who began with the text that was there goes on without a conflict. What the transaction does not commit
// is followed again. Scripts are listed.
func TestDraftsFollowRenames(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		dir := filepath.Join(t.TempDir(), "firm")
		list := listOf("contract", `"name"`)
		files := map[string]string{"models/contract.json": contract(number("amount", "")), "lists/all.json": list, "lists/plain.json": list}
		version(t, dir, files)
		cfg := config(t, o, dir)
		view := func(a *app.App) *authz.View { return rightsOf(a, "administrator") }
		drafts := func(a *app.App) map[string]publish.Draft {
			t.Helper()
			all, err := publish.DraftsOf(ctx, a.Store(), view(a).User(), "firm")
			require.NoError(t, err)
			out := map[string]publish.Draft{}
			for _, one := range all {
				out[one.Path] = one
			}
			return out
		}
		seen := func(a *app.App, path string) string {
			t.Helper()
			now, err := a.DocumentText(ctx, view(a), "firm", path, 0)
			require.NoError(t, err)
			return now.Seen
		}
		keep := func(a *app.App, path, text, seen string) {
			t.Helper()
			require.NoError(t, publish.KeepDraft(ctx, a.Store(), publish.Draft{Owner: view(a).User(), Pack: "firm", Path: path, Text: text, Seen: seen, At: time.Now()}))
		}
		own := strings.Replace(listOf("contract", `"name", "amount"`), `"queryColumns"`, `"queryPresentation": {"script": "own.js"}, "queryColumns"`, 1)
		during(t, cfg, func(a *app.App) {
			publishIn(t, a, "firm", "lists/own.js", "export default { options: { version: '1.1' }, hooks: {} }\n// the amount\n")
			publishIn(t, a, "firm", "lists/own.json", own)
			keep(a, "lists/own.json", listOf("contract", `"amount"`), seen(a, "lists/own.json"))
			keep(a, "lists/plain.json", listOf("contract", `"name", "amount"`), seen(a, "lists/plain.json"))
			keep(a, "lists/all.json", listOf("contract", `"name", "name"`), "of another time")
			keep(a, "models/contract.json", contract(number("amount", `"required": false, `)), seen(a, "models/contract.json"))
		})
		files["models/contract.json"] = contract(number("total", `"renamedFrom": "amount", `))
		delete(files, "lists/all.json")
		files["lists/every.json"] = `{"renamedFrom": "all", ` + list[1:]
		version(t, dir, files)

		fails := errors.New("it fails")
		for range 2 {
			require.ErrorIs(t, applyTo(t, cfg, fails), fails)
		}
		require.NoError(t, applyTo(t, cfg, nil))
		for range 2 {
			during(t, cfg, func(a *app.App) {
				now := drafts(a)
				require.Len(t, now, 4)
				require.Equal(t, contract(number("total", `"renamedFrom": "amount", "required": false, `)), now["models/contract.json"].Text)
				require.Equal(t, seen(a, "models/contract.json"), now["models/contract.json"].Seen)
				require.Equal(t, listOf("contract", `"total"`), now["lists/own.json"].Text)
				require.Equal(t, seen(a, "lists/own.json"), now["lists/own.json"].Seen)
				require.Equal(t, listOf("contract", `"name", "total"`), now["lists/plain.json"].Text)
				require.Equal(t, seen(a, "lists/plain.json"), now["lists/plain.json"].Seen)
				require.Equal(t, `{"renamedFrom": "all", `+listOf("contract", `"name", "name"`)[1:], now["lists/every.json"].Text)
				require.Equal(t, "of another time", now["lists/every.json"].Seen)
				text, err := a.DocumentText(ctx, view(a), "firm", "lists/own.json", 0)
				require.NoError(t, err)
				require.Equal(t, strings.Replace(own, "amount", "total", 1), *text.Text)
				before, err := a.DocumentText(ctx, view(a), "firm", "lists/own.json", text.Published-1)
				require.NoError(t, err)
				require.Equal(t, own, *before.Text, "the version before stays")
			})
		}
	})
}

// What renames would do is told before they are applied, with what does not follow.
func TestRenamesOfPublishedAreTold(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := filepath.Join(t.TempDir(), "firm")
	files := map[string]string{"models/contract.json": contract(number("amount", ""))}
	version(t, dir, files)
	cfg := config(t, store.Options{Dir: publishing.SQLite(t)}, dir)
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "firm", "lists/own.js", "export default { options: { version: '1.1' }, hooks: {} }\n// the amount\n")
		publishIn(t, a, "firm", "lists/own.json", strings.Replace(listOf("contract", `"amount"`), `"queryColumns"`, `"queryPresentation": {"script": "own.js"}, "queryColumns"`, 1))
	})
	files["models/contract.json"] = contract(number("total", `"renamedFrom": "amount", `))
	version(t, dir, files)
	db, err := app.OpenStore(ctx, cfg)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	d, err := cfg.WithPublished(ctx, db)
	require.NoError(t, err)
	_, list, err := d.Compile()
	require.NoError(t, err)
	var told []string
	for _, one := range app.OfPublished(list) {
		told = append(told, strings.TrimPrefix(one.Position.String(), dir+"/")+" "+one.Code)
	}
	require.Equal(t, []string{"lists/own.js:2:8 PUB013", "lists/own.json PUB011"}, told)
}

// A code that a site has given to something of its own is not taken over: the document stays as it is, and it is told.
func TestRenamesOntoTaken(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "firm")
	files := map[string]string{"models/contract.json": contract(number("amount", ""))}
	version(t, dir, files)
	cfg := config(t, store.Options{Dir: publishing.SQLite(t)}, dir)
	cfg.Dev = true
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "firm", "models/contract.json", contract(number("amount", `"required": false, `)+",\n  "+number("total", "")))
		publishIn(t, a, "firm", "lists/own.json", listOf("contract", `"amount"`))
	})
	files["models/contract.json"] = contract(number("total", `"renamedFrom": "amount", `))
	version(t, dir, files)
	during(t, cfg, func(a *app.App) {
		require.NotNil(t, a.State().Catalog.Model("contract").Field("amount"))
		require.Len(t, a.State().Catalog.List("own").Columns, 1)
		require.Equal(t, map[string]string{"models/contract.json": "PUB001PUB012"}, warned(t, a))
		sets, err := a.History(t.Context(), rightsOf(a, "administrator"), 0, 1)
		require.NoError(t, err)
		require.EqualValues(t, 2, sets[0].Version, "nothing is written")
	})
}

// A name that would mean something else after a rename is not changed, nor anything that names what keeps its code by that.
func TestRenamesThatWouldMeanAnotherThing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "firm")
	files := map[string]string{"models/contract.json": contract(number("amount", "") + ",\n  " + subTable("items", number("qty", "")))}
	version(t, dir, files)
	cfg := config(t, store.Options{Dir: publishing.SQLite(t)}, dir)
	cfg.Dev = true
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "firm", "models/contract.json", contract(number("amount", "")+",\n  "+
			subTable("items", number("qty", "")+", "+number("price", "")+", "+number("cost", `"computeFormula": "qty * amount", `))))
		publishIn(t, a, "firm", "lists/own.json", listOf("contract", `"amount"`))
	})
	files["models/contract.json"] = contract(number("price", `"renamedFrom": "amount", `) + ",\n  " + subTable("items", number("qty", "")))
	version(t, dir, files)
	for range 2 {
		during(t, cfg, func(a *app.App) {
			require.NotNil(t, a.State().Catalog.Model("contract").Field("amount"))
			require.Len(t, a.State().Catalog.List("own").Columns, 1)
			require.Equal(t, "PUB010PUB012", warned(t, a)["models/contract.json"])
			sets, err := a.History(t.Context(), rightsOf(a, "administrator"), 0, 1)
			require.NoError(t, err)
			require.EqualValues(t, 2, sets[0].Version, "nothing is written")
		})
	}
}

// What a site has published goes on naming an application whose pack has another code: roles, pages and menus of others.
func TestRenamesOfApplications(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	menu := func(more string) string {
		return `{"name": "用", "name_i18n": {"en": "App"}, ` + more + `"menu": [{"code": "m", "type": "BizModel", "schemaCode": "contract"}]}`
	}
	manifest := func(code, more string) string {
		return `{"code": "` + code + `", ` + more + `"name": "包", "name_i18n": {"en": "Pack"}, "version": "1.0.0"}`
	}
	firm, other := filepath.Join(base, "firm"), filepath.Join(base, "other")
	page := func(app string) string {
		return `{"name": "前", "name_i18n": {"en": "Front"}, "appCode": "` + app + `", "widgets": []}`
	}
	version(t, firm, map[string]string{"models/contract.json": contract(number("amount", "")), "app.json": menu(`"renamedFrom": "company", `), "portals/front.json": page("firm")})
	version(t, other, map[string]string{"pack.json": manifest("other", ""), "app.json": menu("")})
	cfg := config(t, store.Options{Dir: publishing.SQLite(t)}, firm, other)
	cfg.Dev = true
	role := `{"name": "读", "name_i18n": {"en": "Reader"}, "apps": ["firm", "other"]}`
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "other", "access/reader.json", role)
		publishIn(t, a, "firm", "portals/front.json", strings.Replace(page("firm"), "Front", "Own front", 1))
	})
	version(t, firm, map[string]string{"pack.json": manifest("house", `"renamedFrom": "firm", `), "models/contract.json": contract(number("amount", "")),
		"app.json": menu(`"renamedFrom": "company", `), "portals/front.json": page("house")})
	for range 2 {
		during(t, cfg, func(a *app.App) {
			c := a.State().Catalog
			require.Equal(t, "house", c.App("house").Code)
			require.Equal(t, c.App("house"), c.App("firm"), "the application is that one still, whatever else its menu was called")
			require.NotNil(t, c.Role("reader"), "it is not set aside")
			require.Equal(t, []string{"house", "other"}, c.Role("reader").Apps)
			require.Equal(t, "Own front", c.Portal("front").Label.In("en"))
			text, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), "other", "access/reader.json", 0)
			require.NoError(t, err)
			require.Equal(t, strings.Replace(role, "firm", "house", 1), *text.Text)
		})
	}
}

// What a site has renamed itself keeps its code, whatever the pack's file calls it and renames beside it.
func TestRenamesOfASite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "firm")
	list := listOf("contract", `"name"`)
	state := func(options string) string {
		return ",\n  " + choice("state", `"options": [`+options+`]`) + ",\n  " + choice("unit", `"dictionary": "units"`)
	}
	files := map[string]string{"models/contract.json": contract(number("amount", "") + ",\n  " + number("other", "") + state(`"open", "done"`)), "lists/all.json": list,
		"dictionaries/units.json": units(`"m"`, `"t"`), "workflows/agreement.json": agreement("check", "")}
	version(t, dir, files)
	cfg := config(t, store.Options{Dir: publishing.SQLite(t)}, dir)
	cfg.Dev = true
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "firm", "models/contract.json", contract(number("own", `"renamedFrom": "amount", `)+",\n  "+number("other", "")+state(`{"code": "begun", "renamedFrom": "open"}, "done"`)))
		publishIn(t, a, "firm", "dictionaries/units.json", units(`{"code": "metre", "renamedFrom": "m"}`, `"t"`))
		publishIn(t, a, "firm", "workflows/agreement.json", agreement("review", `"renamedFrom": "check", `))
		admin := rightsOf(a, "administrator")
		all, err := a.DocumentText(t.Context(), admin, "firm", "lists/all.json", 0)
		require.NoError(t, err)
		moved := `{"renamedFrom": "all", ` + list[1:]
		_, err = a.Publish(t.Context(), admin, app.Changeset{Files: []app.Change{{Pack: "firm", Path: "lists/all.json", Seen: all.Seen},
			{Pack: "firm", Path: "lists/mine.json", Text: &moved}}}, app.Confirmation{})
		require.NoError(t, err)
	})
	check := func(version int, other string) {
		t.Helper()
		during(t, cfg, func(a *app.App) {
			m := a.State().Catalog.Model("contract")
			require.NotNil(t, m.Field("own"))
			require.NotNil(t, m.Field(other))
			require.NotNil(t, a.State().Catalog.List("mine"))
			require.Equal(t, "review", a.State().Catalog.Workflow("agreement").Template.Nodes[1].ID)
			require.Equal(t, []string{"begun", "done", "metre", "t"}, append(optionsIn(m.Field("state")), optionsIn(m.Field("unit"))...))
			require.EqualValues(t, version, a.State().Catalog.Version)
		})
	}
	check(4, "other")
	files["models/contract.json"] = contract(number("amount", "") + ",\n  " + number("further", `"renamedFrom": "other", `) + state(`"open", "done"`))
	version(t, dir, files)
	check(5, "further")
	check(5, "further")
}

// Where the files change beside a running server, the next publication or turn of dev applies the renames and writes what follows, in one version; other
// nodes read it.
func TestRenamesBesideServers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	begin := func(t *testing.T, o store.Options) (cfg app.Config, next func()) {
		dir := filepath.Join(t.TempDir(), "firm")
		files := map[string]string{"models/contract.json": contract(number("amount", ""))}
		version(t, dir, files)
		return config(t, o, dir), func() {
			files["models/contract.json"] = contract(number("total", `"renamedFrom": "amount", `))
			version(t, dir, files)
		}
	}
	columns := func(a *app.App) (out []string) {
		for _, c := range a.State().Catalog.List("own").Columns {
			out = append(out, c.Path.Code)
		}
		return out
	}
	written := func(t *testing.T, a *app.App, files ...string) {
		t.Helper()
		require.Equal(t, []string{"total"}, columns(a))
		sets, err := a.History(ctx, rightsOf(a, "administrator"), 0, 1)
		require.NoError(t, err)
		require.EqualValues(t, 2, sets[0].Version)
		require.Equal(t, a.State().Catalog.Version, sets[0].Version)
		require.Equal(t, "contract.amount → total", sets[0].Note)
		var paths []string
		for _, f := range sets[0].Files {
			paths = append(paths, f.Path)
		}
		require.Equal(t, files, paths)
	}
	t.Run("publication", func(t *testing.T) {
		t.Parallel()
		cfg, next := begin(t, store.Options{Dir: publishing.SQLite(t)})
		during(t, cfg, func(a *app.App) {
			publishIn(t, a, "firm", "lists/own.json", listOf("contract", `"amount"`))
			next()
			publishIn(t, a, "firm", "lists/other.json", listOf("contract", `"total", "name"`))
			written(t, a, "lists/other.json", "lists/own.json")
		})
	})
	t.Run("dev", func(t *testing.T) {
		t.Parallel()
		cfg, next := begin(t, store.Options{Dir: publishing.SQLite(t)})
		cfg.Dev = true
		during(t, cfg, func(a *app.App) {
			publishIn(t, a, "firm", "lists/own.json", listOf("contract", `"amount"`))
			next()
			for range 2 {
				list, err := a.Reload(ctx)
				require.NoError(t, err)
				require.False(t, list.HasErrors(), "%v", list)
				written(t, a, "lists/own.json")
			}
		})
	})
	t.Run("nodes", func(t *testing.T) {
		t.Parallel()
		cfg, next := begin(t, store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()})
		cfg.Key = "a key of this test, long enough to be one"
		during(t, cfg, func(a *app.App) {
			during(t, cfg, func(b *app.App) {
				publishIn(t, a, "firm", "lists/own.json", listOf("contract", `"amount"`))
				next()
				publishIn(t, a, "firm", "lists/other.json", listOf("contract", `"total", "name"`))
				require.Eventually(t, func() bool { return b.State().Catalog.Version == 2 }, 10*time.Second, 10*time.Millisecond)
				written(t, b, "lists/other.json", "lists/own.json")
				require.NoError(t, b.Ready(ctx))
			})
		})
	})
}

func optionsIn(f *catalog.Field) (out []string) {
	for _, o := range f.Property.(property.Chooser).Choices() {
		out = append(out, o.Code)
	}
	return out
}
