package design

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// scope is whose documents a document may name: those of its application, or all for who administers all applications.
type scope struct {
	view  *authz.View
	app   *catalog.App
	whole bool
}

func (d *Desk) scope() scope { return scope{d.view, d.app, d.whole} }

func (in scope) own(pack string) bool { return strings.EqualFold(pack, in.app.Pack) }

// models are those that a document may be of.
func (in scope) models() []Choice {
	out := []Choice{}
	for _, m := range in.view.Catalog.Models {
		if own := in.own(m.Pack); m.Parent == nil && (own || in.whole) {
			out = append(out, Choice{Code: m.Code, Label: m.Label, Own: own})
		}
	}
	return out
}
