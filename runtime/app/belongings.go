package app

import (
	"context"
	"strconv"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Belonging is an entry of the register: one kind of things that people have, and what becomes of them (docs/adr/0071).
type Belonging struct {
	Kind    string
	Columns []string // of the engine's tables that name the person, as table.column
	// When the account is disabled, when the person is deleted, and when their work is handed over.
	Disabled, Deleted, Handed world.Fate
	belonging.Things
}

// Belongings is the register. Each column of the engine's tables that names a person is here or in notBelongings, or a test fails.
func (a *App) Belongings() []Belonging {
	const stays, pauses, ends, moves = world.Stays, world.Pauses, world.Ends, world.Moves
	return []Belonging{
		{"session", []string{"sl_session.user_id"}, ends, ends, stays, a.auth.SessionsOf()},
		{"token", []string{"sl_session.user_id"}, ends, ends, ends, a.auth.TokensOf()},
		// Nobody signs in with it while the account is disabled; the next owner of the address may after a deletion.
		{"identity", []string{"sl_identity.user_id"}, stays, ends, stays, a.auth.IdentitiesOf()},
		// A link in somebody's hands is not worth losing by a mistake, and a successor may be found later: it is paused.
		{"link", []string{"sl_link.created_by"}, pauses, ends, moves, a.auth.LinksOf()},
		{"draft", []string{"sl_draft.user_id"}, stays, ends, moves, draft.Of()},
		{"documentDraft", []string{"sl_document_draft.owner"}, stays, ends, moves, publish.UnpublishedOf()},
		// Others work with them. Who may share takes them back.
		{"sharedFilter", []string{"sl_saved_filter.owner"}, stays, stays, moves, savedfilter.SharedBy()},
		// They hand over with the tasks, by a rule of their own (DelegationsOver).
		{"delegation", []string{"sl_wf_delegation.delegator"}, ends, ends, stays, a.flows.DelegationsBy()},
		{"delegatedTo", []string{"sl_wf_delegation.delegate"}, ends, ends, stays, a.flows.DelegationsTo()},
		// They wait: those who can hand them over are told, and a job hands them over.
		{"task", []string{"sl_wf_item.person", "sl_wf_instance.initiator", "sl_wf_actor.id"}, stays, stays, stays, a.flows.TasksOf()},
		{"job", []string{"sl_job.owner"}, ends, ends, ends, a.jobs.Of()},
	}
}

// notBelongings are the columns of the engine's tables that name a person for another reason.
var notBelongings = map[string]string{
	"sl_credential.user_id":           "the account itself: nobody signs in with the password of a disabled account",
	"sl_factor.user_id":               "the account itself, as the password",
	"sl_recovery.user_id":             "the account itself, as the password",
	"sl_audit.actor":                  "what somebody did",
	"sl_audit.subject":                "what was done to somebody",
	"sl_history.user_id":              "what somebody did",
	"sl_recycle.user_id":              "what somebody did",
	"sl_batch.user_id":                "what somebody did",
	"sl_import.user_id":               "what somebody did; the work itself is a job",
	"sl_print.actor":                  "what somebody did",
	"sl_comment.author":               "what somebody said",
	"sl_changeset.author":             "what somebody did",
	"sl_file.created_by":              "uploads that nothing holds are swept after a day, and one that a record holds belongs to the record",
	"sl_export.owner":                 "a file that its owner alone can fetch, swept with time; the work itself is a job",
	"sl_message.recipient":            "what somebody is told; it acts for nobody",
	"sl_message.sender":               "what somebody did",
	"sl_delivery.recipient":           "a message on its way to somebody",
	"sl_channel_choice.person":        "a setting of their own",
	"sl_export_choice.owner":          "a setting of their own",
	"sl_import_choice.owner":          "a setting of their own",
	"sl_saved_filter_default.user_id": "a setting of their own",
	"sl_visit.user_id":                "a setting of their own",
	"sl_wf_item.delegate_from":        "for whom a delegate has a task; it stays the delegate's",
	"sl_wf_remark.author":             "what somebody said",
	"sl_wf_preference.person":         "a setting of their own",
	"sl_portal_arrangement.user_id":   "a setting of their own",
	"sl_design_lock.owner":            "over within minutes",
}

// Of is the entry of the register as people read it, with a count.
func (b Belonging) of(n int) world.Belonging {
	return world.Belonging{Kind: b.Kind, Count: n, Disabled: b.Disabled, Deleted: b.Deleted, Handed: b.Handed}
}

// followPeople does, in the transaction of the write itself, what the register says of people who are disabled, enabled or deleted, and logs
// it. What ended stays ended when the person is enabled again. It is an outbox of the record writer.
func (a *App) followPeople(ctx context.Context, tx *store.Tx, e *hook.Record) error {
	if e.Model != directory.User || e.Create || a.flows == nil { // while packs bring their data, nobody has anything
		return nil
	}
	was := e.Old["disabled"] == true
	entry := audit.Entry{Actor: e.Principal.UserID, Name: e.Principal.Name, Subject: e.ID, About: textOf(e, usernameProperty), Detail: map[string]string{}}
	if e.Principal.System != "" {
		entry.Name = e.Principal.System
	}
	fate := func(b Belonging) world.Fate { return b.Disabled }
	switch {
	case e.Delete:
		entry.Kind = audit.PersonDeleted
		fate = func(b Belonging) world.Fate { return b.Deleted }
	case e.Set["disabled"] == true:
		entry.Kind = audit.PersonDisabled
	case was && e.New()["disabled"] != true:
		entry.Kind = audit.PersonEnabled
	default:
		return nil
	}
	for _, b := range a.Belongings() {
		var n int
		var err error
		switch on := fate(b); {
		case entry.Kind != audit.PersonEnabled && on == world.Ends:
			n, err = b.End(ctx, tx, e.ID)
		case on == world.Pauses:
			n, err = b.Count(ctx, tx, e.ID)
		}
		if err != nil {
			return err
		}
		if n > 0 {
			entry.Detail[b.Kind] = strconv.Itoa(n)
		}
	}
	if entry.Kind == audit.PersonDisabled && was {
		return nil
	}
	return audit.Write(ctx, tx, entry)
}

func (t *transaction) Belongings(ctx context.Context, user string) ([]world.Belonging, error) {
	if err := t.overSomebody(user, disabling); err != nil {
		return nil, err
	}
	out := []world.Belonging{}
	for _, b := range t.app.Belongings() {
		n, err := b.Count(ctx, t.tx, user)
		if err != nil {
			return nil, err
		}
		out = append(out, b.of(n))
	}
	owned, err := t.batch.Owned(user)
	return append(out, world.Belonging{Kind: "record", Count: owned, Disabled: world.Stays, Deleted: world.Stays, Handed: world.Moves}), err
}

func (t *transaction) HandOverBelongings(ctx context.Context, from, to string, rest bool) ([]world.Belonging, error) {
	if err := t.hands(from); err != nil {
		return nil, err
	}
	who, _ := t.app.people.Person(ctx, from)
	by := t.Principal()
	entry := audit.Entry{Kind: audit.PersonHandedOver, Actor: by.UserID, Name: by.Name, Subject: from, About: who.Username, Detail: map[string]string{}}
	if heir, known := t.app.people.Person(ctx, to); known {
		entry.Detail["to"] = heir.Username
	}
	var done []world.Belonging
	for _, b := range t.app.Belongings() {
		one := b.of(0)
		var err error
		switch {
		case to != "" && b.Handed == world.Moves:
			one.Count, err = b.Give(ctx, t.tx, from, to)
		case rest && (b.Handed == world.Moves || b.Handed == world.Ends):
			one.Handed = world.Ends
			one.Count, err = b.End(ctx, t.tx, from)
		}
		if err != nil {
			return nil, err
		}
		if one.Count > 0 {
			done = append(done, one)
			entry.Detail[b.Kind] = strconv.Itoa(one.Count)
		}
	}
	return done, audit.Write(ctx, t.tx, entry)
}
