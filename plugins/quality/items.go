package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// deviate is the right to ask something else of an item than the library does: another tolerance by the designer's letter, or nothing. Who is
// inspected has none.
const deviate = "deviate"

// asked are the columns of an item that say what is asked of it. They come from the library; an inspection keeps those of its time.
var asked = []string{codes.ItemName, codes.ItemClass, codes.EvalMethod, codes.Unit, codes.DevLow, codes.DevHigh, codes.LimitLow, codes.LimitHigh, codes.MinPoints, codes.SafetyFlag, codes.MachineFlag, codes.Confidence}

// asking gives the rows of a record what is asked of their items.
type asking struct {
	w       world.World // of the pack's own right
	due     *dueAt
	twice   map[string]bool // items of the rows so far
	e       *hook.Record
	stored  map[string]map[string]any // rows of the record as they lie in the database, by id
	library map[string]map[string]any // items, by id
	may     *bool                     // the writer may deviate; nil = not asked yet
	own     bool                      // the writer belongs to the contractor
	claims  []string                  // items of which the contractor alone gives the design value
	errs    []fault.FieldError
}

func newAsking(w world.World, due *dueAt, e *hook.Record, party string) (*asking, error) {
	a := &asking{w: w, due: due, twice: map[string]bool{}, e: e, stored: map[string]map[string]any{}, library: map[string]map[string]any{}}
	if party == rule.Contractor { // with whatever rights elsewhere
		no := false
		a.may, a.own = &no, true
	}
	if e.Create || e.Stored == nil {
		return a, nil
	}
	rows, err := e.Stored(codes.Items)
	for _, row := range rows {
		a.stored[text(row["id"])] = row
	}
	return a, err
}

// row sets what is asked in one row: what is due of the node or else the library says, or what the row kept of it; what somebody gives who may deviate, with a reason, is
// marked. An item that does not apply needs a reason too, and a main item somebody who may deviate.
func (a *asking) row(ctx context.Context, i int, row map[string]any) error {
	was := a.stored[text(row["id"])]
	for code, v := range was { // a change gives the columns that it changes
		if _, given := row[code]; !given {
			row[code] = v
		}
	}
	id := text(row[codes.ItemID])
	item, err := a.item(ctx, id)
	if err != nil {
		return err
	}
	if a.twice[id] {
		a.refuse(i, row, codes.ItemID, ItemTwice, text(item[codes.ItemName]))
	}
	a.twice[id] = true
	base := item
	if was != nil && text(was[codes.ItemID]) == text(row[codes.ItemID]) {
		base = was
	} else {
		was = nil
	}
	given := false
	for _, code := range asked {
		if v := row[code]; v != nil && !same(base[code], v) && a.allowed(ctx) {
			given = true
			continue
		}
		row[code] = base[code]
	}
	a.design(ctx, id, row, was, item)
	row[codes.Differs] = is(base[codes.Differs])
	if was == nil && a.foreign(id, item) {
		if row[codes.Differs] = true; !a.allowed(ctx) {
			a.refuse(i, row, codes.ItemID, ItemNotDue, text(item[codes.ItemName]))
		}
	}
	if given {
		row[codes.Differs] = a.foreign(id, item)
		for _, code := range asked {
			row[codes.Differs] = is(row[codes.Differs]) || !same(item[code], row[code])
		}
	}
	void, before := row[codes.Conclusion] == rule.NA, was != nil && was[codes.Conclusion] == rule.NA
	if reason := strings.TrimSpace(text(row[codes.Remark])) != ""; (is(row[codes.Differs]) || void) && !reason {
		a.refuse(i, row, codes.Remark, ItemReason)
	}
	if void && !before && text(row[codes.ItemClass]) == rule.Main && !a.allowed(ctx) {
		a.refuse(i, row, codes.Conclusion, MainItemNeeded, text(row[codes.ItemName]))
	}
	return nil
}

// design gives a row the design value that is due, or that somebody gave who may deviate. Where nothing is due the contractor writes what the drawings say: their
// word alone (claims) counts when somebody approves the record.
func (a *asking) design(ctx context.Context, id string, row, was, item map[string]any) {
	due, old := item[codes.DesignValue], was[codes.DesignValue]
	claimed := slices.Contains(strings.Fields(text(a.e.Old[codes.ClaimedItems])), id)
	switch changed := was == nil || !same(old, row[codes.DesignValue]); {
	case !changed:
		claimed = claimed && (due == nil || !same(due, old))
	case row[codes.DesignValue] != nil && a.allowed(ctx):
		claimed = false
	case due != nil:
		row[codes.DesignValue], claimed = wire(due), false
	case !a.own:
		claimed = false
	case old != nil && !claimed: // what was asked stays
		row[codes.DesignValue] = old
	default:
		claimed = true
	}
	if claimed && row[codes.DesignValue] != nil && text(row[codes.EvalMethod]) != codes.OptionYesno {
		a.claims = append(a.claims, id)
	}
}

// foreign reports whether an item is not among those that are due of the node. Safety is inspected at any node.
func (a *asking) foreign(id string, item map[string]any) bool {
	return len(a.due.items) > 0 && a.due.items[id] == nil && text(item[codes.ItemClass]) != codes.OptionSafety
}

// wire is a number as rows of sub-tables are written.
func wire(v any) any {
	if n := number(v); n != nil {
		return n.String()
	}
	return v
}

// item is what is asked of an item: by what is due of the node, else by the library.
func (a *asking) item(ctx context.Context, id string) (map[string]any, error) {
	if due, ok := a.due.items[id]; ok {
		return due, nil
	}
	if known, ok := a.library[id]; ok {
		return known, nil
	}
	found, err := a.w.Get(ctx, checkItem, id)
	if err != nil {
		return nil, err
	}
	a.library[id] = found.Values
	return found.Values, nil
}

// allowed reports whether the writer may deviate.
func (a *asking) allowed(ctx context.Context) bool {
	if a.may == nil {
		id := a.e.ID
		if a.e.Create {
			id = ""
		}
		yes := a.e.World.Allowed(ctx, deviate, record, id) == nil
		a.may = &yes
	}
	return *a.may
}

func (a *asking) refuse(i int, row map[string]any, column string, code fault.Code, args ...any) {
	a.errs = append(a.errs, fault.FieldError{PropertyCode: codes.Items + "." + column, Row: rowName(row, i+1), Code: code, Args: args})
}

// refusal is what was refused; nil for nothing.
func (a *asking) refusal() error {
	if len(a.errs) == 0 {
		return nil
	}
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{len(a.errs)}, Data: fault.Invalid{Errors: a.errs}}
}

// itemOf reads a row for the rules.
func itemOf(row map[string]any) rule.Item {
	return rule.Item{Class: text(row[codes.ItemClass]), Method: text(row[codes.EvalMethod]), Design: number(row[codes.DesignValue]), DevLow: number(row[codes.DevLow]), DevHigh: number(row[codes.DevHigh]),
		LimitLow: number(row[codes.LimitLow]), LimitHigh: number(row[codes.LimitHigh]), MinPoints: int(whole(row[codes.MinPoints])), Safety: is(row[codes.SafetyFlag]), Machine: is(row[codes.MachineFlag]), Confidence: number(row[codes.Confidence])}
}

// rowName is how refusals call a row: by its id, or by its place where it is new.
func rowName(row map[string]any, place int) string {
	if id := text(row["id"]); id != "" {
		return id
	}
	return fmt.Sprintf("#%d", place)
}
