package importer

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/sheethead"
)

// heading is how headings are told apart.
func heading(text string) string { return sheethead.Plain(text) }

// meaning is what a heading can be. One that is not sure has to be asked for.
type meaning struct {
	codes []string
	sure  bool // it is the one code
}

// index finds the properties of a model by their headings.
type index struct{ of *sheethead.Index }

func newIndex() *index { return &index{sheethead.New()} }

// add gives a property its names: those of its labels with the group before them, and its code.
func (x *index) add(f *catalog.Field, code string, spelled func(string) string) {
	c := sheethead.Column{Code: code, Last: f.Code, Labels: []string{f.Label.In("zh"), f.Label.In("en")}}
	if m, counted := f.Property.(property.Measured); counted {
		c.Unit, c.Counted = m.Unit(), true
	}
	x.of.Add(c, spelled)
}

func (x *index) mean(text string) meaning {
	m := x.of.Mean(text)
	return meaning{m.Codes, m.Sure}
}
