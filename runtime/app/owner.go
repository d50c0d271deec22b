package app

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
)

// owned refuses a changeset by which somebody who does not administer all applications gets what belongs to another one or to the platform.
// It judges the documents that result, and what the catalog that results makes of the codes in them: a request says nothing of them. What a
// document had before the change was given to it by somebody who could, and stays (docs/adr/0069).
func (a *App) owned(ctx context.Context, view *authz.View, p *prepared) error {
	if a.MayAdminister(view, "") {
		return nil
	}
	for i := range p.changed {
		if err := a.ownedFile(ctx, view, p.catalog, &p.changed[i]); err != nil {
			return err
		}
	}
	return nil
}

// changedFile is a file of a changeset as it was and as it results.
type changedFile struct {
	pack, path string
	old, now   *string // nil = no such file
}

func (a *App) ownedFile(ctx context.Context, view *authz.View, c *catalog.Catalog, f *changedFile) error {
	k, code, ok := a.documentOf(f.path)
	if !ok {
		return nil // a script, a style or a picture; who may write those is no question of codes
	}
	if err := a.ownsCode(ctx, view, k, f.pack, code, f.old == nil && f.now != nil); err != nil {
		return err
	}
	if f.now == nil {
		return nil
	}
	if err := a.ownsFormer(ctx, view, k, f); err != nil {
		return err
	}
	had, has := claimed(f.old), claimed(f.now)
	for key, of := range has {
		if strings.EqualFold(had[key], of) {
			continue
		}
		if owner := claims[key](c, of); owner != "" && !strings.EqualFold(owner, f.pack) && !a.MayAdminister(view, owner) {
			return fault.New(fault.CodeOwned, of)
		}
	}
	return nil
}

// ownsCode refuses a code of the platform, and for a new document one that a document of another pack has or had: links, saved filters and
// running workflows go on naming it.
func (a *App) ownsCode(ctx context.Context, view *authz.View, k kind.Kind, pack, code string, created bool) error {
	if a.MayAdminister(view, "") {
		return nil
	}
	if k.Reserves(code) {
		if p := view.Catalog.Portal(code); k.Code == catalog.KindPortal && p != nil && slices.ContainsFunc(p.Write, view.Holds) {
			return nil // administrators have named its authors
		}
		return fault.New(fault.CodeOwned, code)
	}
	if !created {
		return nil
	}
	return a.ownsName(ctx, view, k, pack, code)
}

// ownsName refuses a code that a document of another pack has or had, as it was published or in the pack's own files. Of what only files had, and
// have no more, nobody knows whose it was: it is for those who administer all applications.
func (a *App) ownsName(ctx context.Context, view *authz.View, k kind.Kind, pack, code string) error {
	owners, err := publish.Owners(ctx, a.db, k.Path(code))
	if err != nil {
		return err
	}
	named := names.Kind(k.Code)
	last, _ := a.db.NameLog().Last(named, code)
	for _, one := range []string{code, last} {
		if of := a.db.PackOf(named, one); of != "" {
			owners = append(owners, of)
		}
	}
	left := len(owners) == 0 && slices.ContainsFunc(a.db.NameLog().Steps(), func(s names.Logged) bool { return s.Kind == named && strings.EqualFold(s.Old, code) })
	if left || slices.ContainsFunc(owners, func(other string) bool { return !strings.EqualFold(other, pack) && !a.MayAdminister(view, other) }) {
		return fault.New(fault.CodeOwned, code)
	}
	return nil
}

// ownsFormer refuses a former code of a document that another pack has or had: what was kept of that would be this one's.
func (a *App) ownsFormer(ctx context.Context, view *authz.View, k kind.Kind, f *changedFile) error {
	had := former(f.old)
	for _, code := range former(f.now) {
		if slices.Contains(had, code) {
			continue
		}
		if err := a.ownsName(ctx, view, k, f.pack, code); err != nil {
			return err
		}
	}
	return nil
}

// former are the codes that a document says it had.
func former(text *string) (out names.Former) {
	if text == nil {
		return nil
	}
	var of struct {
		RenamedFrom names.Former `json:"renamedFrom"`
	}
	_ = json.Unmarshal([]byte(*text), &of) // what cannot be read, the compiler reports
	return of.RenamedFrom
}

// claims are the keys of documents with which one lays hold on something of a pack, and the pack that it is of: "" where there is none.
var claims = map[string]func(c *catalog.Catalog, code string) string{
	"schemaCode": func(c *catalog.Catalog, code string) string {
		if m := c.Model(code); m != nil {
			return m.Pack
		}
		return ""
	},
	"appCode": func(c *catalog.Catalog, code string) string {
		if x := c.App(code); x != nil {
			return x.Pack
		}
		return ""
	},
}

// claimed are the codes in a document by the key of their claim.
func claimed(text *string) map[string]string {
	out := map[string]string{}
	if text == nil {
		return out
	}
	node, err := edit.Parse(*text)
	if err != nil {
		return out // the compiler reports it
	}
	for key := range claims {
		if code := node.Get(key).Text(); code != "" {
			out[key] = code
		}
	}
	return out
}

// documentOf is the kind and the code of a file that is a document with a code of its own.
func (a *App) documentOf(file string) (k kind.Kind, code string, ok bool) {
	folder, name, inside := strings.Cut(file, "/")
	if !inside {
		return kind.Kind{}, "", false
	}
	k, ok = compile.Kinds(a.cfg.Set).InFolder(folder)
	return k, strings.TrimSuffix(name, path.Ext(name)), ok && !k.Data && k.Reads(path.Ext(name))
}

// resulting are the files of a changeset as they are in the folders before and after it.
func resulting(before, after []Folder, files []Change) (out []changedFile, err error) {
	text := func(in []Folder, f Change) (*string, error) {
		i := slices.IndexFunc(in, func(o Folder) bool { return strings.EqualFold(o.Code, f.Pack) })
		if i < 0 {
			return nil, nil
		}
		return overlay.Text(in[i].FS, f.Path)
	}
	for _, f := range files {
		one := changedFile{pack: f.Pack, path: f.Path}
		if one.old, err = text(before, f); err != nil {
			return nil, err
		}
		if one.now, err = text(after, f); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}
