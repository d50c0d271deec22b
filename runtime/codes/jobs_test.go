package codes_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// waiting are jobs that were asked for while nobody worked.
type waiting struct{ export, update, remove, print, load, gone, narrow, ofPack, goneOfPack string }

// heldCodes is what repeating is given.
type heldCodes struct {
	Model  string   `json:"model"`
	List   *string  `json:"list"`
	Of     []string `json:"of"`
	Option string   `json:"option"`
	Step   string   `json:"step"`
	Text   string   `json:"text"` // is no code, whatever it says
}

// repeating is a job of a pack that answers with what it reads, before its step and within.
var repeating = world.Job{Code: "desk.repeat", Title: plan.Label{Zh: "重复", I18n: map[string]string{"en": "Repeat"}},
	Holds: map[string]names.Kind{"model": names.Model, "list": names.List, "of": names.Property, "option": names.Option, "step": names.Node, "none": names.Role},
	Work: func(ctx context.Context, r world.Run) (any, error) {
		var out [2]heldCodes
		if err := r.Decode(&out[0]); err != nil {
			return nil, err
		}
		err := r.Step(ctx, func(world.World) (any, error) { return nil, r.Decode(&out[1]) })
		return out, err
	}}

// repeat starts a job of the pack in the name of the person.
func (s *shop) repeat(in heldCodes) (id string) {
	s.Helper()
	require.NoError(s, s.app.Act(s.Context(), s.view().Principal(), func(w world.World) (err error) {
		id, err = w.Start(s.Context(), repeating.Code, in, world.JobOptions{})
		return err
	}))
	return id
}

// holds are codes of each kind, as they are called now.
func (s *shop) holds(list *string) heldCodes {
	n := s.now
	return heldCodes{Model: n["order"], List: list, Of: []string{n["order"] + "." + n["title"], n["order"] + "." + n["lines"] + "." + n["qty"]},
		Option: n["order"] + "." + n["kind"] + ":" + n["big"], Step: n["approval"] + "." + n["check"], Text: "itsOrder"}
}

// finished is a job that has ended.
func (s *shop) finished(id string) job.Job {
	s.Helper()
	var out job.Job
	require.Eventually(s, func() bool {
		var err error
		out, err = s.app.Jobs().Get(s.Context(), s.person, id)
		require.NoError(s, err)
		return out.State == job.Done || out.State == job.Failed
	}, 30*time.Second, 10*time.Millisecond)
	return out
}

// asks for a job of each kind that keeps what it was asked.
func (s *shop) asks() (w waiting) {
	s.Helper()
	list := query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"], OrderByFields: []string{s.now["place"]},
		Filters: []query.Filter{{PropertyCode: s.now["kind"], PropertyValue: raw([]string{s.now["big"]})}, {PropertyCode: s.now["title"], PropertyValue: raw("job")}}}
	export, err := s.app.Exports().Start(s.Context(), s.view(), exporter.Request{ListRequest: list, All: true, FileType: "csv",
		Columns: []exporter.Column{{PropertyCode: s.now["title"]}, {PropertyCode: s.now["place"]}, {PropertyCode: s.now["total"]}, {PropertyCode: "spare"}}})
	require.NoError(s, err)
	w.export = export.JobID
	batch, err := s.app.Prints().Batch(s.Context(), s.view(), printing.BatchRequest{ListRequest: list, All: true, Template: s.now["paper"]})
	require.NoError(s, err)
	w.print = batch.JobID
	only := func(title string) query.SelectionRequest {
		return query.SelectionRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"], All: true, Filters: []query.Filter{{PropertyCode: s.now["title"], PropertyValue: raw(title)}}}
	}
	asked := func(req bulk.Request) string {
		out, err := s.app.Bulk().Run(s.Context(), s.view(), req)
		require.NoError(s, err)
		require.NotNil(s, out.JobID)
		return *out.JobID
	}
	w.update = asked(bulk.Request{Kind: bulk.BatchUpdate, Property: s.now["tags"], Value: raw([]string{s.now["red"]}), Selection: only("change")})
	w.remove = asked(bulk.Request{Kind: bulk.Delete, Selection: only("remove")})
	narrow := only("job")
	narrow.Filters = append(narrow.Filters, query.Filter{PropertyCode: "spare", PropertyValue: raw("x")})
	w.narrow = asked(bulk.Request{Kind: bulk.Delete, Selection: narrow})
	gone, err := s.app.Exports().Start(s.Context(), s.view(), exporter.Request{ListRequest: list, All: true, FileType: "csv", Columns: []exporter.Column{{PropertyCode: "spare"}}})
	require.NoError(s, err)
	w.gone = gone.JobID
	called := s.now["orders"]
	w.ofPack = s.repeat(s.holds(&called))
	w.goneOfPack = s.repeat(heldCodes{Of: []string{s.now["order"] + ".spare"}})
	w.load = s.importing()
	return w
}

