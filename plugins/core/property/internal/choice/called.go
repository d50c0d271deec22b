package choice

import (
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
)

// called finds options by their codes and labels, as they are spelled and in their plain form. It is made when it is first asked for.
type called struct {
	once    sync.Once
	spelled map[string][]int
	plain   map[string][]int
}

func (f Field) calledSo() *called {
	c := f.called
	c.once.Do(func() {
		c.spelled, c.plain = map[string][]int{}, map[string][]int{}
		for i, o := range f.choices {
			for _, text := range append(labels(o.Label), o.Label.Zh, o.Code) {
				note(c.spelled, strings.TrimSpace(text), i)
				note(c.plain, property.Plain(text), i)
			}
		}
	})
	return c
}

func note(in map[string][]int, text string, option int) {
	if text != "" && !slices.Contains(in[text], option) {
		in[text] = append(in[text], option)
	}
}

// meant are the options that a text names: the one with this code, else as property.Meant finds those that have it as code or label, else those
// that property.Told tells apart by their codes.
func (f Field) meant(word string) []int {
	if i, ok := f.place[word]; ok {
		return []int{i}
	}
	c := f.calledSo()
	if spelled := c.spelled[word]; len(spelled) > 0 {
		return spelled
	}
	if alike := c.plain[property.Plain(word)]; len(alike) > 0 {
		return alike
	}
	for _, t := range property.Tellings(word) {
		so := slices.DeleteFunc(slices.Clone(c.plain[property.Plain(t.Name)]), func(i int) bool {
			return property.Plain(f.choices[i].Code) != property.Plain(t.Detail)
		})
		if exact := slices.DeleteFunc(slices.Clone(so), func(i int) bool { return f.choices[i].Code != t.Detail }); len(exact) > 0 {
			so = exact
		}
		if len(so) > 0 {
			return so
		}
	}
	return nil
}

// written finds the option that somebody means in a file. It refuses what is none, and what several are called.
func (f Field) written(word string) (string, error) {
	word = strings.TrimSpace(word)
	switch meant := f.meant(word); len(meant) {
	case 0:
		return "", property.Refuse(fault.FieldOption, word)
	case 1:
		return f.choices[meant[0]].Code, nil
	}
	return "", property.Refuse(fault.CellAmbiguous, word)
}

// SheetText is what files hold: labels where they are read as these options, else with the code behind it, else the code.
func (f Field) SheetText(v any, c property.TextContext) string {
	var out []string
	for _, code := range column.Members(v) {
		out = append(out, f.telling(code, c.Locale))
	}
	if _, several := v.([]string); several {
		return property.JoinList(out)
	}
	return strings.Join(out, property.ListSeparator)
}

// telling is a text that means one option alone. An option that was removed is told by its code.
func (f Field) telling(code, locale string) string {
	i, ok := f.place[code]
	if !ok {
		return code
	}
	label := strings.TrimSpace(f.choices[i].Label.In(locale))
	for _, text := range []string{label, property.Told(label, code)} {
		if meant := f.meant(text); label != "" && len(meant) == 1 && meant[0] == i {
			return text
		}
	}
	return code
}
