package codes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// documents of a shop. What is between signs is a name, «was:name» is what it was renamed from.
var documents = map[string]string{
	"pack.json": `{"code": "«desk»", «was:desk»"name": "店", "name_i18n": {"en": "Shop"}, "version": "1.0.0"}`,
	"app.json":  `{"name": "店", "name_i18n": {"en": "Shop"}, "menu": [{"type": "BizModel", "code": "all", "name": "订单", "name_i18n": {"en": "Orders"}, "schemaCode": "«order»", "queryCode": "«orders»"}]}`,
	"models/«order».json": `{«was:order»"name": "订单", "name_i18n": {"en": "Order"}, "name_plural_i18n": {"en": "Orders"}, "digest": "{sequenceNo} {«title»}",
  "sequence": {"prefix": "WO-", "date": "yyyy", "length": 5, "reset": "none"}, "properties": [
  {"code": "«title»", «was:title»"name": "标题", "name_i18n": {"en": "Title"}, "propertyType": "ShortText"},
  {"code": "«total»", «was:total»"name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},
  {"code": "«place»", «was:place»"name": "地点", "name_i18n": {"en": "Place"}, "propertyType": "ShortText"},
  {"code": "«kind»", «was:kind»"name": "规格", "name_i18n": {"en": "Kind"}, "propertyType": "Dropdown", "dictionary": "«sizes»"},
  {"code": "«stamp»", «was:stamp»"name": "章", "name_i18n": {"en": "Stamp"}, "propertyType": "Dropdown", "dictionary": "«sizes»"},
  {"code": "spare", "name": "备用", "name_i18n": {"en": "Spare"}, "propertyType": "ShortText"},
  {"code": "«scan»", «was:scan»"name": "扫描件", "name_i18n": {"en": "Scan"}, "propertyType": "Attachment"},
  {"code": "«hush»", «was:hush»"name": "秘密", "name_i18n": {"en": "Secret"}, "propertyType": "ShortText"},
  {"code": "«tags»", «was:tags»"name": "颜色", "name_i18n": {"en": "Colours"}, "propertyType": "Checkbox", "options": [
    {"code": "«red»", «was:red»"name": "红", "name_i18n": {"en": "Red"}}, {"code": "«blue»", «was:blue»"name": "蓝", "name_i18n": {"en": "Blue"}}]},
  {"code": "«lines»", «was:lines»"name": "明细", "name_i18n": {"en": "Lines"}, "propertyType": "Sheet", "properties": [
    {"code": "«label»", «was:label»"name": "品名", "name_i18n": {"en": "Item"}, "propertyType": "ShortText"},
    {"code": "«qty»", «was:qty»"name": "数量", "name_i18n": {"en": "Quantity"}, "propertyType": "Number"},
    {"code": "«size»", «was:size»"name": "尺寸", "name_i18n": {"en": "Size"}, "propertyType": "DropdownMulti", "dictionary": "«sizes»"}]}]}`,
	"models/«ware».json": `{«was:ware»"name": "货物", "name_i18n": {"en": "Ware"}, "name_plural_i18n": {"en": "Wares"}, "properties": [
  {"code": "«mark»", «was:mark»"name": "标记", "name_i18n": {"en": "Mark"}, "propertyType": "ShortText"},
  {"code": "«weight»", «was:weight»"name": "重量", "name_i18n": {"en": "Weight"}, "propertyType": "Number"},
  {"code": "twice", "name": "两倍", "name_i18n": {"en": "Twice"}, "propertyType": "Number", "computeFormula": "«weight» * 2"}]}`,
	"data/«ware».json": `{"key": ["«mark»"], "rows": [{"«mark»": "W", "«weight»": 2}], "start": [{"workflow": "«stocking»", "initiator": "li", "rows": ["W"]}]}`,
	"data/user.json":   `{"key": ["username"], "rows": [{"username": "li", "name": "li", "roles": ["«clerk»"]}]}`,
	"workflows/«stocking».json": `{«was:stocking»"schemaCode": "«ware»", "name": "入库", "name_i18n": {"en": "Stocking"}, "settings": {"initiators": {"all": true}}, "nodes": [
  {"id": "start", "type": "START", "name": "填报", "next": ["look"]},
  {"id": "look", "type": "APPROVE", "name": "查看", "participants": [{"type": "role", "value": ["administrator"]}], "mode": "ANY", "next": ["end"]},
  {"id": "end", "type": "END", "name": "结束"}]}`,
	"reports/«figures».json": `{«was:figures»"name": "统计", "name_i18n": {"en": "Figures"}, "dataSets": [{"code": "sums", "schemaCode": "«order»", "condition": "«place» != 'x'", "measures": [
  {"code": "sum", "sumType": "sum", "propertyCode": "«total»"}]}], "charts": [{"code": "all", "chartType": "figure", "name": "和", "name_i18n": {"en": "Sum"}, "width": 4, "height": 3, "dataSet": "sums", "measure": "sum"}]}`,
	"dictionaries/«sizes».json": `{«was:sizes»"name": "规格", "name_i18n": {"en": "Sizes"}, "items": [
  {"code": "«big»", «was:big»"name": "大", "name_i18n": {"en": "Big"}}, {"code": "«small»", «was:small»"name": "小", "name_i18n": {"en": "Small"}, "items": [
    {"code": "«tiny»", «was:tiny»"name": "很小", "name_i18n": {"en": "Tiny"}}]}]}`,
	"lists/«orders».json": `{«was:orders»"name": "订单", "name_i18n": {"en": "Orders"}, "schemaCode": "«order»", "queryConditions": ["«place»", "«total»", "«kind»"], "queryColumns": ["«title»", "«total»", "«place»", "«kind»"],
  "queryActions": ["add", "delete", "export", "import", "batch_update", "print"]}`,
	"lists/waiting.json": `{"name": "审核过的", "name_i18n": {"en": "Checked"}, "schemaCode": "«order»", "queryColumns": ["«title»"],
  "condition": "any(tasks_, .workflow == '«approval»' and has(['«check»', '«chief»'], .node)) and not any(tasks_, .node == '«again»')"}`,
	"forms/«orderForm».json": `{«was:orderForm»"name": "订单", "name_i18n": {"en": "Order"}, "schemaCode": "«order»", "items": ["«title»", "«total»", "«place»", "«kind»", "«tags»", "«lines»"]}`,
	"prints/«paper».json": `{«was:paper»"name": "订单", "name_i18n": {"en": "Order"}, "schemaCode": "«order»", "pages": [{"elements": [
  {"eleType": "column", "left": 0, "top": 10, "widthValue": 88, "propertyCode": "«total»", "rightValue": {"borderType": "solid"}},
  {"eleType": "qrCode", "left": 100, "top": 0, "widthValue": 25, "content": "verification"}]}]}`,
	"portals/«home».json": `{«was:home»"name": "首页", "name_i18n": {"en": "Home"}, "personal": true, "widgets": [{"type": "TextList", "code": "list", "dataSource": "bizModel", "schemaCode": "«order»"}]}`,
	"workflows/«approval».json": `{«was:approval»"schemaCode": "«order»", "name": "订单审批", "name_i18n": {"en": "Order approval"}, "settings": {"initiators": {"all": true}, "finalExcept": ["«kind»"]}, "nodes": [
  {"id": "«fill»", «was:fill»"type": "START", "name": "填报", "form": {"fields": {"«title»": "rw", "«total»": "rw"}}, "next": ["«check»"]},
  {"id": "«check»", «was:check»"type": "APPROVE", "name": "审核", "participants": [{"type": "role", "value": ["«clerk»"]}], "mode": "ANY", "form": {"fields": {"«place»": "-"}}, "next": ["«large»"]},
  {"id": "«large»", «was:large»"type": "SPLIT", "name": "金额", "kind": "OR", "routes": [{"to": "«chief»", "when": "«total» >= 1000 and has(['«small»', '«tiny»'], «kind») and «tags» == ['«red»'] and node('«check»').result == 'agree'"}, {"to": "«joined»", "default": true}]},
  {"id": "«chief»", «was:chief»"type": "APPROVE", "name": "业主审批", "participants": [{"type": "previousHandler", "node": "«check»"}], "mode": "ANY", "reject": {"targets": ["«check»", "start"]}, "time": {"timeoutMinutes": 600, "onTimeout": [{"action": "jump", "to": "«joined»"}]}, "next": ["«joined»"]},
  {"id": "«joined»", «was:joined»"type": "JOIN", "name": "汇聚", "of": "«large»", "next": ["«over»"]},
  {"id": "«over»", «was:over»"type": "END", "name": "结束", "set": {"«stamp»": "«small»", "«tags»": {"formula": "['«blue»', '«red»']"}, "«kind»": {"formula": "«kind» == '«small»' ? '«tiny»' : '«big»'"}}}]}`,
	"access/«clerk».json": `{«was:clerk»"name": "店员", "name_i18n": {"en": "Clerk"}, "apps": ["*"], "models": [{"schemaCode": "«order»", "actions": ["*"], "rows": "«total» != 7.5 and «kind» != '«tiny»' or not empty(«tags»)", "fields": {"«place»": "rw", "«hush»": "-", "*": "rw"}}, {"schemaCode": "«ware»", "actions": ["view", "add"], "rows": "all"}]}`,
}

