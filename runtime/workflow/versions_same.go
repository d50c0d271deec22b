package workflow

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// same reports whether a workflow of a catalog is a version; its document need not be read yet.
func (s *Service) same(tx *store.Tx, c *catalog.Catalog, w *catalog.Workflow, row template) (bool, error) {
	log := tx.NameLog()
	if row.current(log) {
		return row.Digest == digestOf(w.Document), nil
	}
	key := fmt.Sprintf("%s@%d", row.Code, row.Version)
	s.mu.Lock()
	is, known := s.are[key]
	known = known && s.of == c && w == c.Workflow(row.Code)
	s.mu.Unlock()
	if known {
		return is, nil
	}
	if row.Document == nil {
		if err := tx.System().Where("code = ? AND version = ?", row.Code, row.Version).Take(&row).Error; err != nil {
			return false, err
		}
	}
	is = row.means(log, c, w)
	s.mu.Lock()
	defer s.mu.Unlock()
	if w == c.Workflow(row.Code) {
		s.look(c)
		s.are[key] = is
	}
	return is, nil
}

// look forgets what is known of another catalog. The mutex is held.
func (s *Service) look(c *catalog.Catalog) {
	if s.of != c {
		s.of, s.old, s.are = c, map[string]*catalog.Workflow{}, map[string]bool{}
	}
}

// current reports whether nothing has another name since the version was kept.
func (t template) current(log *names.Log) bool { return log.Epoch() <= t.Epoch }

// means reports whether a workflow of a catalog is a version: the same document, read as of its time. A text that says the same and meant something
// else, as after two properties changed places, is another.
func (t template) means(log *names.Log, c *catalog.Catalog, w *catalog.Workflow) bool {
	if t.current(log) {
		return t.Digest == digestOf(w.Document)
	}
	now := c.Meaning(catalog.KindWorkflow, w.Pack, w.Template.Code, w.Document, names.Reading{})
	return now != "" && now == c.Meaning(catalog.KindWorkflow, t.Pack, w.Template.Code, t.Document, log.Since(t.Epoch, t.Created))
}

// state is the state of an instance, with the nodes as they are called now.
func (i instance) state(log *names.Log) (*flow.State, error) {
	out := &flow.State{}
	if err := json.Unmarshal(i.State, out); err != nil {
		return nil, fmt.Errorf("state of the instance %s: %w", i.ID, err)
	}
	if now, renamed := nodesSince(log, i.Code, i.Epoch); renamed {
		out.Rename(now)
	}
	return out, nil
}

// stateOf is the state of an instance. One that cannot be read as it is kept is made of the instance's events, whose result it is (docs/adr/0053), and is
// kept with the next command; fault.CourseUnreadable where they cannot be read either.
func stateOf(tx *store.Tx, row instance) (*flow.State, error) {
	out, err := row.state(tx.NameLog())
	if err == nil {
		return out, nil
	}
	out, broken, failed := rebuiltOf(tx, row)
	switch {
	case failed != nil:
		return nil, failed
	case broken != nil:
		return nil, fault.Wrap(errors.Join(err, broken), fault.CourseUnreadable)
	}
	return out, nil
}

// unreadable reports whether what an error tells is that nothing can be read of an instance but its row.
func unreadable(err error) bool { return fault.Of(err) == fault.CourseUnreadable }

// rebuiltOf is the state that the events of an instance make. Broken is why they make none; failed is of the database.
func rebuiltOf(tx *store.Tx, row instance) (out *flow.State, broken, failed error) {
	var rows []event
	if err := tx.System().Where("instance = ?", row.ID).Order("number").Find(&rows).Error; err != nil {
		return nil, nil, err
	}
	if int64(len(rows)) != row.Events {
		return nil, fmt.Errorf("the instance %s has %d events of %d", row.ID, len(rows), row.Events), nil
	}
	events := make([]flow.Event, len(rows))
	for i, r := range rows {
		var err error
		if events[i], err = r.read(tx.NameLog(), row.Code); err != nil {
			return nil, err, nil
		}
	}
	return flow.Rebuild(events), nil, nil
}

// read is what an event of a workflow's instance tells, with the nodes as they are called now.
func (e event) read(log *names.Log, workflow string) (out flow.Event, err error) {
	if err := json.Unmarshal(e.Body, &out); err != nil {
		return out, fmt.Errorf("event %d of the instance %s: %w", e.Number, e.Instance, err)
	}
	if now, renamed := nodesSince(log, workflow, e.Epoch); renamed {
		out.Rename(now)
	}
	return out, nil
}

// called names the nodes of an instance for one that goes on by another version.
func (r *running) called(w *catalog.Workflow) (naming, error) {
	var kept template
	err := r.tx.System().Where("code = ? AND version = ?", r.row.Code, r.row.Version).Limit(1).Find(&kept).Error
	return namingOf(w, r.tx.NameLog(), kept), err
}

// calls refuses ids that nodes had before they were renamed, and tells those that they have now.
func (r *running) calls(ids ...string) error {
	for _, id := range ids {
		if id == "" || r.w.Nodes[id] != nil {
			continue
		}
		if now, ok := r.tx.NameLog().LastNode(r.row.Code, id); ok && r.w.Nodes[now] != nil {
			return fault.New(fault.StepRenamed, now)
		}
	}
	return nil
}

// nodesSince gives nodes of a workflow the ids of now in place of those of an epoch; false where they are those.
func nodesSince(log *names.Log, workflow string, epoch int64) (now func(id string) string, renamed bool) {
	if epoch >= log.Epoch() {
		return nil, false
	}
	then := log.SinceEpoch(epoch)
	return func(id string) string { return then.Node(workflow, id) }, true
}
