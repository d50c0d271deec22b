package query

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// The wire numbers of associationType.
const (
	associatedNone = iota
	associatedWorkflow
	associatedForm
	associatedAction
	associatedURL
	associatedScript
	associatedList
)

// ActionRequest asks for what a button of a list or form does, for some records.
type ActionRequest struct {
	SchemaCode string   `json:"schemaCode"`
	QueryCode  string   `json:"queryCode"`
	SheetCode  string   `json:"sheetCode"` // of a form's button, instead of a list's
	ActionCode string   `json:"actionCode"`
	ObjectIDs  []string `json:"objectIds"`
	// Input is what a dialog asked for, of a button that is an action of a pack; what the definition gives the action takes precedence. What a
	// custom button does is the definition's alone.
	Input map[string]json.RawMessage `json:"input"`
}

// ActionAnswer is what a client does for a button (api.yaml ActionAnswer): it opens an address, a record or a list, or it shows
// that the action was run. Data is what the action answered.
type ActionAnswer struct {
	AssociationType int             `json:"associationType"`
	URL             *string         `json:"url"`
	SchemaCode      *string         `json:"schemaCode"`
	QueryCode       *string         `json:"queryCode"`
	SheetCode       *string         `json:"sheetCode"`
	ObjectID        *string         `json:"objectId"`
	Relation        *ActionRelation `json:"relation"`
	Data            json.RawMessage `json:"data"`
}

// ActionRelation is the record that a target is about: what a new record refers to, or what a list is filtered by.
type ActionRelation struct {
	PropertyCode string `json:"propertyCode"`
	ID           string `json:"id"`
	Name         string `json:"name"`
}

// actionRight is the action of access documents that a button needs: a custom one its own code, the others their type.
func actionRight(a catalog.ListAction) string {
	if a.Type == "custom" {
		return a.Code
	}
	return a.Type
}

// offered reports whether the caller may use a button: its runtime is there, it is granted, and what it opens, starts or reads is the caller's.
func offered(view *authz.View, starts starter, g *graph, m *catalog.Model, a *catalog.ListAction) bool {
	if view.Catalog.Words[a.Type].Later || !view.Offers(m, actionRight(*a)) {
		return false
	}
	for _, p := range a.Reads() {
		if _, err := g.resolve(p.Code); err != nil {
			return false
		}
	}
	switch a.Association {
	case associatedWorkflow:
		return offersStart(view, starts, m, a)
	case associatedForm:
		f := view.Form(a.AssociationCode)
		return f != nil && view.Can(f.Model, "view") && (f.Model == m && a.Row || view.Offers(f.Model, "add"))
	case associatedList:
		to := view.List(a.AssociationCode)
		if to == nil || !view.Can(to.Model, "view") {
			return false
		}
		if a.Extend1 == "" {
			return true
		}
		_, err := newGraph(view, to.Model).resolve(a.Extend1)
		return err == nil
	}
	return true
}

// shownAttributes are an action's attributes but for the input of the action that it runs, which is the server's.
func shownAttributes(a catalog.ListAction) map[string]any {
	if _, has := a.Attributes["input"]; !has {
		return a.Attributes
	}
	out := maps.Clone(a.Attributes)
	delete(out, "input")
	return out
}

// Button is an action of a list or form with the records that a caller wants it for.
type Button struct {
	reader *Reader

	view   *authz.View
	model  *catalog.Model
	among  plan.Expr // the list's condition; nil = none
	action *catalog.ListAction
	graph  *graph
	ids    []string
	given  map[string]json.RawMessage // by the client
}

// Button finds an action that the caller may use. What may not be used and what does not exist are one answer.
func (r *Reader) Button(view *authz.View, req ActionRequest) (*Button, error) {
	m, among, actions, err := buttonsOf(view, req)
	if err != nil {
		return nil, err
	}
	g := newGraph(view, m)
	i := slices.IndexFunc(actions, func(a catalog.ListAction) bool {
		return a.Code == req.ActionCode && (a.Type == "custom" || a.Call != nil || a.Association == associatedWorkflow && a.Type == "add")
	})
	if i < 0 || !offered(view, r.starts, g, m, &actions[i]) {
		return nil, fault.New(fault.ActionNotOffered)
	}
	if len(req.Input) > 0 && actions[i].Type == "custom" {
		return nil, fault.New(fault.BadParameter, "input")
	}
	b := &Button{reader: r, view: view, model: m, among: among, action: &actions[i], graph: g, ids: slices.Compact(slices.Sorted(slices.Values(req.ObjectIDs))), given: req.Input}
	if b.action.Row && len(b.ids) != 1 {
		return nil, fault.New(fault.ActionRecords)
	}
	if len(b.ids) > MaxPageSize {
		return nil, fault.New(fault.BadParameter, "objectIds")
	}
	return b, nil
}

// buttonsOf are the buttons of a form, or of a list with the condition that its records satisfy.
func buttonsOf(view *authz.View, req ActionRequest) (*catalog.Model, plan.Expr, []catalog.ListAction, error) {
	if req.SheetCode == "" {
		l, err := list(view, req.SchemaCode, req.QueryCode)
		if err != nil {
			return nil, nil, nil, err
		}
		return l.Model, l.Condition, l.Actions, nil
	}
	m := view.Model(req.SchemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") {
		return nil, nil, nil, fault.New(fault.ModelNotFound)
	}
	f, err := formOf(view.Catalog, m, req.SheetCode)
	if err != nil {
		return nil, nil, nil, err
	}
	return m, nil, f.Buttons, nil
}

// Call is the action of the program that the button runs; nil = none.
func (b *Button) Call() *catalog.Route { return b.action.Call }

// IDs are the records, each once.
func (b *Button) IDs() []string { return b.ids }