// all are the names of the shop, in an order in which they are renamed.
var all = []string{"order", "title", "total", "place", "lines", "label", "qty", "orders", "orderForm", "paper", "home", "approval", "clerk",
	"kind", "tags", "size", "sizes", "big", "small", "tiny", "red", "blue", "hush", "stamp", "scan", "ware", "mark", "weight", "stocking", "figures", "desk",
	"fill", "check", "large", "chief", "joined", "over", "again"}

// shop is an installation whose definitions change while its work goes on.
type shop struct {
	*testing.T
	app     *app.App
	options store.Options
	files   string // folder of uploads; "" = the database's
	workers int
	serving bool // what data files start is started

	startAgain time.Duration // see app.Config

	laid                  bool   // own is published
	other, scan, signedBy string // a person, an upload, and an instance, of more
	dir                   string
	now                   map[string]string   // what each name is called
	was                   map[string][]string // and was, the latest first
	person                string
	record                string // with history, in a workflow
	free                  string // without
	deleted               string
	running               workflow.Done
	batch                 string
	number                int
	changed               map[string]string // documents that were changed otherwise
	instances             []string          // further ones of the approval

	// Of a twin.
	templates            map[string]string // its documents; nil = those of all shops
	labels               map[string]int    // how often a name got another label
	gone                 []lost
	came                 map[string]string // of codes of its time, what came back
	clock                time.Time
	root                 string // a person who may do everything
	made, wares, batches []string
}

