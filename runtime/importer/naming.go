package importer

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

// naming finds what the texts of one cell mean.
type naming struct {
	j     *judge
	c     Column
	row   *int
	slots []slot
}

// slot is a part of a cell: the entry that was found for it, or those among which the record decides.
type slot struct {
	text            string
	entry           Entry
	known           bool // entry is the one; without an id it is one of the file that is not written yet
	found, disabled []Entry
}

// parts are the texts of a cell that each mean one thing. In a field of one the whole text counts, and a list only to be refused as one.
func (n *naming) parts(ctx context.Context, text string) []Entry {
	known := func(text string) bool {
		s := n.slot(ctx, text)
		return s.known || len(s.found)+len(s.disabled) > 0
	}
	list := []string{text}
	if multiple(n.c.Field) {
		list = property.PartList(text, known)
	} else if !known(text) {
		if plain := property.Unquoted(text); plain != text && known(plain) {
			list = []string{plain}
		} else if all := property.PartList(text, known); len(all) > 1 && slices.ContainsFunc(all, known) {
			list = all
		}
	}
	out := make([]Entry, len(list))
	for i, text := range list {
		out[i] = Entry{Name: text}
	}
	return out
}

func (n *naming) slot(ctx context.Context, text string) slot {
	s := slot{text: text}
	s.found, s.disabled = n.j.look.find(ctx, n.c.Field, text)
	switch {
	case len(s.found) == 1:
		s.entry, s.known = s.found[0], true
	case len(s.found)+len(s.disabled) == 0:
		s.known = n.j.planned != nil && n.c.Field.Target == n.j.m && n.j.planned(text)
	}
	return s
}

// resolve finds the entry of each part: first where the text alone says it, then where the record does.
func (n *naming) resolve(ctx context.Context, parts []Entry, held any) *Verdict {
	for _, e := range parts {
		if e.ID != "" {
			n.slots = append(n.slots, slot{entry: e, known: true})
			continue
		}
		n.slots = append(n.slots, n.slot(ctx, e.Name))
	}
	for i := range n.slots {
		if n.slots[i].known {
			continue
		}
		if wrong := n.among(ctx, i, heldIDs(n.c.Field, held)); wrong != nil {
			return wrong
		}
	}
	return nil
}

// among takes for a part one of those that the record has, when no more of them are left than the cell has parts of this text.
func (n *naming) among(ctx context.Context, i int, held []string) *Verdict {
	s := &n.slots[i]
	var left []Entry
	for _, e := range append(slices.Clone(s.found), s.disabled...) {
		taken := slices.ContainsFunc(n.slots, func(s slot) bool { return s.known && s.entry.ID == e.ID })
		if slices.Contains(held, e.ID) && !taken {
			left = append(left, e)
		}
	}
	slices.SortStableFunc(left, func(a, b Entry) int { return slices.Index(held, a.ID) - slices.Index(held, b.ID) })
	same := 0
	for _, other := range n.slots {
		if !other.known && property.Plain(other.text) == property.Plain(s.text) {
			same++
		}
	}
	if len(left) > 0 && len(left) <= same {
		s.entry, s.known = left[0], true
		return nil
	}
	code := fault.CellAmbiguous
	switch {
	case len(s.found)+len(left) > 0:
	case len(s.disabled) > 0:
		code = fault.CellDisabled
	default:
		code = fault.CellNotFound
	}
	wrong := refuse(n.c.Code(), n.row, code, s.text)
	if wrong.Suggestions = n.j.look.toldApart(ctx, s.found[:min(len(s.found), suggested)]); len(s.found) == 0 {
		wrong.Suggestions = n.j.look.like(ctx, n.c.Field, s.text)
	}
	return &wrong
}

// holding is a property that also reads what a record holds and nobody can choose any more; nil where there is no such thing.
func holding(f *catalog.Field, held any) *catalog.Field {
	h, ok := f.Property.(property.Holder)
	if !ok || held == nil {
		return nil
	}
	over := *f
	over.Property = h.Holding(held)
	return &over
}

// chosen are the entries that were found; those of the file that are not written yet have no id to give.
func (n *naming) chosen() (out []Entry) {
	for _, s := range n.slots {
		if s.entry.ID != "" {
			out = append(out, s.entry)
		}
	}
	return out
}
