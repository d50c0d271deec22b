package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// What is wrong with a running instance that nothing in it can mend.
const (
	foundNobody = "NOBODY" // it waits for no person, time, signal, service or child; the subject is a token
	foundChild  = "CHILD"  // for a child that does not come; an activity
	foundOwner  = "OWNER"  // its initiator can no longer take part; 0
	foundLeft   = "LEFT"   // a task is with somebody who can no longer take part; an item
	foundBroken = "BROKEN" // nothing of it can be read but its row; 0
)

// wayDelete is the only way out of what nothing can be read of.
const wayDelete flow.Operation = "delete"

// ways are what administrators can do about a finding.
var ways = map[string][]flow.Operation{
	foundNobody: {flow.OpJump, flow.OpVoid},
	foundChild:  {flow.OpJump, flow.OpVoid},
	foundOwner:  {flow.OpHandOver, flow.OpVoid},
	foundLeft:   {flow.OpHandOver, flow.OpAdjust, flow.OpJump, flow.OpVoid},
	foundBroken: {wayDelete},
}

// finding is what the audit found and nobody has mended yet.
type finding struct {
	Instance string    `gorm:"primaryKey;size:36"`
	Kind     string    `gorm:"primaryKey;size:12"`
	Subject  int       `gorm:"primaryKey;autoIncrement:false"`
	Found    time.Time `gorm:"not null"`
}

func (finding) TableName() string { return "sl_wf_finding" }

// auditedAtOnce is how many instances one step of an audit looks at.
const auditedAtOnce = 20

// Audited is how far an audit is.
type Audited struct {
	After  string `json:"after"`  // id of the last instance that was looked at
	Looked int64  `json:"looked"` // instances
	Found  int    `json:"found"`  // findings that are new
	Mended int    `json:"mended"` // findings that are gone
	Over   bool   `json:"over"`   // nothing is left
}

// Audit looks at the next instances in progress behind those of before, in a transaction of the caller's: new findings are kept and told to
// those who administer workflows, mended ones are forgotten.
func (s *Service) Audit(ctx context.Context, tx *store.Tx, from Audited) (Audited, error) {
	var ids []string
	err := tx.System().Model(&instance{}).Where("status IN ? AND id > ?", runs, from.After).Order("id").Limit(auditedAtOnce).Pluck("id", &ids).Error
	if err != nil {
		return from, err
	}
	for _, id := range ids {
		r, err := s.hold(ctx, tx, s.systemView(), id)
		switch {
		case fault.Of(err) == fault.WorkflowNotFound: // deleted meanwhile
			continue
		case unreadable(err):
			s.cfg.Log.Error("nothing of an instance can be read but its row: it can be deleted", "instance", id, "error", err)
			r, err = s.rowAlone(ctx, tx, s.systemView(), id)
		}
		if err != nil {
			return from, fmt.Errorf("audit the instance %s: %w", id, err)
		}
		fresh, mended, err := r.audit(true)
		if err != nil {
			return from, fmt.Errorf("audit the instance %s: %w", id, err)
		}
		from.After, from.Looked, from.Found, from.Mended = id, from.Looked+1, from.Found+fresh, from.Mended+mended
	}
	from.Over = len(ids) < auditedAtOnce
	return from, nil
}

// AuditAll looks at all instances in progress, some of them in each transaction.
func (s *Service) AuditAll(ctx context.Context) (at Audited, err error) {
	for !at.Over {
		var next Audited
		err := s.persist(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			next, err = s.Audit(ctx, tx, at)
			return err
		})
		if err != nil {
			return at, err
		}
		at = next
	}
	return at, nil
}

// audit brings what is kept of an instance to what is found now. New findings are kept and told only by an audit itself: between two commands
// of one transaction much waits for nobody.
func (r *running) audit(adds bool) (fresh, mended int, err error) {
	var had []finding
	if err := r.tx.System().Where("instance = ?", r.row.ID).Find(&had).Error; err != nil || len(had) == 0 && !adds {
		return 0, 0, err
	}
	now, err := r.findings()
	if err != nil {
		return 0, 0, err
	}
	has := func(list []finding, f finding) bool {
		return slices.ContainsFunc(list, func(o finding) bool { return o.Kind == f.Kind && o.Subject == f.Subject })
	}
	for _, f := range had {
		if !has(now, f) {
			mended++
			if err := r.tx.System().Delete(&f).Error; err != nil {
				return fresh, mended, err
			}
		}
	}
	for _, f := range now {
		if !adds || has(had, f) {
			continue
		}
		fresh++
		err := errors.Join(r.tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&f).Error, r.tellFound(f))
		if err != nil {
			return fresh, mended, err
		}
	}
	return fresh, mended, nil
}

