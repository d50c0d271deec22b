package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// envProgramKills is how often TestWorkflowsSurvive kills the program; without it the test is left out, for it takes half a minute and more.
const envProgramKills = "SLUICE_PROGRAM_KILLS"

// TestWorkflowsSurvive serves the example on each database, and on two nodes of one PostgreSQL, while people start payments and decide on
// them over HTTP, each command again with its key until it is answered. The program is killed at random moments. In the end each payment that
// somebody started runs in one instance, all are approved, and what the database keeps of them is whole.
func TestWorkflowsSurvive(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv(envProgramKills))
	if err != nil {
		t.Skip("set " + envProgramKills)
	}
	t.Run("sqlite", func(t *testing.T) { survive(t, store.Options{Dir: t.TempDir()}, 1, kills) })
	t.Run("postgres", func(t *testing.T) {
		survive(t, store.Options{Dir: t.TempDir(), URL: storetest.Postgres(t)}, 1, kills)
	})
	t.Run("two nodes", func(t *testing.T) {
		survive(t, store.Options{Dir: t.TempDir(), URL: storetest.Postgres(t)}, 2, kills)
	})
}

// installation is a database with the nodes that serve it.
type installation struct {
	*testing.T
	o        store.Options
	packs    string
	mu       sync.Mutex
	nodes    []*node
	stopped  atomic.Bool
	tokens   map[string]string
	repeats  atomic.Int64
	refusals map[string]int
}

// node is a program that serves until it is killed. One that ends by itself, or logs an error, fails the test.
type node struct {
	cmd    *exec.Cmd
	base   string
	killed atomic.Bool
	ended  chan struct{}
	log    bytes.Buffer // to be read when it has ended
}

// sluice is the program: this test binary under its name.
func (in *installation) sluice(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Args = append([]string{"sluice"}, args...)
	c.Env = append(os.Environ(), "LANG=en_US.UTF-8", "SLUICE_DATA="+in.o.Dir, "SLUICE_PACKS="+in.packs, "SLUICE_KEY="+strings.Repeat("k", 40))
	if in.o.URL != "" {
		c.Env = append(c.Env, "SLUICE_DB="+in.o.URL)
	}
	return c
}

func (in *installation) run(args ...string) string {
	in.Helper()
	var told bytes.Buffer
	c := in.sluice(args...)
	c.Stderr = &told
	out, err := c.Output()
	require.NoError(in, err, "%v: %s", args, &told)
	return strings.TrimSpace(string(out))
}

func (in *installation) serve() *node {
	in.Helper()
	n := &node{cmd: in.sluice("serve", "--addr", "127.0.0.1:0"), ended: make(chan struct{})}
	n.cmd.Stderr = &n.log
	out, err := n.cmd.StdoutPipe()
	require.NoError(in, err)
	require.NoError(in, n.cmd.Start())
	lines := bufio.NewScanner(out)
	serves := lines.Scan()
	n.base = strings.TrimPrefix(lines.Text(), "Sluice serves ")
	go func() {
		defer close(n.ended)
		for lines.Scan() {
		}
		err := n.cmd.Wait()
		if !n.killed.Load() {
			in.Errorf("a node has ended by itself: %v\n%s", err, lastOf(n.log.String(), 4000))
		}
		for line := range strings.Lines(n.log.String()) {
			if strings.Contains(line, "level=ERROR") || strings.HasPrefix(line, "panic:") {
				in.Errorf("a node has logged: %s", line)
			}
		}
	}()
	require.True(in, serves)
	return n
}

// lastOf is the end of a text.
func lastOf(text string, most int) string { return text[max(0, len(text)-most):] }

// kill ends the node at once.
func (n *node) kill() {
	n.killed.Store(true)
	_ = n.cmd.Process.Kill()
	<-n.ended
}

func (in *installation) any() *node {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.nodes[rand.IntN(len(in.nodes))]
}

// answer is the envelope of the product.
type answer struct {
	Code int             `json:"errcode"`
	Text string          `json:"errmsg"`
	Data json.RawMessage `json:"data"`
}

