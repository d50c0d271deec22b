package exporter_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

func refused(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Equal(t, code, fault.Of(err), "%v", err)
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// TestFile: what an export of a list with a sub-table, files and figures holds, cell by cell.
func TestFile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		paper, second := w.upload(w.clerk, "plan.txt"), w.upload(w.clerk, "b.txt")
		one := w.add(w.clerk, `{"title": "=1+1", "quantity": "2.5", "price": "1000", "day": "2026-11-21", "done": true, "papers": ["`+paper+`"],
			"lines": [{"what": "a", "rate": "1"}, {"what": "b", "rate": "2"}]}`)
		two := w.add(w.clerk, `{"title": "second", "quantity": "1.25", "price": "3", "day": "2026-12-01", "papers": []}`)
		three := w.add(w.clerk, `{"title": "third", "papers": ["`+second+`"]}`)
		started := w.start(w.clerk, all("title", "lines:what,rate", "quantity", "price", "day", "state", "done", "papers"))
		require.Regexp(t, `^物品清单导出\d{14}\.xlsx$`, started.Name)
		task := w.work(w.clerk, started.ID)
		require.Equal(t, exporter.Done, task.State)
		require.EqualValues(t, 3, task.Rows)
		file := w.bytes(w.clerk, started.ID)
		require.EqualValues(t, len(file), task.Size)
		got := lines(t, file)
		for i := range got {
			got[i] = hide([]string{got[i]}, map[string]string{one: "ONE", two: "TWO", three: "THREE"})[0]
			got[i] = uuids.ReplaceAllString(got[i], "ROW")
		}
		require.Equal(t, []string{
			"hidden id | title | lines.id | lines.what | lines.rate | quantity | price | day | state | done | papers",
			"ID | 标题 | 明细 |  |  | 数量 | 单价 | 日期 | 状态 | 完成 | 附件",
			" |  | ID | 品名 | 费率 |  |  |  |  |  | ",
			"ONE | =1+1 | ROW | a | 1 | 2.5 | 1000 | 46347 | 开放 | 是 | plan.txt",
			"ONE/2 |  | ROW | b | 2",
			"TWO | second |  |  |  | 1.25 | 3 | 46357 | 开放",
			"THREE | third |  |  |  |  |  |  | 开放 |  | b.txt",
			"#totals | 合计 |  |  |  | =SUM(F4:F7) 3.75 | =AVERAGE(G4:G7) 501.5 | =MAX(H4:H7) 46357 |  |  | ",
		}, got)
		sheet := string(part(t, file, "xl/worksheets/sheet1.xml"))
		require.Contains(t, sheet, `ySplit="3"`, "the head stays in sight")
		require.Contains(t, sheet, `<mergeCell ref="C2:E2"/>`)
		require.Contains(t, sheet, `<mergeCell ref="B2:B3"/>`)
		require.Contains(t, string(part(t, file, "xl/worksheets/_rels/sheet1.xml.rels")), "https://stock.example.com/api/aliyun/download?refId="+paper)
		styles := string(part(t, file, "xl/styles.xml"))
		require.Contains(t, styles, `#,##0.00 &quot;元&quot;`)
		require.Contains(t, styles, `yyyy-mm`, "as the list shows it")
	})
}

