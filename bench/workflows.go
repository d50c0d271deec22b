package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

const (
	handlers = 100 // people who decide at the same time
	finished = 9   // tasks that are over, for each that is open
	pause    = time.Second
)

// benchWorkflow has two approvals: who decides the first gives the second to somebody else.
const benchWorkflow = `{
  "schemaCode": "payment",
  "name": "基准",
  "name_i18n": {"en": "Benchmark"},
  "nodes": [
    {"id": "start", "type": "START", "name": "申请", "next": ["first"]},
    {"id": "first", "type": "APPROVE", "name": "初审", "participants": [{"type": "person", "value": ["wf.000"]}], "mode": "ANY",
      "time": {"expectMinutes": 600000}, "next": ["second"]},
    {"id": "second", "type": "APPROVE", "name": "复审", "participants": [{"type": "person", "value": ["wf.last"]}], "mode": "ANY", "next": ["end"]},
    {"id": "end", "type": "END"}
  ]
}
`

// measureWorkflows measures decisions, lists and timers with so many open tasks on both databases.
func measureWorkflows(ctx context.Context, o options, t *table) error {
	if err := os.WriteFile(filepath.Join(o.dir, "packs", "workflows", "bench.json"), []byte(benchWorkflow), 0o644); err != nil {
		return err
	}
	form := filepath.Join(o.dir, "packs", "forms", "payment.json") // its model has two workflows now
	text, err := os.ReadFile(form)
	if err != nil {
		return err
	}
	if err := os.WriteFile(form, []byte(strings.Replace(string(text), `, "submit"`, "", 1)), 0o644); err != nil {
		return err
	}
	for _, url := range []bool{false, true} {
		p := place{dir: filepath.Join(o.dir, fmt.Sprintf("workflows-%v", url)), packs: filepath.Join(o.dir, "packs")}
		if err := os.RemoveAll(p.dir); err != nil {
			return err
		}
		t.where = "SQLite: "
		if url {
			t.where = "PostgreSQL: "
			var err error
			if p.url, err = storetest.Server(ctx); err != nil {
				t.add("PostgreSQL", "left out: "+err.Error(), "-", 0, "")
				continue
			}
		}
		if err := workflowsAt(ctx, o, t, p); err != nil {
			return errors.Join(err, os.RemoveAll(p.dir))
		}
		if err := os.RemoveAll(p.dir); err != nil {
			return err
		}
	}
	return nil
}

// crew are the people of the measurement, and what they have to do.
type crew struct {
	ids    []string
	tokens []string
	tasks  [][]string // by person
	clerk  string     // token of who saves
	plain  []string   // records that run in no workflow
}

func workflowsAt(ctx context.Context, o options, t *table, p place) error {
	begun := time.Now()
	c, err := seedWorkflows(ctx, p, o.workflows)
	if err != nil {
		return err
	}
	fmt.Printf("%sseeded %d instances in %.0f s\n", t.where, o.workflows, time.Since(begun).Seconds())
	if p.url != "" {
		if err := vacuum(ctx, p.url); err != nil {
			return err
		}
	}
	server, err := start(ctx, o, "product", p)
	if err != nil {
		return err
	}
	defer server.stop()
	for person := range handlers { // the first answers find nothing in memory
		if _, err := call(ctx, client, server.address+"/api/runtime/workitem/unfinished", c.tokens[person], []byte(`{"size":20}`)); err != nil {
			return err
		}
	}
	for _, each := range []struct {
		name, body string
	}{{"", `{"size":20}`}, {", page 40", `{"size":20,"page":40}`}, {", a word", `{"size":20,"searchword":"w-77"}`}} {
		took, _, err := c.together(ctx, o.each, pause, func(person, n int) error {
			_, err := call(ctx, client, server.address+"/api/runtime/workitem/unfinished", c.tokens[person], []byte(each.body))
			return err
		})
		if err != nil {
			return err
		}
		t.latencies(fmt.Sprintf("unfinished list%s, %d tasks in the table", each.name, o.workflows*(1+finished)), took, "p95 < 150 ms")
	}
	took, _, err := c.together(ctx, o.each, pause, func(person, n int) error {
		_, err := call(ctx, client, server.address+listPath, c.clerk, fmt.Appendf(nil, `{"schemaCode":"payment","size":20,"filters":[{"propertyCode":%q,"queryFilterType":"Contains","propertyValue":[%q]}]}`,
			catalog.Participants, c.ids[person]))
		return err
	})
	if err != nil {
		return err
	}
	t.latencies(fmt.Sprintf("records whose handler is one person, of %d", o.workflows), took, "")
	next := make([]int, handlers)
	agree := func(person, _ int) error {
		k := next[person]
		next[person]++
		_, err := call(ctx, client, server.address+"/api/runtime/workitem/agree", c.tokens[person], []byte(`{"workItemId":"`+c.tasks[person][k]+`"}`))
		return err
	}
	took, _, err = c.together(ctx, o.each, pause, agree)
	if err != nil {
		return err
	}
	t.latencies(fmt.Sprintf("agree, %d people who pause for a second, %d open tasks", handlers, o.workflows), took, "p95 < 80 ms")
	took, whole, err := c.together(ctx, o.each, 0, agree)
	if err != nil {
		return err
	}
	t.latencies(fmt.Sprintf("agree, %d people without a pause", handlers), took, "")
	t.add("agree: answers/s without a pause", fmt.Sprintf("%.0f", float64(len(took))/whole.Seconds()), "-", 0, "")
	if err := c.besideSave(ctx, o, t, server, agree); err != nil {
		return err
	}
	server.stop()
	return timersAt(ctx, o, t, p)
}

