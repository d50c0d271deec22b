package quality

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// beforeRelation binds a component once, or by shares that add up to one.
func beforeRelation(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if err := r.componentStays(ctx, e); err != nil {
		return err
	}
	if e.Delete {
		if whole(e.Old[codes.Measures]) > 0 {
			c, err := r.w.Get(ctx, component, text(e.Old[codes.MbsID]))
			if err != nil {
				return err
			}
			return fault.New(ComponentMeasured, text(c.Values[codes.Code]))
		}
		return next()
	}
	now := e.New()
	id, ratio := text(now[codes.MbsID]), decimal.NewFromInt(1)
	if v := number(now[codes.Ratio]); v != nil {
		ratio = *v
	}
	if err := r.w.Lock(ctx, "quality.component."+id); err != nil {
		return err
	}
	others, err := rows(ctx, r.w, "quality.boundTo", world.Args{"id": id})
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.ID == e.ID {
			continue
		}
		if ratio = ratio.Add(o.Number(codes.Ratio)); ratio.GreaterThan(decimal.NewFromInt(1)) {
			c, err := r.w.Get(ctx, component, id)
			if err != nil {
				return err
			}
			return fault.New(ComponentBound, text(c.Values[codes.Code]), seenName(ctx, e.World, o.Text(codes.QbsID), o.Text(codes.QbsIDName)))
		}
	}
	if e.Create {
		e.Set[codes.BoundBy], e.Set[codes.BoundTime] = e.Principal.UserID, r.w.Now().UTC()
	}
	return next()
}

// elsewhere is the name of what the caller does not see.
var elsewhere = plan.Label{Zh: "其他部位", I18n: map[string]string{"en": "another part of the works"}}

// seenName is the name of a node for the caller: that of another contract's is not told.
func seenName(ctx context.Context, w world.World, id, name string) any {
	if _, err := w.Get(ctx, node, id); err != nil {
		return elsewhere
	}
	return name
}

// stateName is how the states of a corrective action are called.
func stateName(code string) plan.Label {
	name, ok := map[string]plan.Label{
		codes.OptionOpen:     {Zh: "待整改", I18n: map[string]string{"en": "Open"}},
		codes.OptionFixed:    {Zh: "已整改", I18n: map[string]string{"en": "Fixed"}},
		codes.OptionReviewed: {Zh: "已关闭", I18n: map[string]string{"en": "Closed"}},
		codes.OptionRejected: {Zh: "复查不通过", I18n: map[string]string{"en": "Rejected"}},
	}[code]
	if !ok {
		return plan.Label{Zh: code, I18n: map[string]string{"en": code}}
	}
	return name
}

// steps are the states that a corrective action can go to.
var steps = map[string][]string{codes.OptionOpen: {codes.OptionFixed}, codes.OptionFixed: {codes.OptionReviewed, codes.OptionRejected}, codes.OptionRejected: {codes.OptionFixed}}

// beforeNCR lets a corrective action go one step.
func beforeNCR(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete {
		return next()
	}
	if err := actionIsHere(ctx, e); err != nil {
		return err
	}
	now, was := text(e.New()[codes.Status]), text(e.Old[codes.Status])
	if e.Create {
		e.Set[codes.Status] = codes.OptionOpen
	} else if now != was && !slices.Contains(steps[was], now) {
		return refuse(codes.Status, NCRState, stateName(was), stateName(now))
	} else if now != was && now != codes.OptionFixed && e.World.Allowed(ctx, review, ncr, e.ID) != nil {
		return refuse(codes.Status, ReviewForbidden)
	}
	return next()
}

// beforeGroup refuses a scope that another group checks for the same items.
func beforeGroup(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if err := groupIsMine(e); err != nil {
		return err
	}
	if e.Delete {
		return next() // records keep it: Holders
	}
	now := e.New()
	if err := r.contractOfGroup(ctx, e); err != nil {
		return err
	}
	if is(now[codes.AllowOverlap]) {
		return next()
	}
	others, err := rows(ctx, r.w, "quality.groups", nil)
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.ID == e.ID || o.Is(codes.AllowOverlap) {
			continue
		}
		if place, item, err := r.overlap(ctx, ids(now[codes.QbsIDs]), ids(now[codes.ItemCodes]), o); err != nil {
			return err
		} else if place != "" {
			n, _, err := r.read(ctx, place)
			if err != nil {
				return err
			}
			place := seenName(ctx, e.World, place, n.Text(codes.Name))
			var who, what any = o.Text(codes.GroupName), item
			if item == "" {
				what = plan.Label{Zh: "所有检查项目", I18n: map[string]string{"en": "all check items"}}
			}
			if _, err := e.World.Get(ctx, group, o.ID); err != nil {
				who = plan.Label{Zh: "其他检查组", I18n: map[string]string{"en": "another group"}}
			}
			return refuse(codes.QbsIDs, GroupOverlap, who, place, what)
		}
	}
	return next()
}

// contractOfGroup gives a group the contract of its scope, when that is one: contractors see the groups of theirs.
func (r *roller) contractOfGroup(ctx context.Context, e *hook.Record) error {
	_, scoped := e.Set[codes.QbsIDs]
	delete(e.Set, codes.ContractID)
	if !scoped && !e.Create {
		return nil
	}
	only, first := "", true
	for _, id := range ids(e.New()[codes.QbsIDs]) {
		n, _, err := r.read(ctx, id)
		if err != nil {
			return err
		}
		if c := n.Text(codes.ContractID); first {
			only, first = c, false
		} else if c != only {
			only = ""
		}
	}
	if only != text(e.Old[codes.ContractID]) {
		e.Set[codes.ContractID] = orNil(only)
	}
	return nil
}

// overlap is the id of a node that two groups check, "" when there is none, and the name of an item that both check there, "" where that are all:
// a group without items checks all of them.
func (r *roller) overlap(ctx context.Context, places, items []string, o world.Row) (place, item string, err error) {
	if theirs := o.Set(codes.ItemCodes); len(items) > 0 && len(theirs) > 0 {
		i := slices.IndexFunc(items, func(id string) bool { return slices.Contains(theirs, id) })
		if i < 0 {
			return "", "", nil
		}
		found, err := r.w.Get(ctx, checkItem, items[i])
		if err != nil {
			return "", "", err
		}
		item = text(found.Values[codes.ItemName])
	}
	mine, err := r.paths(ctx, places)
	if err != nil {
		return "", "", err
	}
	their, err := r.paths(ctx, o.Set(codes.QbsIDs))
	if err != nil {
		return "", "", err
	}
	for id, above := range mine {
		for other, aboveOther := range their {
			if slices.Contains(above, other) || slices.Contains(aboveOther, id) {
				return id, item, nil
			}
		}
	}
	return "", "", nil
}

// paths are the nodes from each node up to the top, the node itself among them.
func (r *roller) paths(ctx context.Context, nodes []string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, id := range nodes {
		for at := id; at != "" && !slices.Contains(out[id], at); {
			out[id] = append(out[id], at)
			n, ok, err := r.read(ctx, at)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			at = n.Text(codes.ParentID)
		}
	}
	return out, nil
}
