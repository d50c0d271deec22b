package compile

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/source"
)

// interfaceCodes declares what the interface of a pack names: an object whose values are texts or lists of texts, "property contract.amount", by
// the words that the TypeScript of the pack has for them (defineCodes of the SDK).
const interfaceCodes = "ui/codes.json"

// codes reads the declarations.
func (l *loader) codes() {
	if _, err := fs.Stat(l.fsys, interfaceCodes); errors.Is(err, fs.ErrNotExist) {
		return
	}
	data, err := readInside(l.fsys, interfaceCodes, source.MaxSize)
	if err != nil {
		l.report("CODE004", interfaceCodes)
		return
	}
	root, found := source.Parse(path.Join(l.dir, interfaceCodes), data)
	if l.out = append(l.out, found...); root != nil && root.Kind != source.Object {
		l.report("CODE004", interfaceCodes)
	}
	l.pack.Codes = root
}

// codeWords are the kinds that a declaration may name, as `sluice uses` calls them.
var codeWords = []string{"model", "property", "list", "form", "role", "workflow", "node", "print", "portal", "report", "dictionary", "option"}

// interfaceCodes looks for what the interface of a pack names.
func (c *compiler) interfaceCodes(p *def.Pack, told map[string]bool) {
	for _, one := range p.Codes.Entries() {
		texts := one.Items()
		if one.Kind != source.Array {
			texts = []*source.Node{one}
		}
		for _, n := range texts {
			word, of, ok := strings.Cut(n.Text(), " ")
			if !ok || of == "" || !slices.Contains(codeWords, word) {
				c.report("CODE004", n)
				continue
			}
			kind := names.Kind(word)
			if word == "role" {
				kind = names.Role
			}
			c.compileCode(declared{Code: pack.Code{Kind: kind, Path: of, Pack: p.Code}, told: told, text: n})
		}
	}
}