// findings are what is wrong with the instance now.
func (r *running) findings() (out []finding, err error) {
	if r.state != nil && !slices.Contains(runs, string(r.state.Status)) {
		return nil, nil
	}
	now := r.s.cfg.Clock().UTC()
	add := func(kind string, subject int) {
		out = append(out, finding{Instance: r.row.ID, Kind: kind, Subject: subject, Found: now})
	}
	if r.state == nil { // rowAlone
		add(foundBroken, 0)
		return out, nil
	}
	if !r.s.able(r.ctx, r.state.Initiator) {
		add(foundOwner, 0)
	}
	for _, i := range r.state.Items {
		if i.Ready() && i.Type != flow.ItemCirculate && !r.s.able(r.ctx, i.Person) {
			add(foundLeft, i.ID)
		}
	}
	live := r.state.Live()
	moves := slices.ContainsFunc(live, func(t flow.Token) bool { return t.State == flow.TokenActive })
	for _, t := range live {
		if t.Fault != "" || t.State == flow.TokenWaiting && moves { // it says so itself, or waits for the other branches
			continue
		}
		kind, subject, err := r.waits(t)
		if err != nil {
			return nil, err
		}
		if kind != "" {
			add(kind, subject)
		}
	}
	return out, nil
}

// waits says what is wrong with what a token waits for; "" = nothing.
func (r *running) waits(t flow.Token) (kind string, subject int, err error) {
	var at *flow.Activity
	for k := range r.state.Activities {
		if a := &r.state.Activities[k]; a.Token == t.ID && a.State == flow.ActivityActive {
			at = a
		}
	}
	if at == nil {
		return foundNobody, t.ID, nil
	}
	person := func(i flow.Item) bool {
		return i.Activity == at.ID && i.Ready() && i.Type != flow.ItemAssist && i.Type != flow.ItemCirculate
	}
	if slices.ContainsFunc(r.state.Items, person) {
		return "", 0, nil
	}
	var times, signals int64
	err = errors.Join(
		r.tx.System().Model(&timer{}).Where("instance = ? AND subject = ? AND kind IN ? AND done = ?", r.row.ID, at.ID, []string{string(flow.TimerWait), timerCall, timerSend}, false).Count(&times).Error,
		r.tx.System().Model(&signal{}).Where("instance = ? AND activity = ?", r.row.ID, at.ID).Count(&signals).Error)
	switch {
	case err != nil || times+signals > 0:
		return "", 0, err
	case at.Started > at.Ended:
		comes, err := r.comes(*at)
		if err != nil || comes {
			return "", 0, err
		}
		return foundChild, at.ID, nil
	}
	return foundNobody, t.ID, nil
}

// comes reports whether each child that an activity waits for can still end: it is in progress, or a draft of somebody who can start it again, or
// has ended and the parent is about to hear of it.
func (r *running) comes(a flow.Activity) (bool, error) {
	var children []instance
	var heard []timer
	err := errors.Join(
		r.tx.System().Select("parent_number", "status", "initiator").Where("parent = ? AND parent_activity = ?", r.row.ID, a.ID).Find(&children).Error,
		r.tx.System().Where("instance = ? AND subject = ? AND kind = ?", r.row.ID, a.ID, timerChild).Find(&heard).Error)
	if err != nil {
		return false, err
	}
	for n := 1; n <= a.Started; n++ {
		if slices.ContainsFunc(heard, func(t timer) bool { return t.Step == n }) {
			continue
		}
		k := slices.IndexFunc(children, func(c instance) bool { return c.ParentNumber == n })
		switch {
		case k < 0:
			return false, nil
		case children[k].Status == string(flow.Draft) && !r.s.able(r.ctx, children[k].Initiator):
			return false, nil
		case children[k].Status == string(flow.Completed) || children[k].Status == string(flow.Canceled):
			return false, nil
		}
	}
	return true, nil
}

var foundTitles = map[string]plan.Label{
	foundNobody: {Zh: "流程没有任何处理人或等待对象", I18n: map[string]string{"en": "A workflow waits for nobody"}},
	foundChild:  {Zh: "流程在等待不会结束的子流程", I18n: map[string]string{"en": "A workflow waits for a sub-workflow that does not come"}},
	foundOwner:  {Zh: "流程的发起人已离开", I18n: map[string]string{"en": "The initiator of a workflow has left"}},
	foundLeft:   {Zh: "流程任务的处理人已离开", I18n: map[string]string{"en": "A workflow task is with somebody who has left"}},
	foundBroken: {Zh: "无法读取流程的过程", I18n: map[string]string{"en": "The course of a workflow can't be read"}},
}

