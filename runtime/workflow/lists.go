package workflow

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// maxPage bounds the rows of one answer.
const maxPage = 200

// Search narrows a list of tasks (api.yaml WorkItemSearch).
type Search struct {
	Word     string `json:"searchword"`
	Workflow string `json:"workflowCode"`
	App      string `json:"appCode"`
	Overdue  bool   `json:"timeout"`
	// Delegated are only those that somebody else has delegated to the caller.
	Delegated bool       `json:"delegated"`
	From      *time.Time `json:"receiveFrom"` // received then or later
	To        *time.Time `json:"receiveTo"`   // received before
	Page      int        `json:"page"`
	Size      int        `json:"size"`
	Sort      string     `json:"sort"`
}

// Item is a task in an answer (api.yaml WorkItem).
type Item struct {
	ID               string            `json:"workItemId"`
	Instance         string            `json:"workflowInstanceId"`
	Name             string            `json:"instanceName"`
	Workflow         string            `json:"workflowCode"`
	WorkflowName     string            `json:"workflowName"`
	WorkflowNameI18n map[string]string `json:"workflowName_i18n"`
	App              string            `json:"appCode"`
	Node             string            `json:"activityCode"`
	NodeName         string            `json:"activityName"`
	NodeNameI18n     map[string]string `json:"activityName_i18n"`
	Model            string            `json:"schemaCode"`
	Record           string            `json:"bizObjectId"`
	Originator       Person            `json:"originator"`
	Participant      Person            `json:"participant"`
	DelegatedBy      *Person           `json:"delegatedBy"`
	Type             string            `json:"workItemType"`
	State            string            `json:"state"`
	Result           string            `json:"result"`
	Opinion          string            `json:"opinion"`
	Received         *time.Time        `json:"receiveTime"`
	Finished         *time.Time        `json:"finishTime"`
	Due              *time.Time        `json:"dueTime"`
	Overdue          bool              `json:"overdue"`
	Urged            int               `json:"urgeCount"`
	CanWithdraw      bool              `json:"canWithdraw"`
	Batch            bool              `json:"batch"`
	Status           string            `json:"instanceState"`
	Remark           *Remark           `json:"remark"`  // of a course; null = the opinion is all
	Summary          []Line            `json:"summary"` // in lists
	Votes            *Votes            `json:"votes"`   // of an open task whose step needs several; null = they are secret, or one decides alone

	number int
	secret bool // what was said is not for others
}

// Page is some of a list, with the number of all.
type Page[T any] struct {
	Content []T   `json:"content"`
	Total   int64 `json:"totalElements"`
}

// The lists of a person's tasks, as the calls name them.
var lists = []string{listUnfinished, listFinished, listUnread, listRead, listDelegated}

var sorts = map[string]string{"": "", "receiveTime": "sl_wf_item.received ASC", "-receiveTime": "sl_wf_item.received DESC",
	"dueTime": "sl_wf_item.due IS NULL, sl_wf_item.due ASC", "-finishTime": "sl_wf_item.finished DESC"}

// Items lists tasks of the caller: unfinished, finished, unread or read.
func (s *Service) Items(ctx context.Context, view *authz.View, which string, in Search) (*Page[Item], error) {
	order, known := sorts[in.Sort]
	if !slices.Contains(lists, which) || !known {
		return nil, fault.New(fault.BadParameter, "sort")
	}
	if in.Size < 1 || in.Size > maxPage || in.Page < 0 {
		return nil, fault.New(fault.PageOutOfRange)
	}
	if order == "" {
		order = "sl_wf_item.received DESC"
		if which == listFinished || which == listRead {
			order = "sl_wf_item.finished DESC"
		}
	}
	out := &Page[Item]{Content: []Item{}}
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		of := func() *gorm.DB { return s.narrowed(listed(tx, view, which), view, in) }
		if err := of().Count(&out.Total).Error; err != nil {
			return err
		}
		var rows []item
		if err := of().Order(order).Order("sl_wf_item.id DESC").Offset(in.Page * in.Size).Limit(in.Size).Find(&rows).Error; err != nil {
			return err
		}
		var err error
		out.Content, err = s.shown(ctx, tx, view, rows)
		if which == listDelegated {
			lent(out.Content)
		}
		return err
	})
	return out, err
}

