package codes

import (
	"encoding/json"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
)

// Holders are all columns of the engine's tables that can hold a code, and the reasons of those that do not. Times, numbers, ids and columns of
// the store's own tables go without saying.
func Holders() []Holder {
	return append(append([]Holder{
		document("sl_sequence", "model", names.Model).removed().single(),
		document("sl_recycle", "model", names.Model).asided().single(),
		asOf("sl_recycle", "snapshot", names.Property, names.Option),
		asOf("sl_batch", "value", names.Option),
		asOf("sl_batch_change", "before", names.Option),
		asOf("sl_history", "model", names.Model),
		asOf("sl_history", "changes", names.Property, names.Option, names.Role),
		{Table: "sl_meta", Columns: []string{"key"}, Way: Rewritten, of: []names.Kind{names.Model, names.Pack, names.Workflow}, now: metaKey, gone: remove, alone: true},
		{Table: "sl_meta", Columns: []string{"value"}, Way: None, Why: "digests"},

		property("sl_file", "model", "field"),
		document("sl_link", "form", names.Form).asided().single(),
		{Table: "sl_session", Columns: []string{"apps"}, Way: Rewritten, of: []names.Kind{names.App}, now: scopes},

		asOf("sl_job", "payload", names.Model, names.List, names.Property),

		property("sl_batch", "model", "property"),
		document("sl_import", "list", names.List),
		property("sl_import", "model", "key_field"),
		asOf("sl_import", "assigned", names.Property),
		folded("sl_import_choice", "list", names.List).removed().single(),
		asOf("sl_import_choice", "columns", names.Property),
		document("sl_export", "model", names.Model),
		document("sl_export", "list", names.List),
		{Table: "sl_export", Columns: []string{"columns"}, Way: Kept, Why: "what a file holds that was made"},
		folded("sl_export_choice", "list", names.List).removed().single(),
		asOf("sl_export_choice", "columns", names.Property),

		asOf("sl_print", "model", names.Model),
		asOf("sl_print", "template", names.Print),
		asOf("sl_print_record", "shown", names.Property, names.Option),

		folded("sl_portal_arrangement", "portal", names.Portal).removed().single(),
		{Table: "sl_design_lock", Columns: []string{"kind", "code"}, Way: Rewritten, now: edited, gone: remove, alone: true,
			of: []names.Kind{names.Workflow, names.Print, names.Portal}},
		folded("sl_saved_filter", "query_code", names.List).removed().single(),
		asOf("sl_saved_filter", "filters", names.Property, names.Option),
		folded("sl_saved_filter_default", "query_code", names.List).removed().single(),

		document("sl_draft", "model", names.Model),
		document("sl_draft", "form", names.Form),
		document("sl_draft", "workflow", names.Workflow),
		asOf("sl_draft", "data", names.Property, names.Option),
		asOf("sl_draft", "types", names.Property),

		document("sl_message", "model", names.Model),
		document("sl_comment", "model", names.Model),
		{Table: "sl_visit", Columns: []string{"kind", "place"}, Way: Rewritten, of: []names.Kind{names.App, names.Model}, now: place, gone: remove, alone: true},

		document("sl_wf_template", "code", names.Workflow).single(),
		document("sl_wf_template", "pack", names.Pack),
		asOf("sl_wf_template", "document", names.Model, names.Property, names.Option, names.Role, names.Node),
		document("sl_wf_instance", "code", names.Workflow).single(),
		document("sl_wf_instance", "model", names.Model),
		{Table: "sl_wf_instance", Columns: []string{"live"}, Way: Rewritten, of: []names.Kind{names.Model}, now: live, alone: true},
		asOf("sl_wf_instance", "state", names.Node),
		document("sl_wf_item", "code", names.Workflow).single(),
		{Table: "sl_wf_item", within: []string{"code"}, Columns: []string{"node"}, Way: Rewritten, of: []names.Kind{names.Node}, now: node},
		asOf("sl_wf_event", "body", names.Node),
		{Table: "sl_wf_delegation", Columns: []string{"codes"}, Way: Rewritten, of: []names.Kind{names.Workflow}, now: listOf(names.Workflow)},

		document("sl_document", "pack", names.Pack).single(),
		document("sl_document_draft", "pack", names.Pack).single(),
	}, kept()...), none()...)
}

// Why documents are kept: runtime/app carries renames over to them, for that takes the compiler.
const (
	versions = "earlier versions stay; the application writes another one that follows"
	// Follows is of drafts of documents: they have the new codes in the transaction that renames.
	Follows = "the application changes them with the published documents"
)

