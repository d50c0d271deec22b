package codes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
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
	"pack.json": `{"code": "desk", "name": "店", "name_i18n": {"en": "Shop"}, "version": "1.0.0"}`,
	"app.json":  `{"name": "店", "name_i18n": {"en": "Shop"}, "menu": [{"type": "BizModel", "code": "all", "name": "订单", "name_i18n": {"en": "Orders"}, "schemaCode": "«order»", "queryCode": "«orders»"}]}`,
	"models/«order».json": `{«was:order»"name": "订单", "name_i18n": {"en": "Order"}, "name_plural_i18n": {"en": "Orders"}, "digest": "{sequenceNo} {«title»}",
  "sequence": {"prefix": "WO-", "date": "yyyy", "length": 5, "reset": "none"}, "properties": [
  {"code": "«title»", «was:title»"name": "标题", "name_i18n": {"en": "Title"}, "propertyType": "ShortText"},
  {"code": "«total»", «was:total»"name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},
  {"code": "«place»", «was:place»"name": "地点", "name_i18n": {"en": "Place"}, "propertyType": "ShortText"},
  {"code": "«kind»", «was:kind»"name": "规格", "name_i18n": {"en": "Kind"}, "propertyType": "Dropdown", "dictionary": "«sizes»"},
  {"code": "«stamp»", «was:stamp»"name": "章", "name_i18n": {"en": "Stamp"}, "propertyType": "Dropdown", "dictionary": "«sizes»"},
  {"code": "«hush»", «was:hush»"name": "秘密", "name_i18n": {"en": "Secret"}, "propertyType": "ShortText"},
  {"code": "«tags»", «was:tags»"name": "颜色", "name_i18n": {"en": "Colours"}, "propertyType": "Checkbox", "options": [
    {"code": "«red»", «was:red»"name": "红", "name_i18n": {"en": "Red"}}, {"code": "«blue»", «was:blue»"name": "蓝", "name_i18n": {"en": "Blue"}}]},
  {"code": "«lines»", «was:lines»"name": "明细", "name_i18n": {"en": "Lines"}, "propertyType": "Sheet", "properties": [
    {"code": "«label»", «was:label»"name": "品名", "name_i18n": {"en": "Item"}, "propertyType": "ShortText"},
    {"code": "«qty»", «was:qty»"name": "数量", "name_i18n": {"en": "Quantity"}, "propertyType": "Number"},
    {"code": "«size»", «was:size»"name": "尺寸", "name_i18n": {"en": "Size"}, "propertyType": "DropdownMulti", "dictionary": "«sizes»"}]}]}`,
	"dictionaries/«sizes».json": `{«was:sizes»"name": "规格", "name_i18n": {"en": "Sizes"}, "items": [
  {"code": "«big»", «was:big»"name": "大", "name_i18n": {"en": "Big"}}, {"code": "«small»", «was:small»"name": "小", "name_i18n": {"en": "Small"}, "items": [
    {"code": "«tiny»", «was:tiny»"name": "很小", "name_i18n": {"en": "Tiny"}}]}]}`,
	"lists/«orders».json": `{«was:orders»"name": "订单", "name_i18n": {"en": "Orders"}, "schemaCode": "«order»", "queryConditions": ["«place»", "«total»", "«kind»"], "queryColumns": ["«title»", "«total»", "«place»", "«kind»"],
  "queryActions": ["add", "delete", "export", "batch_update"]}`,
	"lists/waiting.json": `{"name": "审核过的", "name_i18n": {"en": "Checked"}, "schemaCode": "«order»", "queryColumns": ["«title»"],
  "condition": "any(tasks_, .workflow == '«approval»' and has(['«check»', '«chief»'], .node)) and not any(tasks_, .node == '«again»')"}`,
	"forms/«orderForm».json": `{«was:orderForm»"name": "订单", "name_i18n": {"en": "Order"}, "schemaCode": "«order»", "items": ["«title»", "«total»", "«place»", "«kind»", "«tags»", "«lines»"]}`,
	"prints/«paper».json": `{«was:paper»"name": "订单", "name_i18n": {"en": "Order"}, "schemaCode": "«order»", "pages": [{"elements": [
  {"eleType": "column", "left": 0, "top": 10, "widthValue": 88, "propertyCode": "«total»", "rightValue": {"borderType": "solid"}}]}]}`,
	"portals/«home».json": `{«was:home»"name": "首页", "name_i18n": {"en": "Home"}, "personal": true, "widgets": [{"type": "TextList", "code": "list", "dataSource": "bizModel", "schemaCode": "«order»"}]}`,
	"workflows/«approval».json": `{«was:approval»"schemaCode": "«order»", "name": "订单审批", "name_i18n": {"en": "Order approval"}, "settings": {"initiators": {"all": true}}, "nodes": [
  {"id": "«fill»", «was:fill»"type": "START", "name": "填报", "form": {"fields": {"«title»": "rw", "«total»": "rw"}}, "next": ["«check»"]},
  {"id": "«check»", «was:check»"type": "APPROVE", "name": "审核", "participants": [{"type": "role", "value": ["«clerk»"]}], "mode": "ANY", "form": {"fields": {"«place»": "-"}}, "next": ["«large»"]},
  {"id": "«large»", «was:large»"type": "SPLIT", "name": "金额", "kind": "OR", "routes": [{"to": "«chief»", "when": "«total» >= 1000 and has(['«small»', '«tiny»'], «kind») and «tags» == ['«red»'] and node('«check»').result == 'agree'"}, {"to": "«joined»", "default": true}]},
  {"id": "«chief»", «was:chief»"type": "APPROVE", "name": "业主审批", "participants": [{"type": "previousHandler", "node": "«check»"}], "mode": "ANY", "reject": {"targets": ["«check»", "start"]}, "time": {"timeoutMinutes": 600, "onTimeout": [{"action": "jump", "to": "«joined»"}]}, "next": ["«joined»"]},
  {"id": "«joined»", «was:joined»"type": "JOIN", "name": "汇聚", "of": "«large»", "next": ["«over»"]},
  {"id": "«over»", «was:over»"type": "END", "name": "结束", "set": {"«stamp»": "«small»", "«tags»": {"formula": "['«blue»', '«red»']"}, "«kind»": {"formula": "«kind» == '«small»' ? '«tiny»' : '«big»'"}}}],
  "hooks": []}`,
	"access/«clerk».json": `{«was:clerk»"name": "店员", "name_i18n": {"en": "Clerk"}, "apps": ["*"], "models": [{"schemaCode": "«order»", "actions": ["*"], "rows": "«total» != 7.5 and «kind» != '«tiny»' or not empty(«tags»)", "fields": {"«place»": "rw", "«hush»": "-", "*": "rw"}}]}`,
}