// TestOpinions: who asks for opinions gets them in words, one line an opinion, all of them.
func TestOpinions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one, two := w.add(w.clerk, `{"title": "one"}`), w.add(w.clerk, `{"title": "two"}`)
		var said []record.Opinion
		for i := range 25 {
			said = append(said, record.Opinion{Entry: int64(i + 1), Opinion: property.Opinion{Node: plan.Label{Zh: "审核", I18n: map[string]string{"en": "Review"}}, User: w.clerk, Result: "agree",
				Text: fmt.Sprintf("no. %d", i+1), Time: time.Date(2026, 11, 21, 1, i, 0, 0, time.UTC)}})
		}
		s := w.app.State()
		system := s.Policy.View(principal.System("test"), w.app.Now(), w.app.Zone())
		for range 2 { // a repeat adds nothing
			require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return w.app.Writer().OpinionsIn(t.Context(), tx, system, "item", one, "01900000-0000-7000-8000-000000000001", said, nil)
			}))
		}
		req := all("title", "said")
		req.Language = "en"
		started := w.start(w.clerk, req)
		require.Equal(t, exporter.Done, w.work(w.clerk, started.ID).State)
		got := lines(t, w.bytes(w.clerk, started.ID))
		text := strings.Split(strings.Join(got, "\n"), "\n")
		require.Equal(t, []string{"hidden id | title | said", "ID | Title | Opinions", one + " | one | Review clerk Agreed no. 1 2026-11-21 09:00"}, text[:3])
		require.Equal(t, []string{"Review clerk Agreed no. 25 2026-11-21 09:24", two + " | two"}, text[26:28])

		page, err := w.app.Reader().List(t.Context(), w.view(w.clerk), query.ListRequest{SchemaCode: "item", ObjectIDs: []string{one}, Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: []string{"said"}}})
		require.NoError(t, err)
		require.Equal(t, 20, strings.Count(string(page), `"opinion":"no. `), "a list shows the newest")
		require.Contains(t, string(page), `"no. 25"`)
		require.NotContains(t, string(page), `"no. 5"`)
	})
}

// TestLanguageAndTypes: an export in English, as CSV, and one without a row.
func TestLanguageAndTypes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		req := all("title", "lines", "done")
		req.Language = "en"
		empty := w.start(w.clerk, req)
		require.Regexp(t, `^Item list export \d{14}\.xlsx$`, empty.Name)
		require.Equal(t, exporter.Done, w.work(w.clerk, empty.ID).State)
		require.Equal(t, []string{"hidden id | title | lines.id | lines.what | lines.rate | done", "ID | Title | Lines |  |  | Done", " |  | ID | What | Rate | "},
			lines(t, w.bytes(w.clerk, empty.ID)))
		id := w.add(w.clerk, `{"title": "@cmd, \"x\"", "done": true, "quantity": "1.5", "lines": [{"what": "a"}, {"what": "b"}]}`)
		req.FileType, req.Columns = "csv", columns("title", "quantity", "done", "lines:what")
		text := w.start(w.clerk, req)
		req.WithID = true
		withID := w.start(w.clerk, req)
		w.work(w.clerk, text.ID)
		w.work(w.clerk, withID.ID)
		require.Equal(t, "\uFEFFID,Title,Quantity,Done,Lines.ID,Lines.What\r\nROW,\"'@cmd, \"\"x\"\"\",1.5,Yes,ROW,a\r\nROW/2,,,,ROW,b\r\n",
			uuids.ReplaceAllString(string(w.bytes(w.clerk, text.ID)), "ROW"), "rows of sub-tables say whose they are")
		require.Equal(t, string(w.bytes(w.clerk, text.ID)), string(w.bytes(w.clerk, withID.ID)))
		require.Contains(t, string(w.bytes(w.clerk, withID.ID)), "\r\n"+id+",")
		f, r, err := w.app.Exports().File(t.Context(), w.view(w.clerk), text.ID)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, "text/csv", f.Mime)
	})
}

// TestRightsAfterwards: a file that holds what its owner may no longer see is kept from them, and they export what they see now.
func TestRightsAfterwards(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine := w.add(w.clerk, `{"title": "mine", "secret": "s1"}`)
		w.add(w.other, `{"title": "theirs", "secret": "s2"}`)
		before := w.start(w.clerk, all("title", "secret"))
		require.Equal(t, exporter.Done, w.work(w.clerk, before.ID).State)
		w.become(w.clerk, "narrow")
		_, _, err := w.app.Exports().File(t.Context(), w.view(w.clerk), before.ID)
		refused(t, fault.ExportRights, err)
		again := w.start(w.clerk, all("title"))
		_, err = w.app.Exports().Start(t.Context(), w.view(w.clerk), all("title", "secret"))
		refused(t, fault.FieldUnknown, err)
		w.work(w.clerk, again.ID)
		require.Equal(t, []string{"hidden id | title", "ID | 标题", mine + " | mine"}, lines(t, w.bytes(w.clerk, again.ID)))
	})
}

