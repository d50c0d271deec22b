package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// saved is how long to wait until an open page hears of a file that was saved. It takes a tenth of that on a quiet machine;
// how soon it is, the benchmark tells.
const saved = 20 * time.Second

// development is `sluice dev` on a pack of one model, with an open page.
type development struct {
	t      *testing.T
	base   string
	token  string
	file   string
	events chan [2]string // name and data
	typed  io.Writer
	begin  func()
	end    func()
}

func document(properties ...string) string {
	return `{"name": "工单", "name_i18n": {"en": "Ticket"}, "name_plural_i18n": {"en": "Tickets"}, "properties": [` + strings.Join(properties, ",\n") + `]}`
}

const (
	nameProperty = `{"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}}`
	noteProperty = `{"code": "note", "propertyType": "LongText", "name": "备注", "name_i18n": {"en": "Note"}}`
	textProperty = `{"code": "text", "renamedFrom": "note", "propertyType": "LongText", "name": "备注", "name_i18n": {"en": "Note"}}`
)

func startDevelopment(t *testing.T) *development {
	t.Helper()
	dir := t.TempDir()
	data, folder := filepath.Join(dir, "data"), filepath.Join(dir, "desk")
	d := &development{t: t, file: filepath.Join(folder, "models", "ticket.json"), events: make(chan [2]string, 16)}
	require.NoError(t, os.MkdirAll(filepath.Dir(d.file), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "pack.json"), []byte(`{"code": "desk", "name": "工单", "version": "1.0.0"}`), 0o644))
	d.save(document(nameProperty))
	command := func(args ...string) string {
		var out, faults bytes.Buffer
		require.Zero(t, run(t.Context(), args, console{out: &out, err: &faults}), "%s", &faults)
		return strings.TrimSpace(out.String())
	}
	command("apply", "--data", data, "--packs", folder)
	command("user", "add", "--data", data, "--packs", folder, "--role", "administrator", "root")
	d.token = command("user", "token", "--data", data, "root")

	d.begin = func() { d.start(data, folder) }
	d.begin()
	t.Cleanup(func() { d.end() })
	return d
}

// start runs the program until end.
func (d *development) start(data, folder string) {
	t := d.t
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	r, w := io.Pipe()
	in, typed := io.Pipe()
	d.typed = typed
	go func() {
		ended <- run(ctx, []string{"dev", "--data", data, "--packs", folder, "--addr", "127.0.0.1:0"}, console{in: in, out: w, err: io.Discard})
		_ = w.Close()
	}()
	out := bufio.NewReader(r)
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	d.base = regexp.MustCompile(`http://\S+`).FindString(strings.Replace(line, "localhost", "127.0.0.1", 1))
	go func() { _, _ = io.Copy(io.Discard, out) }()
	d.end = func() {
		stop()
		_ = in.Close()
		select {
		case code := <-ended:
			require.Zero(t, code)
		case <-time.After(10 * time.Second):
			t.Error("the server does not stop")
		}
	}
	d.listen(ctx)
}

// save writes as editors do: beside the file, then over it.
func (d *development) save(text string) {
	d.t.Helper()
	beside := filepath.Join(filepath.Dir(d.file), ".ticket.json.swp")
	require.NoError(d.t, os.WriteFile(beside, []byte(text), 0o644))
	require.NoError(d.t, os.Rename(beside, d.file))
}

func (d *development) request(ctx context.Context, path string) *http.Response {
	d.t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+path, nil)
	require.NoError(d.t, err)
	request.Header.Set("Authorization", "Bearer "+d.token)
	response, err := http.DefaultClient.Do(request)
	require.NoError(d.t, err)
	return response
}

func (d *development) listen(ctx context.Context) {
	d.t.Helper()
	response := d.request(ctx, "/api/events")
	require.Equal(d.t, http.StatusOK, response.StatusCode)
	go func() {
		defer func() { _ = response.Body.Close() }()
		var event [2]string
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				event[0] = value
			case "data":
				event[1] = value
				d.events <- event
			}
		}
	}()
	d.hears("catalog", func(string) bool { return true })
}