// codes are the names of the shop, in an order in which they are renamed.
var codes = []string{"order", "title", "total", "place", "lines", "label", "qty", "orders", "orderForm", "paper", "home", "approval", "clerk",
	"kind", "tags", "size", "sizes", "big", "small", "tiny", "red", "blue", "hush", "stamp",
	"fill", "check", "large", "chief", "joined", "over", "again"}

// flow is the document whose versions instances run by; afresh has a further step.
const flowFile = "workflows/«approval».json"

var further = strings.Replace(documents[flowFile], `"next": ["«large»"]},`, `"next": ["«again»"]},
  {"id": "«again»", «was:again»"type": "APPROVE", "name": "复核", "participants": [{"type": "role", "value": ["«clerk»"]}], "mode": "ANY", "next": ["«large»"]},`, 1)

// shop is an installation whose definitions change while its work goes on.
type shop struct {
	*testing.T
	app     *app.App
	options store.Options
	dir     string
	now     map[string]string   // what each name is called
	was     map[string][]string // and was, the latest first
	person  string
	record  string // with history, in a workflow
	free    string // without
	deleted string
	running workflow.Done
	batch   string
	number  int
	changed map[string]string // documents that were changed otherwise
	more    []string          // further instances
}

var sign = regexp.MustCompile(`«(was:)?([a-zA-Z]+)»`)