// TestRightsAtTheRun: what its owner may no longer see when the job runs is not in the file.
func TestRightsAtTheRun(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine := w.add(w.clerk, `{"title": "mine", "secret": "s1"}`)
		w.add(w.other, `{"title": "theirs", "secret": "s2"}`)
		both, only := w.start(w.clerk, all("secret", "title")), w.start(w.clerk, all("secret"))
		w.become(w.clerk, "narrow")
		require.Equal(t, exporter.Done, w.work(w.clerk, both.ID).State)
		require.Equal(t, []string{"hidden id | title", "ID | 标题", mine + " | mine"}, lines(t, w.bytes(w.clerk, both.ID)))
		require.Equal(t, exporter.CheckError, w.work(w.clerk, only.ID).State, "nothing is left of it")

		gone := w.start(w.clerk, all("title"))
		w.become(w.clerk, "reader")
		task := w.work(w.clerk, gone.ID)
		require.Equal(t, exporter.CheckError, task.State)
		require.Equal(t, fault.Forbidden, task.Code)
		_, err := w.app.Exports().Start(t.Context(), w.view(w.clerk), all("title"))
		refused(t, fault.Forbidden, err)
	})
}

// TestEndBetweenReads: a task that ends after it was read and before its job was tells how it has ended.
func TestEndBetweenReads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(w.clerk, `{"title": "mine"}`)
		across := func(id string) exporter.Task {
			task, err := w.app.Exports().ProgressAcross(t.Context(), w.view(w.clerk), id, func() { w.work(w.clerk, id) })
			require.NoError(t, err)
			return task
		}
		good := across(w.start(w.clerk, all("title")).ID)
		require.Equal(t, exporter.Done, good.State)
		require.EqualValues(t, 1, good.Rows)
		refusedOne := w.start(w.clerk, all("secret"))
		w.become(w.clerk, "narrow")
		require.Equal(t, exporter.CheckError, across(refusedOne.ID).State)

		// Begun again, and failed in another way.
		w.become(w.clerk, "clerk")
		require.NoError(t, w.app.Jobs().Retry(t.Context(), w.clerk, refusedOne.JobID))
		node, err := open(w.o, 1, w.now)
		require.NoError(t, err)
		defer func() { require.NoError(t, node.Close()) }()
		node.Exports().Limit(100, 1<<20)
		require.Equal(t, exporter.Failed, w.await(node, w.clerk, refusedOne.ID).State)
	})
}

// TestRowsOfTheAction: somebody who sees all records and may export some exports these.
func TestRowsOfTheAction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine := w.add(w.clerk, `{"title": "mine"}`)
		w.add(w.other, `{"title": "theirs"}`)
		w.become(w.clerk, "reader", "narrow")
		started := w.start(w.clerk, all("title"))
		w.work(w.clerk, started.ID)
		require.Equal(t, []string{"hidden id | title", "ID | 标题", mine + " | mine"}, lines(t, w.bytes(w.clerk, started.ID)))
	})
}

// TestSelection: the ticked rows, or those of a filter, in the order that was asked for.
func TestSelection(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := map[string]string{}
		for _, title := range []string{"a", "b", "c"} {
			ids[title] = w.add(w.clerk, `{"title": "`+title+`", "state": "`+map[bool]string{true: "CLOSED", false: "OPEN"}[title == "c"]+`"}`)
		}
		ticked := all("title")
		ticked.All, ticked.ObjectIDs, ticked.OrderByFields, ticked.OrderType = false, []string{ids["a"], ids["c"]}, []string{"title"}, 2
		ticked.Filters = []query.Filter{{PropertyCode: "state", PropertyValue: json.RawMessage(`"OPEN"`)}} // of the page when they were ticked
		open := all("title")
		open.Filters = ticked.Filters
		for range 700 { // more than a page has, and gone meanwhile
			ticked.ObjectIDs = append(ticked.ObjectIDs, uuid.NewString())
		}
		for _, c := range []struct {
			req  exporter.Request
			want []string
		}{{ticked, []string{"c", "a"}}, {open, []string{"a", "b"}}} {
			s := w.start(w.clerk, c.req)
			w.work(w.clerk, s.ID)
			want := []string{"hidden id | title", "ID | 标题"}
			for _, title := range c.want {
				want = append(want, ids[title]+" | "+title)
			}
			require.Equal(t, want, lines(t, w.bytes(w.clerk, s.ID)))
		}
	})
}

