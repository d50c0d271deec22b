package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// outOfReach is a storage of files that a test takes away and brings back.
type outOfReach struct {
	place      string
	away, back func()
}

// storages are the ways in which files can be out of reach: a folder that is gone, a file in its place, a server that refuses.
func storages(t *testing.T) map[string]outOfReach {
	t.Helper()
	gone, other := filepath.Join(t.TempDir(), "files"), filepath.Join(t.TempDir(), "files")
	do := func(err error) { require.NoError(t, err) }
	backend := s3mem.New()
	do(backend.CreateBucket("files"))
	s3 := gofakes3.New(backend).Server()
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			http.Error(w, "", http.StatusForbidden) // what a server says that is not asked again
			return
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	return map[string]outOfReach{
		"folder gone": {gone, func() { do(os.Rename(gone, gone+".away")) }, func() { do(os.Rename(gone+".away", gone)) }},
		"not a folder": {other, func() { do(os.Rename(other, other+".away")); do(os.WriteFile(other, nil, 0o600)) },
			func() { do(os.Remove(other)); do(os.Rename(other+".away", other)) }},
		"s3": {"s3://files?region=us-east-1&use_path_style=true&endpoint=" + url.QueryEscape(server.URL), func() { down.Store(true) }, func() { down.Store(false) }},
	}
}

// TestFilesAway: while the storage of files is out of reach, calls that need it are answered with 503, the node is not ready and tells so
// wherever it is looked at; all else goes on, and so do files when it is there again. A single file that is missing is none of that.
func TestFilesAway(t *testing.T) {
	for name, at := range storages(t) {
		t.Run(name, func(t *testing.T) {
			w := openTickets(t, app.Config{Files: at.place, Serving: true})
			require.NoError(t, w.addAdministrator(t.Context()))
			require.Eventually(t, func() bool {
				return strings.Contains(w.get(t, administrator, "/api/system/nodes").Body.String(), `"filesAway":false`)
			},
				10*time.Second, 5*time.Millisecond)
			f := w.upload(t, "agent", "", "a.png", smallPNG(t))
			missing := w.upload(t, "agent", "", "b.txt", []byte("b"))
			require.Equal(t, http.StatusOK, w.get(t, anonymous, "/readyz").Code)

			at.away()
			down := "/api/aliyun/download?refId="
			w.unavailable(t, w.send(t, uploading(t, "agent", "", "c.txt", []byte("c"))), fault.FilesAway)
			w.unavailable(t, w.get(t, "agent", down+f.RefID), fault.FilesAway)
			w.unavailable(t, w.get(t, "agent", down+f.RefID+"&thumb=1"), fault.FilesAway)
			require.Equal(t, http.StatusServiceUnavailable, w.get(t, anonymous, "/readyz").Code)
			require.Zero(t, w.post(t, "agent", listPath, `{"schemaCode":"ticket"}`).Errcode, "records are not files")
			text := w.figures(t)
			require.Contains(t, text, "sluice_files_up 0")
			require.Contains(t, text, "sluice_database_up 1")
			require.Regexp(t, `sluice_files_outages_total [3-9]`, text)
			require.Contains(t, w.get(t, administrator, "/api/system/nodes").Body.String(), `"filesAway":true`)

			at.back()
			require.Equal(t, http.StatusOK, w.get(t, anonymous, "/readyz").Code)
			require.Equal(t, http.StatusOK, w.get(t, "agent", down+f.RefID).Code)
			require.Contains(t, w.get(t, administrator, "/api/system/nodes").Body.String(), `"filesAway":false`)
			require.Contains(t, w.figures(t), "sluice_files_up 1")
			w.upload(t, "agent", "", "c.txt", []byte("c"))
			if file := filepath.Join(at.place, missing.RefID[len(missing.RefID)-2:], missing.RefID); name != "s3" {
				require.NoError(t, os.Remove(file))
				require.Equal(t, fault.FileNotFound, w.get(t, "agent", down+missing.RefID).Errcode)
			}
		})
	}
}