// hears waits for an event of a name whose data fits.
func (d *development) hears(name string, fits func(data string) bool) string {
	d.t.Helper()
	late := time.After(saved)
	var heard [][2]string
	for {
		select {
		case e := <-d.events:
			if e[0] == name && fits(e[1]) {
				return e[1]
			}
			heard = append(heard, e)
		case <-late:
			require.Failf(d.t, "no event", "%s did not come within %s, but %q", name, saved, heard)
		}
	}
}

// properties are those that the server serves now.
func (d *development) properties() string {
	d.t.Helper()
	return d.propertiesOf("ticket")
}

func (d *development) propertiesOf(model string) string {
	d.t.Helper()
	response := d.request(d.t.Context(), "/api/runtime/query/data_items?schemaCode="+model)
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Errcode int
		Data    []struct {
			Code   string `json:"propertyCode"`
			System bool   `json:"defaultProperty"`
		}
	}
	require.NoError(d.t, json.NewDecoder(response.Body).Decode(&answer))
	require.Zero(d.t, answer.Errcode)
	var codes []string
	for _, p := range answer.Data {
		if !p.System {
			codes = append(codes, p.Code)
		}
	}
	return strings.Join(codes, " ")
}

// TestDev edits a definition under an open page.
func TestDev(t *testing.T) {
	d := startDevelopment(t)
	some := func(data string) bool { return len(data) > 2 }
	none := func(data string) bool { return data == "[]" }
	require.Equal(t, "name", d.properties())

	d.save(document(nameProperty, noteProperty))
	d.hears("catalog", some)
	require.Equal(t, "name note", d.properties(), "the page may ask as soon as it hears")

	d.save(`{"name": "工单", "properties": [`)
	require.Contains(t, d.hears("diagnostics", some), "ticket.json")
	require.Equal(t, "name note", d.properties(), "the old version goes on serving")

	d.save(document(nameProperty, strings.Replace(noteProperty, "LongText", "NoSuchType", 1)))
	require.Contains(t, d.hears("diagnostics", func(data string) bool { return strings.Contains(data, "NoSuchType") }), "ticket.json")

	d.save(document(nameProperty, noteProperty))
	d.hears("diagnostics", none)

	d.save(document(nameProperty, textProperty))
	d.hears("catalog", some)
	require.Equal(t, "name text", d.properties(), "in dev a rename is safe")

	// What loses data is shown and not done: its file stays as it was, and others are served.
	waits := func(data string) bool {
		return strings.Contains(data, "PLAN002") && strings.Contains(data, `"id":"ticket.text"`)
	}
	d.save(document(nameProperty))
	require.Contains(t, d.hears("diagnostics", waits), `"keeps":true`)
	require.Equal(t, "name text", d.properties())
	other := filepath.Join(filepath.Dir(d.file), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(document(nameProperty, noteProperty)), 0o644))
	d.hears("catalog", some)
	d.hears("diagnostics", waits)
	require.Equal(t, "name note", d.propertiesOf("other"))
	require.Equal(t, "name text", d.properties())

	// A start in between serves the same.
	d.end()
	d.begin()
	require.Equal(t, "name text", d.properties())
	d.hears("diagnostics", waits)

	// Keep puts it back into the file.
	d.types("keep ticket.text")
	d.hears("diagnostics", none)
	require.Equal(t, "name text", d.properties())
	require.Contains(t, d.text(), `"code": "text"`)

	// Under another code it may be the same.
	d.save(document(nameProperty, strings.Replace(noteProperty, `"note"`, `"remark"`, 1)))
	require.Contains(t, d.hears("diagnostics", waits), `"renames":["remark"]`)
	d.types("rename ticket.text remark")
	d.hears("catalog", some)
	d.hears("diagnostics", none)
	require.Equal(t, "name remark", d.properties())
	require.Contains(t, d.text(), `"renamedFrom": "text"`)

	// And what is not needed can go.
	d.save(document(nameProperty))
	d.hears("diagnostics", func(data string) bool { return strings.Contains(data, `"id":"ticket.remark"`) })
	d.types("drop ticket.remark")
	d.hears("catalog", some)
	d.hears("diagnostics", none)
	require.Equal(t, "name", d.properties())
}

