package command

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestUninvolvedUnderLoad prints how long plain calls of one person take while eight others import, check, export, print, change many
// records, publish, search and upload, and take their answers slowly. It takes minutes, so it runs with SLUICE_TEST_EVERYWHERE only.
func TestUninvolvedUnderLoad(t *testing.T) {
	if !storetest.Everywhere() {
		t.Skip("it takes minutes")
	}
	t.Run("sqlite", func(t *testing.T) { uninvolved(t, store.Options{Dir: t.TempDir()}) })
	t.Run("postgres", func(t *testing.T) {
		url := storetest.Pool(storetest.Postgres(t), 5)
		uninvolved(t, store.Options{Dir: t.TempDir(), URL: url})
	})
}

const (
	loadTime   = 75 * time.Second
	loadPause  = 10 * time.Millisecond // between two calls of somebody who never stops
	worstPlain = time.Second           // that 99 of 100 plain calls may take
)

// crowd is a server and those who load it.
type crowd struct {
	*testing.T
	ctx  context.Context
	base string
	all  sync.WaitGroup

	mu     sync.Mutex
	did    map[string]int // what others did, by kind
	failed map[string]int // refusals, by kind and reason
	took   map[string][]time.Duration
}

// again does something until the load ends.
func (w *crowd) again(what string, times int, pause time.Duration, do func(n int) error) {
	w.mu.Lock()
	w.did[what] = 0
	w.mu.Unlock()
	for range times {
		w.all.Go(func() {
			for n := 0; w.ctx.Err() == nil; n++ {
				err := do(n)
				w.mu.Lock()
				switch {
				case w.ctx.Err() != nil:
				case err != nil:
					w.failed[what+": "+err.Error()]++
				default:
					w.did[what]++
				}
				w.mu.Unlock()
				select {
				case <-w.ctx.Done():
				case <-time.After(pause):
				}
			}
		})
	}
}

// measured does a plain call of the person who has nothing to do with the load until it ends.
func (w *crowd) measured(what string, pause time.Duration, do func(n int) error) {
	w.again(what, 1, pause, func(n int) error {
		begun := time.Now()
		err := do(n)
		if w.ctx.Err() == nil {
			w.mu.Lock()
			w.took[what] = append(w.took[what], time.Since(begun))
			w.mu.Unlock()
		}
		return err
	})
}

// ask calls and returns what was refused as an error.
func (w *crowd) ask(c customer, path string, body, to any) error {
	got, err := c.call(w.ctx, path, body)
	return read(got, err, to)
}

func read(got answer, err error, to any) error {
	switch {
	case err != nil:
		return err
	case got.Code != 0:
		return fmt.Errorf("%d %s", got.Code, got.Text)
	case to != nil:
		return json.Unmarshal(got.Data, to)
	}
	return nil
}

// send uploads a file in a form.
func (w *crowd) send(c customer, path, name string, content []byte, to any) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err := errors.Join(err, form.Close()); err != nil {
		return err
	}
	got, err := c.send(w.ctx, http.MethodPost, path, form.FormDataContentType(), body.Bytes())
	return read(got, err, to)
}

// sites is a file of sites for an import.
func sites(prefix string, rows int) []byte {
	var out bytes.Buffer
	out.WriteString("编号,名称,备注\n")
	for n := range rows {
		fmt.Fprintf(&out, "%s-%d,Site %d,remark %d\n", prefix, n, n, n)
	}
	return out.Bytes()
}