func (s *shop) spell(text string) string {
	return sign.ReplaceAllStringFunc(text, func(in string) string {
		m := sign.FindStringSubmatch(in)
		if m[1] == "" {
			return s.now[m[2]]
		}
		if len(s.was[m[2]]) == 0 {
			return ""
		}
		b, err := json.Marshal(s.was[m[2]])
		require.NoError(s, err)
		return `"renamedFrom": ` + string(b) + `, `
	})
}

// called gives a text with the names of now the signs of the names, so that what is seen before and after a rename is the same.
func (s *shop) called(v any) string {
	b, err := json.Marshal(v)
	require.NoError(s, err)
	out := string(b)
	for _, name := range codes {
		out = regexp.MustCompile(`\b`+s.now[name]+`\b`).ReplaceAllString(out, "<"+name+">")
	}
	var sorted any
	require.NoError(s, json.Unmarshal([]byte(out), &sorted))
	b, err = json.Marshal(sorted)
	require.NoError(s, err)
	return string(b)
}

func (s *shop) open() {
	s.Helper()
	require.NoError(s, os.RemoveAll(s.dir))
	for path, text := range documents {
		if other, ok := s.changed[path]; ok {
			text = other
		}
		file := filepath.Join(s.dir, filepath.FromSlash(s.spell(path)))
		require.NoError(s, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(s, os.WriteFile(file, []byte(s.spell(text)), 0o644))
	}
	set := &pack.Set{}
	require.NoError(s, plugintest.Register(set))
	set.Freeze()
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{s.dir}, Zone: time.UTC}, Dir: s.options.Dir, URL: s.options.URL,
		Version: apptest.Version, Clock: time.Now, Dev: true, Log: slog.New(slog.DiscardHandler)})
	if f := (*app.Faulty)(nil); errors.As(err, &f) {
		for _, d := range f.List {
			require.NotEqual(s, diag.Error, d.Severity, "%s %s %s", d.File, d.Code, d.En)
		}
	}
	require.NoError(s, err)
	s.app = a
}

// rename gives names other codes, as a pack's next version does.
func (s *shop) rename(to map[string]string) {
	s.Helper()
	before, people := s.app.State().Policy, s.app.People().People(s.Context())
	defer func() {
		if len(to) == 0 {
			return
		}
		change := access.Change{Before: before, After: s.app.State().Policy, People: people, Now: s.app.Now(), Zone: s.app.Zone()}
		report, err := change.Report(s.Context())
		require.NoError(s, err)
		require.Empty(s, report.Groups, "a rename gives nobody more or less")
		require.Empty(s, report.Ways, "and opens no way")
	}()
	require.NoError(s, s.app.Close())
	for name, code := range to {
		s.was[name] = append([]string{s.now[name]}, s.was[name]...)
		s.now[name] = code
	}
	s.open()
}

func (s *shop) view() *authz.View {
	s.Helper()
	person, ok := s.app.People().Person(s.Context(), s.person)
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
	other, err := s.app.AddUser(s.Context(), "bob", "Bob", nil)
	require.NoError(s, err)
	_, err = s.app.Workflows().Delegate(s.Context(), s.view(), workflow.DelegationOrder{To: other, Codes: []string{s.now["approval"]}, Starts: s.app.Now().Add(time.Hour), Ends: s.app.Now().Add(2 * time.Hour), Enabled: true})
	require.NoError(s, err)
}

func raw(v any) json.RawMessage {
	b, _ := json.Marshal(v)
	return b
}

