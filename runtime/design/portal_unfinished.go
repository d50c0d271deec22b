package design

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/portal"
)

// unfinishedType is the type of a widget that cannot be drawn yet: no pack has such a type, and the compiler keeps its place.
const unfinishedType = "~unfinished"

// drawableRounds bounds how often a text is compiled: what is set aside may uncover what was not looked at before.
const drawableRounds = 4

// drawable compiles a draft without what is unfinished in it: widgets with errors keep only their places, and what the page itself says
// wrongly is left out. It returns the types of those widgets by their ids; no catalog = the page cannot be drawn at all.
func (d *Desk) drawable(ctx context.Context, text string, list diag.List) (*catalog.Catalog, map[string]string, error) {
	root, err := edit.Parse(text)
	if err != nil {
		return nil, nil, nil //nolint:nilerr // what is no JSON cannot be drawn
	}
	aside := map[string]string{}
	for range drawableRounds {
		changed := false
		for _, one := range d.told(list) {
			if one.Severity == diag.Error && setAside(root, d.path, one, aside) {
				changed = true
			}
		}
		if !changed {
			return nil, nil, nil
		}
		text, err := root.JSON(bare{})
		if err != nil {
			return nil, nil, err
		}
		var c *catalog.Catalog
		if c, list, err = d.with(ctx, text); err != nil {
			return nil, nil, err
		}
		if c != nil && !d.told(list).HasErrors() {
			return c, aside, nil
		}
	}
	return nil, nil, nil
}

// setAside takes out of a page what a diagnostic is about; false = it finds nothing to take out.
func setAside(root *edit.Node, file string, one diag.Diagnostic, aside map[string]string) bool {
	switch {
	case strings.HasPrefix(one.File, file+"#"):
		return dropped(root, "scriptText")
	case one.File != file:
		return false
	}
	keys := strings.Split(strings.TrimPrefix(one.Pointer, "/"), "/")
	if one.Pointer == "" || keys[0] != "widgets" || len(keys) == 1 {
		if keys[0] == "page" && len(keys) > 1 {
			return dropped(root.Get("page"), keys[1])
		}
		return keys[0] != "widgets" && dropped(root, keys[0])
	}
	at, place := root, []string{}
	var list *edit.Node
	index := 0
	for len(keys) > 1 && keys[0] == "widgets" {
		i, err := strconv.Atoi(keys[1])
		next := at.Get("widgets")
		if err != nil || i < 0 || i >= len(next.Items()) {
			break
		}
		list, index, at = next, i, next.Items()[i]
		place, keys = append(place, keys[1]), keys[2:]
	}
	if list == nil || at.Get("type").Text() == unfinishedType {
		return false
	}
	next := edit.Value(map[string]any{"type": unfinishedType})
	for key, most := range map[string]int{"x": catalog.PortalColumns - 1, "y": 10000, "width": catalog.PortalColumns, "height": 1000} {
		if n, ok := number(at.Get(key)); ok && n <= most && (n > 0 || n == 0 && (key == "x" || key == "y")) {
			next.Set(key, edit.Value(n))
		}
	}
	if x, ok := number(next.Get("x")); ok {
		if w, ok := number(next.Get("width")); ok && x+w > catalog.PortalColumns {
			next.Set("width", edit.Value(catalog.PortalColumns-x))
		}
	}
	id := strings.Join(place, ".")
	if code := at.Get("code").Text(); code != "" && (len(keys) == 0 || keys[0] != "code") {
		next.Set("code", edit.Value(code)) // scripts go on finding it
		id = code
	}
	aside[id] = at.Get("type").Text()
	list.Members[index] = next
	return true
}

func dropped(of *edit.Node, key string) bool {
	if of.Get(key) == nil {
		return false
	}
	of.Set(key, nil)
	return true
}

func number(n *edit.Node) (int, bool) {
	if n == nil || n.Kind != source.Number {
		return 0, false
	}
	text, err := n.JSON(bare{})
	if err != nil {
		return 0, false
	}
	out, err := strconv.Atoi(strings.TrimSpace(text))
	return out, err == nil
}

// markUnfinished gives widgets that were set aside their types again.
func markUnfinished(widgets []portal.Widget, aside map[string]string) []portal.Widget {
	out := slices.Clone(widgets)
	for i := range out {
		w := &out[i]
		if w.Type == unfinishedType {
			problem := catalog.WidgetUnfinished
			w.Type, w.Problem = aside[w.ID], &problem
		}
		w.Widgets = markUnfinished(w.Widgets, aside)
	}
	return out
}

// bare is the layout of documents whose form does not matter.
type bare struct{}

func (bare) Keys(*source.Node) []string { return nil }
func (bare) Short(*source.Node) string  { return "" }