var sign = regexp.MustCompile(`«(was:|as:)?([a-zA-Z0-9]+)»`)

func (s *shop) spell(text string) string {
	return sign.ReplaceAllStringFunc(text, func(in string) string {
		m := sign.FindStringSubmatch(in)
		switch n := s.labels[m[2]]; {
		case m[1] == "":
			return s.now[m[2]]
		case m[1] == "as:" && n == 0:
			return ""
		case m[1] == "as:":
			return fmt.Sprintf("⟦%d⟧", n)
		}
		if len(s.was[m[2]]) == 0 {
			return ""
		}
		b, err := json.Marshal(s.was[m[2]])
		require.NoError(s, err)
		if s.templates != nil { // it is the last member
			return `,"renamedFrom": ` + string(b)
		}
		return `"renamedFrom": ` + string(b) + `, `
	})
}

// called gives a text with the names of now the signs of the names, so that what is seen before and after a rename is the same.
func (s *shop) called(v any) string {
	b, err := json.Marshal(v)
	require.NoError(s, err)
	out := string(b)
	for _, name := range all {
		out = regexp.MustCompile(`\b`+s.now[name]+`\b`).ReplaceAllString(out, "<"+name+">")
	}
	var sorted any
	require.NoError(s, json.Unmarshal([]byte(out), &sorted))
	b, err = json.Marshal(sorted)
	require.NoError(s, err)
	return string(b)
}