// holders are what people see of what was left behind.
var holders = map[string]func(s *shop) any{
	"history": func(s *shop) any {
		var out []any
		for _, id := range []string{s.record, s.free} {
			page, err := s.app.Reader().History(s.Context(), s.view(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: id})
			require.NoError(s, err)
			for _, e := range page.Content {
				out = append(out, e.Kind, e.Version, e.Changes)
			}
		}
		return out
	},
	"an earlier version": func(s *shop) any { return s.asOf(1) },
	"changed since": func(s *shop) any { // who is told what a record's newer version changed
		old := int64(1)
		_, err := s.app.Writer().Save(s.Context(), s.view(), record.Change{Model: s.now["order"], ID: s.record, Version: &old, Set: map[string]json.RawMessage{s.now["title"]: raw("late")}})
		var f *fault.Error
		require.ErrorAs(s, err, &f)
		return f.Data
	},
	"recycle bin": func(s *shop) any {
		page, err := s.app.Reader().Recycled(s.Context(), s.view(), query.RecycleRequest{SchemaCode: s.now["order"], Size: 10})
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		one, err := s.app.Reader().RecycledOne(s.Context(), s.view(), query.RecycledRequest{SchemaCode: s.now["order"], ID: s.deleted})
		require.NoError(s, err)
		return []any{page.Content[0].Name, one.Data}
	},
	"drafts": func(s *shop) any {
		page, err := s.app.Drafts().List(s.Context(), s.view(), "", 0, 10)
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		one, err := s.app.Drafts().Open(s.Context(), s.view(), page.Content[0].ID)
		require.NoError(s, err)
		require.Zero(s, one.Lost)
		return []any{one.SchemaCode, one.SheetCode, one.Workflow, one.Usable, one.Data}
	},
	"saved filters": func(s *shop) any {
		page, err := s.app.SavedFilters().List(s.Context(), s.view(), s.now["order"], s.now["orders"])
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		return page.Content[0]
	},
	"columns of exports": func(s *shop) any {
		chosen, err := s.app.Exports().History(s.Context(), s.view(), s.now["order"], s.now["orders"])
		require.NoError(s, err)
		require.Len(s, chosen, 1)
		var out struct {
			Columns []struct {
				PropertyCode string
				ChildColumns []struct{ PropertyCode string }
			}
		}
		require.NoError(s, json.Unmarshal([]byte(chosen[0].QueryCondition), &out))
		return out
	},
	"batches": func(s *shop) any {
		page, err := s.app.Bulk().Log(s.Context(), s.view(), s.now["order"], 0, 10)
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		return []any{page.Content[0].Value, page.Content[0].Undoable}
	},
	"comments": func(s *shop) any {
		page, err := s.app.Comments().List(s.Context(), s.view(), query.Ref{SchemaCode: s.now["order"], ID: s.record}, "", 10)
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		return page.Content[0].Text
	},
	"visits": func(s *shop) any {
		places, err := s.app.Home().Places(s.Context(), s.view())
		require.NoError(s, err)
		require.Len(s, places.Records, 1)
		return places.Records[0].Place
	},
	"arrangements": func(s *shop) any {
		page, err := s.app.Portals().Get(s.Context(), s.view(), s.now["home"])
		require.NoError(s, err)
		return page
	},
	"printings": func(s *shop) any {
		past, err := s.app.Prints().History(s.Context(), s.view(), s.now["order"], "", s.record)
		require.NoError(s, err)
		require.Len(s, past, 1)
		return past
	},
	"numbers": func(s *shop) any {
		saved := s.save("", 0, map[string]any{"title": "next"})
		s.number++
		page, err := s.app.Reader().History(s.Context(), s.view(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: saved.ID})
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		no := *page.Content[0].Title
		require.Regexp(s, fmt.Sprintf("%05d next$", s.number), no)
		return nil
	},
	"a running workflow": func(s *shop) any {
		track, err := s.app.Workflows().Track(s.Context(), s.view(), s.running.Instance)
		require.NoError(s, err)
		require.Equal(s, "PROCESSING", track.Instance.State)
		_, err = s.app.Workflows().Start(s.Context(), s.view(), workflow.Start{Workflow: s.now["approval"], Record: s.record})
		require.Error(s, err, "a record runs in one workflow at a time")
		return []any{track.Instance.Workflow, track.Instance.Version}
	},
	"courses": func(s *shop) any { return each(s, s.course) },
	"paper":   func(s *shop) any { return each(s, s.signed) },
	"tasks": func(s *shop) any {
		var out []any
		for _, list := range []string{"unfinished", "finished"} {
			page, err := s.app.Workflows().Items(s.Context(), s.view(), list, workflow.Search{Size: 100})
			require.NoError(s, err)
			for _, one := range page.Content {
				out = append(out, list, one.ID, one.Node, one.NodeName, one.Due != nil, one.CanWithdraw)
			}
		}
		return out
	},
	"versions": func(s *shop) any {
		counts, err := s.app.Workflows().VersionCounts(s.Context(), s.admin())
		require.NoError(s, err)
		all, err := s.app.Workflows().Versions(s.Context(), s.admin(), s.now["approval"])
		require.NoError(s, err)
		out := []any{counts[0].Count, counts[0].Old}
		for _, v := range all {
			out = append(out, v.Version, v.Current, v.Instances)
			for _, one := range v.Instances {
				fits, err := s.app.Workflows().Migrate(s.Context(), s.admin(), s.now["approval"], []string{one.Instance}, true)
				require.NoError(s, err)
				out = append(out, fits)
			}
		}
		return out
	},
	"records at a step": func(s *shop) any {
		page, err := s.app.Reader().List(s.Context(), s.view(), query.ListRequest{SchemaCode: s.now["order"], QueryCode: "waiting"})
		require.NoError(s, err)
		var rows struct {
			Content []struct{ ID string }
		}
		require.NoError(s, json.Unmarshal(page, &rows))
		require.NotEmpty(s, rows.Content)
		return rows
	},
	"delegations": func(s *shop) any {
		all, err := s.app.Workflows().Delegations(s.Context(), s.view())
		require.NoError(s, err)
		require.Len(s, all, 1)
		return all[0].Codes
	},
	"people of roles": func(s *shop) any {
		person, ok := s.app.People().Person(s.Context(), s.person)
		require.True(s, ok)
		return slices.Sorted(slices.Values(person.Roles))
	},
}