// TestJobsUnderWay: what was asked for before names changed places, or went, and is done after, is what was asked for: or it fails and says what is gone.
func TestJobsUnderWay(t *testing.T) {
	apptest.Of(plugintest.Register).Each(t, func(t *testing.T, o store.Options) {
		s := opened(t, o)
		one := s.save("", 0, map[string]any{"title": "job one", "place": "b", "kind": "«big»", "total": 1}).ID
		s.save("", 0, map[string]any{"title": "job two", "place": "a", "kind": "«big»", "total": 2})
		s.save("", 0, map[string]any{"title": "job three", "place": "job", "kind": "«tiny»", "total": 3, "tags": []string{"«red»"}})
		s.save("", 0, map[string]any{"title": "b", "place": "job", "kind": "«big»", "total": 4})
		changed := s.save("", 0, map[string]any{"title": "change", "tags": []string{"«blue»"}}).ID
		other := s.save("", 0, map[string]any{"title": "x", "place": "change", "tags": []string{"«blue»"}}).ID
		removed := s.save("", 0, map[string]any{"title": "remove"}).ID
		kept := s.save("", 0, map[string]any{"title": "y", "place": "remove"}).ID

		s.workers = 0
		s.rename(nil)
		w := s.asks()
		every := map[string]string{"title": s.now["place"], "place": s.now["title"], "big": s.now["tiny"], "tiny": s.now["big"], "red": s.now["blue"], "blue": s.now["red"]}
		for _, name := range all {
			if every[name] == "" && name != "desk" {
				every[name] = name + "Moved"
			}
		}
		s.rename(every)
		s.workers = 2
		s.removesSpare()
		byApply(s, nil)

		done := s.finished(w.export)
		require.Equal(t, job.Done, done.State, "%v %v", done.Code, done.Args)
		tasks, _, err := s.app.Exports().Tasks(s.Context(), s.view(), "", 0, 10)
		require.NoError(t, err)
		for _, task := range tasks {
			if task.JobID != w.export {
				continue
			}
			_, file, err := s.app.Exports().File(s.Context(), s.view(), task.ID)
			require.NoError(t, err)
			text, err := io.ReadAll(file)
			require.NoError(t, err)
			require.NoError(t, file.Close())
			rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).ReadAll()
			require.NoError(t, err)
			var got []string
			for _, row := range rows {
				got = append(got, strings.Join(row, " "))
			}
			require.Subset(t, got, []string{"Title Place Total", "job two a 2", "job one b 1"})
			require.Less(t, strings.Index(string(text), "job two"), strings.Index(string(text), "job one"), "in the order of places")
			require.NotContains(t, string(text), "three")
		}
		done = s.finished(w.print)
		require.Equal(t, job.Done, done.State, "%v %v", done.Code, done.Args)
		require.Contains(t, string(done.Result), `"rows":2`)

		require.Equal(t, job.Done, s.finished(w.update).State)
		require.Equal(t, []string{s.now["red"]}, s.value(changed, "tags"))
		require.Equal(t, []string{s.now["blue"]}, s.value(other, "tags"))
		require.Equal(t, job.Done, s.finished(w.remove).State)
		_, err = s.app.Reader().RecycledOne(s.Context(), s.view(), query.RecycledRequest{SchemaCode: s.now["order"], ID: removed})
		require.NoError(t, err)
		require.Equal(t, "y", s.value(kept, "title"))

		require.Equal(t, job.Done, s.finished(w.load).State)
		require.Equal(t, "west", s.value(s.free, "place"))

		done = s.finished(w.ofPack)
		require.Equal(t, job.Done, done.State, "%v %v", done.Code, done.Args)
		var read [2]heldCodes
		require.NoError(t, json.Unmarshal(done.Result, &read))
		is := s.now["orders"]
		require.Equal(t, [2]heldCodes{s.holds(&is), s.holds(&is)}, read)
		done = s.finished(w.goneOfPack)
		require.Equal(t, []any{job.Failed, fault.RequestGone, []any{s.was["order"][0] + ".spare"}}, []any{done.State, done.Code, done.Args})
		for _, id := range []string{w.gone, w.narrow} {
			done = s.finished(id)
			require.Equal(t, []any{job.Failed, fault.RequestGone, []any{"spare"}}, []any{done.State, done.Code, done.Args})
		}
		require.Equal(t, "job one", s.value(one, "title"), "a condition that is gone makes a selection no wider")
	})
}

// removesSpare takes a property away with the next rename.
func (s *shop) removesSpare() {
	const model = "models/«order».json"
	s.changed[model] = strings.Replace(documents[model], `  {"code": "spare", "name": "备用", "name_i18n": {"en": "Spare"}, "propertyType": "ShortText"},`+"\n", "", 1)
}