// call asks a node until one answers: the same body again, with the same key of the command.
func (in *installation) call(who, method, path string, body any) answer {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	for try := 0; ; try++ {
		req, err := http.NewRequest(method, in.any().base+path, bytes.NewReader(text))
		if err != nil {
			panic(err)
		}
		req.Header.Set("Authorization", "Bearer "+in.tokens[who])
		req.Header.Set("Content-Type", "application/json")
		var out answer
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			var whole []byte
			whole, err = io.ReadAll(res.Body)
			_ = res.Body.Close()
			if err == nil {
				err = json.Unmarshal(whole, &out)
			}
		}
		if err == nil {
			return out
		}
		in.repeats.Add(1)
		if try > 3000 {
			in.Errorf("%s %s: %v", who, path, err)
			return answer{Code: -1}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (a answer) into(t *testing.T, to any) {
	t.Helper()
	require.Zero(t, a.Code, a.Text)
	require.NoError(t, json.Unmarshal(a.Data, to))
}

type taskRow struct {
	ID     string `json:"workItemId"`
	Node   string `json:"activityCode"`
	Record string `json:"bizObjectId"`
}

type taskPage struct {
	Content []taskRow `json:"content"`
	Total   int       `json:"totalElements"`
}

// decide takes one of somebody's tasks on; false = they have none.
func (in *installation) decide(who string, r *rand.Rand, keys *atomic.Int64) bool {
	var page taskPage
	list := in.call(who, "POST", "/api/runtime/workitem/unfinished", map[string]any{"size": 20, "workflowCode": "paymentApproval"})
	if list.Code != 0 || json.Unmarshal(list.Data, &page) != nil || len(page.Content) == 0 {
		return false
	}
	one := page.Content[r.IntN(len(page.Content))]
	body := map[string]any{"workItemId": one.ID, "clientToken": fmt.Sprintf("decide-%d", keys.Add(1)), "opinion": "so"}
	if one.Node != "project" {
		var detail struct {
			Form struct {
				Version int64 `json:"version"`
			} `json:"form"`
		}
		if got := in.call(who, "GET", "/api/runtime/workitem/detail?workItemId="+one.ID, nil); got.Code != 0 || json.Unmarshal(got.Data, &detail) != nil {
			in.refused(who, "detail", got)
			return true
		}
		data := map[string]any{"approved": "900"}
		if one.Node == "finance" {
			data["paidOn"] = "2026-11-20"
		}
		body["data"], body["version"] = data, detail.Form.Version
	}
	if got := in.call(who, "POST", "/api/runtime/workitem/agree", body); got.Code != 0 {
		in.refused(who, one.Node, got)
	}
	return true
}

// refused notes what was refused, which is somebody else having been first.
func (in *installation) refused(who, what string, got answer) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.refusals == nil {
		in.refusals = map[string]int{}
	}
	in.refusals[fmt.Sprintf("%s: %d %s", what, got.Code, got.Text)]++
}

func survive(t *testing.T, o store.Options, nodes, kills int) {
	packs, err := filepath.Abs("../../../examples/ship-lock")
	require.NoError(t, err)
	in := &installation{T: t, o: o, packs: packs, tokens: map[string]string{}}
	in.nodes = []*node{in.serve()}
	roles := map[string]string{"man1": "contractManager", "man2": "contractManager", "pm1": "projectManager", "pm2": "projectManager", "fin1": "financeRole", "fin2": "financeRole", "boss": "administrator"}
	for who, role := range roles {
		in.run("user", "add", who, "--role", role)
		in.tokens[who] = in.run("user", "token", who)
	}
	for len(in.nodes) < nodes {
		in.nodes = append(in.nodes, in.serve())
	}
	t.Cleanup(func() {
		for _, n := range in.nodes {
			n.kill()
		}
	})
	var contracts struct {
		Content []struct {
			ID string `json:"id"`
		} `json:"content"`
	}
	in.call("man1", "POST", "/api/runtime/query/list", map[string]any{"schemaCode": "contract"}).into(t, &contracts)
	require.NotEmpty(t, contracts.Content)

	var all sync.WaitGroup
	var keys atomic.Int64
	var mu sync.Mutex
	started := map[string]string{} // instance by number of the payment
	for k, who := range []string{"man1", "man2", "pm1", "pm2", "fin1", "fin2", "man1", "man2"} {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), uint64(k)))
			for n := 0; !in.stopped.Load(); n++ {
				if k < 6 {
					if !in.decide(who, r, &keys) {
						time.Sleep(10 * time.Millisecond)
					}
					continue
				}
				number := fmt.Sprintf("Z-%d-%d", k, n)
				var done struct {
					Instance string `json:"workflowInstanceId"`
				}
				got := in.call(who, "POST", "/api/runtime/form/submit", map[string]any{"workflowCode": "paymentApproval", "clientToken": "start-" + number, "data": map[string]any{
					"paymentNo": number, "contract": contracts.Content[0].ID, "milestone": "T", "amount": fmt.Sprint([]int{900, 2_000_000}[r.IntN(2)])}})
				if got.Code != 0 || json.Unmarshal(got.Data, &done) != nil {
					in.Errorf("%s is not started: %d %s", number, got.Code, got.Text)
					return
				}
				mu.Lock()
				started[number] = done.Instance
				mu.Unlock()
				time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
			}
		})
	}
	for range kills {
		time.Sleep(time.Duration(500+rand.IntN(1500)) * time.Millisecond)
		k := rand.IntN(nodes)
		in.nodes[k].kill()
		again := in.serve()
		in.mu.Lock()
		in.nodes[k] = again
		in.mu.Unlock()
	}
	time.Sleep(time.Second)
	in.stopped.Store(true)
	all.Wait()
	r := rand.New(rand.NewPCG(1, 1))
	end := time.Now().Add(time.Minute)
	for idle := 0; idle < 2; idle++ {
		for who, role := range roles {
			for role != "administrator" && in.decide(who, r, &keys) {
				idle = 0
				require.True(t, time.Now().Before(end), "there is no end to it: %v", in.refusals)
			}
		}
	}
	t.Logf("%d payments, %d kills, %d calls again, %d decisions tried, refused: %v", len(started), kills, in.repeats.Load(), keys.Load(), in.refusals)
	require.Greater(t, in.repeats.Load(), int64(0), "no call met a kill")
	in.whole(started)
}

