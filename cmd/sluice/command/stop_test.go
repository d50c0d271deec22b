package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestStopsUnderLoad: while some search and print, one person is saved again and again, and others export, print batches and check imports, the
// program answers who has nothing to do with that, and ends by itself soon after SIGTERM in the middle. Two connections read: SQLite is given that many, and of
// five to PostgreSQL one listens and two write.
func TestStopsUnderLoad(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { stopsUnderLoad(t, store.Options{Dir: t.TempDir()}) })
	t.Run("postgres", func(t *testing.T) {
		url := storetest.Pool(storetest.Postgres(t), 5)
		stopsUnderLoad(t, store.Options{Dir: t.TempDir(), URL: url})
	})
}

// customer calls one server, once.
type customer struct {
	base, token string
}

func (c customer) send(ctx context.Context, method, path, kind string, body []byte) (out answer, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", kind)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return out, err
	}
	defer func() { _ = res.Body.Close() }()
	whole, err := io.ReadAll(res.Body)
	if err == nil {
		err = json.Unmarshal(whole, &out)
	}
	return out, err
}

func (c customer) call(ctx context.Context, path string, body any) (answer, error) {
	method, text := http.MethodPost, []byte(nil)
	if body == nil {
		method = http.MethodGet
	} else {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return answer{}, err
		}
	}
	return c.send(ctx, method, path, "application/json", text)
}

func stopsUnderLoad(t *testing.T, o store.Options) {
	packs, err := filepath.Abs("../../../examples/ship-lock")
	require.NoError(t, err)
	in := &installation{T: t, o: o, packs: packs}
	var logged bytes.Buffer
	c := in.sluice("serve", "--addr", "127.0.0.1:0")
	c.Env = append(c.Env, readersOfTests+"=2")
	c.Stderr = &logged
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	ended := make(chan error, 1)
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	base := strings.TrimPrefix(lines.Text(), "Sluice serves ")
	go func() {
		for lines.Scan() {
		}
		ended <- c.Wait()
	}()
	t.Cleanup(func() { _ = c.Process.Kill() })
	person := func(name, role string) customer {
		in.run("user", "add", name, "--role", role)
		return customer{base, in.run("user", "token", name)}
	}
	boss, other, plain := person("boss", "administrator"), person("other", "administrator"), person("plain", "viewer")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	must := func(c customer, path string, body, to any) {
		t.Helper()
		got, err := c.call(ctx, path, body)
		require.NoError(t, err)
		got.into(t, to)
	}
	var me struct{ ID string }
	must(plain, "/api/organization/user/info", nil, &me)
	var lots struct{ Content []struct{ ID string } }
	must(boss, "/api/runtime/query/list", map[string]any{"schemaCode": "inspection", "size": 20}, &lots)
	require.NotEmpty(t, lots.Content)
	var ids []string
	for _, lot := range lots.Content {
		ids = append(ids, lot.ID)
	}

	var all sync.WaitGroup
	var work atomic.Int64
	again := func(times int, pause time.Duration, f func(n int) (answer, error)) {
		for range times {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					if got, err := f(n); err == nil && got.Code == 0 {
						work.Add(1)
					}
					time.Sleep(pause)
				}
			})
		}
	}
	list := map[string]any{"schemaCode": "inspection", "queryCode": "inspection", "objectIds": ids}
	again(4, 0, func(n int) (answer, error) { // who is named in a page of records
		return boss.call(ctx, "/api/runtime/query/list", map[string]any{"schemaCode": "inspection", "size": 100, "page": n % 5})
	})
	again(4, 0, func(int) (answer, error) { return other.call(ctx, "/api/message/unread_count", nil) })
	again(2, 0, func(n int) (answer, error) {
		return other.call(ctx, "/api/runtime/print/pages", map[string]any{"schemaCode": "inspection", "queryCode": "inspection", "objectIds": ids[n%len(ids) : n%len(ids)+1], "code": "inspection"})
	})
	again(1, 0, func(n int) (answer, error) {
		return boss.call(ctx, "/api/runtime/form/save", map[string]any{"schemaCode": "user", "id": me.ID, "version": n + 1, "data": map[string]any{"name": fmt.Sprint("Plain ", n)}})
	})
	again(1, 200*time.Millisecond, func(int) (answer, error) {
		order := map[string]any{"columns": []any{map[string]any{"propertyCode": "part"}}, "mobile": false, "page": 0, "size": 20, "filters": []any{}, "allObjectId": true, "languageType": "en", "fileType": "xlsx"}
		for key, value := range list {
			if key != "objectIds" {
				order[key] = value
			}
		}
		return boss.call(ctx, "/api/runtime/export/start", order)
	})
	again(1, 200*time.Millisecond, func(int) (answer, error) {
		return other.call(ctx, "/api/runtime/print/batch", map[string]any{"schemaCode": "inspection", "queryCode": "inspection", "objectIds": ids, "code": "inspection"})
	})
	again(1, time.Second, func(int) (answer, error) { return checksImport(ctx, boss) })
	var mu sync.Mutex
	var took []time.Duration
	failed := map[string]int{}
	again(2, 20*time.Millisecond, func(int) (answer, error) {
		begun := time.Now()
		got, err := plain.call(ctx, "/api/runtime/query/list", map[string]any{"schemaCode": "inspection", "size": 20})
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			took = append(took, time.Since(begun))
			if err != nil || got.Code != 0 {
				failed[fmt.Sprint(err, " ", got.Code, " ", got.Text)]++
			}
		}
		return got, err
	})

	time.Sleep(3 * time.Second)
	mu.Lock()
	slices.Sort(took)
	require.NotEmpty(t, took)
	t.Logf("%d calls beside %d of others: half within %v, 99 of 100 within %v, all within %v", len(took), work.Load(), took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	require.Empty(t, failed)
	mu.Unlock()
	begun := time.Now()
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	time.Sleep(200 * time.Millisecond)
	stop() // who is refused comes again, but not here
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(stopTime + 10*time.Second):
		require.Fail(t, "the program does not end")
	}
	t.Log("ended after", time.Since(begun))
	all.Wait()
	require.NotContains(t, logged.String(), "second connection")
	require.NotContains(t, logged.String(), "does not end by itself")
	require.NotContains(t, logged.String(), "answers nothing")
}

// checksImport has a file of 3,000 rows checked.
func checksImport(ctx context.Context, c customer) (answer, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "sites.csv")
	if err != nil {
		return answer{}, err
	}
	fmt.Fprint(part, "编码,名称\n")
	for n := range 3000 {
		fmt.Fprintf(part, "S-%d,Site %d\n", n, n)
	}
	if err := form.Close(); err != nil {
		return answer{}, err
	}
	got, err := c.send(ctx, http.MethodPost, "/api/runtime/import/upload", form.FormDataContentType(), body.Bytes())
	if err != nil || got.Code != 0 {
		return got, err
	}
	var up struct{ FileName string }
	if err := json.Unmarshal(got.Data, &up); err != nil {
		return answer{}, err
	}
	return c.call(ctx, "/api/runtime/import/dry_run", map[string]any{"fileName": up.FileName, "schemaCode": "site", "queryCode": "site", "languageType": "zh", "mode": "add"})
}
