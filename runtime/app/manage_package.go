package app

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/manage"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ExportApp makes the package of an application: its documents as they are served. Uploads that its pages show become pictures beside them.
func (a *App) ExportApp(ctx context.Context, view *authz.View, code string) (name string, data []byte, err error) {
	if err := a.administers(view, code); err != nil {
		return "", nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return "", nil, err
	}
	f, app, err := d.application(code, "")
	if err != nil {
		return "", nil, err
	}
	out := manage.Package{Code: f.Code, Name: app.Get("name").Text(), Program: a.cfg.Version, Texts: map[string]string{}}
	if out.Version, err = versionOf(f); err != nil {
		return "", nil, err
	}
	files, err := documentsOf(f)
	if err != nil {
		return "", nil, err
	}
	for _, file := range files {
		text, err := overlay.Text(f.FS, file)
		if err != nil {
			return "", nil, err
		}
		if text != nil && d.travels(file) {
			out.Texts[file] = *text
		}
	}
	if err := a.packPictures(ctx, out.Texts); err != nil {
		return "", nil, err
	}
	if data, err = out.Write(); err != nil {
		return "", nil, err
	}
	name = strings.TrimSuffix(f.Code+"-"+out.Version, "-") + ".sluice.zip"
	return name, data, a.Note(ctx, audit.Entry{Kind: audit.Exported, Subject: f.Code, About: out.Name, Detail: map[string]string{"file": name}})
}

// travels reports whether a file belongs into a package: a document of a kind, or a script, a style or a picture beside one.
func (d *desk) travels(file string) bool {
	folder, _, inside := strings.Cut(file, "/")
	if !inside {
		return file == appFile || file == packFile
	}
	kind, ok := compile.Kinds(d.app.cfg.Set).InFolder(folder)
	return ok && (kind.Reads(path.Ext(file)) || kind.Files != nil && overlay.IsPicture(file) || slices.Contains([]string{".js", ".css"}, path.Ext(file)))
}

// Imported is what importing a package does, or did.
type Imported struct {
	Managed
	Code    string   `json:"code"`
	Name    string   `json:"name"`
	From    string   `json:"from"` // version that is installed; "" with New
	To      string   `json:"to"`
	New     bool     `json:"new"`
	Added   []string `json:"added"`
	Changed []string `json:"changed"`
	Removed []string `json:"removed"`
}

// AppImport says how a package is imported.
type AppImport struct {
	Update bool // an application of its code may be there; its documents become those of the package
	Intent
}

// MayImport refuses those who do not import packages.
func (a *App) MayImport(view *authz.View) error {
	if !view.Has(authoring) {
		return fault.New(fault.AppImportForbidden)
	}
	return nil
}

// ImportApp publishes the documents of a package. Who imports one brings roles and scripts along, so it takes the permission to publish
// documents.
func (a *App) ImportApp(ctx context.Context, view *authz.View, data []byte, in AppImport) (*Imported, error) {
	if err := a.MayImport(view); err != nil {
		return nil, err
	}
	p, err := manage.Read(data)
	if err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	out := &Imported{Code: p.Code, Name: p.Name, To: p.Version, Added: []string{}, Changed: []string{}, Removed: []string{}}
	f, err := d.target(p, in, out)
	if err != nil {
		return nil, err
	}
	if err := d.replace(f, p.Texts, out); err != nil {
		return nil, err
	}
	d.set.imported = true
	what := strings.TrimSpace(p.Code + " " + p.Version)
	d.set.also = append(d.set.also, func(ctx context.Context, tx *store.Tx) error {
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.Imported, Subject: p.Code, About: p.Name, Detail: map[string]string{"file": what}})
	})
	m, err := d.done(view, plan.Label{Zh: "导入应用 " + what, I18n: en("import application " + what)}, in.Intent)
	if err != nil {
		return nil, err
	}
	out.Managed = *m
	return out, nil
}

// target checks what a package says of itself and returns the pack that gets its documents.
func (d *desk) target(p *manage.Package, in AppImport, out *Imported) (*Folder, error) {
	if err := newCode(p.Code); err != nil {
		return nil, err
	}
	pack, err := edit.Parse(p.Texts[packFile])
	if err != nil || pack.Get("code").Text() != p.Code || pack.Get("version").Text() != p.Version {
		return nil, fault.New(fault.PackageInvalid, packFile)
	}
	for file := range p.Texts {
		if !d.travels(file) {
			return nil, fault.New(fault.PackageForeign, file)
		}
	}
	f := d.folder(p.Code)
	if f == nil {
		out.New = true
		f = &Folder{Base: overlay.None}
		f.Code, f.FS = p.Code, overlay.None
		return f, nil
	}
	if now, err := overlay.Text(f.FS, appFile); err != nil || now == nil || !in.Update {
		if err != nil {
			return nil, err
		}
		return nil, fault.New(fault.AppCodeTaken, p.Code)
	}
	if out.From, err = versionOf(f); err != nil {
		return nil, err
	}
	was, e1 := semver.NewVersion(out.From)
	is, e2 := semver.NewVersion(p.Version)
	if e1 == nil && (e2 != nil || is.LessThan(was)) {
		return nil, fault.New(fault.AppVersionLow, p.Version, out.From)
	}
	return f, nil
}

// replace makes the documents of a pack those of a package.
func (d *desk) replace(f *Folder, texts map[string]string, out *Imported) error {
	files, err := documentsOf(f)
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, stays := texts[file]; !stays && d.travels(file) {
			out.Removed = append(out.Removed, file)
			if err := d.write(f, file, nil); err != nil {
				return err
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		before := len(d.set.Files)
		text := texts[file]
		if err := d.write(f, file, &text); err != nil {
			return err
		}
		switch {
		case len(d.set.Files) == before:
		case slices.Contains(files, file):
			out.Changed = append(out.Changed, file)
		default:
			out.Added = append(out.Added, file)
		}
	}
	if len(d.set.Files) > maxFiles {
		return fault.New(fault.PackageTooLarge, fmt.Sprintf("%d / %d", len(d.set.Files), maxFiles))
	}
	return nil
}