// types enters a line where the program runs.
func (d *development) types(line string) {
	d.t.Helper()
	_, err := io.WriteString(d.typed, line+"\n")
	require.NoError(d.t, err)
}

func (d *development) text() string {
	d.t.Helper()
	data, err := os.ReadFile(d.file)
	require.NoError(d.t, err)
	return string(data)
}

// TestDevDocuments removes and renames models, sub-tables and roles: nothing of them goes before their author has said what becomes of it.
func TestDevDocuments(t *testing.T) {
	d := startDevelopment(t)
	none := func(data string) bool { return data == "[]" }
	offers := func(id string) func(string) bool {
		return func(data string) bool { return strings.Contains(data, `"id":"`+id+`"`) }
	}
	folder := filepath.Dir(filepath.Dir(d.file))
	put := func(name, text string) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		require.NoError(t, err)
		return string(data)
	}
	const lines = `{"code": "lines", "propertyType": "Sheet", "name": "明细", "name_i18n": {"en": "Lines"}, "properties": [{"code": "qty", "propertyType": "Number", "name": "数量", "name_i18n": {"en": "Quantity"}}]}`

	// A sub-table.
	d.save(document(nameProperty, lines))
	d.hears("catalog", func(string) bool { return true })
	d.save(document(nameProperty))
	require.Contains(t, d.hears("diagnostics", offers("ticket.lines")), `"keeps":true`)
	d.types("keep ticket.lines")
	d.hears("diagnostics", none)
	require.Contains(t, d.text(), `"qty"`)
	d.save(document(nameProperty, strings.Replace(lines, `"lines"`, `"rows"`, 1)))
	require.Contains(t, d.hears("diagnostics", offers("ticket.lines")), `"renames":["rows"]`)
	d.types("rename ticket.lines rows")
	d.hears("diagnostics", none)
	require.Contains(t, d.text(), `"renamedFrom": "lines"`)
	require.Equal(t, "name rows", d.properties())

	// A model.
	ticket := read("models/ticket.json")
	require.NoError(t, os.Remove(d.file))
	require.Contains(t, d.hears("diagnostics", offers("ticket")), `"keeps":true`)
	require.Equal(t, "name rows", d.properties())
	d.types("keep ticket")
	d.hears("diagnostics", none)
	require.Equal(t, ticket, read("models/ticket.json"))
	require.NoError(t, os.Remove(d.file))
	put("models/job.json", ticket)
	d.hears("diagnostics", func(data string) bool { return offers("ticket")(data) && strings.Contains(data, `"renames":["job"]`) })
	require.Equal(t, "name rows", d.properties())
	d.types("rename ticket job")
	d.hears("diagnostics", none)
	require.Contains(t, read("models/job.json"), `"renamedFrom": "ticket"`)
	require.Equal(t, "name rows", d.propertiesOf("job"))

	// A role.
	const role = `{"name": "坐席", "name_i18n": {"en": "Agent"}, "models": [{"schemaCode": "job", "actions": ["view"], "rows": "all"}]}`
	put("access/agent.json", role)
	d.hears("catalog", func(string) bool { return true })
	require.NoError(t, os.Remove(filepath.Join(folder, "access", "agent.json")))
	put("access/clerk.json", role)
	d.hears("diagnostics", func(data string) bool {
		return offers("role:agent")(data) && strings.Contains(data, `"renames":["clerk"]`)
	})
	d.types("rename role:agent clerk")
	d.hears("diagnostics", none)
	require.Contains(t, read("access/clerk.json"), `"renamedFrom": "agent"`)
	require.NoError(t, os.Remove(filepath.Join(folder, "access", "clerk.json")))
	d.hears("diagnostics", offers("role:clerk"))

	// A start in between knows the role still.
	d.end()
	d.begin()
	d.hears("diagnostics", offers("role:clerk"))
	d.types("drop role:clerk")
	d.hears("diagnostics", none)
}
