package app

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A later version of a pack may rename what published documents and drafts name. The renames are those between the names that were applied last and
// those of the packs' own files. Published documents follow in memory as soon as they are read, and are written, with the drafts, by the transaction
// that applies the renames: after it there is nothing to follow any more.

// following is what published documents and drafts become by renames that are not applied yet.
type following struct {
	documents overlay.Documents // by the code that the pack has in the database
	drafts    []draftChange
	note      string // of the changeset
	told      diag.List
}

type draftChange struct{ was, now publish.Draft }

// maxRenames is how many renames the note of a changeset names.
const maxRenames = 20

// followRenames makes published documents name things as the packs' own files do.
func (d *Documents) followRenames(ctx context.Context, db *store.DB) error {
	if d.packs != nil {
		return nil
	}
	if len(d.Published) == 0 {
		if has, err := publish.HasDrafts(ctx, db); err != nil || !has {
			return err
		}
	}
	steps, err := d.renames(ctx, db)
	if err != nil {
		return err
	}
	gone, err := d.movedRemovals()
	if err != nil {
		return err
	}
	out, published := &following{documents: overlay.Documents{}}, overlay.Documents{}
	for code, of := range d.Published {
		published[code] = slices.Clone(of)
	}
	if len(steps) > 0 {
		if out, published, err = d.carryOver(ctx, db, steps); err != nil {
			return err
		}
	}
	out.takeAway(d, published, gone)
	if len(out.documents)+len(out.drafts)+len(out.told) > 0 {
		out.note = noteOf(steps, gone)
		d.following, d.Published = out, published
	}
	return nil
}

