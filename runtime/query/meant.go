package query

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// mostApart bounds the records of one name of which files tell one by its path or time.
const mostApart = 1000

// atTop is what tells a record that has none above it from others of its name.
const atTop = "/"

// apartFrom is between the path and the code of what tells a record apart.
const apartFrom = " · "

// Meant finds the records that the principal may see and that texts of a file mean, by the text: those that it names (Named), in a tree those whose
// path it is ("Project/Quality", from some record above them), those that it names with what tells them apart ("Pump (P-12)", as Apart
// says it, or one of their codes, or the id), and the one whose id it is.
func (r *Reader) Meant(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, display *catalog.Field, texts []string) (map[string][]Matched, error) {
	out, err := r.Named(ctx, tx, view, m, display, texts)
	if err != nil {
		return nil, err
	}
	l := meaning{r: r, ctx: ctx, tx: tx, view: view, m: m, display: display, out: out}
	if m.Tree != nil {
		if err := l.paths(texts); err != nil {
			return nil, err
		}
	}
	for _, find := range []func([]string) error{l.byCode, l.byID, l.byApart} {
		missing := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return len(out[text]) > 0 })
		if len(missing) == 0 {
			break
		}
		if err := find(missing); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// meaning is the search for what texts mean.
type meaning struct {
	r       *Reader
	ctx     context.Context
	tx      *store.Tx
	view    *authz.View
	m       *catalog.Model
	display *catalog.Field
	out     map[string][]Matched
}

func (l *meaning) named(texts []string) (map[string][]Matched, error) {
	slices.Sort(texts)
	return l.r.Named(l.ctx, l.tx, l.view, l.m, l.display, slices.Compact(texts))
}

// paths finds the records of a tree that texts name by their path, where no record is called so itself.
func (l *meaning) paths(texts []string) error {
	paths, steps := map[string][]string{}, []string{}
	for _, text := range texts {
		if parts := pathSteps(text); len(parts) > 1 && len(l.out[text]) == 0 {
			paths[text] = parts
			steps = append(steps, parts...)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	named, err := l.named(steps)
	if err != nil {
		return err
	}
	for text, parts := range paths {
		above := map[string]bool{}
		for i, part := range parts {
			here := map[string]bool{}
			for _, r := range named[part] {
				if i > 0 && !above[r.Parent] {
					continue
				}
				if here[r.ID] = true; i == len(parts)-1 {
					l.out[text] = append(l.out[text], r)
				}
			}
			above = here
		}
	}
	return nil
}

// pathSteps are the names of a path, from the top.
func pathSteps(path string) []string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// byCode finds records by their code, number or other unique text, and looks whether they are called so.
func (l *meaning) byCode(texts []string) error {
	var codes []string
	for _, text := range texts {
		for _, t := range property.Tellings(text) {
			codes = append(codes, codeOf(t.Detail))
		}
	}
	if len(codes) == 0 {
		return nil
	}
	found, err := l.named(codes)
	if err != nil {
		return err
	}
	shown, err := l.shown(found)
	if err != nil {
		return err
	}
	for _, text := range texts {
		for _, t := range property.Tellings(text) {
			for _, r := range found[codeOf(t.Detail)] {
				if r.isCalled(t.Name) || property.Plain(shown[r.ID].Name) == property.Plain(t.Name) {
					l.out[text] = append(l.out[text], r)
				}
			}
			if len(l.out[text]) > 0 {
				break
			}
		}
	}
	return nil
}

// shown is what relations show of some records where that is none of the texts by which they are found; otherwise nothing.
func (l *meaning) shown(found map[string][]Matched) (map[string]property.Named, error) {
	display := l.shownAs()
	if display == nil || slices.Contains(MatchFields(l.view, l.m, l.display), display) {
		return nil, nil
	}
	var ids []string
	for _, all := range found {
		for _, r := range all[:min(len(all), mostApart)] {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return l.r.names(l.ctx, l.view).batch(l.tx, want{l.m, display}, slices.Compact(ids))
}

// codeOf is the code in what tells a record apart.
func codeOf(detail string) string {
	if at := strings.LastIndex(detail, apartFrom); at >= 0 {
		return strings.TrimSpace(detail[at+len(apartFrom):])
	}
	return detail
}

func (r Matched) isCalled(name string) bool {
	plain := property.Plain(name)
	return slices.ContainsFunc(append(slices.Clip(r.called), r.Name), func(text string) bool { return property.Plain(text) == plain })
}

// byID finds records by their id, which may stand behind what relations show of them.
func (l *meaning) byID(texts []string) error {
	asked, ids := map[string]property.Telling{}, []string{}
	for _, text := range texts {
		for _, t := range append(property.Tellings(text), property.Telling{Detail: text}) {
			if id := strings.ToLower(t.Detail); uuid.Validate(id) == nil && len(id) == len(uuid.Nil.String()) {
				asked[text] = property.Telling{Name: t.Name, Detail: id}
				ids = append(ids, id)
				break
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	found, err := l.r.Versions(l.ctx, l.tx, l.view, l.m, ids)
	if err != nil {
		return err
	}
	var shown map[string]property.Named
	if display := l.shownAs(); display != nil {
		if shown, err = l.r.names(l.ctx, l.view).batch(l.tx, want{l.m, display}, ids); err != nil {
			return err
		}
	}
	for text, t := range asked {
		r, seen := found[t.Detail]
		if r.Name = shown[t.Detail].Name; seen && (t.Name == "" || property.Plain(r.Name) == property.Plain(t.Name)) {
			l.out[text] = []Matched{r}
		}
	}
	return nil
}

func (l *meaning) shownAs() *catalog.Field {
	if l.display != nil {
		return l.display
	}
	return l.m.Field(catalog.Name)
}

// byApart finds records by their names, and looks what tells them apart.
func (l *meaning) byApart(texts []string) error {
	var names []string
	for _, text := range texts {
		for _, t := range property.Tellings(text) {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	named, err := l.named(names)
	if err != nil {
		return err
	}
	var ids []string
	for _, found := range named {
		for _, r := range found[:min(len(found), mostApart)] {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	apart, err := l.r.Apart(l.ctx, l.tx, l.view, l.m, l.display, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, text := range texts {
		for _, t := range property.Tellings(text) {
			for _, r := range named[t.Name] {
				if tellsApart(t.Detail, r, apart[r.ID], l.m.Tree != nil) {
					l.out[text] = append(l.out[text], r)
				}
			}
			if len(l.out[text]) > 0 {
				break
			}
		}
	}
	return nil
}

// tellsApart reports whether what follows the name of a record is what tells it apart: all of it, its path, or the end of its path.
func tellsApart(detail string, r Matched, apart string, tree bool) bool {
	if tree && r.Parent == "" && detail == atTop {
		return true
	}
	path, _, _ := strings.Cut(apart, apartFrom)
	plain := property.Plain(detail)
	return apart != "" && (property.Plain(apart) == plain || property.Plain(path) == plain || strings.HasSuffix(property.Plain(path), "/"+plain))
}
