package app

import (
	"context"
	"errors"
	"maps"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/portal"
)

// Designs is the desk of the documents that have a designer.
func (a *App) Designs() *design.Service { return a.designs }

func (a *App) makeDesigns() {
	a.designs = design.New(design.Config{Host: designHost{a}, DB: a.db, People: a.people, Reader: a.reader, Set: a.cfg.Set, Flows: a.flows,
		Prints: a.prints, Portals: func() *portal.Service { return a.Portals() }, Clock: a.cfg.Clock, Zone: a.cfg.Zone,
		Address: a.cfg.Address})
}

// designHost is the application as its designers see it.
type designHost struct{ a *App }

func (h designHost) Administers(view *authz.View, application string) bool {
	return h.a.MayAdminister(view, application)
}

func (h designHost) OwnsCode(ctx context.Context, view *authz.View, k kind.Kind, pack, code string, created bool) error {
	return h.a.ownsCode(ctx, view, k, pack, code, created)
}

func (h designHost) NewCode(code string) error { return newCode(code) }

func (h designHost) Served() *catalog.Catalog { return h.a.State().Catalog }

func (h designHost) Layout() (*schema.Schemas, error) { return h.a.schemas() }

func (h designHost) Digest(text *string) string { return DigestOf(text) }

func (h designHost) Pack(ctx context.Context, code string) (*design.Pack, error) {
	d, err := h.a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f := d.folder(code)
	if f == nil {
		return nil, nil //nolint:nilnil // no such pack
	}
	return &design.Pack{Code: f.Code, FS: f.FS, Base: f.Base}, nil
}

func (h designHost) With(ctx context.Context, pack, path, text string) (*catalog.Catalog, diag.List, error) {
	with, err := h.a.cfg.WithPublished(ctx, h.a.db)
	if err != nil {
		return nil, nil, err
	}
	before, _, err := with.Folders()
	if err != nil {
		return nil, nil, err
	}
	if with.only, err = h.a.aside(with); err != nil {
		return nil, nil, err
	}
	all := map[string]map[string]*string{}
	maps.Copy(all, with.Held)
	held := map[string]*string{}
	maps.Copy(held, all[pack])
	held[path], all[pack] = &text, held
	with.Held = all
	c, list, err := h.a.compiled(with)
	if err != nil {
		return nil, nil, err
	}
	after, _, err := with.Folders()
	if err != nil {
		return nil, nil, err
	}
	removed, err := h.a.removals(with, before, after, c)
	if removed.HasErrors() {
		c = nil
	}
	return c, inPacks(before, list.With(removed).Sorted()), err
}

func changesetOf(c design.Change) Changeset {
	set := Changeset{Note: c.Note, Files: []Change{{Pack: c.Pack, Path: c.Path, Text: &c.Text, Seen: c.Seen}}}
	if c.Also != nil {
		set.also = append(set.also, c.Also)
	}
	return set
}

func (h designHost) Look(ctx context.Context, view *authz.View, c design.Change) (*design.Plan, error) {
	p, err := h.a.lookAt(ctx, view, changesetOf(c))
	if err != nil {
		return nil, err
	}
	out := &design.Plan{Steps: []plan.Label{}, Class: p.Class}
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, s.Text)
	}
	for _, w := range p.Workflows {
		out.Steps = append(out.Steps, w.Text)
	}
	return out, nil
}

func (h designHost) Publish(ctx context.Context, view *authz.View, c design.Change) (int64, error) {
	p, err := h.a.publish(ctx, view, changesetOf(c), Confirmation{})
	if err == nil {
		return p.Version, nil
	}
	var refused *fault.Error
	if !errors.As(err, &refused) {
		return 0, err
	}
	of, ok := refused.Data.(Publication)
	if !ok {
		return 0, err
	}
	data := design.Refused{Diagnostics: of.Diagnostics}
	if len(of.Conflicts) > 0 {
		data.Seen = of.Conflicts[0].Seen
	}
	return 0, &fault.Error{Code: refused.Code, Args: refused.Args, Data: data, Err: refused.Err}
}
