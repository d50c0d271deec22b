package app

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// ending is what people have of documents of a kind, and what ends when one is removed. What ended stays ended: another document that gets the code, and
// the same one when an earlier version is restored, begins without it (docs/adr/0073).
type ending struct {
	kind  names.Kind
	thing string // as audit entries count it
	// now is what would end, by the names of people, or what it is called.
	now func(ctx context.Context, tx *store.Tx, code string) (who []string, err error)
	// The texts of what would end with a removal, of what has ended with one, and of what does not come back: {0} is the code, {1} how many, {2} the day.
	removed, ended, again [2]string // zh, en
}

var endings = []ending{
	{names.Role, "person", rolePeople,
		[2]string{"删除角色 {0}，{1} 人将失去它", "remove role {0}; {1} {1|person loses|people lose} it"},
		[2]string{"角色 {0} 已删除，{1} 人失去了它", "Role {0} was removed; {1} {1|person|people} lost it"},
		[2]string{"角色 {0} 曾于 {2} 删除，当时失去它的 {1} 人不会重新获得", "role {0} was removed on {2}; {1} {1|person|people} who lost it then {1|stays|stay} without it"}},
	{names.Form, "link", listing(authn.LinksTo),
		[2]string{"删除表单 {0}，{1} 个外部链接随之失效", "remove form {0}; {1} external {1|link ends|links end}"},
		[2]string{"表单 {0} 已删除，{1} 个外部链接随之失效", "Form {0} was removed; {1} external {1|link|links} ended"},
		[2]string{"表单 {0} 曾于 {2} 删除，当时失效的 {1} 个外部链接不会恢复", "form {0} was removed on {2}; {1} external {1|link|links} that ended then {1|stays|stay} ended"}},
	{names.App, "token", listing(authn.TokensFor),
		[2]string{"删除应用 {0}，{1} 个访问令牌将不能再访问它", "remove application {0}; {1} {1|token reaches|tokens reach} it no longer"},
		[2]string{"应用 {0} 已删除，{1} 个访问令牌不能再访问它", "Application {0} was removed; {1} {1|token reaches|tokens reach} it no longer"},
		[2]string{"应用 {0} 曾于 {2} 删除，当时限定于它的 {1} 个访问令牌仍不能访问它", "application {0} was removed on {2}; {1} {1|token|tokens} that named it then still {1|does|do} not reach it"}},
	{names.Workflow, "delegation", listing(workflow.DelegationsFor),
		[2]string{"删除流程 {0}，{1} 项委托不再包含它", "remove workflow {0}; {1} {1|delegation is|delegations are} no longer for it"},
		[2]string{"流程 {0} 已删除，{1} 项委托不再包含它", "Workflow {0} was removed; {1} {1|delegation is|delegations are} no longer for it"},
		[2]string{"流程 {0} 曾于 {2} 删除，当时包含它的 {1} 项委托仍不包含它", "workflow {0} was removed on {2}; {1} {1|delegation|delegations} that named it then {1|is|are} still not for it"}},
	{names.List, "filter", owned(savedfilter.OfList),
		[2]string{"删除列表 {0}，{1} 个筛选方案随之删除", "remove list {0}; {1} saved {1|filter goes|filters go} with it"},
		[2]string{"列表 {0} 已删除，{1} 个筛选方案随之删除", "List {0} was removed; {1} saved {1|filter|filters} went with it"},
		[2]string{"列表 {0} 曾于 {2} 删除，当时删除的 {1} 个筛选方案不会恢复", "list {0} was removed on {2}; {1} saved {1|filter|filters} that went then {1|stays|stay} gone"}},
	{names.Portal, "arrangement", owned(portal.ArrangedBy),
		[2]string{"删除门户页面 {0}，{1} 人的个人布局随之删除", "remove portal page {0}; the arrangements of {1} {1|person|people} go with it"},
		[2]string{"门户页面 {0} 已删除，{1} 人的个人布局随之删除", "Portal page {0} was removed; the arrangements of {1} {1|person|people} went with it"},
		[2]string{"门户页面 {0} 曾于 {2} 删除，当时删除的 {1} 人的个人布局不会恢复", "portal page {0} was removed on {2}; the arrangements of {1} {1|person|people} that went then stay gone"}},
}

// conditionsGone is what a plan says of saved filters that name a property which goes: {0} is its path, {1} how many.
var conditionsGone = [2]string{"删除数据项 {0}，{1} 个筛选方案失去以它为条件的部分", "remove property {0}; {1} saved {1|filter loses its condition|filters lose their conditions} on it"}

// modelGone is what a plan says of tokens that reach a model which goes: {0} is its code, {1} how many.
var modelGone = [2]string{"删除模型 {0}，限定应用的 {1} 个访问令牌不能再访问它", "remove model {0}; {1} {1|token|tokens} for chosen applications {1|reaches|reach} it no longer"}

