package quality

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// signers are the roles whose signatures a concession needs.
var signers = []struct {
	role string
	name plan.Label
}{
	{codes.RoleChiefSupervisor, plan.Label{Zh: "总监理工程师", I18n: map[string]string{"en": "the chief supervisor"}}},
	{codes.RoleDesigner, plan.Label{Zh: "设计代表", I18n: map[string]string{"en": "the designer"}}},
	{codes.RoleOwner, plan.Label{Zh: "建设单位", I18n: map[string]string{"en": "the employer"}}},
}

// concede takes the signatures of a concession, which is for a node whose latest round failed: each by a person who has one of the roles, and
// nobody signs for somebody else. It is accepted when every role is there, and no longer when one takes its signature back.
func (r *roller) concede(ctx context.Context, e *hook.Record) error {
	_, signed := e.Set[codes.ConcessionBy]
	asked, conceded := e.Set[codes.Concession]
	if !signed && !conceded {
		return nil
	}
	by, before := ids(e.New()[codes.ConcessionBy]), ids(e.Old[codes.ConcessionBy])
	other := func(list, than []string) bool {
		return slices.ContainsFunc(list, func(id string) bool { return id != e.Principal.UserID && !slices.Contains(than, id) })
	}
	if other(by, before) || other(before, by) {
		return refuse(codes.ConcessionBy, ConcessionOthers)
	}
	has, err := r.rolesOf(ctx, by)
	if err != nil {
		return err
	}
	var zh, en []string
	for _, s := range signers {
		if !has[s.role] {
			zh, en = append(zh, s.name.Zh), append(en, s.name.I18n["en"])
		}
	}
	if is(asked) && len(zh) > 0 {
		return refuse(codes.ConcessionBy, ConcessionUnsigned, plan.Label{Zh: strings.Join(zh, "、"), I18n: map[string]string{"en": strings.Join(en, ", ")}})
	}
	if len(by) > len(before) {
		if err := r.maySign(ctx, e); err != nil {
			return err
		}
	}
	e.Set[codes.Concession] = len(zh) == 0
	return nil
}

// maySign refuses a signature where nothing failed, and that of who is none of the parties.
func (r *roller) maySign(ctx context.Context, e *hook.Record) error {
	if text(e.Old[codes.Conclusion]) != rule.NotOK {
		return refuse(codes.ConcessionBy, ConcessionIdle)
	}
	own, err := r.rolesOf(ctx, []string{e.Principal.UserID})
	if err != nil {
		return err
	}
	for _, s := range signers {
		if own[s.role] {
			return nil
		}
	}
	return refuse(codes.ConcessionBy, ConcessionOthers)
}

// rolesOf are the codes of the roles that some people have.
func (r *roller) rolesOf(ctx context.Context, people []string) (map[string]bool, error) {
	out, code := map[string]bool{}, map[string]string{}
	if len(people) == 0 {
		return out, nil
	}
	roles, err := rows(ctx, r.w, "quality.roles", nil)
	if err != nil {
		return nil, err
	}
	for _, one := range roles {
		code[one.ID] = one.Text(codes.Code)
	}
	for _, id := range people {
		for row, err := range r.w.Rows(ctx, "quality.rolesOf", world.Args{"id": id}) {
			if err != nil {
				return nil, err
			}
			for _, role := range row.Set(codes.Roles) {
				out[code[role]] = true
			}
		}
	}
	return out, nil
}

// unconcede takes the signatures of a concession away: they were for the round before.
func (r *roller) unconcede(ctx context.Context, id string) error {
	n, err := r.w.Get(ctx, node, id)
	if err != nil || len(ids(n.Values[codes.ConcessionBy])) == 0 {
		return err
	}
	_, err = r.w.Update(ctx, node, id, n.Version, map[string]any{codes.Concession: false, codes.ConcessionBy: []string{}})
	return err
}

// Concession tells whose signatures an acceptance by concession has. People are ids.
type Concession struct {
	Parties []Party `json:"parties"`
	CanSign bool    `json:"canSign"` // of the caller, who has not signed
	Signed  bool    `json:"signed"`  // by the caller
}

// Party is one of those who sign.
type Party struct {
	Role string   `json:"role"`
	By   []string `json:"by"`
}

// concessionOf is nil for a node whose latest round did not fail, and for who does not read how it ended.
func concessionOf(ctx context.Context, c action.Call, id string) (*Concession, error) {
	n, err := c.Get(ctx, node, id)
	if err != nil || text(n.Values[codes.Conclusion]) != rule.NotOK {
		return nil, nil //nolint:nilerr // there is nothing to tell of what the caller does not see
	}
	w, err := c.As(engine)
	if err != nil {
		return nil, err
	}
	r := rollerIn(w)
	me := c.Principal().UserID
	by := ids(n.Values[codes.ConcessionBy])
	out := &Concession{Signed: slices.Contains(by, me)}
	mine, err := r.rolesOf(ctx, []string{me})
	if err != nil {
		return nil, err
	}
	for _, s := range signers {
		party := Party{Role: s.role, By: []string{}}
		for _, person := range by {
			has, err := r.rolesOf(ctx, []string{person})
			if err != nil {
				return nil, err
			}
			if has[s.role] {
				party.By = append(party.By, person)
			}
		}
		out.Parties = append(out.Parties, party)
		out.CanSign = out.CanSign || mine[s.role] && !out.Signed
	}
	out.CanSign = out.CanSign && c.Allowed(ctx, "edit", node, id) == nil
	return out, nil
}
