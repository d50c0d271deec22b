package quality

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// DueList is what is due of a node, what it has of it, and what is missing.
type DueList struct {
	Set      *DueSetName    `json:"set"` // null where nothing is set as due
	Items    []DueItemRow   `json:"items"`
	Kinds    []DueKindRow   `json:"kinds"`
	Sheets   []DueSheetRow  `json:"sheets"`
	Consents []DueConsent   `json:"consents"`
	Changes  []DueChangeRow `json:"changes"` // in the order of time, those of the node above that hold here among them
	Missing  []rule.Missing `json:"missing"`
	Signed   bool           `json:"signed"` // an evaluation that passed was signed: what is due does not change any more
	May      DueMay         `json:"may"`
}

// DueSetName is the set by which a node is judged.
type DueSetName struct {
	ID        string `json:"id"` // of the record with the current revision; "" = the set is of the level
	Code      string `json:"code"`
	Title     string `json:"title"`
	Revision  int64  `json:"revision"`
	Current   int64  `json:"current"`   // the current revision
	Inherited bool   `json:"inherited"` // from the node above
	Outdated  *int64 `json:"outdated"`  // items that the library describes otherwise; null where the caller cannot edit the set
}

// DueItemRow is a check item that is due.
type DueItemRow struct {
	ItemID    string            `json:"itemId"`
	Name      string            `json:"name"`
	Class     string            `json:"itemClass"`
	Method    string            `json:"evalMethod"`
	Kind      string            `json:"recordKind"`
	Unit      string            `json:"unit"`
	Tolerance string            `json:"tolerance"`
	DevLow    *string           `json:"devLow"` // bounds as decimal texts; null = none
	DevHigh   *string           `json:"devHigh"`
	LimitLow  *string           `json:"limitLow"`
	LimitHigh *string           `json:"limitHigh"`
	Design    *string           `json:"designValue"`
	MinPoints int64             `json:"minPoints"`
	Differs   bool              `json:"differs"` // otherwise than the set says
	Judged    map[string]string `json:"judged"`  // OK, NOT_OK or NA by kind of record; of records that count
}

// DueKindRow is a kind of record that is due.
type DueKindRow struct {
	Kind     string  `json:"recordKind"`
	Judges   string  `json:"judges"`
	Share    *string `json:"share"` // of the lots, as a decimal text; null = of each node
	Workflow string  `json:"workflowCode"`
	Have     int64   `json:"have"`
	Need     int64   `json:"need"`
	Differs  bool    `json:"differs"`
}

// DueSheetRow is a sheet that is due.
type DueSheetRow struct {
	Model    string `json:"schemaCode"`
	Title    string `json:"title"`
	Kind     string `json:"bizKind"`
	Workflow string `json:"workflowCode"`
	Done     bool   `json:"done"`
	Differs  bool   `json:"differs"`
	MayBegin bool   `json:"mayBegin"` // the caller may add records of the model, and send them for the approval that is due
}

// DueConsent is a hold point.
type DueConsent struct {
	Code    string   `json:"code"`
	Title   string   `json:"title"`
	Roles   []string `json:"roles"`
	Process string   `json:"processCode"`
	ID      string   `json:"id"` // of its release; "" = it is not released
	By      string   `json:"by"`
	Time    string   `json:"time"`
	May     bool     `json:"mayRelease"`
}