// together lets all people act at once, with a pause between the acts of each, and returns how long the acts took.
func (c *crew) together(ctx context.Context, each, pause time.Duration, act func(person, n int) error) (took []time.Duration, whole time.Duration, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	begun := time.Now()
	for person := range handlers {
		all.Go(func() {
			time.Sleep(pause * time.Duration(person) / handlers)
			for n := 0; time.Since(begun) < each+pause && ctx.Err() == nil; n++ {
				at := time.Now()
				e := act(person, n)
				mu.Lock()
				took, err = append(took, time.Since(at)), errors.Join(err, e)
				failed := err != nil
				mu.Unlock()
				if failed {
					return
				}
				time.Sleep(pause)
			}
		})
	}
	all.Wait()
	return took, time.Since(begun), err
}

func (t *table) latencies(what string, took []time.Duration, target string) {
	slices.Sort(took)
	at := func(percent int) string { return ms(took[min(len(took)*percent/100, len(took)-1)]) }
	t.add(what, fmt.Sprintf("p50 %s, p95 %s, p99 %s (%d)", at(50), at(95), at(99), len(took)), "-", 0, target)
}

// besideSave compares a decision with a plain save of the same model, in turn, one caller.
func (c *crew) besideSave(ctx context.Context, o options, t *table, server *process, agree func(person, n int) error) error {
	var took, cpu [2][]time.Duration
	versions := make([]int, len(c.plain))
	saved := 0
	for range rounds {
		for k := range 2 {
			before, err := server.cpu()
			if err != nil {
				return err
			}
			n := 0
			for end := time.Now().Add(o.each / 2); time.Now().Before(end); n++ {
				at := time.Now()
				if k == 0 {
					err = agree(n%handlers, n)
				} else {
					i := saved % len(c.plain)
					saved++
					versions[i]++
					_, err = call(ctx, client, server.address+"/api/runtime/form/save", c.clerk, []byte(fmt.Sprintf(`{"schemaCode":"payment","id":%q,"version":%d,"data":{"milestone":"m %d"}}`,
						c.plain[i], versions[i], saved)))
				}
				if err != nil {
					return err
				}
				took[k] = append(took[k], time.Since(at))
			}
			after, err := server.cpu()
			if err != nil {
				return err
			}
			cpu[k] = append(cpu[k], (after-before)/time.Duration(max(n, 1)))
		}
	}
	one, other := median(took[0]), median(took[1])
	t.add("agree beside a plain save (floor): p50 at 1", ms(one), ms(other), float64(one)/float64(other), "")
	busy, idle := median(cpu[0]), median(cpu[1])
	t.add("agree beside a plain save (floor): server CPU", ms(busy), ms(idle), float64(busy)/float64(idle), "")
	return nil
}

