package app

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// NewCode gives a thing another code.
type NewCode struct {
	App  string `json:"appCode"` // of which the caller is an administrator
	Kind string `json:"kind"`
	Name string `json:"name"` // as it is defined: "contract.items.amount"
	Code string `json:"code"`
	Intent
}

// Recoded is what a new code changes, or changed.
type Recoded struct {
	Publication
	Files    []RecodedFile   `json:"files"`
	Places   int             `json:"places"`   // that name it, definition included
	Possible []UsingDocument `json:"possible"` // places that nobody changes
	Drafts   []DraftedFile   `json:"drafts"`   // of the caller, which follow and stay drafts
}

// RecodedFile is a document that changes; its file is called otherwise where To is another path.
type RecodedFile struct {
	Pack string `json:"pack"`
	Path string `json:"path"`
	To   string `json:"to"`
}

// recoded are the folders whose documents those who administer an application may change by a rename; what holds rights, rows or models is for those
// who publish documents.
var recoded = []string{"lists", "forms", "workflows", printFolder, portalFolder}

// Recode gives a thing that an application owns another code, in all documents that name it, as one publication; with Check it tells what that
// would do. What a pack brings keeps its code: its next version would bring the old one again.
func (a *App) Recode(ctx context.Context, view *authz.View, in NewCode) (*Recoded, error) {
	n, err := a.named(ctx, view, in.App)
	if err != nil {
		return nil, err
	}
	k := rename.KindOf(in.Kind)
	if k == "" {
		return nil, fault.New(fault.BadParameter, "kind")
	}
	t, ok := n.served.Read().Thing(k, in.Name)
	if !ok || !n.sees(n.thing(t).Pack) {
		return nil, fault.New(fault.NameNotFound, in.Name)
	}
	if !n.own(t) {
		return nil, fault.New(fault.NameOfPack, t.Path)
	}
	request := rename.Request{Kind: k, Old: t.Path, New: in.Code}
	done, refused := n.served.Rename(request)
	out := &Recoded{Publication: none(a.State().Catalog.Version), Files: []RecodedFile{}, Possible: []UsingDocument{}, Drafts: []DraftedFile{}}
	if refused.HasErrors() {
		out.Diagnostics = inPacks(n.folders, refused)
		if in.Check {
			return out, nil
		}
		return nil, &fault.Error{Code: fault.PublishFaulty, Args: []any{refused.Errors()}, Data: *out}
	}
	set, err := n.changeset(done)
	if err != nil {
		return nil, err
	}
	set.Note = plan.Label{Zh: "修改编码 " + t.Path + " → " + in.Code, I18n: en("rename code " + t.Path + " to " + in.Code)}.In(view.Principal().Locale)
	for _, c := range done.Changes {
		pack, from, _ := n.Within(c.From)
		_, to, _ := n.Within(c.To)
		out.Files = append(out.Files, RecodedFile{pack, from, to})
	}
	out.Places, out.Possible = done.Places, n.listed(done.Possible, &Usage{})
	follow := n.draftsAfter(request, done)
	for _, one := range follow {
		out.Drafts = append(out.Drafts, DraftedFile{one.old.Pack, one.old.Path})
	}
	set.also = append(set.also, moveDrafts(follow))
	var p *Publication
	if in.Check {
		p, err = a.lookAt(ctx, view, set)
	} else {
		p, err = a.publish(ctx, view, set, Confirmation{Steps: in.Confirm, AllowDestructive: in.AllowDestructive})
	}
	if err != nil {
		return nil, err
	}
	out.Publication = *p
	return out, nil
}

// none is the publication of nothing.
func none(version int64) Publication {
	return Publication{Version: version, Diagnostics: diag.List{}, Conflicts: []Conflict{}, Steps: []store.Step{}, Class: store.Safe}
}

