package compile

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// pageParts are the parts that a list's page is made of. All but text stand at most once.
var pageParts = []string{"toolbar", "filter", "table", "pager", "text"}

// unless is a switch that is on by default.
func unless(set *bool) bool { return set == nil || *set }

// pageLayout compiles htmlJson. A layout at fault harms the layout alone: the list keeps the usual one, and its page says what
// is wrong, as check does.
func (c *compiler) pageLayout(p def.Presentation) ([]catalog.PagePart, plan.Label) {
	var fault plan.Label
	report := func(d diag.Diagnostic) {
		c.out = append(c.out, d)
		if fault.Zh == "" {
			fault = plan.Label{Zh: d.Zh, I18n: map[string]string{"en": d.En}}
		}
	}
	var out []catalog.PagePart
	var seen []string
	for _, part := range p.Layout {
		at := member(part.Node, "part")
		switch {
		case !slices.Contains(pageParts, part.Part):
			report(problem("LIST071", at, part.Part).Suggest(part.Part, pageParts))
		case part.Part != "text" && slices.Contains(seen, part.Part):
			report(problem("LIST072", at, part.Part))
		}
		seen = append(seen, part.Part)
		tone := part.Tone
		if tone == "" {
			tone = "info"
		}
		out = append(out, catalog.PagePart{Part: part.Part, Width: part.Width, Text: plan.Label{Zh: part.Text, I18n: part.TextI18n}, Tone: tone})
	}
	if len(p.Layout) > 0 && !slices.Contains(seen, "table") {
		report(problem("LIST073", layoutNode(p)))
	}
	if fault.Zh != "" {
		return nil, fault
	}
	return out, fault
}

func layoutNode(p def.Presentation) *source.Node { return member(p.Node, "htmlJson") }
