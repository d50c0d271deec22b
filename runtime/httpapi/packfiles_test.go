package httpapi

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	packs "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// harbourFiles are the actions of the harbor that take and give files.
func harbourFiles(s *pack.Set) error {
	manifest := action.NewUpload("manifest", action.Upload{Accept: []string{".csv"}, Most: 4 << 10}, `{"type": "object", "additionalProperties": false, "properties": {"prefix": {"type": "string"}, "skip": {"type": "integer"}}}`, `{"type": "integer"}`,
		func(ctx context.Context, c action.Call, file packs.File, in struct {
			Prefix string
			Skip   int
		}) (int, error) {
			r, err := c.OpenFile(ctx, file.ID)
			if err != nil {
				return 0, err
			}
			defer func() { _ = r.Close() }()
			lines, err := csv.NewReader(r).ReadAll()
			if err != nil {
				return 0, fault.Refuse("文件不是 CSV", "The file is not CSV")
			}
			var rows []map[string]any
			for _, l := range lines[min(in.Skip, len(lines)):] {
				rows = append(rows, map[string]any{"number": in.Prefix + l[0], "length": l[1]})
			}
			ids, err := c.CreateAll(ctx, "boat", rows)
			return len(ids), err
		})
	register := action.NewDownload("register", `{"type": "object", "additionalProperties": false, "properties": {"break": {"type": "boolean"}, "lines": {"type": "integer"}}}`, "text/csv; charset=utf-8",
		func(ctx context.Context, c action.Call, in struct {
			Break bool
			Lines int
		}) (action.File, error) {
			return action.File{Name: "船 register.csv", Write: func(to io.Writer) error {
				for row, err := range c.List(ctx, "boat", packs.ListOptions{}) {
					if err != nil {
						return err
					}
					if _, err := fmt.Fprintln(to, row.Cells[0].Text); err != nil {
						return err
					}
				}
				if _, err := io.WriteString(to, strings.Repeat("a line of forty characters, as long as it\n", in.Lines)); err != nil {
					return err
				}
				if in.Break {
					return errors.New("broken off")
				}
				return nil
			}}, nil
		})
	return errors.Join(s.Actions.Add(manifest), s.Actions.Add(register))
}

// form is a multipart call of fields; "file" is a file that is called name.
func form(t *testing.T, actor, path, name string, fields ...string) call {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		var part io.Writer
		var err error
		if fields[i] == "file" {
			part, err = w.CreateFormFile("file", name)
		} else {
			part, err = w.CreateFormField(fields[i])
		}
		require.NoError(t, err)
		_, err = io.WriteString(part, fields[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return call{method: "POST", path: path, body: body.String(), actor: actor, headers: map[string]string{"Content-Type": w.FormDataContentType()}}
}

// TestFilesOfPacks: an endpoint that takes a file, and one that gives one.
func TestFilesOfPacks(t *testing.T) {
	w := openHarbour(t, store.Options{Dir: opened.SQLite(t)})
	const path = "/api/harbour/manifest"
	const two = "X-1,5\nX-2,6\n"
	for what, c := range map[string]struct {
		call call
		want fault.Code
	}{
		"nobody":           {form(t, anonymous, path, "m.csv", "file", two), fault.Unauthenticated},
		"without a right":  {form(t, "guest", path, "m.csv", "file", two), fault.Forbidden},
		"no file":          {form(t, "master", path, "m.csv", "prefix", "P"), fault.EmptyParameter},
		"two files":        {form(t, "master", path, "m.csv", "file", two, "file", two), fault.BadParameter},
		"another kind":     {form(t, "master", path, "m.txt", "file", two), fault.FileNotAccepted},
		"too large":        {form(t, "master", path, "m.csv", "file", strings.Repeat(two, 1000)), fault.FileTooLarge},
		"an unknown field": {form(t, "master", path, "m.csv", "file", two, "more", "1"), fault.BadParameter},
		"a field twice":    {form(t, "master", path, "m.csv", "prefix", "a", "prefix", "b", "file", two), fault.BadParameter},
		"a wrong field":    {form(t, "master", path, "m.csv", "skip", "one", "file", two), fault.BadParameter},
		"JSON":             {call{method: "POST", path: path, body: `{}`, actor: "master"}, fault.MediaType},
		"a refused row":    {form(t, "master", path, "m.csv", "file", "X-1,5\nX-1,6\n"), fault.RecordInvalid},
	} {
		got := w.send(t, c.call)
		require.Equal(t, c.want, got.Errcode, "%s: %s", what, got.Body)
		require.Empty(t, w.rows(t, administrator, "boat"), what)
	}
	sent := form(t, "master", path, "m.csv", "prefix", "P-", "skip", "1", "file", two)
	sent.headers["Idempotency-Key"] = "manifest of May"
	for range 2 { // sent again it is answered, and not done again
		got := w.send(t, sent)
		require.Equal(t, "1", string(got.Data), "%s", got.Body)
	}
	require.Len(t, w.rows(t, administrator, "boat"), 1)
	other := form(t, "master", path, "m.csv", "prefix", "P-", "skip", "1", "file", "X-1,5\nX-3,6\n")
	other.headers["Idempotency-Key"] = "manifest of May"
	require.Equal(t, fault.RepeatSubmit, w.send(t, other).Errcode, "another file under the same key")

	got := w.get(t, "clerk", "/api/harbour/register")
	require.Equal(t, "P-X-2\n", got.Body.String())
	require.Equal(t, "text/csv; charset=utf-8", got.Header().Get("Content-Type"))
	require.Equal(t, `attachment; filename="_ register.csv"; filename*=UTF-8''%E8%88%B9%20register.csv`, got.Header().Get("Content-Disposition"))
	require.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
	require.Equal(t, fault.Forbidden, w.get(t, "guest", "/api/harbour/register").Errcode)
	require.Equal(t, fault.Internal, w.get(t, "clerk", "/api/harbour/register?break=true&lines=100000").Errcode, "a file that breaks off is an error, however long it was")
	long := w.get(t, "clerk", "/api/harbour/register?lines=100000").Body.String()
	require.Len(t, long, len("P-X-2\n")+4_200_000)
	require.True(t, strings.HasPrefix(long, "P-X-2\na line") && strings.HasSuffix(long, "as it\n"))
	require.Equal(t, int64(2), looseFiles(t, w), "the file of the call that was stored and of its repeat; those of refused calls are gone")

	doc, err := openapi3.NewLoader().LoadFromData(w.get(t, anonymous, "/api/openapi.json").Body.Bytes())
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	require.NotNil(t, doc.Paths.Find(path).Post.RequestBody.Value.Content["multipart/form-data"])
	require.NotNil(t, doc.Paths.Find("/api/harbour/register").Get.Responses.Value("200").Value.Content["text/csv"])
}

func looseFiles(t *testing.T, w *world) (n int64) {
	t.Helper()
	require.NoError(t, w.app.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Model(&blob.File{}).Count(&n).Error }))
	return n
}
