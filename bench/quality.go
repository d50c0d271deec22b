package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// measureQuality measures the pack quality: imports of a breakdown, its tree, and the roll-up behind a record.
func measureQuality(ctx context.Context, o options, t *table) error {
	for _, postgres := range []bool{false, true} {
		dir, url := filepath.Join(o.dir, fmt.Sprintf("quality-%v", postgres)), ""
		t.where = "SQLite: "
		if postgres {
			t.where = "PostgreSQL: "
			var err error
			if url, err = storetest.Server(ctx); err != nil {
				t.add("PostgreSQL", "left out: "+err.Error(), "-", 0, "")
				continue
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := errors.Join(qualityAt(ctx, t, dir, url), os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return nil
}

// works is a project that is measured.
type works struct {
	*app.App
	who principal.Principal
}

// call answers a route of the pack, and how long that took.
func (w works) call(ctx context.Context, method, path string, in map[string]any, file *blob.File) (json.RawMessage, time.Duration, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, 0, err
	}
	route, _, _ := w.State().Catalog.RouteOf(method, "/api/quality/v2/"+path)
	view := w.State().Policy.View(w.who, w.Now(), w.Zone())
	begun := time.Now()
	out, err := w.Call(ctx, view, route, app.Input{Body: body, File: file})
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return out, time.Since(begun), err
}

// breakdown is a spreadsheet of a unit with divisions of 60 rows.
func breakdown(unit, rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "层级,编码,名称\n单位工程,%02d,单位 %d\n", unit, unit)
	for n := 1; n < rows; n++ {
		if d := n / 60; n%60 == 1 {
			fmt.Fprintf(&b, "分部工程,%02d-%03d,分部 %d\n", unit, d+1, d+1)
		} else {
			fmt.Fprintf(&b, "分项工程,%02d-%03d-%02d,分项 %d\n", unit, (n-1)/60+1, (n-1)%60, n)
		}
	}
	return b.String()
}

func qualityAt(ctx context.Context, t *table, dir, url string) error {
	set := &pack.Set{}
	for _, register := range []pack.Registrar{plugins.Register, plugins.With("quality")} {
		if err := register(set); err != nil {
			return err
		}
	}
	set.Freeze()
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, app.Config{Documents: app.Documents{Set: set, Zone: zone}, Dir: dir, URL: url, Workers: 1, Idle: true, Version: "bench", Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	if _, err := a.AddUser(ctx, "owner", "owner", []string{"R_OWNER"}); err != nil {
		return err
	}
	who, _ := a.Caller(ctx, "owner")
	w := works{a, who}
	var project, item string
	err = a.Act(ctx, who, func(c world.World) (err error) {
		if project, err = c.Create(ctx, "pm_project", map[string]any{"projectKey": "bench", "projectName": "bench", "evalRule": "JTS257_2008"}); err != nil {
			return err
		}
		item, err = c.Create(ctx, "q_check_item", map[string]any{"code": "GEN", "itemName": "平整度", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-10", "devHigh": "10"})
		return err
	})
	if err != nil {
		return err
	}
	read := func(unit, rows int) (time.Duration, time.Duration, error) {
		f, err := a.Files().Put(ctx, blob.Upload{By: who.UserID, Name: "b.csv", Most: 8 << 20, Bytes: strings.NewReader(breakdown(unit, rows))})
		if err != nil {
			return 0, 0, err
		}
		out, first, err := w.call(ctx, "POST", "excel/preImport", map[string]any{"kind": "QBS"}, &f)
		if err != nil {
			return 0, 0, err
		}
		var pre struct {
			Token string
			Bad   int
		}
		if err := json.Unmarshal(out, &pre); err != nil || pre.Bad > 0 {
			return 0, 0, fmt.Errorf("%d bad rows: %w", pre.Bad, err)
		}
		_, second, err := w.call(ctx, "POST", "excel/import", map[string]any{"token": pre.Token, "mode": "allOrNothing"}, nil)
		return first, second, err
	}
	busy := cpuTime()
	judged, written, err := read(1, 3000)
	if err != nil {
		return err
	}
	busy = cpuTime() - busy
	t.add("quality: a breakdown of 3,000 nodes is read and judged", ms(judged), "-", 0, "")
	t.add("quality: import of 3,000 nodes", ms(written), "-", 0, "< 5 s")
	t.add("quality: CPU of both in this process", ms(busy), "-", 0, "")
	nodes := make([]map[string]any, 2000)
	_, one, err := w.call(ctx, "POST", "qbs/add", map[string]any{"name": "单位", "code": "02", "nodeType": "UNIT"}, nil)
	if err != nil {
		return err
	}
	t.add("quality: adding one node", ms(one), "-", 0, "")
	var under []struct{ ID string }
	out, _, err := w.call(ctx, "GET", "qbs/treeList", map[string]any{"keyword": "02 单位"}, nil)
	if err == nil {
		err = json.Unmarshal(out, &under)
	}
	if err != nil {
		return err
	}
	for i := range nodes {
		nodes[i] = map[string]any{"parentId": under[0].ID, "name": fmt.Sprint("分项 ", i), "nodeType": "ITEM"}
	}
	_, many, err := w.call(ctx, "POST", "qbs/add", map[string]any{"nodes": nodes}, nil)
	if err != nil {
		return err
	}
	t.add("quality: adding 2,000 nodes below one in one call, codes made", ms(many), "-", 0, "< 30 s")
	for unit := 3; unit < 8; unit++ {
		if _, _, err := read(unit, 3000); err != nil {
			return err
		}
	}
	busy = cpuTime()
	trees := make([]time.Duration, 5)
	size := 0
	for i := range trees {
		if out, trees[i], err = w.call(ctx, "GET", "qbs/complete/tree", map[string]any{}, nil); err != nil {
			return err
		}
		size = strings.Count(string(out), `"evalStatus"`)
	}
	busy = (cpuTime() - busy) / time.Duration(len(trees))
	slices.Sort(trees)
	t.add(fmt.Sprintf("quality: complete tree of %d nodes", size), ms(trees[2]), "-", 0, "< 1.5 s")
	t.add("quality: CPU of that in this process", ms(busy), "-", 0, "")
	return rollUp(ctx, t, w, project, item)
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// rollUp compares a record whose points go up eight levels with a plain one.
func rollUp(ctx context.Context, t *table, w works, project, item string) error {
	var lot string
	err := w.Act(ctx, w.who, func(c world.World) (err error) {
		for i, level := range []string{"PROJECT", "SINGLE", "UNIT", "SUBUNIT", "DIVISION", "SUBDIVISION", "ITEM", "LOT"} {
			values := map[string]any{"projectId": project, "nodeType": level, "name": level, "code": "9" + strings.Repeat("-1", i)}
			if lot != "" {
				values["parentId"] = lot
			}
			if lot, err = c.Create(ctx, "q_qbs", values); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	times := map[bool][]time.Duration{}
	for range 60 {
		for _, rolled := range []bool{false, true} {
			begun := time.Now()
			err := w.Act(ctx, w.who, func(c world.World) error {
				if rolled {
					_, err := c.Create(ctx, "q_record", map[string]any{"qbsId": lot, "recordKind": "SELF", "inspector": w.who.UserID, "checkDate": "2026-03-01", "items": []map[string]any{{"itemId": item, "values": "1;2;3"}}})
					return err
				}
				_, err := c.Create(ctx, "q_check_item", map[string]any{"code": fmt.Sprint(time.Now().UnixNano()), "itemName": "x", "itemClass": "GENERAL", "evalMethod": "POINT"})
				return err
			})
			if err != nil {
				return err
			}
			times[rolled] = append(times[rolled], time.Since(begun))
		}
	}
	for _, list := range times {
		slices.Sort(list)
	}
	record, plain := times[true][30], times[false][30]
	t.add("quality: completing a record with roll-up over eight levels, beside a plain save", "p50 "+ms(record), "p50 "+ms(plain), float64(record)/float64(plain), "< 50 ms more")
	return nil
}
