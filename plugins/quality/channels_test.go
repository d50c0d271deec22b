package quality_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

var update = flag.Bool("update", false, "rewrite golden files")

// opened are the models whose lists the pack "siteflows" opens to imports and batches of the role q_open, which has the columns of contractors otherwise: an
// installation that opens every channel.
var opened = []string{"q_qbs", "q_record", "q_biz", "q_jbs", "q_ncr", "q_hidden", "q_doccheck", "q_work", "q_qbs_mbs"}

// openChannels adds the lists and the role.
func openChannels(files fstest.MapFS) error {
	for _, model := range opened {
		files["lists/open_"+model+".json"] = &fstest.MapFile{Data: []byte(`{"schemaCode": "` + model + `", "name": "开放", "name_i18n": {"en": "Open"}, "queryColumns": ["createdTime"], "queryActions": ["add", "edit", "delete", "import", "batch_update"]}`)}
	}
	text, err := os.ReadFile("access/q_contractor.json")
	if err != nil {
		return err
	}
	var role map[string]any
	if err := json.Unmarshal(text, &role); err != nil {
		return err
	}
	delete(role, "includedBy")
	delete(role, "apps")
	role["name"], role["name_i18n"] = "开放", in{"en": "Open"}
	for _, g := range role["models"].([]any) {
		grant := g.(map[string]any)
		if actions, _ := grant["actions"].([]any); slices.Contains(opened, grant["schemaCode"].(string)) && slices.Contains(actions, any("edit")) {
			for _, action := range []any{"import", "batch_update"} {
				if !slices.Contains(actions, action) {
					actions = append(actions, action)
				}
			}
			grant["actions"] = actions
		}
	}
	text, err = json.Marshal(role)
	files["access/q_open.json"] = &fstest.MapFile{Data: text}
	return err
}

// attempt is a change, or with id "" a new record, by which somebody would win.
type attempt struct {
	way, model, id string
	values         in
	method, route  string         // of the pack's call; "" = it has none
	body           in             // of the call, where it is not the values
	flow           string         // workflow that a record of the model can be sent to
	fresh          func() attempt // makes the record for each channel; nil = it is there
}

// channels are the ways into the system. Each gives what became of the attempt, or its refusal.
var channels = []struct {
	name string
	do   func(s *site, who principal.Principal, a attempt) (string, error)
}{
	{"save", (*site).bySave},
	{"form", (*site).byForm},
	{"token", func(s *site, who principal.Principal, a attempt) (string, error) {
		who.Script, who.Session = true, "script"
		return s.byForm(who, a)
	}},
	{"call", (*site).byCall},
	{"batch", (*site).byBatch},
	{"file", (*site).byFile},
	{"copy", (*site).byCopy},
	{"start", (*site).byStart},
	{"bin", (*site).byBin},
	{"link", func(s *site, _ principal.Principal, a attempt) (string, error) {
		for _, f := range s.State().Catalog.Forms {
			if f.Model.Code == a.model && f.ExternalLink {
				return "", errors.New("a form of the pack is open to external links")
			}
		}
		return s.bySave(principal.Principal{Link: "x", Locale: "zh"}, a)
	}},
}

var none = errors.New("—")

func (s *site) bySave(who principal.Principal, a attempt) (string, error) {
	return "done", s.Do(who, func(ctx context.Context, w world.World) error {
		if a.id == "" {
			_, err := w.Create(ctx, a.model, maps.Clone(a.values))
			return err
		}
		return edit(ctx, w, a.model, a.id, maps.Clone(a.values))
	})
}

func (s *site) wire(values in) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for code, v := range values {
		text, err := json.Marshal(v)
		require.NoError(s.t, err)
		out[code] = text
	}
	return out
}

// version of a record as it is now.
func (s *site) versionOf(model, id string) (out *int64) {
	if id == "" {
		return nil
	}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		if now, err := w.Get(ctx, model, id); err == nil {
			out = &now.Version
		}
	})
	return out
}

func (s *site) byForm(who principal.Principal, a attempt) (string, error) {
	form := ""
	for _, f := range s.State().Catalog.Forms {
		if f.Model.Code == a.model && f.Code == a.model {
			form = f.Code
		}
	}
	_, err := s.Writer().Save(s.t.Context(), s.View(who), record.Change{Model: a.model, Form: form, ID: a.id, Version: s.versionOf(a.model, a.id), Set: s.wire(a.values)})
	return "done", err
}

func (s *site) byCall(who principal.Principal, a attempt) (string, error) {
	if a.route == "" {
		return "", none
	}
	body := a.body
	if body == nil {
		body = in{"id": a.id, "version": s.versionOf(a.model, a.id)}
		maps.Copy(body, a.values)
	}
	text, err := json.Marshal(body)
	require.NoError(s.t, err)
	_, err = s.call(who, a.method, v2+a.route, string(text))
	return "done", err
}

func (s *site) byBatch(who principal.Principal, a attempt) (string, error) {
	if a.id == "" {
		return "", none // a batch makes nothing
	}
	said := []string{}
	for _, code := range slices.Sorted(maps.Keys(a.values)) {
		value, err := json.Marshal(a.values[code])
		require.NoError(s.t, err)
		out, err := s.Bulk().Run(s.t.Context(), s.View(who), bulk.Request{Kind: bulk.BatchUpdate, Selection: query.SelectionRequest{SchemaCode: a.model, QueryCode: "open_" + a.model, ObjectIDs: []string{a.id}}, Property: code, Value: value})
		if err != nil {
			return "", err
		}
		for _, one := range out.Results {
			said = append(said, fmt.Sprint(one.Code))
		}
	}
	return strings.Join(said, " "), nil
}