// owned is what ends where it is people's, by their names: one for each of several things of a person.
func owned(of func(*store.Tx, string) ([]string, error)) func(context.Context, *store.Tx, string) ([]string, error) {
	return listing(func(tx *store.Tx, code string) ([]string, error) {
		owners, err := of(tx, code)
		names := map[string]string{}
		for i, id := range owners {
			name, known := names[id]
			if !known && err == nil {
				name, err = tx.RecordName(directory.User, id)
				names[id] = name
			}
			owners[i] = name
		}
		return owners, err
	})
}

// listing is what ends where it is nobody's in particular.
func listing(list func(*store.Tx, string) ([]string, error)) func(context.Context, *store.Tx, string) ([]string, error) {
	return func(_ context.Context, tx *store.Tx, code string) ([]string, error) { return list(tx, code) }
}

func rolePeople(ctx context.Context, tx *store.Tx, code string) ([]string, error) {
	of, err := roleMembers.Find(ctx, tx, code)
	who := make([]string, len(of))
	for i, one := range of {
		who[i] = one.Name
	}
	return who, err
}

func (e ending) say(of [2]string, args ...any) plan.Label {
	return plan.Label{Zh: diag.Fill(of[0], args, "zh"), I18n: en(diag.Fill(of[1], args, "en"))}
}

// Facts of the entries that removals leave, besides the count by ending.thing.
const (
	factKind  = "kind"
	factWho   = "who"
	factEpoch = "epoch"
)

// endRemoved ends what people have of documents that an apply removes, with an entry for each document that tells how much it was and whose.
func endRemoved(ctx context.Context, tx *store.Tx, epoch int64, steps []names.Step) error {
	var workflows []string
	for _, s := range steps {
		i := slices.IndexFunc(endings, func(e ending) bool { return e.kind == s.Kind })
		if i < 0 || s.New != "" || s.Owner != "" {
			continue
		}
		who, err := endings[i].now(ctx, tx, s.Old)
		if err != nil {
			return err
		}
		if len(who) == 0 {
			continue
		}
		detail := map[string]string{factKind: string(s.Kind), endings[i].thing: strconv.Itoa(len(who)), factEpoch: fmt.Sprint(epoch), factWho: strings.Join(who, ", ")}
		if err := audit.Write(ctx, tx, audit.Entry{Kind: audit.Removed, Subject: s.Old, About: s.Old, Detail: detail}); err != nil {
			return err
		}
		switch s.Kind {
		case names.Role:
			err = endRole(ctx, tx, s.Old)
		case names.Workflow:
			workflows = append(workflows, s.Old)
		}
		if err != nil {
			return err
		}
	}
	if len(workflows) == 0 {
		return nil
	}
	return workflow.EndDelegations(ctx, tx, workflows)
}

// Actions of steps that no table knows of.
const (
	removeRole store.Action = "remove-role" // its people lose it
	endThings  store.Action = "end"         // what people have of something else that is removed
	comesAgain store.Action = "comes-again" // without what ended when it was removed
)

// ofTables reports whether a step changes tables.
func ofTables(s store.Step) bool {
	return !slices.Contains([]store.Action{store.RenameCode, removeRole, endThings, comesAgain}, s.Action)
}

// endingSteps tell what ends with a plan, and what does not come back with it. The catalog is what the plan leads to.
func endingSteps(ctx context.Context, db *store.DB, c *catalog.Catalog, zone *time.Location, p *store.Plan) (out []store.Step, err error) {
	for _, e := range endings {
		gone, come := p.Changed(e.kind)
		if len(gone)+len(come) == 0 {
			continue
		}
		err := db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
			for _, code := range gone {
				who, err := e.now(ctx, tx, code)
				if err != nil {
					return err
				}
				if len(who) > 0 {
					out = append(out, e.step(code, who))
				}
			}
			for _, code := range come {
				before, found, err := e.before(tx, code)
				if err != nil {
					return err
				}
				if n, _ := strconv.Atoi(before.Detail[e.thing]); found && n > 0 {
					out = append(out, store.Step{Action: comesAgain, Class: store.Safe, Model: code, Count: int64(n), Text: e.say(e.again, code, n, before.At.In(zone).Format(time.DateOnly))})
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	conditions, err := conditionSteps(ctx, db, c, p)
	if err != nil {
		return nil, err
	}
	tokens, err := tokenSteps(ctx, db, p)
	return slices.Concat(out, conditions, tokens), err
}

// conditionSteps tell how many saved filters lose a condition, since a property goes.
func conditionSteps(ctx context.Context, db *store.DB, c *catalog.Catalog, p *store.Plan) (out []store.Step, err error) {
	gone := slices.DeleteFunc(p.Removed(), func(s names.Step) bool { return s.Kind != names.Property })
	if len(gone) == 0 {
		return nil, nil
	}
	err = db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, s := range gone {
			path := names.Join(s.Owner, s.Old)
			n, _, err := savedFilters(ctx, tx, c, names.Property, path)
			if err != nil {
				return err
			}
			if n > 0 {
				text := plan.Label{Zh: diag.Fill(conditionsGone[0], []any{path, n}, "zh"), I18n: en(diag.Fill(conditionsGone[1], []any{path, n}, "en"))}
				out = append(out, store.Step{Action: endThings, Class: store.Confirm, Model: path, Count: int64(n), Text: text})
			}
		}
		return nil
	})
	return out, err
}

// tokenSteps tell how many tokens for chosen applications reach a model that goes. Of those whose application goes too that is told already.
func tokenSteps(ctx context.Context, db *store.DB, p *store.Plan) (out []store.Step, err error) {
	gone, _ := p.Changed(names.Model)
	apps, _ := p.Changed(names.App)
	gone = slices.DeleteFunc(gone, func(model string) bool {
		return slices.ContainsFunc(apps, func(app string) bool { return strings.EqualFold(app, db.PackOf(names.Model, model)) })
	})
	if len(gone) == 0 {
		return nil, nil
	}
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		for _, model := range gone {
			labels, err := authn.TokensFor(tx, db.PackOf(names.Model, model)) // an application has the code of its pack
			if err != nil {
				return err
			}
			if len(labels) > 0 {
				out = append(out, ending{removed: modelGone}.step(model, labels))
			}
		}
		return nil
	})
	return out, err
}

