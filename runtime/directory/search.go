package directory

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/mozillazg/go-pinyin"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Found is a hit of a search.
type Found struct {
	ID, Name, ImageURL string
	Detail             string // of a person the main department's name, of a department that of the one above
	Leaf               bool   // nothing lies below
}

// Search finds people (User, without the disabled ones) or departments (Department) by name, full pinyin, initials or
// sign-in name. below, when given, keeps the departments right below one ("" = roots), or the members of one. total counts
// all hits; of them those from skip on are returned, at most limit.
func (d *Directory) Search(ctx context.Context, model, keyword string, below *string, skip, limit int) (found []Found, total int) {
	o := d.organisation(ctx)
	word := store.Fold(strings.TrimSpace(keyword))
	for _, e := range o.entries[model] {
		if !strings.Contains(e.name, word) && !strings.Contains(e.sounds, word) || below != nil && !o.lies(model, e.id, *below) {
			continue
		}
		if total++; total > skip && len(found) < limit {
			found = append(found, o.found(model, e.id))
		}
	}
	return found, total
}

func (o *organisation) lies(model, id, department string) bool {
	if model == User {
		return slices.Contains(o.people[id].Departments, department)
	}
	return o.departments[id].Parent == department
}

func (o *organisation) found(model, id string) Found {
	if model == User {
		p := o.people[id]
		return Found{ID: id, Name: p.Name, ImageURL: p.ImageURL, Detail: o.departments[p.MainDepartment].Name, Leaf: true}
	}
	dep := o.departments[id]
	return Found{ID: id, Name: dep.Name, Detail: o.departments[dep.Parent].Name, Leaf: len(o.children[id]) == 0}
}

// Pinyin is how a name sounds: its full pinyin and its initials, separated by a space ("张伟": "zhangwei zw"). Letters and
// digits stay, folded; all else disappears. runtime/record keeps it in the column name__pinyin.
func Pinyin(name string) string {
	var full, initials strings.Builder
	args := pinyin.NewArgs()
	for _, r := range name {
		if sound := pinyin.SinglePinyin(r, args); len(sound) > 0 {
			full.WriteString(sound[0])
			initials.WriteByte(sound[0][0])
		} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
			full.WriteRune(unicode.ToLower(r))
			initials.WriteRune(unicode.ToLower(r))
		}
	}
	return full.String() + " " + initials.String()
}
