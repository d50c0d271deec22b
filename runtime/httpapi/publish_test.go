package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

const publishPath = definitionPath + "publish"

// author publishes through one node.
type author struct {
	*world
	t     *testing.T
	token string
}

func newAuthor(t *testing.T, w *world) *author {
	t.Helper()
	return &author{world: w, t: t, token: w.token(t, administrator)}
}

func (a *author) call(method, path, body string) reply {
	a.t.Helper()
	return a.send(a.t, call{method: method, path: path, body: body, headers: map[string]string{"Authorization": "Bearer " + a.token}})
}

// document reads a file of the pack desk.
func (a *author) document(path string) (out app.Document) {
	a.t.Helper()
	r := a.call("GET", definitionPath+"document?pack=desk&path="+url.QueryEscape(path), "")
	require.Equal(a.t, http.StatusOK, r.Code, r.Body.String())
	require.NoError(a.t, json.Unmarshal(r.Data, &out))
	return out
}

func (a *author) publish(in map[string]any) reply {
	a.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(a.t, err)
	return a.call("POST", publishPath, string(body))
}

func publication(t *testing.T, r reply) (p app.Publication) {
	t.Helper()
	require.NoError(t, json.Unmarshal(r.Data, &p), r.Body.String())
	return p
}

func changeset(seen, text string, more ...any) string {
	in := map[string]any{"note": "test", "files": []map[string]any{{"pack": "desk", "path": "models/ticket.json", "text": text, "seen": seen}}}
	for i := 0; i+1 < len(more); i += 2 {
		in[more[i].(string)] = more[i+1]
	}
	out, _ := json.Marshal(in)
	return string(out)
}

// ticketModel is the model with properties whose codes are given; a code with "<old" was renamed.
func ticketModel(codes ...string) string {
	var of []string
	for _, code := range codes {
		name, old, renamed := strings.Cut(code, "<")
		from := ""
		if renamed {
			from = `"renamedFrom": "` + old + `", `
		}
		of = append(of, `{"code": "`+name+`", `+from+`"propertyType": "ShortText", "name": "`+name+`"}`)
	}
	return `{"name": "工单", "properties": [` + strings.Join(of, ", ") + `]}`
}

