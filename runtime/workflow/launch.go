package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Start is the command that begins an instance.
type Start struct {
	Workflow string
	Record   string // "" = a new one
	Version  *int64 // that the caller has seen; needed with Record
	Data     map[string]json.RawMessage
	Opinion  string
	Choices  map[string][]string // people of nodes that the initiator chooses, by node
	Token    string              // idempotency key; "" = none
}

// Start saves a record and starts a workflow with it.
func (s *Service) Start(ctx context.Context, view *authz.View, c Start) (Done, error) {
	token := c.Token
	if token != "" {
		token = "workflow start " + token
	}
	return s.attempt(ctx, view, token, c, func(ctx context.Context, tx *store.Tx) (Done, error) { return s.start(ctx, tx, view, c) })
}

func (s *Service) start(ctx context.Context, tx *store.Tx, view *authz.View, c Start) (Done, error) {
	w, err := s.startable(view, c.Workflow)
	if err != nil {
		return Done{}, err
	}
	if err := opinion(w.Nodes[w.Template.Start().ID], flow.OpSubmit, c.Opinion); err != nil {
		return Done{}, err
	}
	start := w.Nodes[w.Template.Start().ID]
	saved := record.Saved{ID: c.Record}
	if c.Record == "" || len(c.Data) > 0 {
		saved, err = s.cfg.Writer.SaveIn(ctx, tx, view.Through(atStart(w, start)), record.Change{Model: w.Model.Code, ID: c.Record, Version: c.Version, Set: c.Data, InProcess: true})
		if err != nil {
			return Done{}, err
		}
	}
	r, err := s.launch(ctx, tx, view, launch{w: w, record: saved.ID, created: c.Record == "", version: saved.Version, seen: c.Version, opinion: c.Opinion, choices: c.Choices})
	if err != nil {
		return Done{}, err
	}
	return r.done(saved.Version)
}

// StartIn starts a workflow with a record in the name of the view's person, inside a transaction of code of a pack. With a reason of
// pack.json nobody asks whether the person may.
func (s *Service) StartIn(ctx context.Context, tx *store.Tx, view *authz.View, code, id string) (string, error) {
	return s.startIn(ctx, tx, view, code, id, false)
}

// StartOfData is StartIn for a row of a data file. Its tasks are on the lists of the people whose they are, without a message for each: a new
// installation would begin with messages of its example.
func (s *Service) StartOfData(ctx context.Context, tx *store.Tx, view *authz.View, code, id string) error {
	_, err := s.startIn(ctx, tx, view, code, id, true)
	return err
}

func (s *Service) startIn(ctx context.Context, tx *store.Tx, view *authz.View, code, id string, silent bool) (string, error) {
	w := view.Catalog.Workflow(code)
	var err error
	switch {
	case w == nil:
		err = fault.New(fault.WorkflowNotFound)
	case view.User() == "":
		err = fault.New(fault.StartRefused)
	case view.Principal().Reason == "":
		w, err = s.startable(view, code)
	case !w.Published:
		err = fault.New(fault.NotPublished)
	}
	if err != nil {
		return "", err
	}
	r, err := s.launch(ctx, tx, view, launch{w: w, record: id, rule: flow.RulePack, code: view.Principal().Reason, silent: silent})
	if err != nil {
		return "", err
	}
	s.stir(tx)
	return r.row.ID, nil
}

// launch is a start whose record is there.
type launch struct {
	w        *catalog.Workflow
	record   string
	created  bool   // with the start
	version  int64  // of the record, where the start has written it; else 0
	seen     *int64 // the version before that
	opinion  string
	choices  map[string][]string
	rule     flow.Rule // "" = a person starts it
	code     string    // of the pack whose code starts it
	parent   *running
	activity int // of parent
	number   int
	silent   bool // nobody gets a message of what begins with it
}