func kept() []Holder {
	return each(Kept, map[string]string{
		"sl_audit.subject": "what somebody did, as it was called then", "sl_audit.about": "what somebody did, as it was called then",
		"sl_audit.detail": "what somebody did, as it was called then", "sl_changeset.note": "what somebody wrote",
		"sl_message.params": "what was said then", "sl_message.biz": "what was said then", "sl_message.words": "what was said then",
		"sl_wf_remark.node": "which step it was then; its item tells which it is",
		"sl_comment.text":   "what somebody wrote", "sl_wf_item.opinion": "what somebody wrote",
		"sl_document.path": versions, "sl_document.text": versions, "sl_document.base": versions,
		"sl_document_draft.path": Follows, "sl_document_draft.text": Follows, "sl_document_draft.seen": Follows,
		"sl_job.progress": "work that is under way", "sl_job.result": "what work led to",
		"sl_job.subject": "work that is under way", "sl_job.unique_key": "work that is under way", "sl_job.live_key": "work that is under way",
		"sl_job_result.field": "a label then", "sl_import.head": "columns of a file", "sl_import_row.content": "rows of a file",
		"sl_import_row.errors": "what was said then", "sl_message.about": "which message it is",
		"sl_message.once": "which message it is",
	})
}

func none() []Holder {
	return each(None, map[string]string{
		"sl_history.kind": word, "sl_history.user_id": person, "sl_history.name": person, "sl_history.dept": person, "sl_sequence.period": "a date",
		"sl_idempotency.key": digest, "sl_idempotency.request": digest, "sl_idempotency.record": "ids", "sl_idempotency.answer": "an answer",
		"sl_recycle.name": title, "sl_recycle.search": title, "sl_recycle.user_id": person, "sl_recycle.user_name": person, "sl_recycle.files": "ids",
		"sl_secret.name": word, "sl_secret.value": digest, "sl_credential.hash": digest, "sl_credential.last_from": address,
		"sl_credential.before_from": address, "sl_session.kind": word, "sl_session.label": title, "sl_session.address": address,
		"sl_session.device": address, "sl_refresh.hash": digest, "sl_login_key.hash": digest, "sl_login_key.sealed": digest, "sl_guess.key": digest,
		"sl_guess.account": digest, "sl_ticket.hash": digest, "sl_ticket.purpose": word, "sl_ticket.sealed": digest, "sl_identity.issuer": address,
		"sl_identity.subject": person, "sl_identity.provider": word, "sl_identity.label": title, "sl_factor.sealed": digest,
		"sl_recovery.hash": digest, "sl_link.hash": digest, "sl_link.label": title, "sl_file.name": title, "sl_file.mime": word,
		"sl_job.kind": word, "sl_job.lane": word, "sl_job.state": word, "sl_job.title_zh": title, "sl_job.title_en": title, "sl_job.node": "a node",
		"sl_job.error_args": title, "sl_job.error": title, "sl_job_result.name": title, "sl_job_result.args": title, "sl_batch.user_name": person,
		"sl_import.user_name": person, "sl_import.phase": word, "sl_import.file_name": title, "sl_import.mode": word, "sl_import.locale": word, "sl_import.encoding": word,
		"sl_import.args": title, "sl_import.sheets": figures, "sl_import.counts": figures, "sl_import_row.kind": word, "sl_import_row.name": title, "sl_export.kind": word, "sl_export.name": title,
		"sl_export.state": word, "sl_export.missing": title, "sl_export.too_wide": title, "sl_print.name": person, "sl_print.how": word, "sl_print_record.code": digest,
		"sl_portal_arrangement.widgets": "places of widgets by their ids", "sl_saved_filter.folded": title, "sl_saved_filter.name": title,
		"sl_draft.title": title, "sl_draft.folded": title, "sl_message.kind": word, "sl_delivery.channel": word,
		"sl_delivery.state": word, "sl_delivery.error": title, "sl_channel_choice.locale": word, "sl_channel_choice.groups": word,
		"sl_comment.mentions": person, "sl_comment.token": digest, "sl_comment.request": digest, "sl_audit.kind": word, "sl_audit.name": person,
		"sl_audit.address": address, "sl_visit.code": "an id, or a menu item of its application", "sl_wf_template.digest": digest,
		"sl_wf_instance.name": title, "sl_wf_instance.search": title, "sl_wf_instance.status": word, "sl_wf_instance.result": word,
		"sl_wf_item.list": word, "sl_wf_item.type": word, "sl_wf_item.state": word, "sl_wf_item.result": word, "sl_wf_timer.kind": word, "sl_wf_finding.kind": word,
		"sl_wf_delegation.depts": "ids", "sl_wf_signal.name": "what others send", "sl_wf_signal.key": "what others send",
		"sl_wf_remark.operation": word, "sl_wf_remark.mentions": person, "sl_wf_preference.quick": title, "sl_setting.name": word,
		"sl_setting.value": "settings of the installation", "sl_schedule.code": "of code of a pack", "sl_node.name": "a node",
		"sl_node.version": "a node", "sl_node.working": "a node", "sl_node.errors": "a node",
	})
}

const (
	word    = "a word of the engine"
	digest  = "a digest or a secret"
	person  = "a person"
	address = "an address or a device"
	title   = "a text that people read"
	figures = "places and counts"
)

func each(way Way, of map[string]string) (out []Holder) {
	for column, why := range of {
		table, name, _ := strings.Cut(column, ".")
		out = append(out, Holder{Table: table, Columns: []string{name}, Way: way, Why: why})
	}
	return out
}