// texts are the documents as they are called now, by path.
func (s *shop) texts() map[string]string {
	out, all := map[string]string{}, documents
	if s.templates != nil {
		all = s.templates
	}
	for path, text := range all {
		if other, ok := s.changed[path]; ok {
			text = other
		}
		out[s.spell(path)] = s.spell(text)
	}
	return out
}

// served are the documents with what lies over them.
func (s *shop) served() map[string]string {
	out := s.texts()
	if s.laid {
		out[own] = s.spell(ownText)
	}
	return out
}

// write brings the folder of the pack to the documents of now.
func (s *shop) write() {
	s.Helper()
	require.NoError(s, os.RemoveAll(s.dir))
	for path, text := range s.texts() {
		file := filepath.Join(s.dir, filepath.FromSlash(path))
		require.NoError(s, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(s, os.WriteFile(file, []byte(text), 0o644))
	}
}

func (s *shop) config() app.Config {
	set := &pack.Set{}
	require.NoError(s, plugintest.Register(set))
	require.NoError(s, set.Jobs.Add(repeating))
	set.Freeze()
	clock := time.Now
	if s.templates != nil {
		clock = func() time.Time { return s.clock }
	}
	return app.Config{Documents: app.Documents{Set: set, Dirs: []string{s.dir}, Zone: time.UTC}, Dir: s.options.Dir, URL: s.options.URL, Files: s.files,
		Version: apptest.Version, Clock: clock, Dev: true, Workers: s.workers, Serving: s.serving,
		StartAgain: s.startAgain, Log: slog.New(slog.DiscardHandler)}
}

func (s *shop) open() {
	s.Helper()
	a, err := app.Open(context.Background(), s.config())
	if f := (*app.Faulty)(nil); errors.As(err, &f) {
		for _, d := range f.List {
			require.NotEqual(s, diag.Error, d.Severity, "%s %s %s", d.File, d.Code, d.En)
		}
	}
	require.NoError(s, err)
	s.app = a
}

// rename gives names other codes, as a pack's next version does.
func (s *shop) rename(to map[string]string) { s.Helper(); s.renameBy(byStart, to) }

// renameBy is rename in one of the ways in which definitions change.
func (s *shop) renameBy(way func(s *shop, before map[string]string), to map[string]string) {
	s.Helper()
	before, people := s.app.State().Policy, s.app.People().People(s.Context())
	texts := s.served()
	for name, code := range to {
		s.was[name] = append([]string{s.now[name]}, s.was[name]...)
		s.now[name] = code
	}
	way(s, texts)
	if len(to) == 0 {
		return // what changed otherwise may give more
	}
	change := access.Change{Before: before, After: s.app.State().Policy, People: people, Now: s.app.Now(), Zone: s.app.Zone()}
	report, err := change.Report(s.Context())
	require.NoError(s, err)
	require.Empty(s, report.Groups, "a rename gives nobody more or less")
	require.Empty(s, report.Ways, "and opens no way")
}

// byStart renames with the next start of the program.
func byStart(s *shop, _ map[string]string) {
	s.Helper()
	require.NoError(s, s.app.Close())
	s.write()
	s.open()
}

// byPublication renames as an author in a browser does: what was renamed lies over the pack, as files that went and others that came.
func byPublication(s *shop, before map[string]string) {
	s.Helper()
	var set app.Changeset
	after := s.served()
	for path, was := range before {
		if _, there := after[path]; !there {
			set.Files = append(set.Files, app.Change{Pack: s.pack(), Path: path, Seen: app.DigestOf(&was)})
		}
	}
	for path, is := range after {
		was, there := before[path]
		if change := (app.Change{Pack: s.pack(), Path: path, Text: &is}); !there || was != is {
			if there {
				change.Seen = app.DigestOf(&was)
			}
			set.Files = append(set.Files, change)
		}
	}
	look, err := s.app.Look(s.Context(), s.admin(), set)
	require.NoError(s, err)
	for _, d := range look.Diagnostics {
		require.NotEqual(s, diag.Error, d.Severity, "%s %s %s", d.File, d.Code, d.En)
	}
	require.Empty(s, look.Conflicts)
	_, err = s.app.Publish(s.Context(), s.admin(), set, app.Confirmation{Steps: look.Digest})
	require.NoError(s, err)
}

// byApply renames as `sluice apply` does, with the program at rest.
func byApply(s *shop, _ map[string]string) {
	s.Helper()
	require.NoError(s, s.app.Close())
	s.write()
	cfg := s.config()
	cfg.Dev, cfg.Hold = false, true
	db, err := app.OpenStore(s.Context(), cfg)
	require.NoError(s, err)
	cfg.Documents, err = cfg.WithPublished(s.Context(), db)
	require.NoError(s, err)
	c, list, err := cfg.Compile()
	require.NoError(s, err)
	require.NotNil(s, c, "%v", list)
	options := app.PlanOptions(c)
	options.Version = cfg.Documents.Version
	p, err := app.Plan(s.Context(), cfg, db, c, options)
	require.NoError(s, err)
	require.NoError(s, db.Apply(s.Context(), p, store.ApplyOptions{Yes: true, AllowDestructive: true, Publish: cfg.Following()}))
	require.NoError(s, db.EnsureIndexes(s.Context()))
	require.NoError(s, db.Close())
	s.open()
}

// byDev renames as a turn of `sluice dev` does.
func byDev(s *shop, _ map[string]string) {
	s.Helper()
	s.write()
	list, err := s.app.Reload(s.Context())
	require.NoError(s, err, "%v", list)
}

func (s *shop) pack() string { return s.now["desk"] }

// admin is somebody who publishes.
func (s *shop) admin() *authz.View {
	p := principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}
	return s.app.State().Policy.View(p, s.app.Now(), s.app.Zone())
}