// each is what is seen of every instance.
func each(s *shop, see func(id string) any) any {
	out := []any{see(s.running.Instance)}
	for _, id := range s.more {
		out = append(out, see(id))
	}
	return out
}

// course is what people see of an instance, without its times. What is kept of it is what its events make.
func (s *shop) course(id string) any {
	s.Helper()
	track, err := s.app.Workflows().Track(s.Context(), s.view(), id)
	require.NoError(s, err)
	out := []any{track.Instance.State, track.Instance.Version, track.Instance.Current, len(track.Stuck)}
	for _, n := range track.Nodes {
		out = append(out, n.Node, n.Name, n.State, n.Next, n.Routes, n.Of, n.Predicted)
		for _, r := range n.Rounds {
			out = append(out, r.Round, r.State, r.Entry)
			for _, i := range r.Items {
				out = append(out, i.ID, i.Node, i.State, i.Result)
			}
		}
	}
	for _, o := range track.Log {
		out = append(out, o.Node, o.Name, o.Operation)
	}
	kept, rebuilt, err := s.app.Workflows().Verify(s.Context(), id)
	require.NoError(s, err)
	require.Equal(s, kept, rebuilt)
	return append(out, kept.Tokens, kept.Choices)
}

// signed are the steps at which paper shows who signed.
func (s *shop) signed(id string) any {
	s.Helper()
	out := []any{}
	require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		course, err := s.app.Workflows().Course(ctx, tx, s.view(), id)
		if err == nil {
			for _, row := range course.Log {
				out = append(out, row.Node, row.Activity, row.Name, row.Operating)
			}
		}
		return err
	}))
	return out
}

// admin is the view of somebody who administers workflows.
func (s *shop) admin() *authz.View {
	return s.app.State().Policy.View(principal.Principal{UserID: s.person, Roles: []string{"administrator"}, Locale: "en"}, s.app.Now(), s.app.Zone())
}

