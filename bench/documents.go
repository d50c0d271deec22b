package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/largetenant"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// binary is what `make build` leaves.
const binary = "bin/sluice"

// measureDocuments times the compiler: `sluice check` on the example and on a large tenant, the large tenant's compilation
// and decisions over more than 10,000 rules, and how soon `sluice dev` serves a file that was saved.
func measureDocuments(ctx context.Context, o options, t *table) error {
	if _, err := os.Stat(binary); err != nil {
		t.add("sluice check, sluice dev", "left out: `make build` has not been run", "-", 0, "")
		return nil
	}
	large := filepath.Join(o.dir, "large")
	if err := writeLarge(large); err != nil {
		return err
	}
	for _, one := range []struct{ dir, what, target string }{
		{"examples/ship-lock", "sluice check examples/ship-lock", "< 200 ms"}, {large, "sluice check, 940 models", "< 3,000 ms"}} {
		took, err := timed(ctx, "check", one.dir)
		if err != nil {
			return err
		}
		t.add(one.what, ms(took), "-", 0, one.target)
	}
	if err := measureLarge(large, t); err != nil {
		return err
	}
	return measureDev(ctx, o, t)
}

// manyRoles is the number of roles with a grant on each of the 940 models.
const manyRoles = 11

func writeLarge(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	files := largetenant.FS(largetenant.Real).(fstest.MapFS)
	for i := range manyRoles - 1 {
		files[fmt.Sprintf("access/tenant%d.json", i)] = files["access/tenant.json"]
	}
	return os.CopyFS(dir, fs.FS(files))
}

// timed runs the command a few times and returns the median of its wall times.
func timed(ctx context.Context, args ...string) (time.Duration, error) {
	var took []time.Duration
	for range rounds {
		begun := time.Now()
		out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("sluice %s: %w: %s", strings.Join(args, " "), err, out)
		}
		took = append(took, time.Since(begun))
	}
	return median(took), nil
}

func measureLarge(dir string, t *table) error {
	set := &pack.Set{}
	if err := plugins.Register(set); err != nil {
		return err
	}
	set.Freeze()
	begun := time.Now()
	c, found, err := app.Documents{Set: set, Dirs: []string{dir}, Zone: time.UTC}.Compile()
	if err != nil || c == nil {
		return fmt.Errorf("the large tenant does not compile: %v %w", found, err)
	}
	t.add("reading and compiling the large tenant in the process", ms(time.Since(begun)), "-", 0, "< 2,000 ms")
	policy, err := authz.Compile(c)
	if err != nil {
		return err
	}
	roles := []string{"tenant"}
	for i := range manyRoles - 1 {
		roles = append(roles, fmt.Sprintf("tenant%d", i))
	}
	view := policy.View(principal.Principal{UserID: "u", Roles: roles}, time.Now(), time.UTC)
	m := c.Model(largetenant.Code(939))
	for action, what := range map[string]string{"view": "allowed", "approve": "denied"} {
		r := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				view.Can(m, action)
			}
		})
		t.add("rights decision over 10,000 rules, "+what, fmt.Sprintf("%d ns", r.NsPerOp()), "-", 0, "< 1,000 ns")
	}
	return nil
}

// measureDev times how long `sluice dev` takes from the saving of a list until the list's call answers with its new name.
func measureDev(ctx context.Context, o options, t *table) error {
	packs, data := filepath.Join(o.dir, "dev-packs"), filepath.Join(o.dir, "dev")
	for _, dir := range []string{packs, data} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.CopyFS(packs, os.DirFS("examples/ship-lock")); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, binary, "apply", "--data", data, "--packs", packs, "--yes").CombinedOutput(); err != nil {
		return fmt.Errorf("sluice apply: %w: %s", err, out)
	}
	add := exec.CommandContext(ctx, binary, "user", "add", "--data", data, "--packs", packs, "--role", "administrator", "dev")
	if out, err := add.CombinedOutput(); err != nil {
		return fmt.Errorf("sluice user add: %w: %s", err, out)
	}
	token, err := exec.CommandContext(ctx, binary, "user", "token", "--data", data, "dev").Output()
	if err != nil {
		return fmt.Errorf("sluice user token: %w", err)
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, binary, "dev", "--data", data, "--packs", packs, "--addr", address)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() }()
	d := &devPage{address: address, token: strings.TrimSpace(string(token))}
	file := filepath.Join(packs, "lists", "site.json")
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := d.waitFor(ctx, ""); err != nil {
		return err
	}
	var took []time.Duration
	for i := range rounds {
		name := fmt.Sprintf("工区 %d", i)
		var list map[string]any
		if err := json.Unmarshal(before, &list); err != nil {
			return err
		}
		list["name"] = name
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		begun := time.Now()
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		if err := d.waitFor(ctx, name); err != nil {
			return err
		}
		took = append(took, time.Since(begun))
	}
	t.add("sluice dev: a saved list is served", ms(median(took)), "-", 0, "< 1,000 ms")
	return nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

type devPage struct{ address, token string }

// waitFor asks for the list's configuration until it speaks of the name.
func (d *devPage) waitFor(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		body, err := d.config(ctx)
		if err == nil && bytes.Contains(body, []byte(`"errcode":0`)) && bytes.Contains(body, []byte(name)) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("sluice dev did not serve the list within a minute: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (d *devPage) config(ctx context.Context) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.address+"/api/runtime/query/config?schemaCode=site&queryCode=site", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	return io.ReadAll(res.Body)
}
