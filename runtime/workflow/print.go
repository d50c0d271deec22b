package workflow

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// PrintRow is an entry of an instance's log on paper (api.yaml PrintLogRow).
type PrintRow struct {
	Activity  string        `json:"activityName"`
	Received  *time.Time    `json:"receiveTime"` // null = nobody waited for it
	Finished  time.Time     `json:"finishTime"`
	Used      *int64        `json:"usedTime"` // milliseconds
	Name      string        `json:"name"`
	Operating string        `json:"operating"`
	Comment   string        `json:"comment"`
	Signature *string       `json:"signature"`
	Texts     PrintRowTexts `json:"texts"`

	Node string `json:"-"` // the node's id
}

// PrintRowTexts are the times of a row in words.
type PrintRowTexts struct {
	Received string `json:"receiveTime"`
	Finished string `json:"finishTime"`
	Used     string `json:"usedTime"`
}

// PrintCourse is what paper says of the workflow of a record.
type PrintCourse struct {
	Workflow string
	Status   flow.Status
	Log      []PrintRow // the oldest first
}

// Course reads an instance for paper, inside a transaction of the caller's. It is nil for those who may not follow the instance, and what was
// said in secret is left out for those who neither said it nor administer workflows.
func (s *Service) Course(ctx context.Context, tx *store.Tx, view *authz.View, id string) (*PrintCourse, error) {
	r, err := s.read(ctx, tx, view, id)
	if err == nil {
		err = r.sees()
	}
	if err != nil {
		if lost(err) {
			err = nil
		}
		return nil, err
	}
	events, numbers, err := r.events()
	if err != nil {
		return nil, err
	}
	entries, err := r.remarked(r.said(events, numbers, false))
	if err != nil {
		return nil, err
	}
	items := map[int64]int{} // the item of an entry, by its number
	for k, e := range events {
		switch {
		case e.Kind == flow.Logged:
			items[numbers[k]] = e.On
		case e.Kind == flow.ItemIs:
			items[numbers[k]] = e.Item.ID
		}
	}
	out := &PrintCourse{Workflow: r.w.Template.Code, Status: r.state.Status, Log: []PrintRow{}}
	for _, o := range entries {
		out.Log = append(out.Log, r.paper(o, r.state.Item(items[o.Number]), view.Principal().Locale))
	}
	return out, nil
}

// paper is an entry of the log as a row.
func (r *running) paper(o Opinion, i *flow.Item, locale string) PrintRow {
	in := func(zh, en string) string { return plan.Label{Zh: zh, I18n: map[string]string{"en": en}}.In(locale) }
	out := PrintRow{Activity: plan.Label{Zh: o.Name, I18n: o.NameI18n}.In(locale), Finished: o.Time, Name: in("系统", "System"),
		Operating: o.Operation.Label().In(locale), Comment: o.Text, Node: o.Node}
	if o.Person != nil {
		out.Name = o.Person.Name
	}
	if whose := cmp.Or(o.DelegatedBy, o.Of); whose != nil {
		out.Name = fmt.Sprintf(in("%s（代%s）", "%s (for %s)"), out.Name, whose.Name)
	}
	if o.Rule != "" {
		out.Operating = fmt.Sprintf(in("%s（%s）", "%s (%s)"), out.Operating, o.ruled(in))
	}
	if o.Remark != nil {
		out.Signature = o.Remark.Signature
	}
	clock := func(t time.Time) string { return t.In(r.s.cfg.Zone).Format("2006-01-02 15:04") }
	out.Texts.Finished = clock(out.Finished)
	if i != nil && !i.Received.IsZero() && !i.Received.After(o.Time) {
		received, used := i.Received.UTC(), o.Time.Sub(i.Received)
		ms := used.Milliseconds()
		out.Received, out.Used = &received, &ms
		out.Texts.Received, out.Texts.Used = clock(received), span(used, in)
	}
	return out
}

// ruled is the rule of an entry in words, with its step.
func (o Opinion) ruled(in func(zh, en string) string) string {
	label := o.Rule.Label()
	name := in(label.Zh, label.I18n["en"])
	if o.Step == 0 {
		return name
	}
	return fmt.Sprintf(in("%s，第%d步", "%s, step %d"), name, o.Step)
}

// span is a time in its two largest units.
func span(d time.Duration, in func(zh, en string) string) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0:
		return fmt.Sprintf(in("%d天%d小时", "%d d %d h"), days, hours)
	case hours > 0:
		return fmt.Sprintf(in("%d小时%d分钟", "%d h %d min"), hours, minutes)
	case minutes > 0:
		return fmt.Sprintf(in("%d分钟", "%d min"), minutes)
	}
	return in("不到1分钟", "under 1 min")
}

// PrintWord is how paper calls the state of an instance, for programs and for people.
func PrintWord(s flow.Status, locale string) (word, text string) {
	words := map[flow.Status][3]string{flow.Draft: {"draft", "草稿", "Draft"}, flow.Completed: {"finished", "已完成", "Completed"}, flow.Canceled: {"canceled", "已作废", "Voided"}}
	of, known := words[s]
	if !known { // also while it waits for an administrator
		of = [3]string{"running", "进行中", "In progress"}
	}
	return of[0], cmp.Or(plan.Label{Zh: of[1], I18n: map[string]string{"en": of[2]}}.In(locale), of[0])
}