func (s *shop) asOf(version int64) any {
	s.Helper()
	view := s.view()
	var out any
	require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		st, _, err := record.AsOf(ctx, tx, view, view.Model(s.now["order"]), s.record, record.Moment{Version: &version})
		if err != nil {
			return err
		}
		values := map[string]any{}
		for _, name := range []string{"title", "total", "place", "kind", "tags"} {
			values[name] = record.ValueOf(st.Row, st.Model.Field(s.now[name]))
		}
		sheet := st.Model.Field(s.now["lines"])
		for _, row := range st.Sheets[sheet.Code] {
			values["lines"] = []any{record.ValueOf(row, sheet.Sheet.Field(s.now["label"])), record.ValueOf(row, sheet.Sheet.Field(s.now["qty"])), record.ValueOf(row, sheet.Sheet.Field(s.now["size"]))}
		}
		out = values
		return nil
	}))
	return out
}

func (s *shop) seen() map[string]string {
	s.Helper()
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(holders)) {
		out[name] = s.called(holders[name](s))
	}
	return out
}

func opened(t *testing.T, o store.Options) *shop {
	s := &shop{T: t, options: o, dir: filepath.Join(t.TempDir(), "desk"), now: map[string]string{}, was: map[string][]string{}, changed: map[string]string{}}
	for _, name := range codes {
		s.now[name] = "its" + strings.ToUpper(name[:1]) + name[1:] // no word that answers have besides
	}
	s.open()
	t.Cleanup(func() { require.NoError(t, s.app.Close()) })
	s.work()
	return s
}