// TestHandlers: who has to act on a record is a column where the list shows it, and only there.
func TestHandlers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.add(w.clerk, `{"title": "a"}`)
		w.add(w.clerk, `{"title": "b"}`)
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return errors.Join(tx.System().Exec("INSERT INTO sl_wf_actor (v, id, ordinal) VALUES (?, ?, 2)", id, w.clerk).Error,
				tx.System().Exec("INSERT INTO sl_wf_actor (v, id, ordinal) VALUES (?, ?, 1)", id, w.other).Error)
		}))
		for list, want := range map[string]string{"item_handled": "标题,当前处理人\r\na,\"other;clerk\"\r\nb,\r\n", "item": "标题\r\na\r\nb\r\n"} {
			req := all("title")
			req.QueryCode, req.FileType, req.Participant, req.OrderByFields, req.OrderType = list, "csv", true, []string{"title"}, 1
			s := w.start(w.clerk, req)
			w.work(w.clerk, s.ID)
			require.Equal(t, "\uFEFF"+want, string(w.bytes(w.clerk, s.ID)))
		}
	})
}

// TestRefused: requests that are refused when they are made.
func TestRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.add(w.clerk, `{"title": "a"}`)
		change := func(f func(*exporter.Request)) exporter.Request {
			r := all("title")
			f(&r)
			return r
		}
		for name, c := range map[string]struct {
			req  exporter.Request
			code fault.Code
		}{
			"no columns":     {all(), fault.EmptyParameter},
			"unknown column": {all("title", "none"), fault.FieldUnknown},
			"unknown child":  {all("lines:none"), fault.FieldUnknown},
			"technical":      {all("ownerDeptQueryCode"), fault.FieldUnknown},
			"nothing ticked": {change(func(r *exporter.Request) { r.All = false }), fault.BadParameter},
			"both":           {change(func(r *exporter.Request) { r.ObjectIDs = []string{id} }), fault.BadParameter},
			"too many":       {change(func(r *exporter.Request) { r.All, r.ObjectIDs = false, make([]string, 5001) }), fault.BadParameter},
			"file type":      {change(func(r *exporter.Request) { r.FileType = "exe" }), fault.BadParameter},
			"other model":    {change(func(r *exporter.Request) { r.SchemaCode = "none" }), fault.ModelNotFound},
			"no such action": {change(func(r *exporter.Request) { r.QueryCode = "item_plain" }), fault.Forbidden},
			"unknown filter": {change(func(r *exporter.Request) {
				r.Filters = []query.Filter{{PropertyCode: "none", PropertyValue: json.RawMessage(`"x"`)}}
			}), fault.FieldUnknown},
			"unknown sorting": {change(func(r *exporter.Request) { r.OrderByFields, r.OrderType = []string{"none"}, 1 }), fault.FieldUnknown},
		} {
			t.Run(name, func(t *testing.T) {
				_, err := w.app.Exports().Start(t.Context(), w.view(w.clerk), c.req)
				refused(t, c.code, err)
			})
		}
		_, total, err := w.app.Exports().Tasks(t.Context(), w.view(w.clerk), "", 0, 20)
		require.NoError(t, err)
		require.Zero(t, total)
	})
}