// escaped is a text that LIKE takes as it is.
func escaped(word string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word)
}

func workflowsOf(c *catalog.Catalog, app string) (out []string) {
	for _, w := range c.Workflows() {
		if strings.EqualFold(appOf(c, w.Model), app) {
			out = append(out, w.Template.Code)
		}
	}
	return out
}

// appOf is the application whose menu leads to a model.
func appOf(c *catalog.Catalog, m *catalog.Model) string {
	for _, a := range c.Apps {
		if slices.ContainsFunc(a.Menu, func(n *catalog.Menu) bool { return leads(n, m) }) {
			return a.Code
		}
	}
	return ""
}

func leads(n *catalog.Menu, m *catalog.Model) bool {
	return strings.EqualFold(n.SchemaCode, m.Code) || slices.ContainsFunc(n.Children, func(below *catalog.Menu) bool { return leads(below, m) })
}

// shown puts rows into answers, in their order.
func (s *Service) shown(ctx context.Context, tx *store.Tx, view *authz.View, rows []item) ([]Item, error) {
	out := make([]Item, 0, len(rows))
	ids := make([]string, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.Instance)
	}
	var found []instance
	if len(ids) > 0 {
		if err := tx.System().Omit("state").Where("id IN ?", ids).Find(&found).Error; err != nil {
			return nil, err
		}
	}
	of := map[string]instance{}
	for _, f := range found {
		of[f.ID] = f
	}
	by := make([]*catalog.Workflow, len(rows))
	asked := map[string]bool{} // instances of which something may be secret
	for i, r := range rows {
		var err error
		if by[i], err = s.workflow(tx, view.Catalog, r.Code, of[r.Instance].Version); err != nil {
			return nil, err
		}
		n := by[i].Nodes[r.Node]
		asked[r.Instance] = asked[r.Instance] || r.Opinion != "" && r.Person != view.User() || r.List == listUnfinished && n != nil && countersigned(n.Node)
	}
	kept, err := s.secrecyOf(tx, view, slices.DeleteFunc(found, func(i instance) bool { return !asked[i.ID] })...)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		w := by[i]
		one := s.item(ctx, view, w, r, of[r.Instance])
		if one.secret = kept.secret(r.Instance, w, r.Node); one.secret && r.Person != view.User() && !administers(view) {
			one.Opinion = ""
		}
		out = append(out, one)
	}
	if err := s.glance(ctx, tx, view, rows, of, by, out); err != nil {
		return nil, err
	}
	return out, s.takesBack(ctx, tx, view, rows, of, out)
}