// done orders a job and waits for its end.
func (w *crowd) done(c customer, path string, order any) error {
	var made struct{ JobID string }
	if err := w.ask(c, path, order, &made); err != nil {
		return err
	}
	for {
		var at struct {
			State string
			Error *struct{ Message string }
		}
		if err := w.ask(c, "/api/jobs/"+made.JobID, nil, &at); err != nil || at.State == "done" {
			return err
		}
		if at.State == "failed" || at.State == "cancelled" {
			return fmt.Errorf("job %s: %+v", at.State, at.Error)
		}
		select {
		case <-w.ctx.Done():
			return w.ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// slowly takes an answer at a rate that a server still bears.
func (w *crowd) slowly(c customer, path string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(w.ctx, http.MethodPost, c.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	for {
		if _, err := io.CopyN(io.Discard, res.Body, 2<<10); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// signIn enters with a password, as a browser does.
func (w *crowd) signIn(name, password string) error {
	nobody := customer{base: w.base}
	var key struct{ Index, Key string }
	if err := w.ask(nobody, "/api/login/rsa_key", nil, &key); err != nil {
		return err
	}
	block, _ := pem.Decode([]byte(key.Key))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return err
	}
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(password), nil)
	if err != nil {
		return err
	}
	return w.ask(nobody, "/api/login/Authentication/get_token", map[string]string{"username": name, "password": base64.StdEncoding.EncodeToString(sealed), "index": key.Index}, nil)
}

func uninvolved(t *testing.T, o store.Options) {
	packs, err := filepath.Abs("../../../examples/ship-lock")
	require.NoError(t, err)
	in := &installation{T: t, o: o, packs: packs}
	var logged bytes.Buffer
	c, base := in.start(&logged)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w := &crowd{T: t, ctx: ctx, base: base, did: map[string]int{}, failed: map[string]int{}, took: map[string][]time.Duration{}}
	person := func(name, role string) customer {
		in.run("user", "add", name, "--role", role)
		return customer{base, in.run("user", "token", name)}
	}
	const password = "Nothing-To-Do-1"
	t.Setenv("SLUICE_PASSWORD", password)
	in.run("user", "add", "plain", "--role", "projectManager", "--no-must-change")
	plain := customer{base, in.run("user", "token", "plain")}
	require.NoError(t, os.Unsetenv("SLUICE_PASSWORD"))
	var others []customer
	for n := range 8 {
		others = append(others, person(fmt.Sprint("other", n), "administrator"))
	}
	require.NoError(t, w.imports(others[0], "start", "S", 10_000))
	w.work(others)
	w.plain(plain, password)
	time.Sleep(loadTime)
	require.NoError(t, syscall.Kill(c.Process.Pid, 0), "the server is there")
	stop()
	w.all.Wait()
	w.tell()
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	require.NoError(t, c.Wait(), logged.String())
	require.NotContains(t, logged.String(), "second connection")
	require.NotContains(t, logged.String(), "answers nothing")
}

// start serves with two readers of SQLite.
func (in *installation) start(logged *bytes.Buffer) (c *exec.Cmd, base string) {
	c = in.sluice("serve", "--addr", "127.0.0.1:0")
	c.Env = append(c.Env, readersOfTests+"=2")
	c.Stderr = logged
	out, err := c.StdoutPipe()
	require.NoError(in, err)
	require.NoError(in, c.Start())
	in.Cleanup(func() { _ = c.Process.Kill() })
	line := make([]byte, 200)
	n, err := out.Read(line)
	require.NoError(in, err)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	first, _, _ := strings.Cut(string(line[:n]), "\n")
	return c, strings.TrimPrefix(first, "Sluice serves ")
}

// imports has a file imported, or only checked.
func (w *crowd) imports(c customer, call, prefix string, rows int) error {
	var up struct{ FileName string }
	if err := w.send(c, "/api/runtime/import/upload", "sites.csv", sites(prefix, rows), &up); err != nil {
		return err
	}
	return w.done(c, "/api/runtime/import/"+call, map[string]any{"fileName": up.FileName, "schemaCode": "site", "queryCode": "site", "languageType": "zh", "mode": "add"})
}

// work is what the others do.
func (w *crowd) work(others []customer) {
	w.again("imports of 2,000 rows", 1, 0, func(n int) error { return w.imports(others[0], "start", fmt.Sprint("I", n), 2000) })
	w.again("checks of 5,000 rows", 1, 0, func(n int) error { return w.imports(others[1], "dry_run", fmt.Sprint("C", n), 5000) })
	w.again("batches of paper", 2, time.Second, func(int) error {
		return w.done(others[2], "/api/runtime/print/batch", map[string]any{"schemaCode": "inspection", "queryCode": "inspection", "allObjectId": true, "code": "inspection"})
	})
	w.again("exports", 2, time.Second, func(int) error {
		return w.done(others[3], "/api/runtime/export/start", map[string]any{"schemaCode": "site", "queryCode": "site", "columns": []any{map[string]any{"propertyCode": "name"}}, "mobile": false,
			"page": 0, "size": 20, "filters": []any{}, "allObjectId": true, "languageType": "en", "fileType": "xlsx"})
	})
	w.again("changes of some hundred sites", 1, time.Second, func(n int) error {
		return w.done(others[4], "/api/runtime/batch/update", map[string]any{"schemaCode": "site", "queryCode": "site", "all": true, "keyword": "Site 12", "propertyCode": "remark", "modifiedValue": fmt.Sprint("changed ", n)})
	})
	var me struct{ ID string }
	require.NoError(w, w.ask(others[5], "/api/organization/user/info", nil, &me))
	w.again("saves of one person", 1, loadPause, func(n int) error {
		var form struct{ Version int }
		if err := w.ask(others[5], "/api/runtime/form/load?schemaCode=user&objectId="+me.ID, nil, &form); err != nil {
			return err
		}
		return w.ask(others[5], "/api/runtime/form/save", map[string]any{"schemaCode": "user", "id": me.ID, "version": form.Version, "data": map[string]any{"name": fmt.Sprint("Other ", n)}}, nil)
	})
	w.again("publications", 1, 3*time.Second, func(n int) error {
		const at = "pack=shiplock&path=dictionaries/load.json"
		var doc struct{ Seen string }
		if n > 0 {
			if err := w.ask(others[6], "/api/definition/document?"+at, nil, &doc); err != nil {
				return err
			}
		}
		text := fmt.Sprintf(`{"name": "Load %d", "items": [{"code": "A", "name": "A%d"}]}`, n, n)
		return w.ask(others[6], "/api/definition/publish", map[string]any{"files": []any{map[string]any{"pack": "shiplock", "path": "dictionaries/load.json", "text": text, "seen": doc.Seen}}}, nil)
	})
	w.again("slow readers", 8, 0, func(n int) error {
		return w.slowly(others[7], "/api/runtime/query/list", map[string]any{"schemaCode": "site", "size": 500, "page": n % 20})
	})
	w.again("searches of records", 3, loadPause, func(n int) error {
		return w.ask(others[n%8], "/api/runtime/query/list", map[string]any{"schemaCode": "site", "size": 100, "keyword": fmt.Sprint("site ", n%1000)}, nil)
	})
	w.again("searches of messages", 2, loadPause, func(n int) error {
		return w.ask(others[n%8], "/api/search/paltformSearch", map[string]any{"searchword": "import", "size": 20}, nil)
	})
	picture := bytes.Repeat([]byte("plain text of an upload\n"), 40_000)
	w.again("uploads of 1 MB", 2, 500*time.Millisecond, func(n int) error {
		var made json.RawMessage
		return w.send(others[n%8], "/api/aliyun/upload", "notes.txt", picture, &made)
	})
}

// plain is what the person does who has nothing to do with it.
func (w *crowd) plain(c customer, password string) {
	list := func(page int) (ids []string, err error) {
		var found struct{ Content []struct{ ID string } }
		err = w.ask(c, "/api/runtime/query/list", map[string]any{"schemaCode": "contract", "size": 20, "page": page}, &found)
		for _, one := range found.Content {
			ids = append(ids, one.ID)
		}
		return ids, err
	}
	ids, err := list(0)
	require.NoError(w, err)
	require.NotEmpty(w, ids)
	var added struct{ ID string }
	require.NoError(w, w.ask(c, "/api/runtime/form/save", map[string]any{"schemaCode": "site", "data": map[string]any{"code": "PLAIN", "name": "Plain"}}, &added))
	w.measured("list", 50*time.Millisecond, func(n int) error { _, err := list(n % 2); return err })
	w.measured("record", 50*time.Millisecond, func(n int) error {
		return w.ask(c, "/api/runtime/form/load?schemaCode=contract&objectId="+ids[n%len(ids)], nil, nil)
	})
	w.measured("save", 100*time.Millisecond, func(n int) error {
		return w.ask(c, "/api/runtime/form/save", map[string]any{"schemaCode": "site", "data": map[string]any{"code": fmt.Sprint("PLAIN-", n), "name": "Plain"}}, nil)
	})
	w.measured("sign-in", 1200*time.Millisecond, func(int) error { return w.signIn("plain", password) })
}

// tell prints the table and holds 99 of 100 calls to a second.
func (w *crowd) tell() {
	load, _ := os.ReadFile("/proc/loadavg")
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "call\tcount\tp50\tp95\tp99\tmax\t")
	for _, what := range []string{"list", "record", "save", "sign-in"} {
		took := slices.Sorted(slices.Values(w.took[what]))
		require.NotEmpty(w, took, what)
		at := func(of int) time.Duration { return took[min(len(took)-1, len(took)*of/100)].Round(time.Millisecond) }
		fmt.Fprintf(table, "%s\t%d\t%v\t%v\t%v\t%v\t\n", what, len(took), at(50), at(95), at(99), at(100))
	}
	_ = table.Flush()
	w.Logf("load average %s\n%s\nothers: %v\nrefused: %v", bytes.TrimSpace(load), &out, w.did, w.failed)
	for what, times := range w.did {
		require.NotZero(w, times, "%s: none was done", what)
	}
	for what, took := range w.took {
		slices.Sort(took)
		require.Less(w, took[len(took)*99/100], worstPlain, what)
		for refused, times := range w.failed {
			require.False(w, strings.HasPrefix(refused, what+": "), "%s (%d times)", refused, times)
		}
	}
}