// TestTasks: a person's own tasks, found by name, deleted with their file; those of others do not exist.
func TestTasks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.add(w.clerk, `{"title": "a"}`)
		s := w.app.Exports()
		first := w.start(w.clerk, all("title"))
		english := all("title")
		english.Language = "en"
		second := w.start(w.clerk, english)
		refused(t, fault.ExportNotDone, s.Delete(t.Context(), w.view(w.clerk), first.ID))
		w.work(w.clerk, first.ID)
		w.work(w.clerk, second.ID)
		names := func(user, text string, page, size int) (out []string, total int64) {
			tasks, total, err := s.Tasks(t.Context(), w.view(user), text, page, size)
			require.NoError(t, err)
			for _, one := range tasks {
				out = append(out, one.ID)
			}
			return out, total
		}
		got, total := names(w.clerk, "", 0, 1)
		require.Equal(t, []string{second.ID}, got, "the newest first")
		require.EqualValues(t, 2, total)
		got, _ = names(w.clerk, "LIST exp", 0, 20)
		require.Equal(t, []string{second.ID}, got)
		got, _ = names(w.clerk, "%", 0, 20)
		require.Empty(t, got)
		got, total = names(w.other, "", 0, 20)
		require.Empty(t, got)
		require.Zero(t, total)
		theirs := w.view(w.other)
		_, err := s.Progress(t.Context(), theirs, first.ID)
		refused(t, fault.ExportNotFound, err)
		_, _, err = s.File(t.Context(), theirs, first.ID)
		refused(t, fault.ExportNotFound, err)
		refused(t, fault.ExportNotFound, s.Delete(t.Context(), theirs, first.ID))

		f, r, err := s.File(t.Context(), w.view(w.clerk), first.ID)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		_, err = w.app.Reader().File(t.Context(), w.view(w.clerk), f.ID)
		refused(t, fault.FileNotFound, err) // by the way of attachments nobody reaches it
		log, err := w.app.Audit().Page(t.Context(), audit.Query{Kinds: []audit.Kind{audit.Exported, audit.Downloaded}, Person: w.clerk, Size: 10})
		require.NoError(t, err)
		require.Len(t, log.Entries, 3, "two exports and one download; who was refused downloaded nothing")
		require.Equal(t, audit.Downloaded, log.Entries[0].Kind)
		require.Equal(t, map[string]string{"file": first.Name}, log.Entries[0].Detail)
		require.NoError(t, s.Delete(t.Context(), w.view(w.clerk), first.ID))
		_, err = w.app.Files().Read(t.Context(), f)
		refused(t, fault.FileNotFound, err)
		got, _ = names(w.clerk, "", 0, 20)
		require.Equal(t, []string{second.ID}, got)

		later := time.Now().Add(31 * 24 * time.Hour)
		w.clock = &later
		gone, err := s.Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, gone)
		got, _ = names(w.clerk, "", 0, 20)
		require.Empty(t, got)
	})
}

// TestCancel: a task whose job is cancelled has failed, and can be done after all.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.start(w.clerk, all("title"))
		require.NoError(t, w.app.Jobs().Cancel(t.Context(), w.clerk, s.JobID))
		task, err := w.app.Exports().Progress(t.Context(), w.view(w.clerk), s.ID)
		require.NoError(t, err)
		require.Equal(t, exporter.Failed, task.State)
		refused(t, fault.ExportNotDone, w.app.Exports().Delete(t.Context(), w.view(w.clerk), s.ID))
		for range 5 {
			w.start(w.clerk, all("title"))
		}
		_, err = w.app.Exports().Start(t.Context(), w.view(w.clerk), all("title"))
		refused(t, fault.ExportBusy, err)
	})
}

// TestFields: what can be exported, and what of it is one of "all fields".
func TestFields(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.become(w.clerk, "narrow")
		fields, err := w.app.Reader().ExtractFields(w.view(w.clerk), "item", "", exporter.Action)
		require.NoError(t, err)
		var got []string
		for _, f := range fields {
			one := fmt.Sprintf("%s %d", f.PropertyCode, f.Listed)
			if !f.Usual {
				one += " asked"
			}
			for _, c := range f.ChildColumns {
				one += fmt.Sprintf(" (%s %d)", c.PropertyCode, c.Listed)
			}
			got = append(got, one)
		}
		require.Equal(t, []string{"title 1", "quantity 2", "price 3", "day 4", "state 5", "done 0", "papers 6 asked", "said 0 asked", "lines 7 (what 1) (rate 2)",
			"name 0", "sequenceNo 0", "creator 0", "createdDeptId 0", "owner 0", "ownerDeptId 0", "createdTime 0", "modifier 0", "modifiedTime 0", "sequenceStatus 0"}, got)
		_, err = w.app.Reader().ExtractFields(w.view(w.clerk), "item", "item_plain", exporter.Action)
		refused(t, fault.Forbidden, err)
	})
}

