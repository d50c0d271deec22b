package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/mail/mailtest"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/outbound"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/seed"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// office is an installation with a mail server, a webhook, workers and sheets that can be printed.
type office struct {
	*testing.T
	*app.App
	ann   *authz.View // an administrator, who reads mail
	ids   []string    // of sheets
	ahead *atomic.Int64
}

const sheetsPack = "testdata/office"

// openOffice opens it with so many sheets.
func openOffice(t *testing.T, c app.Config, sheets int) *office {
	t.Helper()
	letters := mailtest.Start(t, false, false)
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(hook.Close)
	at, err := url.Parse(hook.URL)
	require.NoError(t, err)
	w := &office{T: t, ahead: &atomic.Int64{}}
	c.Channels = app.Channels{Webhook: at, Secret: "hook-Secret-1", Private: true, Client: outbound.New(outbound.Options{Private: true})}
	c.Channels.Mail, err = mail.New(mail.Config{Server: letters.Address, From: "Sluice <no-reply@example.com>", Trust: letters.Trust, User: mailtest.User, Password: mailtest.Password,
		Timeout: 10 * time.Second})
	require.NoError(t, err)
	c.Address, c.Clock = "https://sluice.example.com", func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }
	w.App, err = app.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	id, err := w.AddUser(t.Context(), "ann", "ann", []string{"administrator"})
	require.NoError(t, err)
	who, active := w.Caller(t.Context(), "ann")
	require.True(t, active)
	require.NoError(t, w.Act(t.Context(), who, func(s world.World) error {
		now, err := s.Get(t.Context(), "user", id)
		if err == nil {
			_, err = s.Update(t.Context(), "user", id, now.Version, map[string]any{"email": "ann@example.com"})
		}
		return err
	}))
	w.ann = w.State().Policy.View(who, w.Now(), w.Zone())
	require.NoError(t, seed.Fill(t.Context(), w.Store(), w.State().Catalog, w.State().Catalog.Model("sheet"), sheets, func(int) {}))
	require.NoError(t, w.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Table(w.State().Catalog.Model("sheet").Table).Order("id").Pluck("id", &w.ids).Error
	}))
	require.Len(t, w.ids, sheets)
	for i, id := range w.ids {
		if b, err := uuid.FromBytes([]byte(id)); err == nil { // as SQLite keeps them
			w.ids[i] = b.String()
		}
	}
	return w
}

// lane is where a job is done: once it has ended, or has found that it belongs elsewhere than it began.
func (w *office) lane(id string) (lane job.Lane) {
	w.Helper()
	require.Eventually(w, func() bool {
		var row struct {
			Lane  job.Lane
			State job.State
			Error string
		}
		require.NoError(w, w.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Table("sl_job").Where("id = ?", id).Take(&row).Error
		}))
		lane = row.Lane
		require.NotEqual(w, job.Failed, row.State, row.Error)
		return lane != job.Short || row.State != job.Queued && row.State != job.Running
	}, time.Minute, 10*time.Millisecond)
	return lane
}

// ended waits for a job.
func (w *office) ended(id string) {
	w.Helper()
	require.Eventually(w, func() bool {
		j, err := w.Jobs().Get(w.Context(), w.ann.User(), id)
		require.NoError(w, err)
		return j.State != job.Queued && j.State != job.Running
	}, time.Minute, 5*time.Millisecond)
	j, err := w.Jobs().Get(w.Context(), w.ann.User(), id)
	require.NoError(w, err)
	require.Equal(w, job.Done, j.State, "%+v", j)
}

// over waits for a job of nobody's.
func (w *office) over(id string) {
	w.Helper()
	require.Eventually(w, func() bool {
		j, err := w.Jobs().All().Get(w.Context(), id)
		require.NoError(w, err)
		require.NotEqual(w, job.Failed, j.State, "%+v", j)
		return j.State == job.Done
	}, time.Minute, 5*time.Millisecond)
}

// newest is the last job of a kind.
func (w *office) newest(kind string) (id string) {
	w.Helper()
	require.Eventually(w, func() bool {
		var ids []string
		require.NoError(w, w.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Table("sl_job").Where("kind = ?", kind).Order("id DESC").Limit(1).Pluck("id", &ids).Error
		}))
		if len(ids) > 0 {
			id = ids[0]
		}
		return id != ""
	}, time.Minute, 10*time.Millisecond, kind)
	return id
}

