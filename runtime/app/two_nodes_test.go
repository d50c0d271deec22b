package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// firm are the documents of a model whose two texts, two options, own code and role are renamed, and what they are called in one round. The labels
// stay: 甲 and 乙 tell the texts apart, 米 and 里 the options.
type firm struct{ round int }

// code is one of the codes that a thing has in turn, with those that it had.
func (f firm) code(first, second string) (code, former string) {
	both := []string{first, second}
	was := []string{}
	for n := f.round - 1; n >= 0; n-- {
		was = append(was, both[n%2])
	}
	return both[f.round%2], formerly(was)
}

func (f firm) model() string { code, _ := f.code("deal", "contract"); return code }

// third has a code that nothing else has had.
func (f firm) third() string { return fmt.Sprint("third", f.round) }

func (f firm) thirds() string {
	was := []string{}
	for n := f.round - 1; n >= 0; n-- {
		was = append(was, firm{n}.third())
	}
	return formerly(was)
}

// formerly is the key of a definition with the codes that it had.
func formerly(was []string) string {
	if len(was) == 0 {
		return ""
	}
	b, _ := json.Marshal(was)
	return `"renamedFrom": ` + string(b) + `, `
}

func (f firm) files() map[string]string {
	a, wasA := f.code("a", "b")
	b, wasB := f.code("b", "a")
	metre, wasMetre := f.code("m", "M")
	mile, wasMile := f.code("M", "m")
	model, wasModel := f.code("deal", "contract")
	role, wasRole := f.code("clerk", "agent")
	return map[string]string{
		"models/" + model + ".json": `{` + wasModel + `"name": "合同", "name_i18n": {"en": "Contract"}, "name_plural_i18n": {"en": "Contracts"}, "properties": [
  {"code": "` + a + `", ` + wasA + `"propertyType": "ShortText", "name": "甲", "name_i18n": {"en": "First"}},
  {"code": "` + b + `", ` + wasB + `"propertyType": "ShortText", "name": "乙", "name_i18n": {"en": "Second"}},
  {"code": "` + f.third() + `", ` + f.thirds() + `"propertyType": "ShortText", "name": "丙", "name_i18n": {"en": "Third"}},
  {"code": "unit", "propertyType": "Radio", "name": "单位", "name_i18n": {"en": "Unit"}, "options": [
    {"code": "` + metre + `", ` + wasMetre + `"name": "米", "name_i18n": {"en": "Metre"}}, {"code": "` + mile + `", ` + wasMile + `"name": "里", "name_i18n": {"en": "Mile"}}]}]}`,
		"lists/all.json":           `{"schemaCode": "` + model + `", "name": "全", "name_i18n": {"en": "All"}, "queryColumns": ["` + a + `", "` + b + `", "` + f.third() + `", "unit"]}`,
		"access/" + role + ".json": `{` + wasRole + `"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "` + model + `", "actions": ["*"], "rows": "all"}]}`,
		"workflows/approval.json": `{"schemaCode": "` + model + `", "name": "审", "name_i18n": {"en": "Approval"}, "settings": {"initiators": {"all": true}}, "nodes": [
  {"id": "start", "type": "START", "name": "填", "name_i18n": {"en": "Fill in"}, "next": ["check"]},
  {"id": "check", "type": "APPROVE", "name": "审", "name_i18n": {"en": "Check"}, "participants": [{"type": "role", "value": ["` + role + `"]}], "mode": "ANY", "next": ["large"]},
  {"id": "large", "type": "SPLIT", "name": "分", "name_i18n": {"en": "Split"}, "kind": "XOR", "routes": [{"to": "again", "when": "` + a + ` == 'first 里' and unit == '` + mile + `'"}, {"to": "end", "default": true}]},
  {"id": "again", "type": "APPROVE", "name": "再", "name_i18n": {"en": "Again"}, "participants": [{"type": "role", "value": ["` + role + `"]}], "mode": "ANY", "next": ["joined"]},
  {"id": "joined", "type": "JOIN", "of": "large", "next": ["end"]},
  {"id": "end", "type": "END"}]}`,
	}
}