// TestRightsMeanwhile: an export during which the rights of its owner change begins again with those that they have then.
func TestRightsMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine := w.add(w.clerk, `{"title": "mine", "secret": "s1"}`)
		w.add(w.other, `{"title": "theirs", "secret": "s2"}`)
		node, err := open(w.o, 1, w.now)
		require.NoError(t, err)
		defer func() { require.NoError(t, node.Close()) }()
		var asked atomic.Int32
		caller := node.Exports().Caller
		node.Exports().Caller = func(ctx context.Context, user string) (principal.Principal, bool) {
			if asked.Add(1) == 2 { // the first rows are in the file
				w.become(w.clerk, "narrow")
				require.NoError(t, node.People().Refresh(ctx))
			}
			return caller(ctx, user)
		}
		s := w.start(w.clerk, all("secret", "title"))
		require.Equal(t, exporter.Done, w.await(node, w.clerk, s.ID).State)
		require.Equal(t, []string{"hidden id | title", "ID | 标题", mine + " | mine"}, lines(t, w.bytes(w.clerk, s.ID)))
		require.EqualValues(t, 4, asked.Load(), "each attempt asks when it begins and after its page")
	})
}

// TestLimits: of a file, and of what a person keeps.
func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 3 {
			w.add(w.clerk, `{"title": "`+string(rune('a'+i))+`"}`)
		}
		first := w.start(w.clerk, all("title"))
		w.work(w.clerk, first.ID)
		w.app.Exports().Limit(1<<20, 10)
		_, err := w.app.Exports().Start(t.Context(), w.view(w.clerk), all("title"))
		refused(t, fault.ExportQuota, err)
		w.app.Exports().Limit(1<<20, 1<<20)
		node, err := open(w.o, 1, w.now)
		require.NoError(t, err)
		defer func() { require.NoError(t, node.Close()) }()
		node.Exports().Limit(100, 1<<20)
		task := w.await(node, w.clerk, w.start(w.clerk, all("title")).ID)
		require.Equal(t, exporter.Failed, task.State)
		require.Equal(t, fault.ExportTooLarge, task.Code)
	})
}

// TestHistory: the last choice comes back, without what is no longer there.
func TestHistory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		last := func() []exporter.Chosen {
			got, err := w.app.Exports().History(t.Context(), w.view(w.clerk), "item", "")
			require.NoError(t, err)
			return got
		}
		require.Empty(t, last())
		w.start(w.clerk, all("title"))
		require.Empty(t, last(), "not remembered unless the caller says so")
		req := all("secret", "lines:rate", "title")
		req.Remember = true
		w.start(w.clerk, req)
		id := last()[0].ID
		w.start(w.clerk, req)
		got := last()
		require.Len(t, got, 1)
		require.Equal(t, id, got[0].ID)
		require.JSONEq(t, `{"columns": [
			{"propertyCode": "secret", "name": "密级", "name_i18n": "{\"en\":\"Secret\"}", "propertyType": 0, "displayFormat": null, "childColumns": []},
			{"propertyCode": "lines", "name": "明细", "name_i18n": "{\"en\":\"Lines\"}", "propertyType": 8, "displayFormat": null, "childColumns": [
				{"propertyCode": "rate", "name": "费率", "name_i18n": "{\"en\":\"Rate\"}", "propertyType": 2, "displayFormat": null, "childColumns": []}]},
			{"propertyCode": "title", "name": "标题", "name_i18n": "{\"en\":\"Title\"}", "propertyType": 0, "displayFormat": null, "childColumns": []}]}`, got[0].QueryCondition)
		w.become(w.clerk, "narrow")
		require.NotContains(t, last()[0].QueryCondition, "secret")
	})
}

// TestManyRows: pages of records with sub-tables are put together, with a last page that is not full.
func TestManyRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const records = 230
		for i := range records {
			w.add(w.clerk, `{"title": "`+string(rune('a'+i/26/26))+string(rune('a'+i/26%26))+string(rune('a'+i%26))+`", "quantity": "1", "lines": `+
				many(i%3, func(n int) string { return `{"what": "x"}` })+`}`)
		}
		s := w.start(w.clerk, all("title", "quantity", "lines:what"))
		task := w.work(w.clerk, s.ID)
		require.EqualValues(t, records, task.Rows)
		got := lines(t, w.bytes(w.clerk, s.ID))
		rows := 0
		for i := range records {
			rows += max(1, i%3)
		}
		require.Len(t, got, 3+rows+1)
	})
}