// timersAt makes 10,000 timers due and counts how many are done in a minute: each sends a message to the person of a task.
func timersAt(ctx context.Context, o options, t *table, p place) error {
	a, err := open(ctx, p, true)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	many := min(10_000, o.workflows/2)
	err = a.Store().Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Exec("UPDATE sl_wf_timer SET due = ? WHERE done = ? AND instance IN (SELECT instance FROM sl_wf_item WHERE node = 'first' AND list = 'unfinished' ORDER BY id LIMIT ?)",
			time.Now().UTC().Add(-time.Hour), false, many).Error
	})
	if err != nil {
		return err
	}
	done, begun := 0, time.Now()
	for {
		n, err := a.Workflows().Fire(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		done += n
	}
	if done != many {
		return fmt.Errorf("%d timers of %d", done, many)
	}
	took := time.Since(begun)
	t.add(fmt.Sprintf("timers a minute, of %d that are due", many), fmt.Sprintf("%.0f", float64(done)/took.Minutes()), "-", 0, "> 10,000")
	return nil
}

// seedWorkflows starts one instance and copies it: each copy has its record, its log, an open task of one of the people and tasks that are over.
func seedWorkflows(ctx context.Context, p place, instances int) (*crew, error) {
	a, err := open(ctx, p, true)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.Close() }()
	if err := a.CatchUp(ctx); err != nil {
		return nil, err
	}
	c := &crew{tasks: make([][]string, handlers)}
	person := func(name, role string) (id, token string, err error) {
		if id, err = a.AddUser(ctx, name, name, []string{role}); err == nil {
			token, err = a.Auth().ScriptToken(ctx, id, "bench", 24*time.Hour)
		}
		return id, token, err
	}
	for k := range handlers {
		id, token, err := person(fmt.Sprintf("wf.%03d", k), "viewer")
		if err != nil {
			return nil, err
		}
		c.ids, c.tokens = append(c.ids, id), append(c.tokens, token)
	}
	if _, _, err := person("wf.last", "viewer"); err != nil {
		return nil, err
	}
	clerk, token, err := person("wf.clerk", "contractManager")
	if err != nil {
		return nil, err
	}
	c.clerk = token
	first, contract, err := startOne(ctx, a, clerk)
	if err != nil {
		return nil, err
	}
	if c.plain, err = copyRecords(ctx, a, clerk, contract, first.Instance, instances); err != nil {
		return nil, err
	}
	return c, copyInstances(ctx, a, p, c, first.Instance, c.ids, instances)
}

func startOne(ctx context.Context, a *app.App, clerk string) (done workflow.Done, contract string, err error) {
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	err = a.Store().Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		q := &plan.Query{Model: "contract", Where: plan.True, Select: []plan.Expr{id}, Order: []plan.Order{{By: id}}, Limit: 1}
		return tx.Query(ctx, a.State().Catalog, q, func(row []any) error { contract = row[0].(string); return nil })
	})
	if err != nil {
		return done, "", err
	}
	who, _ := a.People().Person(ctx, clerk)
	view := a.State().Policy.View(authn.Principal(ctx, a.People(), who, ""), a.Now(), a.Zone())
	set := wire(map[string]any{"paymentNo": "W-0", "contract": contract, "milestone": "m", "amount": "5"})
	done, err = a.Workflows().Start(ctx, view, workflow.Start{Workflow: "bench", Data: set})
	return done, contract, err
}

// wfID is the id of a copy; records, instances and tasks have their own letter. The last two digits are free.
func wfID(letter byte, n int) string {
	return fmt.Sprintf("%c0000000-0000-7000-8000-%010d00", letter, n)
}

// copyRecords inserts the records of the copies, and 500 that run in no workflow.
func copyRecords(ctx context.Context, a *app.App, clerk, contract, instance string, n int) (plain []string, err error) {
	m := a.State().Catalog.Model("payment")
	columns := []string{catalog.ID, "paymentNo", "contract", "milestone", "amount", catalog.Version, catalog.CreatedTime, catalog.Owner, catalog.Name, catalog.SequenceStatus, catalog.WorkflowInstance}
	for from := 0; from < n+500; from += 1000 {
		var rows [][]any
		for i := from; i < min(n+500, from+1000); i++ {
			id, status, in := wfID('c', i), "PROCESSING", any(wfID('a', i))
			if i >= n {
				id, status, in = uuid.Must(uuid.NewV7()).String(), "COMPLETED", nil
				plain = append(plain, id)
			}
			rows = append(rows, []any{id, fmt.Sprintf("W-%d", i+1), contract, "m", decimal.NewFromInt(5), int64(1), time.Now().UTC().Truncate(time.Millisecond), clerk, fmt.Sprintf("W-%d", i+1), status, in})
		}
		if err = a.Store().Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.InsertRows(ctx, m, columns, rows) }); err != nil {
			return nil, err
		}
	}
	return plain, nil
}