// launch starts an instance in the name of the view's person.
func (s *Service) launch(ctx context.Context, tx *store.Tx, view *authz.View, l launch) (*running, error) {
	w := l.w
	number, err := s.number(tx, view.Catalog, w)
	if err != nil {
		return nil, err
	}
	now := s.cfg.Clock().UTC()
	live := w.Model.Code + "/" + l.record
	if err := tx.Lock(ctx, "workflow record "+live); err != nil {
		return nil, err
	}
	_, title, err := s.cfg.Reader.Title(ctx, tx, view, queryRef(w.Model.Code, l.record))
	if err != nil {
		return nil, err // not the person's to start
	}
	r := &running{s: s, ctx: ctx, tx: tx, view: view, w: w, silent: l.silent, state: &flow.State{Status: flow.Draft}}
	dept := view.Principal().MainDepartment
	var row instance
	err = tx.System().Where("live = ?", live).Take(&row).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		id, err := uuid.NewV7()
		if err != nil {
			return nil, err
		}
		r.row = instance{ID: id.String(), Code: w.Template.Code, Version: number, Model: w.Model.Code, Record: l.record, Live: &live, Initiator: view.User(), Dept: &dept,
			Status: string(flow.Draft), Started: now, State: []byte("{}")}
		if l.parent != nil {
			r.row.Parent, r.row.ParentActivity, r.row.ParentNumber = l.parent.row.ID, l.activity, l.number
		}
		if err := tx.System().Create(&r.row).Error; err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case row.Status != string(flow.Draft) || row.Initiator != view.User() || row.Code != w.Template.Code || l.parent != nil:
		return nil, fault.New(fault.InstanceNotOpen)
	default: // revoked before: it goes on as itself, by the workflow of now
		if r.state, err = stateOf(tx, row); err != nil {
			return nil, err
		}
		r.row, r.row.Version, r.row.Dept = row, number, &dept
	}
	r.ctx = within(ctx, r.row.ID)
	r.face()
	if l.created {
		r.made = l.version
	} else {
		r.wrote(l.version, l.seen)
	}
	if r.row.Name, err = r.instanceName(title, now); err != nil {
		return nil, err
	}
	r.row.Search, r.facts.name = strings.ToLower(r.row.Name), r.row.Name
	if l.rule == "" {
		if err := r.complete(w.Nodes[w.Template.Start().ID]); err != nil {
			return nil, err
		}
		if err := r.choose(l.choices, nil); err != nil {
			return nil, err
		}
	}
	return r, r.do(flow.Command{Do: flow.OpStart, By: view.User(), At: now, Opinion: l.opinion, Rule: l.rule, Code: l.code, Choices: l.choices})
}

// patternOf is a workflow's template of names.
func patternOf(w *catalog.Workflow) string { return cmp.Or(w.InstanceName, "{workflow} {name}") }

// instanceName fills a workflow's template of names: {name} is the record's, {workflow} the workflow's, {initiator} who starts it,
// {createdTime:yyyyMMdd} the day, and {code} the value of a property of the record as people read it: names and labels, no ids.
// What people of some node do not see is left out.
func (r *running) instanceName(title string, now time.Time) (string, error) {
	pattern := patternOf(r.w)
	values, err := r.named(pattern)
	if err != nil {
		return "", err
	}
	name := place.ReplaceAllStringFunc(pattern, func(part string) string {
		m := place.FindStringSubmatch(part)
		switch strings.ToLower(m[1]) {
		case "name":
			if f := r.w.Model.Field(catalog.Name); f != nil && r.w.Hiding(f) != nil {
				return ""
			}
			return title
		case "workflow":
			return r.w.Label.Zh
		case "initiator":
			return r.view.Principal().Name
		case "createdtime":
			layout := strings.NewReplacer("yyyy", "2006", "MM", "01", "dd", "02", "HH", "15", "mm", "04").Replace(cmp.Or(m[2], "yyyy-MM-dd"))
			return now.In(r.s.cfg.Zone).Format(layout)
		}
		return values[strings.ToLower(m[1])]
	})
	text := []rune(strings.Join(strings.Fields(name), " "))
	return string(text[:min(len(text), longest)]), nil
}

// named are the values of the properties that a template of names names, as people read them, by code in small letters.
func (r *running) named(pattern string) (map[string]string, error) {
	var fields []*catalog.Field
	for _, m := range place.FindAllStringSubmatch(pattern, -1) {
		if f := r.w.Model.Field(m[1]); f != nil && f.Sheet == nil && r.w.Hiding(f) == nil && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	out := map[string]string{}
	found, err := r.s.cfg.Reader.Texts(r.ctx, r.tx, r.s.systemView(), r.w.Model, []string{r.row.Record}, fields)
	for _, one := range found[r.row.Record] {
		out[strings.ToLower(one.Field.Code)] = one.Text
	}
	return out, err
}

// MayStart is nil when a caller may start a workflow, and else why not.
func (s *Service) MayStart(view *authz.View, code string) error {
	_, err := s.startable(view, code)
	return err
}

// startable returns a workflow that a caller may start.
func (s *Service) startable(view *authz.View, code string) (*catalog.Workflow, error) {
	w := view.Catalog.Workflow(code)
	switch {
	case w == nil || !view.Can(w.Model, "view"):
		return nil, fault.New(fault.WorkflowNotFound)
	case !w.Published:
		return nil, fault.New(fault.NotPublished)
	case isAdmin(view):
		return nil, fault.New(fault.AdminStart)
	case !s.mayStart(view, w):
		return nil, fault.New(fault.StartRefused)
	}
	return w, nil
}

// isAdmin reports whether a caller is the account that administers the installation: it takes no part in approvals.
func isAdmin(view *authz.View) bool { return view.Has("ADMIN") || view.User() == "" }

func (s *Service) mayStart(view *authz.View, w *catalog.Workflow) bool {
	if w.Everybody {
		return true
	}
	return slices.ContainsFunc(w.Starters, func(rule catalog.Starter) bool {
		return s.isOne(view, catalog.Participant{Kind: rule.Kind, Values: rule.Values, Recursive: rule.Recursive})
	})
}