// TestRenames: every name of an installation is changed, one after another, then all together, and two change places. Whatever was left behind is
// seen as before.
func TestRenames(t *testing.T) {
	plain := apptest.Of(plugintest.Register)
	plain.Each(t, func(t *testing.T, o store.Options) {
		s := opened(t, o)
		before := s.seen()
		check := func(what string) {
			t.Helper()
			for name, is := range s.seen() {
				require.Equal(t, before[name], is, "%s after %s", name, what)
			}
		}
		for _, name := range codes {
			s.rename(map[string]string{name: name + "New"})
			check("renaming " + name)
		}
		s.rename(map[string]string{"title": s.now["place"], "place": s.now["title"], "label": s.now["qty"], "qty": s.now["label"],
			"big": s.now["tiny"], "tiny": s.now["small"], "small": s.now["big"], "red": s.now["blue"], "blue": s.now["red"]})
		check("changing places")
		all := map[string]string{}
		for _, name := range codes {
			all[name] = strings.ToUpper(name[:1]) + name[1:] + "Last"
		}
		s.rename(all)
		check("renaming everything")

		// Old addresses lead on.
		c := s.app.State().Catalog
		require.Equal(t, s.now["order"], c.Model("itsOrder").Code)
		require.Equal(t, s.now["orders"], c.List("ordersNew").Code)
		require.Equal(t, s.now["orderForm"], c.Form("itsOrderForm").Code)
		require.Equal(t, s.now["home"], c.Portal("itsHome").Code)
		require.Equal(t, s.now["approval"], c.Workflow("itsApproval").Template.Code)
		require.Nil(t, c.Role("itsClerk"), "rights are of the codes of now")

		// Calls that name what a property was called are told its name of now, unless it is hidden.
		for _, was := range s.was["total"] {
			require.Equal(t, []any{fault.FieldRenamed, []any{s.now["total"]}}, s.refused(s.saveRaw(was, "1")))
			require.Equal(t, []any{fault.FieldRenamed, []any{s.now["total"]}}, s.refused(s.filter(was)))
		}
		require.Equal(t, []any{fault.FieldRenamed, []any{s.now["lines"] + "." + s.now["label"]}}, s.refused(s.saveRaw(s.now["lines"], `[{"qtyNew": 1}]`)), "which had it last")
		for _, was := range append(s.was["hush"], "nothing") {
			require.Equal(t, []any{fault.FieldUnknown, []any{was}}, s.refused(s.saveRaw(was, `"x"`)))
			require.Equal(t, fault.FieldUnknown, s.refused(s.filter(was))[0])
		}

		// The approval asks the chief, as its version says: the amount is 5,291.
		for range 2 {
			tasks, err := s.app.Workflows().Items(s.Context(), s.view(), "unfinished", workflow.Search{Size: 10})
			require.NoError(t, err)
			require.Len(t, tasks.Content, 1)
			_, err = s.app.Workflows().Act(s.Context(), s.view(), workflow.Command{Item: tasks.Content[0].ID, Do: flow.OpAgree})
			require.NoError(t, err)
		}
		track, err := s.app.Workflows().Track(s.Context(), s.view(), s.running.Instance)
		require.NoError(t, err)
		require.Equal(t, "COMPLETED", track.Instance.State)

		// The batch is undone, and the deleted record comes back whole.
		require.Equal(t, s.now["tiny"], s.value(s.record, "kind"), "what the end writes")
		require.Equal(t, s.now["small"], s.value(s.record, "stamp"))
		require.Equal(t, []string{s.now["blue"], s.now["red"]}, s.value(s.record, "tags"))
		s.save(s.record, s.version(s.record), map[string]any{"kind": "«small»"})
		_, err = s.app.Bulk().Run(s.Context(), s.view(), bulk.Request{Kind: bulk.Undo, Batch: s.batch})
		require.NoError(t, err)
		require.Equal(t, s.now["big"], s.value(s.record, "kind"))
		_, err = s.app.Writer().Restore(s.Context(), s.view(), s.now["order"], s.deleted)
		require.NoError(t, err)
		require.Equal(t, s.now["small"], s.value(s.deleted, "kind"))

		// A formula may copy a code.
		const model = "models/«order».json"
		s.changed[model] = strings.Replace(documents[model], `{"code": "«hush»"`, `{"code": "copied", "name": "抄", "name_i18n": {"en": "Copied"}, "propertyType": "ShortText", "computeFormula": "concat(«kind», '')"},
  {"code": "«hush»"`, 1)
		s.rename(nil)
		s.now["copied"] = "copied"
		s.save(s.free, s.version(s.free), map[string]any{"kind": "«tiny»", "tags": []string{"«red»"}})
		require.Equal(t, s.now["tiny"], s.value(s.free, "copied"))
		s.rename(map[string]string{"tiny": "Least"})
		require.Eventually(t, func() bool { return s.value(s.free, "copied") == "Least" }, 10*time.Second, 20*time.Millisecond)
	})
}

// TestRandomRenames goes on working between renames of anything, together and in any order, with names changing places and coming back.
func TestRandomRenames(t *testing.T) {
	if testing.Short() {
		t.Skip("a start for each round")
	}
	plain := apptest.Of(plugintest.Register)
	plain.Each(t, func(t *testing.T, o store.Options) {
		seed := uint64(time.Now().UnixNano())
		random := rand.New(rand.NewPCG(seed, 1))
		t.Logf("seed %d", seed)
		s := opened(t, o)
		for round := range 8 {
			before := s.seen()
			to := map[string]string{}
			for _, name := range codes {
				switch random.IntN(4) {
				case 0:
					if name == "again" && s.changed[flowFile] == "" {
						break // it is not there
					}
					to[name] = fmt.Sprintf("%sRound%d", name, round)
				case 1:
					if name == "again" && s.changed[flowFile] == "" {
						break // it is not there
					}
					if was := s.was[name]; len(was) > 0 && !slices.Contains(slices.Collect(maps.Values(s.now)), was[len(was)-1]) {
						to[name] = was[len(was)-1] // back to its first
					}
				}
			}
			pairs := [][2]string{{"title", "place"}, {"qty", "label"}, {"big", "tiny"}, {"red", "blue"}, {"check", "chief"}, {"check", "joined"}, {"large", "fill"}}
			if p := pairs[random.IntN(len(pairs))]; to[p[0]] == "" && to[p[1]] == "" {
				to[p[0]], to[p[1]] = s.now[p[1]], s.now[p[0]]
			}
			s.rename(to)
			for name, is := range s.seen() {
				require.Equal(t, before[name], is, "seed %d, round %d: %s after %v", seed, round, name, to)
			}
			now := s.version(s.free)
			s.save(s.free, now, map[string]any{"total": 100 + round, "place": fmt.Sprint("place ", round), "kind": "«tiny»", "tags": []string{"«red»", "«blue»"}[round%2:], "lines": []any{map[string]any{"«label»": fmt.Sprint("label ", round), "«qty»": round, "«size»": []string{"«big»", "«tiny»"}}}})
			s.goOn(random)
		}
	})
}