func copyInstances(ctx context.Context, a *app.App, p place, c *crew, first string, people []string, n int) error {
	columns := "code, version, model, initiator, status, result, started, events, parent, parent_activity, parent_number"
	var state []byte
	if err := a.Store().Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT state FROM sl_wf_instance WHERE id = ?", first).Row().Scan(&state)
	}); err != nil {
		return err
	}
	if !strings.Contains(string(state), people[0]) {
		return fmt.Errorf("the instance is not %s's", people[0])
	}
	states := make([][]byte, len(people))
	for k, id := range people {
		states[k] = []byte(strings.ReplaceAll(string(state), people[0], id))
	}
	for from := 0; from < n; from += 2000 {
		err := a.Store().Write(ctx, func(_ context.Context, tx *store.Tx) error {
			for i := from; i < min(n, from+2000); i++ {
				name := fmt.Sprintf("基准 W-%d", i+1)
				err := tx.System().Exec("INSERT INTO sl_wf_instance (id, record, live, name, search, state, "+columns+") SELECT ?, ?, ?, ?, ?, ?, "+columns+" FROM sl_wf_instance WHERE id = ?",
					wfID('a', i), wfID('c', i), "payment/"+wfID('c', i), name, strings.ToLower(name), states[i%len(people)], first).Error
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	shared := "code, node, type, state, result, delegate_from, copy, opinion, urged, received, finished"
	return a.Store().Write(ctx, func(_ context.Context, tx *store.Tx) error {
		run := func(text string, args ...any) error { return tx.System().Exec(text, args...).Error }
		err := errors.Join(run("INSERT INTO sl_wf_event (instance, number, at, body) SELECT i.id, e.number, e.at, e.body FROM sl_wf_instance i CROSS JOIN sl_wf_event e WHERE e.instance = ? AND i.id <> e.instance AND i.id LIKE 'a0000000-%'", first),
			run("INSERT INTO sl_wf_timer (instance, subject, kind, step, due, done) SELECT i.id, e.subject, e.kind, e.step, e.due, e.done FROM sl_wf_instance i CROSS JOIN sl_wf_timer e WHERE e.instance = ? AND i.id <> e.instance AND i.id LIKE 'a0000000-%'", first))
		if err != nil {
			return err
		}
		var numbers struct{ Start, Open int }
		if err := tx.System().Raw("SELECT min(number) AS start, max(number) AS open FROM sl_wf_item WHERE instance = ?", first).Scan(&numbers).Error; err != nil {
			return err
		}
		received := time.Now().UTC().Add(-24 * time.Hour)
		for i := range n {
			who := i % len(people)
			id := wfID('b', i)
			c.tasks[who] = append(c.tasks[who], id)
			if err := run("INSERT INTO sl_wf_item (id, instance, number, person, list, code, node, type, state, result, delegate_from, copy, opinion, urged, received) "+
				"SELECT ?, ?, number, ?, list, code, node, type, state, result, delegate_from, copy, opinion, urged, ? FROM sl_wf_item WHERE instance = ? AND number = ?",
				id, wfID('a', i), people[who], received.Add(time.Duration(i)*time.Millisecond), first, numbers.Open); err != nil {
				return err
			}
		}
		record := "i.record"
		if p.url != "" {
			record = "CAST(i.record AS uuid)"
		}
		err = run("INSERT INTO sl_wf_actor (v, id, ordinal) SELECT " + record + ", o.person, o.number FROM sl_wf_item o JOIN sl_wf_instance i ON i.id = o.instance WHERE o.id LIKE 'b0000000-%00'")
		if err != nil {
			return err
		}
		for k := range finished { // of others, in the lists of what they have done
			if err := run("INSERT INTO sl_wf_item (id, instance, number, person, list, "+shared+") SELECT substr(o.id, 1, 34) || ?, o.instance, ?, o.person, 'finished', "+prefixed("s", shared)+
				" FROM sl_wf_item o CROSS JOIN sl_wf_item s WHERE s.instance = ? AND s.number = ? AND o.id LIKE 'b0000000-%00'", fmt.Sprintf("%02d", k+1), 100+k, first, numbers.Start); err != nil {
				return err
			}
		}
		return nil
	})
}

func prefixed(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}
