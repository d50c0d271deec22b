package compile

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/source"
)

// path resolves a dotted name through relations or into a sub-table. unknown is the code that reports a name that does not
// exist; the two wrong turns, through something that leads nowhere and behind a relation into rows, are PROP021 and PROP022.
func (c *compiler) path(m *model, text string, at source.Place, unknown string) (catalog.Path, bool) {
	return c.pathOr(m, text, at, func(candidates []string, in string) { c.suggest(unknown, at.Node, text, candidates, in) })
}

// pathOr is path with a report of its own for a name that does not exist; in is the model that lacks it.
func (c *compiler) pathOr(m *model, text string, at source.Place, unknown func(candidates []string, in string)) (catalog.Path, bool) {
	p := catalog.Path{Code: text}
	var spelled []string
	if text == "" {
		return p, false // a missing value is the schema's
	}
	words, begins := strings.Split(text, "."), 0
	for i, w := range words {
		f := c.named(m, w)
		if f == nil {
			if !m.poisoned(w) {
				unknown(prefixed(words[:i], m.codes()), m.Code)
			}
			return p, false
		}
		spelled = append(spelled, f.Code)
		c.noteField(f, w, at.Part(begins, len(w)))
		begins += len(w) + 1
		if i == len(words)-1 {
			p.Field, p.Code = f, strings.Join(spelled, ".")
			return p, true
		}
		switch {
		case m.lost[f]:
			return p, false
		case f.Sheet != nil && len(p.Steps) > 0:
			c.report("PROP022", at.Node, text)
			return p, false
		case f.Sheet != nil:
			p.Sheet = true
			m = c.of[f.Sheet]
		case f.Target != nil && !f.Multiple && !p.Sheet:
			m = c.of[f.Target]
		default:
			c.report("PROP021", at.Node, text, f.Code)
			return p, false
		}
		p.Steps = append(p.Steps, f)
	}
	return p, false
}

func prefixed(before, codes []string) []string {
	if len(before) == 0 {
		return codes
	}
	out := make([]string, len(codes))
	for i, code := range codes {
		out[i] = strings.Join(before, ".") + "." + code
	}
	return out
}