// goOn starts an instance, lets the work of others go on, gives the workflow a step more or less, and moves an instance that may move.
func (s *shop) goOn(random *rand.Rand) {
	s.Helper()
	flows := s.app.Workflows()
	made := s.save("", 0, map[string]any{"title": "more", "total": 1000 * random.IntN(3), "kind": "«small»", "tags": []string{"«red»"}})
	done, err := flows.Start(s.Context(), s.view(), workflow.Start{Workflow: s.now["approval"], Record: made.ID})
	require.NoError(s, err)
	s.more = append(s.more, done.Instance)
	s.number++
	tasks, err := flows.Items(s.Context(), s.view(), "unfinished", workflow.Search{Size: 100})
	require.NoError(s, err)
	for _, one := range tasks.Content {
		switch do := random.IntN(4); {
		case one.Instance == s.running.Instance:
		case do < 2:
			_, err = flows.Act(s.Context(), s.view(), workflow.Command{Item: one.ID, Do: flow.OpAgree})
			require.NoError(s, err)
		case do == 2 && one.Node == s.now["chief"]:
			_, err = flows.Act(s.Context(), s.view(), workflow.Command{Item: one.ID, Do: flow.OpReject, Node: s.now["check"], Opinion: "again"})
			require.NoError(s, err)
		}
	}
	switch random.IntN(4) {
	case 0:
		s.changed[flowFile] = further
		s.rename(nil)
	case 1:
		delete(s.changed, flowFile)
		s.rename(nil)
	}
	_, err = s.app.Workflows().Migrate(s.Context(), s.admin(), s.now["approval"], s.more, false)
	require.NoError(s, err)
}

// version is that of a record now.
func (s *shop) version(id string) int64 {
	s.Helper()
	page, err := s.app.Reader().History(s.Context(), s.view(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: id})
	require.NoError(s, err)
	return page.Content[0].Version
}

// value is one of a record now.
func (s *shop) value(id, name string) any {
	s.Helper()
	var out any
	require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		view := s.view()
		st, _, err := record.AsOf(ctx, tx, view, view.Model(s.now["order"]), id, record.Moment{})
		if err == nil {
			out = record.ValueOf(st.Row, st.Model.Field(s.now[name]))
		}
		return err
	}))
	return out
}

func (s *shop) saveRaw(code, value string) error {
	_, err := s.app.Writer().Save(s.Context(), s.view(), record.Change{Model: s.now["order"], Set: map[string]json.RawMessage{code: json.RawMessage(value)}})
	return err
}

func (s *shop) filter(code string) error {
	_, err := s.app.Reader().List(s.Context(), s.view(), query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"], Filters: []query.Filter{{PropertyCode: code, PropertyValue: raw("1")}}})
	return err
}

// refused is the first field that a refusal names.
func (s *shop) refused(err error) []any {
	s.Helper()
	var f *fault.Error
	require.ErrorAs(s, err, &f)
	in, ok := f.Data.(fault.Invalid)
	require.True(s, ok, "%v", err)
	return []any{in.Errors[0].Code, in.Errors[0].Args}
}