func (w *office) selected(n int) query.SelectionRequest {
	if n == 0 {
		return query.SelectionRequest{SchemaCode: "sheet", All: true}
	}
	return query.SelectionRequest{SchemaCode: "sheet", All: true, Filters: []query.Filter{{PropertyCode: "id", PropertyValue: must(json.Marshal(w.ids[:n])), QueryFilterType: json.RawMessage("15")}}}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// changes is a job that changes sheets, 0 = all.
func (w *office) changes(kind string, n int) string {
	w.Helper()
	out, err := w.Bulk().Run(w.Context(), w.ann, bulk.Request{Kind: kind, Selection: w.selected(n), Property: "amount", Value: json.RawMessage("5"), Owner: record.Owner{User: w.ann.User()}})
	require.NoError(w, err)
	require.NotNil(w, out.JobID)
	return *out.JobID
}

// imports is the job that checks, or imports, a file of so many rows, and the import.
func (w *office) imports(n int, dry bool) (id, work string) {
	w.Helper()
	text := strings.Builder{}
	text.WriteString("名称\n")
	for i := range n {
		fmt.Fprintf(&text, "row %d\n", i)
	}
	return w.importsFile("sheets.csv", []byte(text.String()), dry)
}

// silent is a workbook that does not say how many rows it has.
func silent(t *testing.T, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	book := workbook.NewWriter(&out, workbook.Options{})
	book.Sheet(workbook.SheetOptions{Name: "A"})
	require.NoError(t, book.Row([]workbook.Out{{Cell: property.Cell{Kind: property.CellText, Text: "名称"}}}, 0))
	for i := range n {
		require.NoError(t, book.Row([]workbook.Out{{Cell: property.Cell{Kind: property.CellText, Text: fmt.Sprint("row ", i)}}}, 0))
	}
	require.NoError(t, book.Close())
	return out.Bytes()
}

func (w *office) importsFile(name string, content []byte, dry bool) (id, work string) {
	w.Helper()
	up, err := w.Importer().Upload(w.Context(), w.ann, name, bytes.NewReader(content), nil)
	require.NoError(w, err)
	require.Equal(w, strings.HasSuffix(name, ".xlsx"), up.Rows == 0, up.Rows)
	id, err = w.Importer().Start(w.Context(), w.ann, importer.Request{SchemaCode: "sheet", FileName: up.FileName, Mode: importer.Add}, dry)
	require.NoError(w, err)
	return id, w.newest("import")
}

// exports is the job that writes sheets into a file, 0 = all.
func (w *office) exports(n int) string {
	w.Helper()
	req := exporter.Request{ListRequest: query.ListRequest{SchemaCode: "sheet"}, Columns: []exporter.Column{{PropertyCode: "title"}}, All: n == 0}
	if n > 0 {
		req.ObjectIDs = w.ids[:n]
	}
	started, err := w.Exports().Start(w.Context(), w.ann, req)
	require.NoError(w, err)
	return started.JobID
}

// prints is the job that prints sheets.
func (w *office) prints(n int) string {
	w.Helper()
	started, err := w.Prints().Batch(w.Context(), w.ann, printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: "sheet", ObjectIDs: w.ids[:n]}, Template: "plain"})
	require.NoError(w, err)
	return started.JobID
}

// tells sends so many messages to ann.
func (w *office) tells(n int) {
	w.Helper()
	require.NoError(w, w.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
		for i := range n {
			m := notify.Message{To: w.ann.User(), Type: 101, Title: plan.Label{Zh: fmt.Sprint("消息", i)}}
			if err := w.Messages().Send(tx, m); err != nil {
				return err
			}
		}
		return nil
	}))
}

// TestLanes: what each service of the product starts is done in the lane that it belongs to, whether it is little or much.
func TestLanes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, sheets.CopyTo(dir))
	c := config(t, store.Options{Dir: dir}, sheetsPack)
	c.Readers, c.Workers = 0, 4
	w := openOffice(t, c, 5001)
	for _, one := range []struct {
		name string
		job  func() string
		want job.Lane
	}{
		{"import of little", func() string { _, id := w.imports(2, false); return id }, job.Short},
		{"check of little", func() string { _, id := w.imports(2, true); return id }, job.Short},
		{"import of much", func() string { _, id := w.imports(1001, false); return id }, job.Long},
		{"check of much", func() string { _, id := w.imports(1001, true); return id }, job.Long},
		{"import of much that isn't counted", func() string { _, id := w.importsFile("sheets.xlsx", silent(t, 1001), false); return id }, job.Long},
		{"check of much that isn't counted", func() string { _, id := w.importsFile("sheets.xlsx", silent(t, 1001), true); return id }, job.Long},
		{"export of little", func() string { return w.exports(2) }, job.Short},
		{"export of much", func() string { return w.exports(0) }, job.Long},
		{"print of little", func() string { return w.prints(2) }, job.Short},
		{"print of much", func() string { return w.prints(101) }, job.Long},
		{"change of little", func() string { return w.changes(bulk.BatchUpdate, 3) }, job.Short},
		{"change of much", func() string { return w.changes(bulk.BatchUpdate, 0) }, job.Long},
		{"owner of little", func() string { return w.changes(bulk.ChangeOwner, 3) }, job.Short},
		{"owner of much", func() string { return w.changes(bulk.ChangeOwner, 0) }, job.Long},
		{"deletion of little", func() string { return w.changes(bulk.Delete, 3) }, job.Short},
		{"deletion of much", func() string { return w.changes(bulk.Delete, 0) }, job.Long},
		{"a mail", func() string { w.tells(1); return w.newest("message.mail") }, job.Deliveries},
		{"a call of the webhook", func() string { return w.newest("message.webhook") }, job.Deliveries},
		{"many mails", func() string { w.tells(150); return w.newest("message.mail") }, job.Deliveries},
	} {
		id := one.job()
		require.Equal(t, one.want, w.lane(id), one.name)
		if one.want == job.Long {
			require.NoError(t, w.Jobs().Cancel(t.Context(), w.ann.User(), id), one.name)
		}
	}
}

// sheets is a database with the sheets' pack.
var sheets = apptest.Of(plugintest.Register, sheetsPack)