// carryOver finds what published documents and drafts become by steps.
func (d *Documents) carryOver(ctx context.Context, db *store.DB, steps []names.Step) (*following, overlay.Documents, error) {
	drafts, err := publish.AllDrafts(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	f, err := d.follower(steps)
	if err != nil {
		return nil, nil, err
	}
	f.texts()
	for _, of := range byOwner(drafts) {
		f.draftsOf(of)
	}
	return f.out, f.published, nil
}

func byOwner(drafts []publish.Draft) map[string][]publish.Draft {
	out := map[string][]publish.Draft{}
	for _, d := range drafts {
		out[d.Owner] = append(out[d.Owner], d)
	}
	return out
}

func noteOf(steps []names.Step, gone []movedRemoval) string {
	var all []string
	for _, s := range steps {
		all = append(all, names.Join(s.Owner, s.Old)+" → "+s.New)
	}
	for _, m := range gone {
		all = append(all, m.was.Path+" → "+m.path)
	}
	if len(all) > maxRenames {
		all = append(all[:maxRenames], "…")
	}
	return strings.Join(all, ", ")
}

// follower changes the texts.
type follower struct {
	*rename.Following
	of        *Documents
	folders   []Folder // with the packs' own files
	merged    map[string]*string
	published overlay.Documents // as they become
	out       *following
}

func (d *Documents) follower(steps []names.Step) (*follower, error) {
	folders, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	schemas, err := d.schemas()
	if err != nil {
		return nil, err
	}
	packs := rename.Packs{Set: d.Set, Schemas: schemas, Options: compile.Options{Zone: d.Zone, Places: d.Places}}
	for _, f := range folders {
		of := f.Folder
		of.FS = f.Base
		packs.Folders = append(packs.Folders, rename.Folder{Folder: of})
	}
	f := &follower{Following: packs.Follow(steps), of: d, folders: folders, merged: map[string]*string{}, published: overlay.Documents{},
		out: &following{documents: overlay.Documents{}}}
	for code, of := range d.Published {
		f.published[code] = slices.Clone(of)
	}
	for i, folder := range folders {
		laid, _ := overlay.Lay(f.Older.Folders[i].FS, folder.Dir, d.published(folder.Code))
		for _, p := range d.published(folder.Code) {
			if overlay.IsPicture(p.Path) {
				continue
			}
			if f.merged[path.Join(folder.Dir, p.Path)], err = overlay.Text(laid, p.Path); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// texts finds what the published documents become. What is read is their text merged with their pack's change, as it is served; where their own
// text differs from that, it is read in its place, models apart from the rest, for others name what was merged into models. The files that they were
// made from are read all together: they are those of one earlier version of the packs.
func (f *follower) texts() {
	models, others, bases := maps.Clone(f.merged), maps.Clone(f.merged), map[string]*string{}
	f.each(func(_ Folder, file string, p overlay.Document) {
		switch same := equalTexts(f.merged[file], p.Text); {
		case !same && strings.HasPrefix(p.Path, modelFolder+"/"):
			models[file] = p.Text
		case !same:
			others[file] = p.Text
		}
		if p.Base != nil {
			bases[file] = p.Base
		}
	})
	served := f.Texts(f.merged)
	rounds := []rename.Followed{served}
	for _, over := range []map[string]*string{models, others} {
		round := served
		if !maps.EqualFunc(over, f.merged, equalTexts) {
			round = f.Texts(over)
		}
		rounds = append(rounds, round)
	}
	before := f.Texts(bases)
	left := map[string]diag.List{}
	f.each(func(folder Folder, file string, p overlay.Document) {
		of := rounds[0]
		if !equalTexts(f.merged[file], p.Text) {
			of = rounds[map[bool]int{true: 1, false: 2}[strings.HasPrefix(p.Path, modelFolder+"/")]]
		}
		for _, one := range of.Left {
			if one.File == file {
				left[file] = append(left[file], one)
			}
		}
		f.become(folder, file, p, of, before)
	})
	f.leave()
	f.tell(left)
}

// each goes through the published documents of packs that take part.
func (f *follower) each(do func(folder Folder, file string, p overlay.Document)) {
	for _, folder := range f.folders {
		for _, p := range f.of.published(folder.Code) {
			if !overlay.IsPicture(p.Path) {
				do(folder, path.Join(folder.Dir, p.Path), p)
			}
		}
	}
}

// become notes a published document as it becomes. One whose own text cannot follow stays as it is.
func (f *follower) become(folder Folder, file string, p overlay.Document, own, before rename.Followed) {
	change, changed := own.Changes[file]
	if !changed || p.Text == nil {
		return
	}
	now := p
	now.Path, now.Text = change.Moved(folder.Dir), &change.Text
	if base, found := before.Changes[file]; found {
		now.Base = &base.Text
	}
	for code, of := range f.published {
		if strings.EqualFold(code, folder.Code) {
			of[slices.IndexFunc(f.of.published(code), func(o overlay.Document) bool { return o.Path == p.Path })] = now
		}
	}
	pack := f.of.packInDatabase(folder.Code)
	f.out.documents[pack] = append(f.out.documents[pack], now)
	f.out.told = append(f.out.told, diag.New("PUB011", diag.Position{File: path.Join(folder.Dir, now.Path)}, p.Version))
}

// leave notes that nothing lies over the files any more that published documents have left.
func (f *follower) leave() {
	f.each(func(folder Folder, _ string, p overlay.Document) {
		pack := f.of.packInDatabase(folder.Code)
		there := func(o overlay.Document) bool { return o.Path == p.Path }
		for code, of := range f.published {
			if strings.EqualFold(code, folder.Code) && !slices.ContainsFunc(of, there) {
				f.out.documents[pack] = append(f.out.documents[pack], overlay.Document{Path: p.Path})
			}
		}
	})
}

// tell adds the places that stay as they are, and the words of scripts, which nobody changes.
func (f *follower) tell(left map[string]diag.List) {
	for _, list := range left {
		for _, one := range list {
			f.out.told = append(f.out.told, diag.New("PUB012", one.Position, diag.Text{Zh: one.Zh, En: one.En}).At(one.Pointer))
		}
	}
	f.each(func(_ Folder, file string, p overlay.Document) {
		if path.Ext(file) != ".js" || p.Text == nil {
			return
		}
		for _, use := range f.Mentions(file, *p.Text) {
			f.out.told = append(f.out.told, diag.New("PUB013", use.Position, use.Written))
		}
	})
}

// draftsOf finds what the drafts of an owner become.
func (f *follower) draftsOf(drafts []publish.Draft) {
	over, in := maps.Clone(f.merged), map[string]int{}
	for _, d := range drafts {
		i := slices.IndexFunc(f.folders, func(o Folder) bool { return strings.EqualFold(f.of.packInDatabase(o.Code), d.Pack) })
		if i >= 0 && overlay.Valid(d.Path) {
			file := path.Join(f.folders[i].Dir, d.Path)
			over[file], in[file] = &d.Text, i
		}
	}
	if len(in) == 0 {
		return
	}
	all := f.Texts(over)
	for _, d := range drafts {
		for file, i := range in {
			if c, changed := all.Changes[file]; changed && file == path.Join(f.folders[i].Dir, d.Path) {
				now := d
				now.Path, now.Text = c.Moved(f.folders[i].Dir), c.Text
				now.Seen = f.seen(i, d, now.Path)
				f.out.drafts = append(f.out.drafts, draftChange{d, now})
			}
		}
	}
}

// seen is the digest of the document that a draft began with, as it becomes, where the draft began with the one that is there.
func (f *follower) seen(i int, d publish.Draft, to string) string {
	folder := f.folders[i]
	was, _ := overlay.Lay(f.Older.Folders[i].FS, folder.Dir, f.of.published(folder.Code))
	old, err := overlay.Text(was, d.Path)
	if err != nil || DigestOf(old) != d.Seen {
		return d.Seen
	}
	laid, _ := overlay.Lay(folder.Base, folder.Dir, f.published[folder.Code])
	now, err := overlay.Text(laid, to)
	if err != nil {
		return d.Seen
	}
	return DigestOf(now)
}

// writesFollowing reports whether applying the documents publishes a version of those that follow.
func (d Documents) writesFollowing() bool {
	return d.following != nil && len(d.following.documents)+len(d.following.drafts) > 0
}

func equalTexts(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// Following writes, within the transaction that applies the documents, what published documents and drafts become by it; nil when nothing does. It is for
// store.ApplyOptions.Publish.
func (d Documents) Following() func(ctx context.Context, tx *store.Tx, version int64) error {
	if !d.writesFollowing() {
		return nil
	}
	return func(ctx context.Context, tx *store.Tx, version int64) error {
		set := publish.Changeset{Version: version, At: time.Now(), Note: d.following.note}
		if err := publish.Keep(tx, set, d.following.documents); err != nil {
			return err
		}
		if err := audit.Write(ctx, tx, publication(version, d.following.documents)); err != nil {
			return err
		}
		return d.following.changeDrafts(tx)
	}
}

func (f *following) changeDrafts(tx *store.Tx) error {
	for _, d := range f.drafts {
		if err := publish.ChangeDraft(tx, d.was, d.now); err != nil {
			return err
		}
	}
	return nil
}

// beside is what is written with a changeset that has documents of its own.
func (f *following) beside(own overlay.Documents) overlay.Documents {
	out := maps.Clone(own)
	for pack, of := range f.documents {
		for _, p := range of {
			if !slices.ContainsFunc(own[pack], func(o overlay.Document) bool { return o.Path == p.Path }) {
				out[pack] = append(slices.Clone(out[pack]), p)
			}
		}
	}
	return out
}