// whole checks over HTTP and in the database that all instances ended, each once, and that what is kept of them fits together.
func (in *installation) whole(started map[string]string) {
	instances := map[string]bool{}
	total := 0
	for _, who := range []string{"man1", "man2"} {
		for page := 0; ; page++ {
			var mine struct {
				Content []struct {
					ID    string `json:"workflowInstanceId"`
					State string `json:"state"`
				} `json:"content"`
				Total int `json:"totalElements"`
			}
			in.call(who, "POST", "/api/runtime/workflow/mine", map[string]any{"size": 50, "page": page, "workflowCode": "paymentApproval"}).into(in.T, &mine)
			for _, one := range mine.Content {
				require.Equal(in, "COMPLETED", one.State)
				instances[one.ID] = true
			}
			if len(mine.Content) < 50 {
				total += mine.Total
				break
			}
		}
	}
	require.Len(in, instances, len(started), "instances of payments")
	require.Equal(in, len(started), total)
	for number, id := range started {
		require.True(in, instances[id], "%s has got instance %s, which is not there", number, id)
	}
	for _, n := range in.nodes {
		n.kill()
	}
	db, err := store.Open(in.Context(), in.o)
	require.NoError(in, err)
	defer func() { require.NoError(in, db.Close()) }()
	require.NoError(in, db.Read(in.Context(), func(_ context.Context, tx *store.Tx) error {
		for id := range instances {
			if err := in.one(tx, id); err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
		}
		var n int64
		err := tx.System().Raw("SELECT count(*) FROM sl_wf_item WHERE list = 'unfinished' AND code = 'paymentApproval'").Scan(&n).Error
		if err == nil && n > 0 {
			err = fmt.Errorf("%d open items of instances that are over", n)
		}
		return err
	}))
}

// one checks what is kept of an instance.
func (in *installation) one(tx *store.Tx, id string) error {
	var bodies [][]byte
	var kept []byte
	var rows []struct {
		Number int
		State  string
		Person string
	}
	var told int64
	if err := errors.Join(tx.System().Raw("SELECT body FROM sl_wf_event WHERE instance = ? ORDER BY number", id).Scan(&bodies).Error,
		tx.System().Raw("SELECT state FROM sl_wf_instance WHERE id = ?", id).Row().Scan(&kept),
		tx.System().Raw("SELECT number, state, person FROM sl_wf_item WHERE instance = ? ORDER BY number", id).Scan(&rows).Error,
		tx.System().Raw("SELECT count(*) FROM sl_message WHERE type = 101 AND once LIKE ?", "workflow "+id+" %").Scan(&told).Error); err != nil {
		return err
	}
	state, tasks := &flow.State{}, int64(0)
	for _, body := range bodies {
		var e flow.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		if e.Kind == flow.Messaged && e.Message == 101 {
			tasks += int64(len(e.To))
		}
		state.Apply(e)
	}
	rebuilt, err := json.Marshal(state)
	if err != nil {
		return err
	}
	require.JSONEq(in, string(kept), string(rebuilt), "the log makes the state")
	require.Equal(in, flow.Completed, state.Status)
	require.Len(in, rows, len(state.Items))
	for k, row := range rows {
		require.Equal(in, fmt.Sprint(k+1, state.Items[k].State, state.Items[k].Person), fmt.Sprint(row.Number, row.State, row.Person))
	}
	require.Equal(in, tasks, told, "each task was told once")
	return nil
}
