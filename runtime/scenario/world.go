package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// world is a system in which a scenario goes on.
type world struct {
	*app.App
	file    *File
	ids     map[string]string // of people, departments and records, by the names of the scenario
	records map[string]made
	texts   map[fault.Code]diag.Text // of refusals
	out     diag.List
}

// made is a record that the scenario knows.
type made struct{ model, id string }

// system is a view with all rights.
func (w *world) system() *authz.View {
	return w.State().Policy.View(principal.System("scenario"), w.Now(), w.Zone())
}

// view is what a person of the scenario, or of the packs, may do now.
func (w *world) view(ctx context.Context, username string) (*authz.View, bool) {
	p, ok := w.Caller(ctx, username)
	if !ok {
		return nil, false
	}
	p.Locale = "en"
	return w.State().Policy.View(p, w.Now(), w.Zone()), true
}

// setUp makes departments, people and records. It reports what cannot be made and goes on with the rest.
func (w *world) setUp(ctx context.Context) error {
	for _, n := range w.file.node.Get("departments").Entries() {
		d := w.file.Departments[n.Key]
		set := map[string]any{"name": n.Key}
		if d.Parent != "" {
			set["parent"] = "@" + d.Parent
		}
		if err := w.create(ctx, w.system(), "department", n.Key, set, n); err != nil {
			return err
		}
	}
	for _, n := range w.file.node.Get("people").Entries() {
		if err := w.person(ctx, n, w.file.People[n.Key]); err != nil {
			return err
		}
	}
	if err := w.People().Refresh(ctx); err != nil {
		return err
	}
	for _, n := range w.file.node.Get("records").Entries() {
		if err := w.record(ctx, n, w.file.Records[n.Key]); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) person(ctx context.Context, n *source.Node, p Person) error {
	if of, exists := w.People().PersonByName(ctx, n.Key); exists {
		w.ids[n.Key] = of.ID
		return nil
	}
	roles, departments := []string{}, []string{}
	for i, code := range p.Roles {
		id, ok := w.People().RoleID(ctx, code)
		if !ok {
			w.report("SCENARIO001", n.Get("roles").Items()[i], code)
			continue
		}
		roles = append(roles, id)
	}
	for _, d := range p.Departments {
		departments = append(departments, "@"+d)
	}
	set := map[string]any{"username": n.Key, "name": n.Key, "roles": anys(roles)}
	if len(departments) > 0 {
		set["departments"], set["mainDepartment"] = anys(departments), departments[0]
	}
	return w.create(ctx, w.system(), "user", n.Key, set, n)
}

func (w *world) record(ctx context.Context, n *source.Node, r Record) error {
	if w.State().Catalog.Model(r.SchemaCode) == nil {
		w.report("SCENARIO015", n.Get("schemaCode"), r.SchemaCode)
		return nil
	}
	if r.Find != nil {
		return w.find(ctx, n, r)
	}
	view := w.system()
	if r.Owner != "" {
		of, ok := w.Caller(ctx, r.Owner)
		if !ok {
			w.report("SCENARIO001", n.Get("owner"), r.Owner)
			return nil
		}
		of.Roles = []string{administrator} // the record is to be there, whatever its owner may do
		view = w.State().Policy.View(of, w.Now(), w.Zone())
	}
	return w.create(ctx, view, r.SchemaCode, n.Key, r.Values, n)
}

// administrator is the role of the pack core that may do everything.
const administrator = "administrator"

func (w *world) find(ctx context.Context, n *source.Node, r Record) error {
	equal, ok := w.wire(r.Find, n.Get("find"))
	if !ok {
		return nil
	}
	return w.Store().Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		ids, err := w.Reader().Find(ctx, tx, w.system(), r.SchemaCode, equal, 2)
		text, refused := w.refusal(err)
		switch {
		case refused:
			w.report("SCENARIO002", n, text)
		case err != nil:
			return err
		case len(ids) != 1:
			w.report("SCENARIO002", n, diag.Text{Zh: fmt.Sprintf("找到 %d 条记录", len(ids)), En: fmt.Sprintf("%d records are found", len(ids))})
		default:
			w.know(n.Key, r.SchemaCode, ids[0])
		}
		return nil
	})
}

// create saves a new record and remembers it under a name. A refusal is reported at the node.
func (w *world) create(ctx context.Context, view *authz.View, model, name string, values map[string]any, at *source.Node) error {
	set, ok := w.wire(values, at)
	if !ok {
		return nil
	}
	saved, err := w.Writer().Save(ctx, view, record.Change{Model: model, Set: set})
	if text, refused := w.refusal(err); refused {
		w.report("SCENARIO002", at, text)
		return nil
	}
	if err == nil {
		w.know(name, model, saved.ID)
	}
	return err
}

func (w *world) know(name, model, id string) {
	w.ids[name] = id
	w.records[name] = made{model, id}
}

// wire writes values as calls do, names that begin with @ replaced by ids.
func (w *world) wire(values map[string]any, at *source.Node) (map[string]json.RawMessage, bool) {
	out, ok := map[string]json.RawMessage{}, true
	for code, v := range values {
		if missing := w.named(&v); missing != "" {
			w.report("SCENARIO001", at, "@"+missing)
			ok = false
		}
		text, err := json.Marshal(v)
		if err != nil {
			panic(err) // it was read from JSON
		}
		out[code] = text
	}
	return out, ok
}

// named replaces names in a value; it returns the first that is not known.
func (w *world) named(v *any) (missing string) {
	switch x := (*v).(type) {
	case string:
		name, is := strings.CutPrefix(x, "@")
		if !is {
			return ""
		}
		id, known := w.ids[name]
		if !known {
			return name
		}
		*v = id
	case []any:
		for i := range x {
			missing = either(missing, w.named(&x[i]))
		}
	case map[string]any:
		for key, of := range x {
			missing = either(missing, w.named(&of))
			x[key] = of
		}
	}
	return missing
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func anys(of []string) []any {
	out := make([]any, len(of))
	for i, s := range of {
		out[i] = s
	}
	return out
}

func (w *world) report(code string, at *source.Node, args ...any) {
	w.out = append(w.out, problem(code, at, args...))
}

// refusal is what a user would read of an error; false when it is none of those.
func (w *world) refusal(err error) (diag.Text, bool) {
	var f *fault.Error
	if !errors.As(err, &f) {
		return diag.Text{}, false
	}
	of := w.texts[f.Code]
	out := diag.Text{Zh: either(f.MessageZh, diag.Fill(of.Zh, f.Args, "zh")), En: either(f.MessageEn, diag.Fill(of.En, f.Args, "en"))}
	if in, ok := f.Data.(fault.Invalid); ok {
		var zh, en []string
		for _, e := range in.Errors {
			of := w.texts[e.Code]
			zh = append(zh, e.PropertyCode+" "+either(e.MessageZh, diag.Fill(of.Zh, e.Args, "zh")))
			en = append(en, e.PropertyCode+" "+either(e.MessageEn, diag.Fill(of.En, e.Args, "en")))
		}
		out.Zh, out.En = out.Zh+"（"+strings.Join(zh, "；")+"）", out.En+" ("+strings.Join(en, "; ")+")"
	}
	return diag.Text{Zh: fmt.Sprintf("%d %s", f.Code, out.Zh), En: fmt.Sprintf("%d %s", f.Code, out.En)}, true
}