// publishes makes the documents of a round those of all nodes.
func (f firm) publishes(ctx context.Context, t *testing.T, a *app.App) {
	t.Helper()
	before, after := firm{f.round - 1}.files(), f.files()
	var set app.Changeset
	for path, text := range before {
		if _, stays := after[path]; !stays {
			set.Files = append(set.Files, app.Change{Pack: "firm", Path: path, Seen: app.DigestOf(&text)})
		}
	}
	for path, text := range after {
		change := app.Change{Pack: "firm", Path: path, Text: &text}
		if was, there := before[path]; there {
			change.Seen = app.DigestOf(&was)
		}
		set.Files = append(set.Files, change)
	}
	admin := func() *authz.View { return rightsOf(a, "administrator") }
	var err error
	for range 50 { // a node may still be at the version before
		var look *app.Publication
		if look, err = a.Look(ctx, admin(), set); err == nil {
			_, err = a.Publish(ctx, admin(), set, app.Confirmation{Steps: look.Digest})
		}
		if err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	require.NoError(t, err)
}

// client calls the nodes as HTTP does: with the definitions that a node serves, and again with others when these were changed meanwhile.
type client struct {
	*testing.T
	nodes  []*app.App
	person string
	rounds *atomic.Int64
}

// call runs f on one of the nodes until it has met one version only.
func (c client) call(ctx context.Context, f func(ctx context.Context, a *app.App, s *app.State, view *authz.View) error) error {
	a := c.nodes[rand.N(len(c.nodes))]
	for {
		s := a.State()
		if err := a.People().Fresh(ctx); err != nil {
			continue // HTTP answers 503, and is called again
		}
		person, ok := a.People().Person(ctx, c.person)
		if !ok {
			return errors.New("nobody")
		}
		ctx := store.AtVersion(ctx, s.Catalog.Version)
		p := authn.Principal(ctx, a.People(), person, "")
		p.Locale = "en"
		err := f(ctx, a, s, s.Policy.View(p, a.Now(), a.Zone()))
		if version, _, failed := a.Store().Moved(ctx); fault.Of(err) == fault.ModelNotFound && failed == nil && version != s.Catalog.Version {
			err = store.ErrSchemaMoved // as of calls by HTTP
		}
		if !errors.Is(err, store.ErrSchemaMoved) {
			return err
		}
		a.Renewed(ctx, s)
	}
}

// labelled is the field of a model with a label.
func labelled(m *catalog.Model, label string) *catalog.Field {
	i := slices.IndexFunc(m.Fields, func(f *catalog.Field) bool { return f.Label.Zh == label })
	return m.Fields[i]
}

// optionOf is the code that an option with a label has.
func optionOf(m *catalog.Model, label string) string {
	for _, o := range labelled(m, "单位").Property.(property.Chooser).Choices() {
		if o.Label.In("zh") == label {
			return o.Code
		}
	}
	return ""
}

// writes adds a record: what it says of itself is in its values. Sometimes it uses a code of before, which is refused.
func (c client) writes(ctx context.Context, n int) (id string) {
	old := rand.N(3) == 0
	err := c.call(ctx, func(ctx context.Context, a *app.App, s *app.State, view *authz.View) error {
		m := s.Catalog.Model("deal") // an old address leads on
		time.Sleep(time.Duration(rand.N(3)) * time.Millisecond)
		unit := []string{"米", "里"}[n%2]
		third := labelled(m, "丙").Code
		if round := c.rounds.Load(); old && round > 0 {
			third = firm{rand.N(int(round))}.third()
		}
		saved, err := a.Writer().Save(ctx, view, record.Change{Model: m.Code, Set: map[string]json.RawMessage{
			labelled(m, "甲").Code: text("first " + unit), labelled(m, "乙").Code: text("second " + unit), third: text("third " + unit), "unit": text(optionOf(m, unit))}})
		id = saved.ID
		if third != labelled(m, "丙").Code && !errors.Is(err, store.ErrSchemaMoved) {
			var f *fault.Error
			if !errors.As(err, &f) || f.Data.(fault.Invalid).Errors[0].Code != fault.FieldRenamed {
				return fmt.Errorf("a code of before: %w", err)
			}
			return nil
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		c.Errorf("write: %v", err)
	}
	return id
}

// reads looks at a page of the list: each value is one of its property.
func (c client) reads(ctx context.Context) (rows int) {
	err := c.call(ctx, func(ctx context.Context, a *app.App, s *app.State, view *authz.View) error {
		m := s.Catalog.Model("contract")
		if m == nil {
			m = s.Catalog.Model("deal")
		}
		out, err := a.Reader().List(ctx, view, query.ListRequest{SchemaCode: "deal", QueryCode: "all"})
		if err != nil {
			return err
		}
		var page struct {
			Content []struct{ Data map[string]any }
		}
		if err := json.Unmarshal(out, &page); err != nil {
			return err
		}
		for _, row := range page.Content {
			first, _ := row.Data[labelled(m, "甲").Code].(string)
			second, _ := row.Data[labelled(m, "乙").Code].(string)
			third, _ := row.Data[labelled(m, "丙").Code].(string)
			unit, _ := row.Data["unit"].(string)
			_, is, _ := strings.Cut(first, " ")
			if want := []string{"first " + is, "second " + is, "third " + is, optionOf(m, is)}; !slices.Equal(want, []string{first, second, third, unit}) {
				return fmt.Errorf("an answer mixes: %v in version %d", row.Data, s.Catalog.Version)
			}
		}
		rows = len(page.Content)
		return nil
	})
	if err != nil && ctx.Err() == nil {
		c.Errorf("read: %v", err)
	}
	return rows
}

// starts an approval, and tells how many agreements it takes.
func (c client) starts(ctx context.Context, id string) (instance string) {
	err := c.call(ctx, func(ctx context.Context, a *app.App, _ *app.State, view *authz.View) error {
		done, err := a.Workflows().Start(ctx, view, workflow.Start{Workflow: "approval", Record: id})
		instance = done.Instance
		return err
	})
	if err != nil && ctx.Err() == nil {
		c.Errorf("start: %v", err)
	}
	return instance
}

// agrees to a task, and reports whether there was one.
func (c client) agrees(ctx context.Context) (any bool) {
	err := c.call(ctx, func(ctx context.Context, a *app.App, _ *app.State, view *authz.View) error {
		tasks, err := a.Workflows().Items(ctx, view, "unfinished", workflow.Search{Size: 20})
		if err != nil || len(tasks.Content) == 0 {
			return err
		}
		any = true
		_, err = a.Workflows().Act(ctx, view, workflow.Command{Item: tasks.Content[rand.N(len(tasks.Content))].ID, Do: flow.OpAgree})
		if fault.Of(err) == fault.ItemFinished { // somebody else was faster
			return nil
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		c.Errorf("agree: %v", err)
	}
	return any
}

func text(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}

// TestRenamesUnderLoad: two nodes serve while a model, properties, options and a role change their codes, some of them places. Who reads or writes
// meets one version; no value comes under the code of another, and each approval comes to its end. The role agent was also one of a pack that takes
// part no more.
func TestRenamesUnderLoad(t *testing.T) {
	t.Parallel()
	o := store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}
	dir := filepath.Join(t.TempDir(), "firm")
	version(t, dir, firm{}.files())
	var nodes []*app.App
	for range 2 {
		cfg := config(t, o, dir)
		cfg.Dev, cfg.Key, cfg.Readers = true, "a key of this test, long enough to be one", 4
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		nodes = append(nodes, a)
	}
	person, err := nodes[0].AddUser(t.Context(), "ann", "Ann", []string{"clerk"})
	require.NoError(t, err)
	require.Eventually(t, func() bool { _, knows := nodes[1].People().Person(t.Context(), person); return knows }, 10*time.Second, time.Millisecond)
	ctx, stop := context.WithCancel(t.Context())
	c := client{t, nodes, person, &atomic.Int64{}}
	var all sync.WaitGroup
	var instances sync.Map
	var read, agreed atomic.Int64
	for w := range 3 {
		all.Go(func() {
			for n := w; ctx.Err() == nil; n++ {
				if id := c.writes(ctx, n); id != "" && n%3 == 0 {
					if instance := c.starts(ctx, id); instance != "" {
						instances.Store(instance, n%2)
					}
				}
			}
		})
		all.Go(func() {
			for ctx.Err() == nil {
				read.Add(int64(c.reads(ctx)))
			}
		})
	}
	all.Go(func() {
		for ctx.Err() == nil {
			if c.agrees(ctx) {
				agreed.Add(1)
			}
		}
	})
	rounds := storetest.Full(4, 20)
	for round := 1; round <= rounds; round++ {
		time.Sleep(300 * time.Millisecond)
		firm{round}.publishes(t.Context(), t, nodes[round%2])
		c.rounds.Store(int64(round))
	}
	time.Sleep(300 * time.Millisecond)
	stop()
	all.Wait()
	for c.agrees(t.Context()) {
	}
	n := 0
	instances.Range(func(id, kind any) bool {
		n++
		require.NoError(t, c.call(t.Context(), func(ctx context.Context, a *app.App, _ *app.State, view *authz.View) error {
			track, err := a.Workflows().Track(ctx, view, id.(string))
			if err == nil && track.Instance.State != "COMPLETED" {
				t.Errorf("%s is %s", id, track.Instance.State)
			}
			return err
		}))
		return true
	})
	require.Positive(t, n)
	require.Positive(t, read.Load())
	require.Positive(t, agreed.Load())
	t.Logf("%d instances, %d rows were read", n, read.Load())
}