// takesBack marks the tasks that the caller can take back.
func (s *Service) takesBack(ctx context.Context, tx *store.Tx, view *authz.View, rows []item, of map[string]instance, out []Item) error {
	var ids []string
	for _, r := range rows {
		status := flow.Status(of[r.Instance].Status)
		if r.List == listFinished && r.Person == view.User() && (status == flow.Processing || status == flow.Exception) {
			ids = append(ids, r.Instance)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var found []instance
	if err := tx.System().Where("id IN ?", ids).Find(&found).Error; err != nil {
		return err
	}
	at := map[string]*running{}
	for _, row := range found {
		r, err := s.running(ctx, tx, view, row)
		switch {
		case err == nil:
			at[row.ID] = r
		case !unreadable(err):
			return err
		}
	}
	for i, row := range rows {
		if r := at[row.Instance]; r != nil && row.List == listFinished && row.Person == view.User() {
			out[i].CanWithdraw = r.withdrawable(row)
		}
	}
	return nil
}

// item puts a task into an answer, with what the version of its instance says of its step.
func (s *Service) item(ctx context.Context, view *authz.View, w *catalog.Workflow, r item, of instance) Item {
	workflow, node := s.labels(view.Catalog, r.Code, r.Node)
	out := Item{ID: r.ID, Instance: r.Instance, Name: of.Name, Workflow: r.Code, WorkflowName: workflow.Zh, WorkflowNameI18n: i18n(workflow), Node: r.Node, NodeName: node.Zh,
		NodeNameI18n: i18n(node), Model: of.Model, Record: of.Record, Originator: s.person(ctx, of.Initiator), Participant: s.person(ctx, r.Person),
		DelegatedBy: s.someone(ctx, r.From), Type: r.Type, State: r.State, Result: r.Result, Opinion: r.Opinion, Received: r.Received, Finished: r.Finished, Due: r.Due,
		Urged: r.Urged, Status: of.Status, Summary: []Line{}, number: r.Number}
	open := r.List == listUnfinished
	out.Overdue = open && r.Due != nil && r.Due.Before(s.cfg.Clock())
	if w.Model != nil {
		out.App = appOf(view.Catalog, w.Model)
	}
	n, now := w.Nodes[r.Node], view.Catalog.Workflow(r.Code)
	if now == nil && w.Label.Zh != "" { // it is called as it was, and so is its step
		out.WorkflowName, out.WorkflowNameI18n = w.Label.Zh, i18n(w.Label)
	}
	if n != nil && (now == nil || now.Nodes[r.Node] == nil) {
		out.NodeName, out.NodeNameI18n = n.Label.Zh, i18n(n.Label)
	}
	out.Batch = open && n != nil && batches(n) && r.Type != string(flow.ItemAssist)
	return out
}

// batches reports whether tasks of a node may be agreed to with others: nothing has to be written or read closely there.
func batches(n *catalog.WorkflowNode) bool {
	for _, right := range n.Fields {
		if right.Required {
			return false
		}
	}
	return n.Batch && n.Node.Type == flow.Approve && n.Opinion.Required != "always" && !n.Opinion.Signature
}

func i18n(l plan.Label) map[string]string {
	if l.I18n == nil {
		return map[string]string{}
	}
	return l.I18n
}

// labels are the names of a workflow and of one of its nodes, as they are now; of those that are gone, their codes.
func (s *Service) labels(c *catalog.Catalog, workflow, node string) (plan.Label, plan.Label) {
	w := c.Workflow(workflow)
	if w == nil {
		return plan.Label{Zh: workflow}, plan.Label{Zh: node}
	}
	if n := w.Nodes[node]; n != nil {
		return w.Label, n.Label
	}
	return w.Label, plan.Label{Zh: node}
}

// Counts are the numbers of the workflow centre (api.yaml WorkItemCounts).
type Counts struct {
	Unfinished int64 `json:"unfinished"`
	Unread     int64 `json:"unread"`
	Overdue    int64 `json:"timeout"`
}

// Counts counts the caller's tasks.
func (s *Service) Counts(ctx context.Context, view *authz.View, app string) (out Counts, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		of := func(list string) *gorm.DB {
			q := tx.System().Model(&item{}).Where("sl_wf_item.person = ? AND sl_wf_item.list = ?", view.User(), list)
			return s.narrowed(q, view, Search{App: app})
		}
		return errors.Join(of(listUnfinished).Count(&out.Unfinished).Error, of(listUnread).Count(&out.Unread).Error,
			of(listUnfinished).Where("due < ?", s.cfg.Clock().UTC()).Count(&out.Overdue).Error)
	})
	return out, err
}

// MarkRead marks copies of the caller as read; nil = all.
func (s *Service) MarkRead(ctx context.Context, view *authz.View, ids []string) error {
	if ids == nil {
		err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Model(&item{}).Where("person = ? AND list = ?", view.User(), listUnread).Pluck("id", &ids).Error
		})
		if err != nil {
			return err
		}
	}
	for _, id := range ids {
		_, err := s.Act(ctx, view, Command{Item: id, Do: flow.OpRead})
		if code := fault.Of(err); err != nil && code != fault.ItemFinished {
			return err
		}
	}
	return nil
}

// Place is a node with people (api.yaml WorkflowPlace).
type Place struct {
	Node     string            `json:"activityCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Type     flow.NodeType     `json:"type"`
	Mode     string            `json:"mode"`
	People   []Person          `json:"people"`
}

func (s *Service) place(ctx context.Context, w *catalog.Workflow, node string, people []string) Place {
	out := Place{Node: node, Name: node, NameI18n: map[string]string{}, People: s.persons(ctx, people)}
	if n := w.Nodes[node]; n != nil {
		out.Name, out.NameI18n, out.Type, out.Mode = n.Label.Zh, i18n(n.Label), n.Node.Type, string(n.Node.Mode)
	}
	return out
}
