package design

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/publish"
)

// drawPortal draws a draft without errors as its author sees it.
func (s *Service) drawPortal(_ context.Context, d *Desk, c *catalog.Catalog, in Proof) (any, error) {
	if c == nil {
		return nil, nil //nolint:nilnil // a page with errors is not drawn
	}
	view, err := s.drafted.keep(d, in.Text, c)
	if err != nil {
		return nil, err
	}
	if p := view.Catalog.Portal(d.code); p != nil {
		return s.Portals().Draft(view, p), nil
	}
	return nil, nil //nolint:nilnil // as above
}

// PortalPreview draws the draft of a page that the server keeps for its editors; without one the page as it is served. In the
// place of a widget that is unfinished it says so.
func (s *Service) PortalPreview(ctx context.Context, view *authz.View, code string) (*portal.Page, error) {
	d, text, err := s.keptPortal(ctx, view, code)
	if err != nil {
		return nil, err
	}
	drafted, aside, err := s.draftedView(ctx, d, text)
	if err != nil {
		return nil, err
	}
	p := drafted.Catalog.Portal(d.code)
	if p == nil {
		return nil, fault.New(fault.PortalNotFound)
	}
	out := s.Portals().Draft(drafted, p)
	out.Widgets = markUnfinished(out.Widgets, aside)
	return out, nil
}

// draftedView is the view of a draft, without the widgets that are unfinished in it; it names their types by their ids.
func (s *Service) draftedView(ctx context.Context, d *Desk, text string) (*authz.View, map[string]string, error) {
	c, list, err := d.with(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	told := d.told(list)
	var aside map[string]string
	if c == nil || told.HasErrors() {
		if c, aside, err = d.drawable(ctx, text, list); err != nil {
			return nil, nil, err
		}
	}
	if c == nil {
		return nil, nil, &fault.Error{Code: fault.PublishFaulty, Args: []any{len(told)}, Data: Check{Diagnostics: told}}
	}
	drafted, err := s.drafted.keep(d, text, c)
	return drafted, aside, err
}

// PreviewScript is the script of such a draft, by its digest.
func (s *Service) PreviewScript(ctx context.Context, view *authz.View, code, digest string) (string, error) {
	d, text, err := s.keptPortal(ctx, view, code)
	if err != nil {
		return "", err
	}
	drafted, _, err := s.draftedView(ctx, d, text)
	if err != nil {
		return "", err
	}
	if p := drafted.Catalog.Portal(d.code); p != nil && p.Script != nil && p.Script.Digest == digest {
		return p.Script.Text, nil
	}
	return "", fault.New(fault.PortalNotFound)
}

// PreviewRows reads the records that a widget of such a draft lists.
func (s *Service) PreviewRows(ctx context.Context, view *authz.View, req portal.RowsRequest) (*portal.Rows, error) {
	d, text, err := s.keptPortal(ctx, view, req.Portal)
	if err != nil {
		return nil, err
	}
	return s.rows(ctx, d, text, req)
}

// keptPortal is the draft of a page, or else the page.
func (s *Service) keptPortal(ctx context.Context, view *authz.View, code string) (*Desk, string, error) {
	in, err := s.begunIn(ctx, view, code)
	if err != nil {
		return nil, "", err
	}
	d, err := s.open(ctx, view, portalName(in, code))
	if err != nil {
		return nil, "", err
	}
	kept, err := d.drafts(ctx)
	switch {
	case err != nil:
		return nil, "", err
	case len(kept) > 0:
		return d, kept[0].Text, nil
	case d.served == nil:
		return nil, "", fault.New(fault.PortalNotFound)
	}
	now, err := d.read(ctx)
	if err != nil {
		return nil, "", err
	}
	return d, now.Text, nil
}

// begunIn is the pack of a page of which there is only a draft; "" = it is served, or there is none.
func (s *Service) begunIn(ctx context.Context, view *authz.View, code string) (string, error) {
	if p := view.Catalog.Portal(code); p != nil && strings.EqualFold(p.Code, code) {
		return "", nil
	}
	k, err := s.kind(catalog.KindPortal)
	if err != nil {
		return "", err
	}
	drafts, err := publish.DraftsIn(ctx, s.DB, s.folder(k))
	for _, d := range drafts {
		if strings.EqualFold(s.codeOf(k, d.Path), code) {
			return d.Pack, nil
		}
	}
	return "", err
}

// DraftRows reads the records that a widget of a draft lists, with the rights of its author.
func (s *Service) DraftRows(ctx context.Context, view *authz.View, in Draft, req portal.RowsRequest) (*portal.Rows, error) {
	d, err := s.drafting(ctx, view, in)
	if err != nil {
		return nil, err
	}
	return s.rows(ctx, d, in.Text, req)
}

func (s *Service) rows(ctx context.Context, d *Desk, text string, req portal.RowsRequest) (*portal.Rows, error) {
	view := s.drafted.find(d, text)
	if view == nil {
		var err error
		if view, _, err = s.draftedView(ctx, d, text); err != nil {
			return nil, err
		}
	}
	if req.Draft = view.Catalog.Portal(d.code); req.Draft == nil {
		return nil, fault.New(fault.PortalNotFound)
	}
	return s.Portals().Rows(ctx, view, req)
}

// drafted are the rights over the catalogs of drafts that are being designed: a designer asks for the page and then for the rows of each
// widget.
type drafted struct {
	mu    sync.Mutex
	of    map[[sha256.Size]byte]*authz.Policy
	order [][sha256.Size]byte // the oldest first
}

const draftsAtOnce = 8

func (*drafted) key(d *Desk, text string) [sha256.Size]byte {
	c := d.Host.Served()
	return sha256.Sum256(fmt.Append(nil, c.Digest, "/", c.Version, "/", d.pack.Code, "/", d.code, "/", text))
}

func (f *drafted) find(d *Desk, text string) *authz.View {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.of[f.key(d, text)]; p != nil {
		return p.View(d.view.Principal(), d.Service.now(), d.Zone)
	}
	return nil
}

func (f *drafted) keep(d *Desk, text string, c *catalog.Catalog) (*authz.View, error) {
	policy, err := authz.Compile(c)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := f.key(d, text)
	if f.of == nil {
		f.of = map[[sha256.Size]byte]*authz.Policy{}
	}
	if f.of[key] == nil {
		if f.order = append(f.order, key); len(f.order) > draftsAtOnce {
			delete(f.of, f.order[0])
			f.order = f.order[1:]
		}
	}
	f.of[key] = policy
	return policy.View(d.view.Principal(), d.Service.now(), d.Zone), nil
}
