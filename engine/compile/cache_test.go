package compile

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/schema"
)

// TestUnused: a document is read once, and a compilation that changes documents never gets one that another one has had.
func TestUnused(t *testing.T) {
	t.Parallel()
	c, s := &Cache{}, &schema.Schemas{}
	read := func() (list, role def.Document) {
		of := func(k kind.Kind, text string) def.Document {
			p := c.parsed(k, "shop/"+k.Path("x"), []byte(text), s)
			return p.decoded(k, def.Head{Code: "x", Pack: "shop", Node: p.root})
		}
		return of(listKind.Kind, `{"name": "货物"}`), of(accessKind.Kind, `{"name": "职员"}`)
	}
	list, role := read()
	again, roleAgain := read()
	if list != again || role != roleAgain {
		t.Error("read twice")
	}
	if c.unused(listKind.Kind, list) != list || c.unused(accessKind.Kind, role) != role {
		t.Error("the first compilation reads them once more")
	}
	other := c.unused(listKind.Kind, list)
	if other == list || other.Header().Name != "货物" || other.Header().Node != list.Header().Node {
		t.Errorf("the second compilation gets %+v", other)
	}
	if c.unused(accessKind.Kind, role) != role {
		t.Error("roles are read once more")
	}
}