// before is the last removal of a document with a code that ended something.
func (e ending) before(tx *store.Tx, code string) (audit.Entry, bool, error) {
	entries, err := audit.About(tx, audit.Removed, code)
	if err != nil {
		return audit.Entry{}, false, err
	}
	i := slices.IndexFunc(entries, func(one audit.Entry) bool { return one.Detail[factKind] == string(e.kind) })
	if i < 0 {
		return audit.Entry{}, false, nil
	}
	return entries[i], true, nil
}

// shownEndings is how much of what ends a plan names.
const shownEndings = 5

// step is the removal of a document, with how much ends, and the first of it.
func (e ending) step(code string, who []string) store.Step {
	text := e.say(e.removed, code, len(who))
	each := slices.Compact(slices.Sorted(slices.Values(who))) // of several things of one person the name stands once
	first := strings.Join(each[:min(len(each), shownEndings)], ", ")
	if len(each) > shownEndings {
		first += ", …"
	}
	text = plan.Label{Zh: text.Zh + "：" + first, I18n: en(text.In("en") + ": " + first)}
	s := store.Step{Action: endThings, Class: store.Confirm, Model: code, Count: int64(len(who)), Text: text}
	if e.kind == names.Role {
		s.Action = removeRole
	}
	return s
}

// roleGone is the removal of a role where nobody has counted its people.
func roleGone(code string) store.Step {
	text := plan.Label{Zh: "删除角色 " + code + "，拥有它的人将失去它", I18n: en("remove role " + code + "; its people lose it")}
	return store.Step{Action: removeRole, Class: store.Confirm, Model: code, Text: text}
}

// removalsTold is the setting with the last entry of a removal of which administrators were told.
const removalsTold = "removalsTold"

// tellRemovals tells those who administer everything what removals have ended since they were told last, except who published it: a start with the files of a
// pack's next version asks nobody.
func (a *App) tellRemovals(ctx context.Context) error {
	last, err := readSetting(ctx, a.db, removalsTold)
	if err != nil {
		return err
	}
	var entries []audit.Entry
	err = a.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		entries, err = audit.Since(tx, audit.Removed, last)
		return err
	})
	if err != nil || len(entries) == 0 {
		return err
	}
	var messages []notify.Message
	for _, one := range entries {
		i := slices.IndexFunc(endings, func(e ending) bool { return string(e.kind) == one.Detail[factKind] })
		if i < 0 {
			continue
		}
		n, _ := strconv.Atoi(one.Detail[endings[i].thing])
		title := endings[i].say(endings[i].ended, one.Subject, n)
		for _, to := range a.administrators(ctx) {
			if to != one.Actor {
				messages = append(messages, notify.Message{To: to, Type: notify.Custom, Title: title, Text: one.Detail[factWho], Once: "removal " + one.ID})
			}
		}
	}
	err = a.db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return a.messages.Send(tx, messages...) })
	if err != nil {
		return err
	}
	return keepSetting(ctx, a.db, removalsTold, entries[len(entries)-1].ID)
}

// administrators are the people who administer everything and are not disabled.
func (a *App) administrators(ctx context.Context) (out []string) {
	policy := a.State().Policy
	for _, p := range a.people.People(ctx) {
		if !p.Disabled && policy.Permits(p.Roles, authoring) {
			out = append(out, p.ID)
		}
	}
	return out
}