// DueChangeRow is a change of what is due.
type DueChangeRow struct {
	ID     string `json:"id"`
	No     string `json:"sequenceNo"`
	What   string `json:"what"`
	Effect string `json:"effect"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
	By     string `json:"by"`
	Time   string `json:"time"`
	Above  bool   `json:"above"` // of the node above
}

// DueMay is what the caller may do.
type DueMay struct {
	Set     bool `json:"set"`     // choose the kind of work
	Change  bool `json:"change"`  // what is due of this node
	Consent bool `json:"consent"` // release hold points
	Deviate bool `json:"deviate"` // put items into an inspection that are not due
}

// dueNode is a node that a caller sees, its parts, and what is due of it.
type dueNode struct {
	world.Row
	at       *dueAt
	level    rule.Level
	children []world.Row
}

// dueFor reads a node and what is due of it for a caller who sees more of it than its name.
func dueFor(ctx context.Context, c action.Call, id string) (*roller, *dueNode, error) {
	seen, err := c.Get(ctx, node, id)
	if err != nil {
		return nil, nil, err
	}
	if text(seen.Values[codes.EvalStatus]) == "" { // of what is above the own contract people see the name alone
		return nil, nil, fault.New(fault.Forbidden)
	}
	r, err := rollerOf(c.World)
	if err != nil {
		return nil, nil, err
	}
	n, _, err := r.read(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	set, err := r.setOf(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	out := &dueNode{Row: n, level: set.Level(n.Text(codes.NodeType))}
	if out.at, err = r.dueOf(ctx, n, set); err != nil {
		return nil, nil, err
	}
	out.children, err = rows(ctx, r.w, "quality.children", world.Args{"id": n.ID})
	return r, out, err
}

// qbsDue answers what is due of a node that the caller sees. What is missing is computed now, whatever is stored.
func qbsDue(ctx context.Context, c action.Call, in struct{ QbsID string }) (*DueList, error) {
	r, here, err := dueFor(ctx, c, in.QbsID)
	if err != nil {
		return nil, err
	}
	n, at, children := here.Row, here.at, here.children
	f, err := r.parts(ctx, n.ID)
	if err != nil {
		return nil, err
	}
	_, round := f.own(n)
	out := &DueList{Items: []DueItemRow{}, Kinds: []DueKindRow{}, Sheets: []DueSheetRow{}, Consents: []DueConsent{}, Changes: []DueChangeRow{}, Missing: []rule.Missing{}}
	out.Missing = append(out.Missing, at.missing(n, &f, round, children, here.level)...)
	if out.Signed, err = r.isSigned(ctx, n.ID); err != nil {
		return nil, err
	}
	out.May = DueMay{Set: c.Allowed(ctx, "edit", node, n.ID) == nil && c.Allowed(ctx, "add", dueChange, "") == nil, Change: at.set != nil && !out.Signed && c.Allowed(ctx, "add", dueChange, "") == nil,
		Deviate: c.Allowed(ctx, deviate, record, "") == nil}
	if at.set == nil {
		return out, nil
	}
	return out, r.fillDue(ctx, c, out, at, n, &f, round, children)
}

func (r *roller) fillDue(ctx context.Context, c action.Call, out *DueList, at *dueAt, n world.Row, f *facts, round int64, children []world.Row) error {
	now, err := r.dueRevision(ctx, at.set.code, 0)
	if err != nil {
		return err
	}
	out.Set = &DueSetName{Code: at.set.code, Title: at.set.title, Revision: at.set.revision, Inherited: at.lower}
	if now != nil {
		out.Set.ID, out.Set.Current = now.id, now.revision
		if out.Set.Outdated, err = outdatedFor(ctx, c, now.id); err != nil {
			return err
		}
	}
	scope, given := at.due.Scope(len(children) == 0, at.lower), at.given(f, round, children)
	differs := func(what, key string) bool { _, yes := at.changed[what+" "+key]; return yes }
	for _, it := range scope.Items {
		row := at.items[it.ID]
		asked := itemOf(row)
		one := DueItemRow{ItemID: it.ID, Name: it.Name, Class: it.Class, Method: asked.Method, Kind: it.Kind, Unit: text(row[codes.Unit]), Tolerance: toleranceText(asked), Design: share(row[codes.DesignValue]),
			DevLow: share(row[codes.DevLow]), DevHigh: share(row[codes.DevHigh]), LimitLow: share(row[codes.LimitLow]), LimitHigh: share(row[codes.LimitHigh]),
			MinPoints: whole(row[codes.MinPoints]), Differs: differs(codes.OptionItem, it.ID), Judged: map[string]string{}}
		for _, k := range scope.Kinds {
			for _, rec := range k.Counting(given.Records) {
				switch {
				case slices.Contains(rec.Failed, it.ID):
					one.Judged[k.Kind] = rule.NotOK
				case slices.Contains(rec.Judged, it.ID):
					one.Judged[k.Kind] = rule.OK
				case slices.Contains(rec.Void, it.ID):
					one.Judged[k.Kind] = rule.NA
				}
			}
		}
		out.Items = append(out.Items, one)
	}
	for _, k := range scope.Kinds {
		one := DueKindRow{Kind: k.Kind, Judges: k.Items, Workflow: k.Workflow, Have: min(1, int64(len(k.Counting(given.Records)))), Need: 1, Differs: differs(codes.OptionKind, k.Kind)}
		if k.Share != nil {
			one.Share, one.Have, one.Need = maybe(k.Share.String()), given.ByKind[k.Kind], k.Share.Mul(decimal.NewFromInt(given.Lots)).Ceil().IntPart()
		}
		out.Kinds = append(out.Kinds, one)
	}
	has, err := r.rolesOf(ctx, []string{c.Principal().UserID})
	if err != nil {
		return err
	}
	party, err := r.partyOf(ctx, c.Principal(), n.Text(codes.ContractID))
	if err != nil {
		return err
	}
	for _, s := range scope.Sheets {
		others := party == rule.Contractor && (s.Kind == rule.Sup || s.Kind == rule.Test && !at.witnessed())
		out.Sheets = append(out.Sheets, DueSheetRow{Model: s.Model, Title: s.Title, Kind: s.Kind, Workflow: s.Workflow, Done: slices.ContainsFunc(given.Sheets, s.FulfilledBy), Differs: differs(codes.OptionSheet, s.Model),
			MayBegin: !others && c.Allowed(ctx, "add", s.Model, "") == nil && (s.Workflow == "" || c.MayStart(s.Workflow) == nil)})
	}
	releases := party != rule.Contractor && c.Allowed(ctx, "add", consent, "") == nil
	for _, d := range scope.Consents {
		one := DueConsent{Code: d.Key, Title: d.Title, Roles: append([]string{}, d.Roles...), Process: d.Process}
		if i := slices.IndexFunc(f.consents, func(row world.Row) bool { return row.Text(codes.DueCode) == d.Key }); i >= 0 {
			row := f.consents[i]
			one.ID, one.By, one.Time = row.ID, row.Text("creator.name"), row.Time("createdTime").UTC().Format(time.RFC3339)
		}
		one.May = one.ID == "" && slices.ContainsFunc(d.Roles, func(role string) bool { return has[role] }) && releases
		out.May.Consent = out.May.Consent || one.May
		out.Consents = append(out.Consents, one)
	}
	return r.tellChanges(ctx, out, at, n)
}

// tellChanges adds the changes that hold at a node.
func (r *roller) tellChanges(ctx context.Context, out *DueList, at *dueAt, n world.Row) error {
	for _, id := range slices.Compact([]string{at.holder, n.ID}) {
		if id == "" {
			continue
		}
		list, err := rows(ctx, r.w, "quality.dueChanges", world.Args{"id": id})
		if err != nil {
			return err
		}
		for _, c := range list {
			one := DueChangeRow{ID: c.ID, No: c.Text("sequenceNo"), What: c.Text(codes.What), Effect: c.Text(codes.Effect), Reason: c.Text(codes.Reason), By: c.Text("creator.name"), Time: c.Time("createdTime").UTC().Format(time.RFC3339), Above: id != n.ID}
			switch one.What {
			case codes.OptionItem:
				item, err := r.w.Get(ctx, checkItem, c.Text(codes.ItemID))
				if err != nil {
					return err
				}
				one.Name = text(item.Values[codes.ItemName])
			case codes.OptionOrder:
				one.Name = cmp.Or(c.Text(codes.JbsIDTitle), c.Text(codes.SchemaCode))
			case codes.OptionConsent:
				one.Name = c.Text(codes.DueCode)
			case codes.OptionSheet:
				one.Name = c.Text(codes.SchemaCode)
			default:
				one.Name = c.Text(codes.RecordKind)
			}
			out.Changes = append(out.Changes, one)
		}
	}
	return nil
}