// asOf is a column with a body that is read as of the time at which it was written.
func asOf(table, column string, of ...names.Kind) Holder {
	return Holder{Table: table, Columns: []string{column}, Way: AsOf, of: of}
}

func rewritten(table, column string, k names.Kind, now func(names.Reading, []string) bool) Holder {
	return Holder{Table: table, Columns: []string{column}, Way: Rewritten, of: []names.Kind{k}, now: now}
}

// document is a column with the code of a document.
func document(table, column string, k names.Kind) Holder {
	return rewritten(table, column, k, func(then names.Reading, v []string) (ok bool) {
		v[0], ok = then.Document(k, v[0])
		return ok
	})
}

// folded is a column with the code of a document in small letters.
func folded(table, column string, k names.Kind) Holder {
	return rewritten(table, column, k, func(then names.Reading, v []string) bool {
		now, ok := then.Document(k, v[0])
		v[0] = strings.ToLower(now)
		return ok
	})
}

// property are columns with a model and one of its properties, "subtable.property" too.
func property(table, model, code string) Holder {
	return Holder{Table: table, Columns: []string{model, code}, Way: Rewritten, of: []names.Kind{names.Model, names.Property}, now: ofModel, alone: true}
}

func (h Holder) removed() Holder { h.gone = remove; return h }
func (h Holder) asided() Holder  { h.gone = aside; return h }
func (h Holder) single() Holder  { h.alone = true; return h }

// ofModel is a model and one of its properties. A property that is gone keeps its code below its model.
func ofModel(then names.Reading, v []string) bool {
	model, ok := then.Document(names.Model, v[0])
	if path, there := then.Model(v[0] + "." + v[1]); there && v[1] != "" { // the path of a property is as that of a sub-table
		_, v[1], _ = strings.Cut(path, ".")
	}
	v[0] = model
	return ok
}

// node is a workflow, as it is called already, and one of its nodes.
func node(then names.Reading, v []string) bool {
	v[1] = then.Node(v[0], v[1])
	return true
}

// place is what was visited: a page of an application, or a record of a model.
func place(then names.Reading, v []string) (ok bool) {
	k := names.App
	if v[0] == "record" {
		k = names.Model
	}
	v[1], ok = then.Document(k, v[1])
	return ok
}

// edited is a kind of documents, and a code of it in small letters.
func edited(then names.Reading, v []string) bool {
	now, ok := then.Document(names.Kind(v[0]), v[1])
	v[1] = strings.ToLower(now)
	return ok
}

// live is "model/record".
func live(then names.Reading, v []string) bool {
	model, record, ok := strings.Cut(v[0], "/")
	if now, there := then.Document(names.Model, model); ok && there {
		v[0] = now + "/" + record
	}
	return true
}

// listOf is a JSON array of codes; anything else is for all, and stays.
func listOf(k names.Kind) func(names.Reading, []string) bool {
	return func(then names.Reading, v []string) bool {
		var in []string
		if json.Unmarshal([]byte(v[0]), &in) != nil {
			return true
		}
		changed := false
		for i, code := range in {
			in[i] = inList(then, k, code)
			changed = changed || in[i] != code
		}
		if changed {
			b, _ := json.Marshal(in)
			v[0] = string(b)
		}
		return true
	}
}

// scopes are the applications that a token reaches, as JSON; "" is all of them.
func scopes(then names.Reading, v []string) bool {
	var in []map[string]any
	if json.Unmarshal([]byte(v[0]), &in) != nil {
		return true
	}
	changed := false
	for _, of := range in {
		code, _ := of["app"].(string)
		now := inList(then, names.App, code)
		if now != code {
			of["app"], changed = now, true
		}
	}
	if changed {
		b, _ := json.Marshal(in)
		v[0] = string(b)
	}
	return true
}

// inList is what a list holds in place of a code. One that is gone is marked: without it the list could mean all, and what gets its code later is not
// what the list was made for.
func inList(then names.Reading, k names.Kind, code string) string {
	if _, gone := names.WasGone(code); gone {
		return code
	}
	now, ok := then.Document(k, code)
	if !ok {
		return names.Gone(code)
	}
	if was, there := then.Was(k, code); now == code && there && !strings.EqualFold(was, code) {
		return names.Gone(code)
	}
	return now
}

// metaKey are the keys of sl_meta: what is known of data and formulas of a model, and which rows have started a workflow.
func metaKey(then names.Reading, v []string) bool {
	word, rest, _ := strings.Cut(v[0], ":")
	switch word {
	case "formulas":
		now, ok := then.Document(names.Model, rest)
		v[0] = word + ":" + now
		return ok
	case "data": // of a pack that takes part no more the rows stay, and what is known of them
		pack, model, _ := strings.Cut(rest, "/")
		model, ok := then.Document(names.Model, model)
		pack, _ = then.Document(names.Pack, pack)
		v[0] = word + ":" + pack + "/" + model
		return ok
	case "start":
		workflow, id, _ := strings.Cut(rest, "/")
		now, ok := then.Document(names.Workflow, workflow)
		v[0] = word + ":" + now + "/" + id
		return ok
	}
	return true
}