// Prepare checks the records and makes the answer, and the input of the action that is to be run.
func (b *Button) Prepare(ctx context.Context, tx *store.Tx) (*ActionAnswer, json.RawMessage, error) {
	rec, err := b.read(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	out := &ActionAnswer{AssociationType: b.action.Association}
	switch b.action.Association {
	case associatedWorkflow:
		return out, nil, b.openStart(out)
	case associatedForm:
		b.openForm(out, rec)
	case associatedList:
		to := b.view.List(b.action.AssociationCode)
		out.SchemaCode, out.QueryCode = &to.Model.Code, &to.Code
		out.Relation = b.relation(to.Model, rec)
	case associatedURL:
		text, err := b.address(rec)
		out.URL = &text
		return out, nil, err
	case associatedAction:
		input, err := json.Marshal(b.input(rec))
		return out, input, err
	}
	return out, nil, nil
}

func (b *Button) openForm(out *ActionAnswer, rec *buttonRecord) {
	f := b.view.Form(b.action.AssociationCode)
	out.SchemaCode, out.SheetCode = &f.Model.Code, &f.Code
	if f.Model == b.model && b.action.Row {
		out.ObjectID = &b.ids[0]
		return
	}
	out.Relation = b.relation(f.Model, rec)
}

func (b *Button) relation(target *catalog.Model, rec *buttonRecord) *ActionRelation {
	if b.action.Extend1 == "" || len(b.ids) != 1 {
		return nil
	}
	return &ActionRelation{PropertyCode: target.Field(b.action.Extend1).Code, ID: b.ids[0], Name: rec.name}
}

// buttonRecord is what a button takes over from its record: the name, and texts by property.
type buttonRecord struct {
	name  string
	texts map[string]string
}

// read finds the records among those on which the caller may use the button now; all must be.
func (b *Button) read(ctx context.Context, tx *store.Tx) (*buttonRecord, error) {
	rec := &buttonRecord{texts: map[string]string{}}
	if len(b.ids) == 0 {
		return rec, nil
	}
	m := b.model
	where := []plan.Expr{oneOf(catalog.ID, b.ids), rule(b.view.Rows(m)), rule(b.view.EditRows(m, actionRight(*b.action))), pressable(b.view, b.action)}
	for _, e := range []plan.Expr{b.among, b.action.Enabled} {
		if e != nil {
			where = append(where, b.graph.restrict(e))
		}
	}
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, Where: plan.AllOf(where...)}
	type place struct {
		n  node
		at int
	}
	places := map[string]place{}
	for _, code := range append([]string{catalog.Name}, codesOf(b.action.Reads())...) {
		n, err := b.graph.resolve(code)
		if err != nil {
			continue // the name alone can be hidden: offered looked at the others
		}
		places[code] = place{n, len(q.Select)}
		q.Select = append(q.Select, n.columns()...)
	}
	q.Joins = b.graph.joins
	found := 0
	err := tx.Query(ctx, b.view.Catalog, q, func(row []any) error {
		found++
		for code, p := range places {
			f := p.n.field
			rec.texts[code] = plainText(f, f.Property.Load(row[p.at:p.at+len(f.Property.Columns())]))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if found != len(b.ids) {
		return nil, fault.New(fault.ActionNotEnabled)
	}
	rec.name = rec.texts[catalog.Name]
	return rec, nil
}

func codesOf(paths []catalog.Path) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = p.Code
	}
	return out
}

// plainText is a wire value as addresses take it: texts and figures as they are, references by id, options by code, sets with ";".
func plainText(f *catalog.Field, v any) string {
	if v == nil {
		return ""
	}
	if r, ok := f.Property.(property.Referrer); ok {
		var ids []string
		for _, ref := range r.Refs(v) {
			ids = append(ids, ref.ID)
		}
		return strings.Join(ids, ";")
	}
	return plainWire(f.Property.AppendJSON(nil, v, nil))
}

func plainWire(wire []byte) string {
	d := json.NewDecoder(bytes.NewReader(wire))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return ""
	}
	return plainOf(v)
}

func plainOf(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case bool:
		if x {
			return "true"
		}
		return "false"
	case map[string]any:
		for _, key := range []string{"id", "code"} {
			if s, ok := x[key].(string); ok {
				return s
			}
		}
	case []any:
		of := make([]string, len(x))
		for i, one := range x {
			of[i] = plainOf(one)
		}
		return strings.Join(of, ";")
	}
	return ""
}

// address fills a record into an address. What it puts in is escaped, and a part of the path is never empty or a step up.
func (b *Button) address(rec *buttonRecord) (string, error) {
	var out strings.Builder
	for _, p := range b.action.Address.Parts {
		if p.Path == nil {
			out.WriteString(p.Text)
			continue
		}
		v := rec.texts[p.Path.Code]
		if v == "" || !p.Query && strings.Trim(v, ".") == "" {
			return "", fault.New(fault.ActionAddress, p.Path.Field.Label.In(b.view.Principal().Locale))
		}
		if p.Query {
			out.WriteString(url.QueryEscape(v))
		} else {
			out.WriteString(url.PathEscape(v))
		}
	}
	return out.String(), nil
}

// input is what the action gets: what the client gives, and over it the members that the list's author wrote, with the record's values.
func (b *Button) input(rec *buttonRecord) map[string]any {
	written, _ := b.action.Attributes["input"].(map[string]any)
	out := map[string]any{}
	for name, value := range b.given {
		out[name] = value
	}
	maps.Copy(out, written)
	for name, t := range b.action.Input {
		var text strings.Builder
		for _, p := range t.Parts {
			if p.Path == nil {
				text.WriteString(p.Text)
			} else {
				text.WriteString(rec.texts[p.Path.Code])
			}
		}
		out[name] = text.String()
	}
	return out
}
