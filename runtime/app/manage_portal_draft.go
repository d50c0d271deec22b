package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/publish"
)

// PortalCheck is what the compiler says to a draft, and how it looks.
type PortalCheck struct {
	*DesignCheck
	Page *portal.Page `json:"page"`
}

// CheckPortal compiles a draft with the other documents as they are now, and changes nothing. Without errors the page is drawn as its author sees it.
func (a *App) CheckPortal(ctx context.Context, view *authz.View, in PortalDraft) (*PortalCheck, error) {
	d, err := a.portalDraftDesk(ctx, view, in)
	if err != nil {
		return nil, err
	}
	check, c, err := d.check(Draft(in))
	if err != nil {
		return nil, err
	}
	out := &PortalCheck{DesignCheck: check}
	if c == nil || check.Diagnostics.HasErrors() {
		return out, nil
	}
	drafted, err := a.draftedPortals.keep(d, in.Text, c, view, a)
	if err != nil {
		return nil, err
	}
	if p := drafted.Catalog.Portal(d.code); p != nil {
		out.Page = a.Portals().Draft(drafted, p)
	}
	return out, nil
}

// PortalPreview draws the draft of a page that the server keeps for those who may edit it; without one the page as it is served. In the
// place of a widget that is unfinished it says so.
func (a *App) PortalPreview(ctx context.Context, view *authz.View, code string) (*portal.Page, error) {
	in, err := a.keptPortal(ctx, view, code)
	if err != nil {
		return nil, err
	}
	d, err := a.portalDraftDesk(ctx, view, in)
	if err != nil {
		return nil, err
	}
	drafted, aside, err := a.draftedView(d, in.Text, view)
	if err != nil {
		return nil, err
	}
	p := drafted.Catalog.Portal(d.code)
	if p == nil {
		return nil, fault.New(fault.PortalNotFound)
	}
	out := a.Portals().Draft(drafted, p)
	out.Widgets = markUnfinished(out.Widgets, aside)
	return out, nil
}

// draftedView is the view of a draft, without the widgets that are unfinished in it; it names their types by their ids.
func (a *App) draftedView(d *documentDesk, text string, view *authz.View) (*authz.View, map[string]string, error) {
	c, list, err := d.compiledWith(text)
	if err != nil {
		return nil, nil, err
	}
	told := d.told(list)
	var aside map[string]string
	if c == nil || told.HasErrors() {
		if c, aside, err = d.drawable(text, list); err != nil {
			return nil, nil, err
		}
	}
	if c == nil {
		return nil, nil, &fault.Error{Code: fault.PublishFaulty, Args: []any{len(told)}, Data: DesignCheck{Diagnostics: told}}
	}
	drafted, err := a.draftedPortals.keep(d, text, c, view, a)
	return drafted, aside, err
}

// PreviewScript is the script of such a draft, by its digest.
func (a *App) PreviewScript(ctx context.Context, view *authz.View, code, digest string) (string, error) {
	in, err := a.keptPortal(ctx, view, code)
	if err != nil {
		return "", err
	}
	d, err := a.portalDraftDesk(ctx, view, in)
	if err != nil {
		return "", err
	}
	drafted, _, err := a.draftedView(d, in.Text, view)
	if err != nil {
		return "", err
	}
	if p := drafted.Catalog.Portal(d.code); p != nil && p.Script != nil && p.Script.Digest == digest {
		return p.Script.Text, nil
	}
	return "", fault.New(fault.PortalNotFound)
}

// PreviewRows reads the records that a widget of such a draft lists.
func (a *App) PreviewRows(ctx context.Context, view *authz.View, req portal.RowsRequest) (*portal.Rows, error) {
	in, err := a.keptPortal(ctx, view, req.Portal)
	if err != nil {
		return nil, err
	}
	return a.DraftRows(ctx, view, in, req)
}

// keptPortal is the draft of a page, or else the page.
func (a *App) keptPortal(ctx context.Context, view *authz.View, code string) (PortalDraft, error) {
	application, err := a.begunIn(ctx, view, code)
	if err != nil {
		return PortalDraft{}, err
	}
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return PortalDraft{}, err
	}
	out := PortalDraft{App: d.pack.Code, Code: d.code, New: d.created}
	kept, err := a.portalDraft(ctx, d.pack.Code, d.path)
	if err != nil {
		return out, err
	}
	if kept != nil {
		out.Text, out.Seen = kept.Text, kept.Seen
		return out, nil
	}
	if d.created {
		return out, fault.New(fault.PortalNotFound)
	}
	now, err := d.read()
	out.Text, out.Seen = now.Text, now.Seen
	return out, err
}

// begunIn is the pack of a page of which there is only a draft; "" = it is served, or there is none.
func (a *App) begunIn(ctx context.Context, view *authz.View, code string) (string, error) {
	if p := view.Catalog.Portal(code); p != nil && strings.EqualFold(p.Code, code) {
		return "", nil
	}
	drafts, err := publish.DraftsIn(ctx, a.db, portalFolder)
	for _, d := range drafts {
		if strings.EqualFold(path.Base(d.Path), code+".json") {
			return d.Pack, nil
		}
	}
	return "", err
}

func (a *App) portalDraftDesk(ctx context.Context, view *authz.View, in PortalDraft) (*documentDesk, error) {
	if len(in.Text) > overlay.MaxText {
		return nil, fault.New(fault.BadParameter, "text")
	}
	d, err := a.portalDesk(ctx, view, in.App, in.Code)
	if err == nil && d.created && !in.New {
		return nil, fault.New(fault.PortalNotFound)
	}
	return d, err
}

