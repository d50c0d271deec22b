package workflow

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// Handled tells who ended a task that somebody wanted to handle (api.yaml HandledTask). It is the data of ItemFinished.
type Handled struct {
	By     *Person    `json:"handledBy"` // null = nobody in person
	Time   *time.Time `json:"handledTime"`
	Reason string     `json:"reason"` // decided, claimed, adjusted, and so on; "" = the task itself was handled
	Ended  string     `json:"instanceState"`
}

// handled adds to a refusal by whom and when the task was finished.
func (r *running) handled(it item, err error) error {
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.Code != fault.ItemFinished {
		return err
	}
	out := &Handled{Ended: r.row.Status}
	i := r.state.Item(it.Number)
	switch {
	case i == nil:
		return err
	case i.State == flow.ItemCancelled || i.State == flow.ItemDone || i.State == flow.ItemTransferred:
		out.Time, out.Reason = orNil(i.Finished), i.Reason
	}
	if i.State != flow.ItemCancelled {
		out.By = r.s.someone(r.ctx, i.Person)
	} else if by := r.ender(i); by != "" {
		out.By = r.s.someone(r.ctx, by)
	}
	return &fault.Error{Code: refused.Code, Args: refused.Args, Err: refused.Err, Data: out}
}

// ender is the person whose action canceled an item; "" = no person.
func (r *running) ender(i *flow.Item) string {
	var rows []event // of its moment alone: many may lose the same task at once, and the whole log of it is long
	at := i.Finished.UTC()
	if err := r.tx.System().Where("instance = ? AND at BETWEEN ? AND ?", r.row.ID, at.Add(-time.Millisecond), at.Add(time.Millisecond)).Order("number DESC").Find(&rows).Error; err != nil {
		return ""
	}
	for _, row := range rows {
		var e flow.Event
		if json.Unmarshal(row.Body, &e) == nil && e.Kind == flow.ItemIs && e.Item.ID == i.ID && e.Item.State == flow.ItemCancelled {
			return e.By.Person
		}
	}
	return ""
}
