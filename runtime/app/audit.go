package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Audit reads the log of what was done to the installation's security.
func (a *App) Audit() audit.Log { return audit.Log{DB: a.db} }

// Note adds an entry for what was done in no transaction of its own.
func (a *App) Note(ctx context.Context, e audit.Entry) error {
	return a.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return audit.Write(ctx, tx, e) })
}

// sweepAudit removes entries that are kept no longer.
func (a *App) sweepAudit() {
	if a.cfg.KeepAudit <= 0 {
		return
	}
	gone, err := a.Audit().Sweep(a.background, a.Now().Add(-a.cfg.KeepAudit))
	if err != nil && a.background.Err() == nil {
		a.cfg.Log.Error("remove old entries of the audit log", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("removed old entries of the audit log", "entries", gone)
	}
}

// Properties of the reserved models that rights follow from.
const (
	rolesProperty    = "roles"
	usernameProperty = "username"
	codeProperty     = "code"
)

// followRights logs, in the transaction of the write, whose roles change and which roles do. It is an outbox of the record writer.
func (a *App) followRights(ctx context.Context, tx *store.Tx, e *hook.Record) error {
	entry := audit.Entry{Actor: e.Principal.UserID, Name: e.Principal.Name, Subject: e.ID}
	switch e.Model {
	case directory.User:
		before, after := members(e.Old[rolesProperty]), members(e.New()[rolesProperty])
		added, removed := without(after, before), without(before, after)
		if len(added)+len(removed) == 0 {
			return nil
		}
		entry.Kind, entry.About = audit.RolesChanged, textOf(e, usernameProperty)
		entry.Detail = map[string]string{"added": a.roleCodes(ctx, added), "removed": a.roleCodes(ctx, removed)}
	case directory.Role:
		entry.Kind, entry.About = audit.RoleChanged, textOf(e, codeProperty)
		what := "changed"
		switch {
		case e.Create:
			what = "created"
		case e.Delete:
			what = "deleted"
		}
		entry.Detail = map[string]string{"what": what}
	default:
		return nil
	}
	if e.Principal.System != "" {
		entry.Name = e.Principal.System
	}
	return audit.Write(ctx, tx, entry)
}

func members(v any) (out []string) {
	switch x := v.(type) {
	case []string:
		return x
	case []any:
		for _, m := range x {
			out = append(out, fmt.Sprint(m))
		}
	}
	return out
}

func without(of, those []string) (out []string) {
	for _, m := range of {
		if !slices.Contains(those, m) {
			out = append(out, m)
		}
	}
	return out
}

// textOf is a text of a record as it is after the write, or was before its deletion.
func textOf(e *hook.Record, property string) string {
	if s, ok := e.New()[property].(string); ok {
		return s
	}
	s, _ := e.Old[property].(string)
	return s
}

// roleCodes names roles by their codes; a role that is not known yet keeps its id.
func (a *App) roleCodes(ctx context.Context, ids []string) string {
	known := map[string]string{}
	if len(ids) > 0 && a.people != nil {
		for _, code := range a.people.RoleCodes(ctx) {
			if id, ok := a.people.RoleID(ctx, code); ok {
				known[id] = code
			}
		}
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		if out[i] = known[id]; out[i] == "" {
			out[i] = id
		}
	}
	return strings.Join(out, ", ")
}

// openedWays are the entries of ways to records besides roles that a publication opens, one for each.
func openedWays(version int64, ways []access.Way) []audit.Entry {
	var out []audit.Entry
	for _, w := range ways {
		e := audit.Entry{Kind: audit.WayOpened, Subject: w.Code, About: w.Label.Zh, Detail: map[string]string{"way": w.Kind, "version": fmt.Sprint(version)}}
		for name, value := range map[string]string{"node": called(w.Node), "model": called(w.Model), "people": access.Called(w.People, called, ", "), "roles": allCalled(w.Roles)} {
			if value != "" {
				e.Detail[name] = value
			}
		}
		fields := make([]access.Name, len(w.Fields))
		for i, f := range w.Fields {
			fields[i] = f.Name
		}
		if len(fields) > 0 {
			e.Detail["fields"] = allCalled(fields)
		}
		out = append(out, e)
	}
	return out
}

// called is a name as the log keeps it.
func called(n access.Name) string { return cmp.Or(n.Label.Zh, n.Code) }

func allCalled(of []access.Name) string {
	out := make([]string, len(of))
	for i, n := range of {
		out[i] = called(n)
	}
	return strings.Join(out, ", ")
}

// publication is the entry of documents that were published.
func publication(version int64, files overlay.Documents) audit.Entry {
	e := audit.Entry{Kind: audit.Published, Subject: fmt.Sprint(version)}
	var names []string
	for pack, of := range files {
		for _, d := range of {
			names = append(names, pack+"/"+d.Path)
			if strings.HasPrefix(d.Path, "access/") {
				e.Kind = audit.RightsPublish
			}
		}
	}
	slices.Sort(names)
	const most = 10
	e.Detail = map[string]string{"files": strings.Join(names[:min(len(names), most)], ", "), "count": fmt.Sprint(len(names))}
	return e
}