// DraftRows reads the records that a widget of a draft lists, with the rights of its author.
func (a *App) DraftRows(ctx context.Context, view *authz.View, in PortalDraft, req portal.RowsRequest) (*portal.Rows, error) {
	d, err := a.portalDraftDesk(ctx, view, in)
	if err != nil {
		return nil, err
	}
	drafted := a.draftedPortals.find(d, in.Text, view, a)
	if drafted == nil {
		if drafted, _, err = a.draftedView(d, in.Text, view); err != nil {
			return nil, err
		}
	}
	if req.Draft = drafted.Catalog.Portal(d.code); req.Draft == nil {
		return nil, fault.New(fault.PortalNotFound)
	}
	return a.Portals().Rows(ctx, drafted, req)
}

// draftedPortals are the rights over the catalogs of drafts that are being designed: a designer asks for the page and then for the rows of
// each widget.
type draftedPortals struct {
	mu    sync.Mutex
	of    map[[sha256.Size]byte]*authz.Policy
	order [][sha256.Size]byte // the oldest first
}

const draftsAtOnce = 8

func (d *draftedPortals) key(desk *documentDesk, text string, a *App) [sha256.Size]byte {
	return sha256.Sum256(fmt.Append(nil, a.State().Catalog.Digest, "/", a.State().Catalog.Version, "/", desk.pack.Code, "/", desk.code, "/", text))
}

func (d *draftedPortals) find(desk *documentDesk, text string, view *authz.View, a *App) *authz.View {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.of[d.key(desk, text, a)]; p != nil {
		return p.View(view.Principal(), a.Now(), a.cfg.Zone)
	}
	return nil
}

func (d *draftedPortals) keep(desk *documentDesk, text string, c *catalog.Catalog, view *authz.View, a *App) (*authz.View, error) {
	policy, err := authz.Compile(c)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := d.key(desk, text, a)
	if d.of == nil {
		d.of = map[[sha256.Size]byte]*authz.Policy{}
	}
	if d.of[key] == nil {
		if d.order = append(d.order, key); len(d.order) > draftsAtOnce {
			delete(d.of, d.order[0])
			d.order = d.order[1:]
		}
	}
	d.of[key] = policy
	return policy.View(view.Principal(), a.Now(), a.cfg.Zone), nil
}

// LockPortal takes or renews the edit lock of a page, and tells who has it. over takes it from somebody else.
func (a *App) LockPortal(ctx context.Context, view *authz.View, application, code string, over bool) (PortalLock, error) {
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return PortalLock{}, err
	}
	l, err := a.Portals().TakeLock(ctx, d.code, view.Principal().UserID, over, a.Now())
	return a.toldLock(ctx, view, l), err
}

// UnlockPortal gives the edit lock of a page back.
func (a *App) UnlockPortal(ctx context.Context, view *authz.View, code string) error {
	return a.Portals().DropLock(ctx, code, view.Principal().UserID)
}

// holdsLock refuses a change by somebody who does not have the edit lock.
func (a *App) holdsLock(ctx context.Context, view *authz.View, code string) error {
	l, err := a.portalLock(ctx, view, code)
	if err != nil || l.Mine {
		return err
	}
	name := ""
	if l.OwnerName != nil {
		name = *l.OwnerName
	}
	return &fault.Error{Code: fault.PortalLockLost, Args: []any{name}, Data: l}
}

// KeepPortal keeps the draft of a page and tells when; the caller has the edit lock.
func (a *App) KeepPortal(ctx context.Context, view *authz.View, in PortalDraft) (time.Time, error) {
	d, err := a.portalDraftDesk(ctx, view, in)
	if err != nil {
		return time.Time{}, err
	}
	if err := a.holdsLock(ctx, view, d.code); err != nil {
		return time.Time{}, err
	}
	if err := a.mayShow(d, in.Text); err != nil {
		return time.Time{}, err
	}
	now := a.Now().UTC().Truncate(time.Millisecond)
	return now, publish.KeepDraft(ctx, a.db, publish.Draft{Owner: view.Principal().UserID, Pack: d.pack.Code, Path: d.path, Text: in.Text, Seen: in.Seen, At: now})
}

// DiscardPortal forgets the draft of a page.
func (a *App) DiscardPortal(ctx context.Context, view *authz.View, application, code string) error {
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return err
	}
	if err := a.holdsLock(ctx, view, d.code); err != nil {
		return err
	}
	return a.db.Write(ctx, d.forgetAll)
}

// PublishPortal publishes a draft; the caller has the edit lock.
func (a *App) PublishPortal(ctx context.Context, view *authz.View, in PortalDraft) (*DesignDocument, error) {
	d, err := a.portalDraftDesk(ctx, view, in)
	if err != nil {
		return nil, err
	}
	if err := a.holdsLock(ctx, view, d.code); err != nil {
		return nil, err
	}
	return d.publish(Draft(in), d.forgetAll)
}

// PortalHistory lists the versions of a page, the newest first.
func (a *App) PortalHistory(ctx context.Context, view *authz.View, application, code string) ([]AppVersion, error) {
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return nil, err
	}
	return d.history()
}

// PortalVersion is the document of a page as a version published it; 0 = the pack's own.
func (a *App) PortalVersion(ctx context.Context, view *authz.View, application, code string, version int64) (string, error) {
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return "", err
	}
	return d.version(version)
}
