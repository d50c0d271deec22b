package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// deleted is done for what takes documents away: the errors of the compiler are the references that would lead nowhere.
func (d *desk) deleted(view *authz.View, note plan.Label, in Intent) (*Managed, error) {
	out, err := d.done(view, note, in)
	var f *fault.Error
	switch {
	case errors.As(err, &f) && f.Code == fault.PublishFaulty:
		p, _ := f.Data.(Publication)
		out = managed(&p)
		out.References = d.references(p.Diagnostics)
		return nil, &fault.Error{Code: fault.AppReferenced, Args: []any{len(out.References)}, Data: out}
	case err == nil:
		out.References = d.references(out.Diagnostics)
	}
	return out, err
}

// references are the documents that have errors, one reason each.
func (d *desk) references(list diag.List) []Reference {
	out := []Reference{}
	seen := map[string]bool{}
	for _, e := range list {
		if e.Severity != diag.Error || seen[e.File] || e.Code == "REMOVE002" { // which is said of what is deleted
			continue
		}
		seen[e.File] = true
		r := Reference{Path: e.File, Text: plan.Label{Zh: e.Zh, I18n: en(e.En)}}
		for i := range d.folders {
			f := &d.folders[i]
			file, inside := strings.CutPrefix(e.File, f.Code+"/")
			if !inside {
				continue
			}
			r.Pack, r.Path = f.Code, file
			_, r.Kind = d.app.kindOf(file)
			r.Name = plan.Label{Zh: strings.TrimSuffix(path.Base(file), path.Ext(file))}
			if text, err := overlay.Text(f.FS, file); err == nil && text != nil {
				if n, err := edit.Parse(*text); err == nil && n.Get("name").Text() != "" {
					r.Name.Zh = n.Get("name").Text()
					if t := n.Get("name_i18n").Get("en").Text(); t != "" {
						r.Name.I18n = en(t)
					}
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// AppDeletion says which application is to be deleted.
type AppDeletion struct {
	Code string `json:"code"`
	Seen string `json:"seen"`
	Intent
}

// DeleteApp deletes an application that the database alone has, with its documents and the records of its models.
func (a *App) DeleteApp(ctx context.Context, view *authz.View, in AppDeletion) (*Managed, error) {
	if err := a.administers(view, ""); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f, _, err := d.application(in.Code, in.Seen)
	if err != nil {
		return nil, err
	}
	if own, err := overlay.Text(f.Base, packFile); err != nil || own != nil {
		if err != nil {
			return nil, err
		}
		return nil, fault.New(fault.AppDelivered, f.Code)
	}
	files, err := documentsOf(f)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := d.put(f, file, nil); err != nil {
			return nil, err
		}
	}
	return d.deleted(view, plan.Label{Zh: "删除应用 " + f.Code, I18n: en("delete application " + f.Code)}, in.Intent)
}

// AppVersion is what was published of an application at once.
type AppVersion struct {
	publish.Changeset
	Name string `json:"name"` // of the author
}

// AppHistory lists what was published of an application, the newest first.
func (a *App) AppHistory(ctx context.Context, view *authz.View, code string) ([]AppVersion, error) {
	if err := a.administers(view, code); err != nil {
		return nil, err
	}
	sets, err := publish.Of(ctx, a.db, code, historyOf)
	if err != nil {
		return nil, err
	}
	out := []AppVersion{}
	for _, s := range sets {
		one := AppVersion{Changeset: s}
		if p, ok := a.people.Person(ctx, s.Author); ok {
			one.Name = p.Name
		}
		out = append(out, one)
	}
	return out, nil
}

// historyOf is how many changesets of an application are listed.
const historyOf = 100

// AppRestore brings an application back to what it was in a version.
type AppRestore struct {
	Code    string `json:"code"`
	Version int64  `json:"version"` // 0 = as it was delivered
	From    int64  `json:"from"`    // the last version that the caller knows: a later one is not undone; 0 = whatever it is
	Intent
}

// plain are the files that the administrators of an application change themselves. The others hold rights, scripts or rows.
func plain(file string) bool {
	folder, _, _ := strings.Cut(file, "/")
	switch folder {
	case appFile:
		return true
	case "models", "lists", "forms", "dictionaries":
		return path.Ext(file) == ".json"
	}
	return false
}

// RestoreApp publishes the documents of an application as they were in a version. Files that hold rights or scripts need the permission
// to publish documents.
func (a *App) RestoreApp(ctx context.Context, view *authz.View, in AppRestore) (*Managed, error) {
	if err := a.administers(view, in.Code); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f := d.folder(in.Code)
	if f == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	last, err := publish.Of(ctx, a.db, f.Code, 1)
	if err != nil {
		return nil, err
	}
	if in.From > 0 && (len(last) == 0 || last[0].Version != in.From) {
		return nil, &fault.Error{Code: fault.PublishConflict, Args: []any{f.Code}, Data: managed(&Publication{Conflicts: []Conflict{}, Steps: []store.Step{}, Class: store.Safe})}
	}
	then, err := publish.At(ctx, a.db, f.Code, in.Version)
	if err != nil {
		return nil, err
	}
	for _, file := range slices.Sorted(maps.Keys(then)) {
		text := then[file].Text
		if !then[file].Published {
			if text, err = overlay.Text(f.Base, file); err != nil {
				return nil, err
			}
		}
		if err := d.write(f, file, text); err != nil {
			return nil, err
		}
	}
	for _, c := range d.set.Files {
		model := strings.HasPrefix(c.Path, "models/") && !a.MayAdminister(view, "")
		if (model || !plain(c.Path)) && !view.Has(authoring) {
			return nil, fault.New(fault.Forbidden)
		}
	}
	return d.done(view, plan.Label{Zh: fmt.Sprintf("恢复到版本 %d", in.Version), I18n: en(fmt.Sprintf("restore version %d", in.Version))}, in.Intent)
}