// byFile imports a file of one row, with the id of the record where there is one. Rows of sub-tables are written in the line of their record.
func (s *site) byFile(who principal.Principal, a attempt) (string, error) {
	head, lines := []string{}, [][]string{{}}
	text := func(v any) string {
		if s, is := v.(string); is || v == nil {
			return s
		}
		return strings.Trim(fmt.Sprint(v), "[]")
	}
	var columns []importer.Assigned
	add := func(code string, line int, v any) {
		at := slices.Index(head, code)
		if at < 0 {
			at, head, columns = len(head), append(head, code), append(columns, importer.Assigned{Column: len(head), Code: code})
		}
		for len(lines) <= line {
			lines = append(lines, nil)
		}
		for len(lines[line]) <= at {
			lines[line] = append(lines[line], "")
		}
		lines[line][at] = text(v)
	}
	if a.id != "" {
		add("id", 0, a.id)
	}
	for _, code := range slices.Sorted(maps.Keys(a.values)) {
		rows, sub := a.values[code].([]in)
		for i, row := range rows {
			for _, column := range slices.Sorted(maps.Keys(row)) {
				add(code+"."+column, i, row[column])
			}
		}
		if !sub {
			add(code, 0, a.values[code])
		}
	}
	for i := range lines {
		lines[i] = append(lines[i], slices.Repeat([]string{""}, len(head)-len(lines[i]))...)
	}
	var file strings.Builder
	require.NoError(s.t, csv.NewWriter(&file).WriteAll(append([][]string{head}, lines...)))
	up, err := s.Importer().Upload(s.t.Context(), s.View(who), "way.csv", strings.NewReader(file.String()), nil)
	if err != nil {
		return "", err
	}
	id, err := s.Importer().Start(s.t.Context(), s.View(who), importer.Request{FileName: up.FileName, Original: "way.csv", SchemaCode: a.model, QueryCode: "open_" + a.model, Mode: importer.AddOrUpdate, ClearEmpty: true, HeadRow: 1, Columns: columns}, false)
	if err != nil {
		return "", err
	}
	var res importer.Result
	require.Eventually(s.t, func() bool {
		res, err = s.Importer().Result(s.t.Context(), s.View(who), id)
		return err != nil || res.ErrorType != nil
	}, 30*time.Second, 20*time.Millisecond)
	if err != nil {
		return "", err
	}
	for _, row := range res.Rows {
		for _, e := range row.Errors {
			return fmt.Sprint("row ", e.Code), nil
		}
	}
	return fmt.Sprintf("%d added, %d changed", res.Added, res.Changed), nil
}

// byCopy begins a new record as a copy of the one that the attempt is of, with its values.
func (s *site) byCopy(who principal.Principal, a attempt) (string, error) {
	if a.id == "" {
		return "", none // there is nothing to copy
	}
	load, err := s.Reader().FormLoad(s.t.Context(), s.View(who), query.FormRequest{SchemaCode: a.model, CopyFrom: a.id})
	if err != nil {
		return "", err
	}
	var all map[string]json.RawMessage
	require.NoError(s.t, json.Unmarshal(load.Data, &all))
	for code, v := range s.wire(a.values) {
		var now, old []in
		if json.Unmarshal(v, &now) == nil && json.Unmarshal(all[code], &old) == nil && len(now) > 0 && now[0]["id"] != nil { // rows of the record: the copy has them without their ids
			for i, row := range now {
				delete(row, "id")
				if i < len(old) {
					maps.Copy(old[i], row)
				}
			}
			v, err = json.Marshal(old[:min(len(now), len(old))])
			require.NoError(s.t, err)
		}
		all[code] = v
	}
	for _, f := range load.Form.Fields {
		if _, given := a.values[f.PropertyCode]; f.ReadOnly && !given {
			delete(all, f.PropertyCode)
		}
	}
	_, err = s.Writer().Save(s.t.Context(), s.View(who), record.Change{Model: a.model, Set: all})
	return "done", err
}

func (s *site) byStart(who principal.Principal, a attempt) (string, error) {
	if a.flow == "" {
		return "", none
	}
	_, err := s.Workflows().Start(s.t.Context(), s.View(who), workflow.Start{Workflow: a.flow, Record: a.id, Version: s.versionOf(a.model, a.id), Data: s.wire(a.values)})
	return "done", err
}

// byBin deletes the record and brings it back.
func (s *site) byBin(who principal.Principal, a attempt) (string, error) {
	if a.id == "" {
		return "", none
	}
	if err := s.Do(who, func(ctx context.Context, w world.World) error { return w.Delete(ctx, a.model, a.id) }); err != nil {
		return "", err
	}
	_, err := s.Writer().Restore(s.t.Context(), s.View(who), a.model, a.id)
	return "deleted, restored", err
}

// outcome is what became of an attempt, in a word: what was done, or the code of the refusal and of the field.
func outcome(done string, err error) string {
	var f *fault.Error
	switch {
	case errors.Is(err, none):
		return "—"
	case errors.As(err, &f):
		if invalid, ok := f.Data.(fault.Invalid); ok && len(invalid.Errors) > 0 {
			return fmt.Sprint(invalid.Errors[0].Code)
		}
		return fmt.Sprint(f.Code)
	case err != nil:
		return err.Error()
	}
	return done
}
