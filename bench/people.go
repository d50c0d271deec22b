package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
)

// peopleEach is how many people there are for each department of the measured organization.
const peopleEach = 5

// measurePeople times what pickers ask of an organization with so many people: texts, pinyin and initials, and the first question after
// somebody was changed, which reads the organization again.
func measurePeople(ctx context.Context, o options, t *table) error {
	dir := filepath.Join(o.dir, fmt.Sprintf("people-%d", o.people))
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	a, err := open(ctx, place{dir: dir, packs: filepath.Join(o.dir, "packs")}, false)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	last, err := seedPeople(ctx, a, o.people)
	if err != nil {
		return err
	}
	d := a.People()
	if err := d.Refresh(ctx); err != nil {
		return err
	}
	ask := func(kind, text string) time.Duration {
		begin := time.Now()
		d.Search(ctx, directory.Wanted{Kind: kind, Text: text, Limit: 50})
		return time.Since(begin)
	}
	for _, q := range []struct{ kind, name, text string }{
		{directory.User, "a Chinese name", "张伟"}, {directory.User, "pinyin", "zhangwei"}, {directory.User, "initials", "zw"}, {directory.User, "one letter", "z"},
		{directory.User, "nothing found", "qqqq"}, {directory.Department, "a department's initials", "gcb"},
	} {
		var all []time.Duration
		for range 200 {
			all = append(all, ask(q.kind, q.text))
		}
		slices.Sort(all)
		t.add("picker: "+q.name, fmt.Sprintf("%.2f ms, p99 %.2f ms", millis(all[len(all)/2]), millis(all[len(all)*99/100])), "-", 0, "< 50 ms")
	}
	time.Sleep(seeded)
	var after []time.Duration
	for i := range 21 {
		if last.Version, err = put(ctx, a, "user", last.ID, last.Version, map[string]any{"position": fmt.Sprint("p", i)}); err != nil {
			return err
		}
		after = append(after, ask(directory.User, "zw"))
	}
	t.add("picker: the first after a change", medianAndMost(after), "-", 0, "< 50 ms")
	return errors.Join(measureNewPeople(ctx, o, t), measureReach(ctx, o, t))
}

// seeded is how long the organization rests after it was written: what was written in the last ten seconds is looked at with each change.
const seeded = 11 * time.Second

// measureNewPeople imports a quarter of so many people and then all of them, each into an organization of nobody: what one costs should not grow
// with how many there are.
func measureNewPeople(ctx context.Context, o options, t *table) error {
	var each []time.Duration
	for _, people := range []int{o.people / 4, o.people} {
		took, err := importPeople(ctx, o, people)
		if err != nil {
			return err
		}
		t.add(fmt.Sprintf("import of %d people", people), fmt.Sprintf("%.1f s", took.Seconds()), "-", 0, "")
		each = append(each, took/time.Duration(people))
	}
	t.add("  a person of the second file, against one of the first", fmt.Sprintf("%.2f ms", millis(each[1])), fmt.Sprintf("%.2f ms", millis(each[0])), each[1].Seconds()/each[0].Seconds(), "1.5")
	return nil
}

func importPeople(ctx context.Context, o options, people int) (time.Duration, error) {
	p := place{dir: filepath.Join(o.dir, fmt.Sprintf("new-people-%d", people)), packs: filepath.Join(o.dir, "packs")}
	if err := os.RemoveAll(p.dir); err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(p.dir) }()
	a, err := open(ctx, p, true)
	if err != nil {
		return 0, err
	}
	token, err := importer(ctx, a)
	if err == nil {
		_, err = a.Writer().Save(ctx, seeding(a), record.Change{Model: "department", Set: wire(map[string]any{"name": "工程部"})})
	}
	if err := errors.Join(err, a.Close()); err != nil {
		return 0, err
	}
	file := filepath.Join(o.dir, "people.csv")
	text := []byte("姓名,账号,手机,主部门\n")
	for i := range people {
		text = fmt.Appendf(text, "张伟%d,n%05d,%d,工程部\n", i%1000, i, 13_900_000_000+i)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return 0, err
	}
	server, err := start(ctx, o, "product", p)
	if err != nil {
		return 0, err
	}
	defer server.stop()
	page := asking{"/api/runtime/query/list", token, constant(`{"schemaCode": "department", "queryCode": "department", "page": 0, "size": 20}`)}
	took, _, _, err := server.imports(ctx, file, directory.User, token, &page)
	return took, err
}

// importer makes somebody who may import people and returns a token of theirs.
func importer(ctx context.Context, a *app.App) (string, error) {
	const name = "bench.people"
	if _, err := a.AddUser(ctx, name, name, []string{"organisationManager"}); err != nil {
		return "", err
	}
	person, _ := a.People().PersonByName(ctx, name)
	return a.Auth().ScriptToken(ctx, person.ID, "bench", 24*time.Hour)
}

// seedPeople writes an organization and returns the last person of it.
func seedPeople(ctx context.Context, a *app.App, people int) (record.Saved, error) {
	family, given := []rune("王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"), []rune("伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰")
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // names of made-up people
	var departments []string
	view := seeding(a)
	var saved record.Saved
	err := a.Writer().Together(ctx, view, func(b *record.Batch) (err error) {
		for i := range people / peopleEach {
			values := map[string]any{"name": fmt.Sprintf("工程部%d", i)}
			if i > 0 {
				values["parent"] = departments[(i-1)/8]
			}
			if saved, err = b.Save(record.Change{Model: "department", Set: wire(values)}); err != nil {
				return err
			}
			departments = append(departments, saved.ID)
		}
		return nil
	})
	for begin := 0; begin < people && err == nil; begin += 1000 {
		err = a.Writer().Together(ctx, view, func(b *record.Batch) (err error) {
			for i := begin; i < min(begin+1000, people); i++ {
				name := string([]rune{family[random.IntN(len(family))], given[random.IntN(len(given))], given[random.IntN(len(given))]}[:2+random.IntN(2)])
				saved, err = b.Save(record.Change{Model: "user", Set: wire(map[string]any{"username": fmt.Sprintf("u%05d", i), "name": name, "employeeNo": fmt.Sprintf("E%05d", i),
					"mainDepartment": departments[i%len(departments)]})})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return saved, err
}

func seeding(a *app.App) *authz.View {
	return a.State().Policy.View(principal.System("bench"), a.Now(), a.Zone())
}

func put(ctx context.Context, a *app.App, model, id string, version int64, values map[string]any) (int64, error) {
	saved, err := a.Writer().Save(ctx, seeding(a), record.Change{Model: model, ID: id, Version: &version, Set: wire(values)})
	return saved.Version, err
}

func wire(values map[string]any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for code, v := range values {
		text, _ := json.Marshal(v) //nolint:errchkjson // texts and numbers
		out[code] = text
	}
	return out
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