// openDesk opens a product with the pack desk: a model with a name and a text, and an agent.
func openDesk(t *testing.T, cfg app.Config) *world {
	t.Helper()
	if len(cfg.Dirs) == 0 {
		dir := ticketPack(t)
		require.NoError(t, os.WriteFile(dir+"/models/ticket.json", []byte(ticketModel("name", "text")), 0o644))
		require.NoError(t, os.WriteFile(dir+"/lists/ticket.json", []byte(`{"name": "工单", "schemaCode": "ticket", "queryColumns": ["name"]}`), 0o644))
		cfg.Dirs = []string{dir}
	}
	cfg.NoEmbedded = true
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	w, err := openWorldWith(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	if _, known := w.app.People().PersonByName(t.Context(), administrator); !known {
		require.NoError(t, w.addAdministrator(t.Context()))
		_, err = w.app.AddUser(t.Context(), "agent", "agent", []string{"agent"})
		require.NoError(t, err)
	}
	return w
}

// TestTwoNodesPublish publishes fifty times, from both nodes in turn, while both read and write: a property is renamed each time, so that
// nothing fits between versions.
func TestTwoNodesPublish(t *testing.T) {
	t.Parallel()
	const publications, pace = 50, 5 * time.Millisecond // the machine shall do something else, too
	o := opened.Postgres(t)
	one := openDesk(t, app.Config{URL: o, Key: "a key of this test, long enough to be one"})
	cfg := app.Config{URL: o, Key: "a key of this test, long enough to be one"}
	cfg.Dirs = one.dirs
	two := openDesk(t, cfg)
	nodes := []*author{newAuthor(t, one), newAuthor(t, two)}

	t.Cleanup(func() {
		if t.Failed() {
			for n, w := range []*world{one, two} {
				for line := range strings.SplitSeq(w.log.String(), "\n") {
					if !strings.Contains(line, "level=DEBUG") && !strings.Contains(line, "level=INFO msg=request") {
						t.Log(n, line)
					}
				}
			}
		}
	})
	var over atomic.Bool
	var saved, read, repeated atomic.Int64
	var all sync.WaitGroup
	agents := []string{one.token(t, "agent"), two.token(t, "agent")}
	for n, w := range []*world{one, two} {
		all.Go(func() {
			for i := 0; !over.Load(); i++ {
				time.Sleep(pace)
				name := fmt.Sprintf("node %d ticket %d", n, i)
				r := w.withToken(t, agents[n], "POST", "/api/runtime/form/save", `{"schemaCode": "ticket", "data": {"name": "`+name+`"}}`)
				switch {
				case r.Code == http.StatusOK:
					saved.Add(1)
				case r.Code == http.StatusServiceUnavailable: // and nothing is stored
					repeated.Add(1)
				default:
					t.Errorf("save: %d %s", r.Code, r.Body)
					return
				}
			}
		})
		all.Go(func() {
			for !over.Load() {
				time.Sleep(pace)
				// The definition and the records of one call are of one version: the columns tell which.
				r := w.withToken(t, agents[n], "POST", "/api/runtime/query/list", `{"schemaCode": "ticket", "queryCode": "ticket", "size": 5}`)
				if r.Code == http.StatusServiceUnavailable {
					repeated.Add(1)
					continue
				}
				if r.Code != http.StatusOK {
					t.Errorf("list: %d %s", r.Code, r.Body)
					return
				}
				if why := mixed(r.Data); why != "" {
					t.Error(why)
					return
				}
				read.Add(1)
			}
		})
	}
	begun := time.Now()
	properties := []string{"name", "text"}
	for i := range publications {
		a, version := nodes[i%2], fmt.Sprint("v", i+1)
		class := store.Safe
		last := &properties[len(properties)-1]
		if old, _, _ := strings.Cut(*last, "<"); i%5 == 0 { // the column has another name then
			class, *last = store.Confirm, version+"<"+old
		} else {
			*last, properties = old, append(properties, version)
		}
		in := map[string]any{"note": version}
		var r reply
		for range 20 { // the other node may still be about to take over what was published last
			model, list := a.document("models/ticket.json"), a.document("lists/ticket.json")
			in["files"] = []map[string]any{
				{"pack": "desk", "path": "models/ticket.json", "seen": model.Seen, "text": ticketModel(properties...)},
				{"pack": "desk", "path": "lists/ticket.json", "seen": list.Seen,
					"text": `{"name": "工单", "schemaCode": "ticket", "queryColumns": ["name", "` + version + `"]}`}}
			if r = a.publish(in); class == store.Confirm && r.Errcode == fault.PublishConfirm {
				in["confirm"] = publication(t, r).Digest
				r = a.publish(in)
			}
			if r.Code == http.StatusOK {
				break
			}
		}
		require.Equal(t, http.StatusOK, r.Code, r.Body.String())
		require.Equal(t, class, publication(t, r).Class)
	}
	took := time.Since(begun)
	over.Store(true)
	all.Wait()
	require.Eventually(t, func() bool {
		return one.app.State().Catalog.Version == publications && two.app.State().Catalog.Version == publications
	}, 10*time.Second, 5*time.Millisecond, "both end on the same version")
	require.Equal(t, one.app.State().Catalog.Digest, two.app.State().Catalog.Digest)
	var stored int64
	require.NoError(t, one.app.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT count(*) FROM " + store.Ident(one.app.State().Catalog.Model("ticket").Table)).Scan(&stored).Error
	}))
	require.Equal(t, saved.Load(), stored, "everything that was acknowledged is there, and nothing else")
	require.Positive(t, read.Load())
	t.Logf("%d publications in %s; %d saved, %d read, %d sent away", publications, took, saved.Load(), read.Load(), repeated.Load())
}

// mixed tells why an answer of the list is not of one version: each record has the one column of its version.
func mixed(data json.RawMessage) string {
	var out struct {
		Content []struct{ Data map[string]any }
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return err.Error()
	}
	first := ""
	for _, row := range out.Content {
		var column string
		for key := range row.Data {
			if key != "name" && (key == "text" || strings.HasPrefix(key, "v")) {
				column += key
			}
		}
		if first == "" {
			first = column
		}
		if column != first {
			return "columns of two versions: " + first + " and " + column
		}
	}
	return ""
}