// own reports whether a thing is defined in a document that the installation made, and that the caller may change. The code of an application is
// nobody's here: what was published in it is kept by that code.
func (n *nameDesk) own(t rename.Thing) bool {
	if t.Kind == names.App {
		return false
	}
	pack, file, ok := n.Within(t.File)
	f := n.folder(pack)
	if !ok || f == nil || !n.mayRecode(pack, file) {
		return false
	}
	base, err := overlay.Text(f.Base, file)
	return err == nil && base == nil
}

func (n *nameDesk) folder(code string) *Folder {
	if i := slices.IndexFunc(n.folders, func(f Folder) bool { return f.Code == code }); i >= 0 {
		return &n.folders[i]
	}
	return nil
}

// mayRecode reports whether the caller may change a document by a rename.
func (n *nameDesk) mayRecode(pack, file string) bool {
	folder, _, inside := strings.Cut(file, "/")
	return n.view.Has(authoring) || n.sees(pack) && (file == appFile || inside && slices.Contains(recoded, folder))
}

// fixed reports whether a rename must leave a file as it is: it is a pack's, and nobody has published it, or it is not the caller's to change.
func (n *nameDesk) fixed(f Folder) func(file string) bool {
	return func(file string) bool {
		if !n.mayRecode(f.Code, file) {
			return true
		}
		base, err := overlay.Text(f.Base, file)
		return err != nil || base != nil && n.documents.since(f.Code, file) == 0
	}
}

// changeset is what a rename changes, as files of a publication.
func (n *nameDesk) changeset(of *rename.Result) (set Changeset, err error) {
	for _, c := range of.Changes {
		pack, from, _ := n.Within(c.From)
		_, to, _ := n.Within(c.To)
		now, err := overlay.Text(n.folder(pack).FS, from)
		if err != nil {
			return set, err
		}
		seen := DigestOf(now)
		if from != to {
			set.Files = append(set.Files, Change{Pack: pack, Path: from, Seen: seen})
			seen = ""
		}
		set.Files = append(set.Files, Change{Pack: pack, Path: to, Text: &c.Text, Seen: seen})
	}
	return set, nil
}

// followingDraft is a draft of the caller, and what becomes of it.
type followingDraft struct{ old, now publish.Draft }

// draftsAfter are the drafts of what a rename changes, with the new code. One in which it cannot be given stays as it is.
func (n *nameDesk) draftsAfter(request rename.Request, served *rename.Result) (out []followingDraft) {
	if len(n.kept) == 0 {
		return nil
	}
	done, refused := n.drafted.Rename(request)
	if refused.HasErrors() {
		return nil
	}
	for _, c := range done.Changes {
		pack, from, _ := n.Within(c.From)
		_, to, _ := n.Within(c.To)
		for _, one := range n.kept {
			if one.Pack != pack || one.Path != from {
				continue
			}
			now := one
			now.Path, now.Text, now.At = to, c.Text, n.app.Now()
			if i := slices.IndexFunc(served.Changes, func(s rename.Change) bool { return s.From == c.From }); i >= 0 && one.Seen == n.seenOf(pack, from) {
				now.Seen = DigestOf(&served.Changes[i].Text) // it began with what is renamed
			}
			out = append(out, followingDraft{one, now})
		}
	}
	return out
}

// seenOf is the digest of a document as it is served.
func (n *nameDesk) seenOf(pack, file string) string {
	text, err := overlay.Text(n.folder(pack).FS, file)
	if err != nil {
		return ""
	}
	return DigestOf(text)
}

// moveDrafts keeps drafts in place of those that they were.
func moveDrafts(all []followingDraft) store.Do {
	return func(_ context.Context, tx *store.Tx) error {
		for _, one := range all {
			if err := publish.DropDraft(tx, one.old.Owner, one.old.Pack, one.old.Path); err != nil {
				return err
			}
			if err := publish.PutDraft(tx, one.now); err != nil {
				return err
			}
		}
		return nil
	}
}
