package portal

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Upload is a picture of a page that somebody brought.
type Upload struct {
	ID   string
	Icon bool // it is drawn small
}

// Uploads are the pictures of a page that were brought, each once; one that is an icon somewhere is one.
func Uploads(p *catalog.Portal) (out []Upload) {
	known := map[string]int{}
	eachPicture(p, func(key, name string) {
		if !uploaded(name) {
			return
		}
		icon := strings.HasSuffix(strings.ToLower(key), "icon")
		if i, ok := known[name]; ok {
			out[i].Icon = out[i].Icon || icon
			return
		}
		known[name] = len(out)
		out = append(out, Upload{name, icon})
	})
	return out
}

// eachPicture visits the pictures that a page names, with the keys they have.
func eachPicture(p *catalog.Portal, visit func(key, name string)) {
	named := func(key string, value any) {
		if name, ok := value.(string); ok && name != "" {
			visit(key, name)
		}
	}
	const background = "backgroundImg"
	named(background, p.Page[background])
	var in func([]*catalog.Widget)
	in = func(widgets []*catalog.Widget) {
		for _, w := range widgets {
			named(background, w.Style[background])
			for _, picture := range w.Pictures {
				last := len(picture.At) - 1
				if of, found := at(w.Options, picture.At[:last]); found {
					named(picture.At[last], of[picture.At[last]])
				}
			}
			in(w.Widgets)
		}
	}
	in(p.Widgets)
}

// names reports whether a page names an upload.
func names(p *catalog.Portal, id string) (found bool) {
	eachPicture(p, func(_, name string) { found = found || name == id })
	return found
}

// ShowsFile reports whether a page that the principal may open shows an upload.
func (s *Service) ShowsFile(view *authz.View, id string) bool {
	for _, p := range view.Catalog.Portals() {
		if names(p, id) && s.reads(view, p) {
			return true
		}
	}
	return false
}

// Holds reports whether a page shows an upload.
func (s *Service) Holds(c *catalog.Catalog, id string) bool {
	for _, p := range c.Portals() {
		if names(p, id) {
			return true
		}
	}
	return false
}