func (s *shop) view() *authz.View { s.Helper(); return s.viewOf(s.person) }

func (s *shop) viewOf(id string) *authz.View {
	s.Helper()
	person, ok := s.app.People().Person(s.Context(), id)
	require.True(s, ok)
	p := authn.Principal(s.Context(), s.app.People(), person, "")
	p.Locale = "en"
	return s.app.State().Policy.View(p, s.app.Now(), s.app.Zone())
}

func (s *shop) save(id string, version int64, set map[string]any) record.Saved {
	s.Helper()
	in := map[string]json.RawMessage{}
	for name, v := range set {
		b, err := json.Marshal(v)
		require.NoError(s, err)
		in[s.now[name]] = json.RawMessage(s.spell(string(b)))
	}
	saved, err := s.app.Writer().Save(s.Context(), s.view(), record.Change{Model: s.now["order"], ID: id, Version: &version, Set: in})
	require.NoError(s, err)
	return saved
}

// work leaves something behind in every table that holds codes.
func (s *shop) work() {
	s.Helper()
	var err error
	s.person, err = s.app.AddUser(s.Context(), "ann", "Ann", []string{s.now["clerk"]})
	require.NoError(s, err)
	made := s.save("", 0, map[string]any{"title": "gate", "total": 5000, "place": "north", "kind": "«big»", "tags": []string{"«blue»", "«red»"},
		"lines": []any{map[string]any{"«label»": "bolt", "«qty»": 1, "«size»": []string{"«tiny»", "«big»"}}}})
	s.record = made.ID
	s.save(made.ID, made.Version, map[string]any{"total": 5291, "place": "south", "kind": "«big»", "tags": []string{"«red»"}, "lines": []any{map[string]any{"«label»": "nut", "«qty»": 2, "«size»": []string{"«small»"}}}})
	gone := s.save("", 0, map[string]any{"title": "door", "total": 7, "kind": "«small»", "tags": []string{"«blue»"}, "lines": []any{map[string]any{"«label»": "hinge", "«qty»": 3, "«size»": []string{"«tiny»"}}}})
	s.deleted = gone.ID
	_, err = s.app.Writer().Delete(s.Context(), s.view(), s.now["order"], []string{gone.ID})
	require.NoError(s, err)
	s.free = s.save("", 0, map[string]any{"title": "lock", "total": 1}).ID
	s.number = 3

	_, err = s.app.Drafts().Save(s.Context(), s.view(), draft.Input{SchemaCode: s.now["order"], SheetCode: s.now["orderForm"], Workflow: s.now["approval"],
		Data: map[string]json.RawMessage{s.now["title"]: raw("half"), s.now["total"]: raw(3), s.now["kind"]: raw(s.now["big"]), s.now["lines"]: json.RawMessage(s.spell(`[{"«label»": "pin", "«qty»": 4, "«size»": ["«big»"]}]`))}})
	require.NoError(s, err)
	filters := []query.Filter{{PropertyCode: s.now["place"], PropertyValue: raw("south")}, {PropertyCode: s.now["kind"], PropertyValue: raw([]string{s.now["big"], s.now["small"]})}}
	name, yes := "South", true
	_, err = s.app.SavedFilters().Add(s.Context(), s.view(), s.now["order"], s.now["orders"], savedfilter.Change{Name: &name, Filters: &filters, Default: &yes})
	require.NoError(s, err)
	_, err = s.app.Exports().Start(s.Context(), s.view(), exporter.Request{ListRequest: query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"]}, All: true, Remember: true,
		Columns: []exporter.Column{{PropertyCode: s.now["total"]}, {PropertyCode: s.now["lines"], ChildColumns: []exporter.Column{{PropertyCode: s.now["qty"]}}}}})
	require.NoError(s, err)
	out, err := s.app.Bulk().Run(s.Context(), s.view(), bulk.Request{Kind: bulk.BatchUpdate, Property: s.now["kind"], Value: raw(s.now["small"]),
		Selection: query.SelectionRequest{SchemaCode: s.now["order"], ObjectIDs: []string{s.record}}})
	require.NoError(s, err)
	s.batch = *out.LogID
	_, err = s.app.Comments().Add(s.Context(), s.view(), comment.Draft{At: query.Ref{SchemaCode: s.now["order"], ID: s.record}, Text: "as said"})
	require.NoError(s, err)
	require.NoError(s, s.app.Home().Visit(s.Context(), s.view(), home.Place{Kind: "record", Place: s.now["order"], Code: s.record}))
	require.NoError(s, s.app.Portals().Arrange(s.Context(), s.view(), s.now["home"], []portal.Place{{ID: "list", X: 1, Y: 1, Width: 5, Height: 5}}, s.app.Now()))
	_, err = s.app.Prints().Print(s.Context(), s.view(), printing.Request{PrintRequest: query.PrintRequest{SchemaCode: s.now["order"], ObjectIDs: []string{s.record}}, Template: s.now["paper"]},
		printing.File, "11111111-1111-7111-8111-111111111111")
	require.NoError(s, err)
	s.running, err = s.app.Workflows().Start(s.Context(), s.view(), workflow.Start{Workflow: s.now["approval"], Record: s.record})
	require.NoError(s, err)
	other, err := s.app.AddUser(s.Context(), "bob", "Bob", []string{s.now["clerk"]})
	require.NoError(s, err)
	_, err = s.app.Workflows().Delegate(s.Context(), s.view(), workflow.DelegationOrder{To: other, Codes: []string{s.now["approval"]}, Starts: s.app.Now().Add(time.Hour), Ends: s.app.Now().Add(2 * time.Hour), Enabled: true})
	require.NoError(s, err)
}

func raw(v any) json.RawMessage {
	b, _ := json.Marshal(v)
	return b
}