// tellFound tells those who administer workflows of a finding, once. The message names no record: it opens the page of findings, which they may see.
func (r *running) tellFound(f finding) error {
	for _, to := range r.s.admins(r.ctx) {
		err := r.s.cfg.Notify.Send(r.tx, notify.Message{To: to, Type: notify.Custom, Title: foundTitles[f.Kind], Text: r.row.Name,
			Biz:  notify.Biz{InstanceName: r.row.Name, OriginatorName: r.initiator(), WorkflowInstanceID: r.row.ID, Finding: true},
			Once: fmt.Sprintf("workflow finding %s %s %d %d", r.row.ID, f.Kind, f.Subject, f.Found.Unix())})
		if err != nil {
			return err
		}
	}
	return nil
}

// Found is a finding with its instance (api.yaml WorkflowFinding).
type Found struct {
	Kind     string            `json:"kind"`
	Found    time.Time         `json:"foundTime"`
	Node     string            `json:"activityCode"` // "" = it is about the whole instance
	Name     string            `json:"activityName"`
	NameI18n map[string]string `json:"activityName_i18n"`
	Person   *Person           `json:"person"` // who has left; null = it is about nobody
	Item     *string           `json:"workItemId"`
	Ways     []flow.Operation  `json:"ways"`
	Instance Instance          `json:"instance"`
}

// Title says what was found.
func (f Found) Title() plan.Label { return foundTitles[f.Kind] }

// Findings lists what audits found and nobody has mended, the newest first, for those who administer workflows.
func (s *Service) Findings(ctx context.Context, view *authz.View, page, size int) (*Page[Found], error) {
	switch {
	case !administers(view):
		return nil, fault.New(fault.Forbidden)
	case size < 1 || size > maxPage || page < 0:
		return nil, fault.New(fault.PageOutOfRange)
	}
	out := &Page[Found]{Content: []Found{}}
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var rows []finding
		err := errors.Join(tx.System().Model(&finding{}).Count(&out.Total).Error,
			tx.System().Order("found DESC, instance, kind, subject").Offset(page*size).Limit(size).Find(&rows).Error)
		for _, f := range rows {
			if err != nil {
				break
			}
			var one Found
			if one, err = s.found(ctx, tx, view, f); err == nil {
				out.Content = append(out.Content, one)
			}
		}
		if err != nil {
			return err
		}
		shown := make([]*Instance, len(out.Content))
		for i := range out.Content {
			shown[i] = &out.Content[i].Instance
		}
		return s.tellInstances(ctx, tx, view, shown)
	})
	return out, err
}

func (s *Service) found(ctx context.Context, tx *store.Tx, view *authz.View, f finding) (Found, error) {
	out := Found{Kind: f.Kind, Found: f.Found.UTC(), NameI18n: map[string]string{}, Ways: ways[f.Kind]}
	r, err := s.read(ctx, tx, view, f.Instance)
	if unreadable(err) {
		r, err = s.rowAlone(ctx, tx, view, f.Instance)
	}
	if err != nil {
		return out, err
	}
	one, err := s.instance(ctx, tx, view, r.row)
	if err != nil {
		return out, err
	}
	out.Instance = *one
	if r.state == nil { // what else was found of it before is over with it
		out.Kind, out.Ways = foundBroken, ways[foundBroken]
	}
	switch out.Kind {
	case foundOwner:
		out.Person = s.someone(ctx, r.state.Initiator)
	case foundNobody:
		if t := r.state.Token(f.Subject); t != nil {
			out.Node = t.Node
		}
	case foundChild:
		if a := r.state.Activity(f.Subject); a != nil {
			out.Node = a.Node
		}
	case foundLeft:
		if i := r.state.Item(f.Subject); i != nil {
			out.Node, out.Person = r.state.Activity(i.Activity).Node, s.someone(ctx, i.Person)
			var row item
			if err := tx.System().Select("id").Where("instance = ? AND number = ?", f.Instance, f.Subject).Limit(1).Find(&row).Error; err != nil {
				return out, err
			}
			out.Item = &row.ID
		}
	}
	if out.Node != "" {
		name := namingOf(r.w, nil, template{}).of(out.Node)
		out.Name, out.NameI18n = name.Name, name.NameI18n
	}
	return out, nil
}
