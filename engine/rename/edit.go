package rename

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
)

// edits are the new texts of files.
type edits struct {
	changes []Change
	moved   map[string]string // files that get another name
	refused diag.List
	define  func(object *source.Node, define compile.Reference, code string) splice // what changes in a definition beside its code
}

// now is what a file is called after the edits.
func (e *edits) now(file string) string {
	if to, ok := e.moved[file]; ok {
		return to
	}
	return file
}

func (e *edits) over() map[string]*string {
	out := map[string]*string{}
	for _, c := range e.changes {
		if c.From != c.To {
			out[c.From] = nil
		}
	}
	for _, c := range e.changes {
		out[c.To] = &c.Text
	}
	return out
}

// splice is a text in place of bytes of a file.
type splice struct {
	from, to int
	text     string
}

// edit makes the texts in which a name is replaced wherever it is used.
func (p Packs) edit(all []renaming) *edits {
	e := &edits{moved: map[string]string{}, define: former}
	splices := map[string][]splice{}
	for _, r := range all {
		p.replace(e, r, splices)
	}
	e.changeAll(p, splices)
	return e
}

// changeAll makes the texts of all files that are spliced or moved.
func (e *edits) changeAll(p Packs, splices map[string][]splice) {
	files := map[string]bool{}
	for file := range splices {
		files[file] = true
	}
	for file := range e.moved {
		files[file] = true
	}
	for file := range files {
		e.change(p, file, splices[file])
	}
	slices.SortFunc(e.changes, func(a, b Change) int { return cmp.Compare(a.From, b.From) })
}

// replace notes the splices of one rename.
func (p Packs) replace(e *edits, r renaming, splices map[string][]splice) {
	for _, one := range r.refs {
		file := one.Node.File()
		if one.File {
			if to := path.Join(path.Dir(file), r.New+path.Ext(file)); one.Kind == r.Kind && strings.EqualFold(stem(file), stem(one.Path)) {
				e.moved[file] = to
				if p.exists(to) {
					e.refused = append(e.refused, diag.New("RENAME011", diag.Position{File: to}, to))
				}
			}
		} else if array := one.Node.Parent; one.Defines && array != nil && array.Kind == source.Array { // an option that is written as a text is its own name
			from, to := one.Range()
			was := strconv.Quote(one.Written)
			splices[file] = append(splices[file], splice{from - 1, to + 1, `{"code": ` + strconv.Quote(r.New) + `, "name": ` + was + `, "renamedFrom": ` + was + `}`})
			continue
		} else {
			from, to := one.Range()
			splices[file] = append(splices[file], splice{from, to, r.New})
		}
		if one.Defines {
			_, code := cut(one.Path)
			object := one.Node
			if !one.File {
				object = one.Node.Parent
			}
			splices[file] = append(splices[file], e.define(object, one, code))
		}
	}
}

// stem is the name of a file without its ending.
func stem(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// former writes what a definition was called before the names that it had already.
func former(object *source.Node, define compile.Reference, code string) splice {
	code = strconv.Quote(code)
	n := object.Get("renamedFrom")
	switch {
	case n == nil && !define.File: // behind the code
		_, end := source.In(define.Node).Range()
		return splice{end + 1, end + 1, `, "renamedFrom": ` + code}
	case n == nil && len(object.Members) == 0:
		return splice{object.Offset() + 1, object.Offset() + 1, `"renamedFrom": ` + code}
	case n == nil:
		first := object.Members[0].KeyOffset()
		space := " "
		if between := object.Between(object.Offset()+1, first); strings.Contains(between, "\n") {
			space = between
		}
		return splice{first, first, `"renamedFrom": ` + code + "," + space}
	case n.Kind == source.Array && len(n.Members) > 0:
		return splice{n.Offset() + 1, n.Offset() + 1, code + ", "}
	case n.Kind == source.Array:
		return splice{n.Offset() + 1, n.Offset() + 1, code}
	}
	from, to := source.In(n).Range()
	return splice{from - 1, to + 1, "[" + code + ", " + n.Between(from-1, to+1) + "]"}
}

// change applies what is spliced into a file. One in canonical form stays so.
func (e *edits) change(p Packs, file string, all []splice) {
	before, err := p.read(file)
	if err != nil {
		e.refused = append(e.refused, diag.New("RENAME010", diag.Position{File: file}))
		return
	}
	mark := len(before) - len(bytes.TrimPrefix(before, []byte("\xef\xbb\xbf"))) // which places do not count
	slices.SortStableFunc(all, func(a, b splice) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	all = slices.Compact(all)
	var out bytes.Buffer
	at := 0
	for _, s := range all {
		out.Write(before[at : mark+s.from])
		out.WriteString(s.text)
		at = mark + s.to
	}
	out.Write(before[at:])
	text := out.Bytes()
	if k, ok := p.kindOf(file); ok && path.Ext(file) == ".json" {
		was, _ := source.Parse(file, before)
		if root, found := source.Parse(file, text); root != nil && was != nil && !found.HasErrors() && bytes.Equal(source.Format(was, p.Schemas.Layout(k.Code)), before) {
			text = source.Format(root, p.Schemas.Layout(k.Code))
		}
	}
	e.changes = append(e.changes, Change{From: file, To: e.now(file), Text: string(text)})
}
