package workflow

import (
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// Stuck is why an instance can't go on at a step (api.yaml WorkflowStuck).
type Stuck struct {
	Node     string            `json:"activityCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Reason   string            `json:"reason"`
	Code     fault.Code        `json:"errcode"` // of FAULT, for those who administer workflows; else 0
	Args     []any             `json:"args"`    // of the error
	Text     *Words            `json:"text"`    // what the error says; nil = unknown, or nobody has put it into words

	Fault *fault.Error `json:"-"` // the error, for the person who puts it into words; nil = none
}

// Reasons of Stuck.
const stuckFault, stuckOther = "FAULT", "OTHER"

var stuckReasons = map[string]string{
	flow.StuckNobody:   "NOBODY",
	flow.StuckRejected: "REJECTED",
	flow.StuckTimeout:  "TIMEOUT",
	flow.StuckChild:    "CHILD_VOIDED",
	flow.StuckWait:     "CANNOT_RUN",
	flow.StuckService:  "SERVICE_FAILED",
	flow.StuckFailed:   "SERVICE_FAILED",
}

// stuck tells at which steps the instance is stuck, and why. What an error says is for those who administer workflows: its arguments may
// hold values of the record.
func (r *running) stuck() []Stuck {
	out := []Stuck{}
	names := namingOf(r.w, nil, template{})
	for _, t := range r.state.Live() {
		if t.Fault == "" {
			continue
		}
		name := names.of(t.Node)
		one := Stuck{Node: t.Node, Name: name.Name, NameI18n: name.NameI18n, Reason: stuckReasons[t.Fault], Args: []any{}}
		refused := flow.ReadReason(t.Fault)
		switch {
		case one.Reason != "":
		case refused == nil:
			one.Reason = stuckOther
		default:
			one.Reason = stuckFault
			if administers(r.view) {
				one.Code = refused.Code
				if refused.Args != nil {
					one.Args, one.Fault = refused.Args, refused
				}
			}
		}
		out = append(out, one)
	}
	return out
}
