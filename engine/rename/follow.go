package rename

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/source"
)

// Following carries renames that packs have made over to texts that were written before and lie over the packs' files. Such texts name things by
// their former codes, so they are linked in a world in which the packs' files have these codes too, and changed at the places that are found there.
type Following struct {
	Older   Packs // the packs with the former codes in their files
	now     Packs
	steps   []names.Step  // those of options with what has them as owner: a property or a dictionary
	renamed names.Reading // from the former codes to those of now
}

// Followed is what texts become.
type Followed struct {
	Changes map[string]Change // by the file as it was; texts that stay as they are have none
	// Left are places that name what is renamed and stay as they are, with their reasons. The file of a RENAME009 stays as a whole, and with one
	// that defines what is renamed all files do.
	Left diag.List
}

// Follow prepares to carry steps over. Only renames of what has a word (Words) are, and of those not options with signs that mean something where options are
// written. The packs' files alone count:
// what lies over them is given to Texts.
func (p Packs) Follow(steps []names.Step) *Following {
	f := &Following{now: p}
	now := p.compile(nil)
	var logged []names.Logged
	for _, s := range steps {
		if s.New == "" || !Follows(s.Kind) {
			continue
		}
		logged = append(logged, names.Logged{Step: s, Epoch: 1})
		if s.Kind == names.Option {
			if s.Owner = now.optionOwner(s.Owner, s.New); s.Owner == "" || !optionForm.MatchString(s.Old+s.New) || slices.Contains(f.steps, s) {
				continue // the options of a dictionary are those of each of its properties
			}
		}
		f.steps = append(f.steps, s)
	}
	f.renamed = names.NewLog(logged).SinceBefore()
	f.Older = f.older(now)
	return f
}

// Follows reports whether renames of a kind are carried over.
func Follows(k names.Kind) bool {
	return slices.ContainsFunc(Words(), func(word string) bool { return KindOf(word) == k })
}

// Words are the former codes.
func (f *Following) Words() map[string]bool {
	out := map[string]bool{}
	for _, s := range f.steps {
		out[s.Old] = true
	}
	return out
}

// older gives things their former codes in the packs' files. That files would then be wrong for a reason of their own does not matter: what cannot
// be linked is not found.
func (f *Following) older(c compiled) Packs {
	e := &edits{moved: map[string]string{}, define: forget}
	splices := map[string][]splice{}
	for _, s := range f.steps {
		if refs := placed(c.named(s.Kind, joined(s.Kind, s.Owner, s.New)), nil); len(refs) > 0 {
			f.now.replace(e, renaming{Request{Kind: s.Kind, New: s.Old}, refs}, splices)
		}
	}
	e.changeAll(f.now, splices)
	return f.now.with(e.over())
}

// optionOwner is what has the options of a property: the property or a dictionary; "" where it has no such option.
func (c compiled) optionOwner(property, code string) string {
	has := func(owner string) bool {
		return slices.ContainsFunc(c.uses.Of(names.Option, joined(names.Option, owner, code)), func(r compile.Reference) bool { return r.Defines })
	}
	if has(property) {
		return property
	}
	for _, r := range c.uses.Of(names.Property, property) {
		if of := r.Node.Parent.Get("dictionary").Text(); r.Defines && of != "" && has(of) {
			return of
		}
	}
	return ""
}

// with is packs with texts over their files, by the name that diagnostics use.
func (p Packs) with(over map[string]*string) Packs {
	p.Folders = slices.Clone(p.Folders)
	for i, f := range p.Folders {
		if own := below(over, f.Dir); len(own) > 0 {
			p.Folders[i].FS = overlay.New(f.FS, own)
		}
	}
	return p
}

// named are the references to a thing, with those to the list and the form that a model has without an author; none where it is not known.
func (c compiled) named(k names.Kind, path string) []compile.Reference {
	refs, _ := c.find(k, path)
	return refs
}

// placed are the references in documents that can be changed, in files that are wanted; nil = in all.
func placed(refs []compile.Reference, wanted map[string]*string) (out []compile.Reference) {
	for _, r := range refs {
		if _, in := wanted[r.Node.File()]; !r.Program && !r.Unplaced && (in || wanted == nil) {
			out = append(out, r)
		}
	}
	return out
}

// Texts finds what texts become that lie over files of the older packs: by the name that diagnostics use, nil where a file is taken away.
func (f *Following) Texts(over map[string]*string) Followed {
	world := f.Older.with(over)
	was := world.compile(nil)
	e := &edits{moved: map[string]string{}, define: former}
	splices := map[string][]splice{}
	out := Followed{Changes: map[string]Change{}}
	defines := map[string]bool{}
	for _, s := range f.steps {
		then := joined(s.Kind, f.before(s), s.Old)
		refs := was.named(s.Kind, then)
		if other, taken := f.taken(was, s, over); taken {
			at := placesOf([]compile.Reference{other})[0].Position
			out.Left = append(out.Left, diag.New("RENAME004", at, s.New, other.Path).At(other.Node.Pointer()))
			continue
		}
		for _, r := range refs {
			if _, in := over[r.Node.File()]; in && r.Unplaced {
				at := placesOf([]compile.Reference{r})[0].Position
				out.Left = append(out.Left, diag.New("RENAME008", at, then).At(r.Node.Pointer()))
			}
		}
		for _, r := range refs {
			defines[r.Node.File()] = defines[r.Node.File()] || r.Defines
		}
		if refs = placed(refs, over); len(refs) > 0 {
			world.replace(e, renaming{Request{Kind: s.Kind, New: s.New}, refs}, splices)
		}
	}
	e.refused = nil // files of the older packs that are in the way are those that move
	e.changeAll(world, splices)
	for _, c := range e.changes {
		out.Changes[c.From] = c
	}
	f.check(was, over, e, &out)
	for file := range over {
		if _, changed := out.Changes[file]; defines[file] && !changed {
			clear(out.Changes) // what is renamed has its former code there, which others go on naming
		}
	}
	return out
}

// before is the path that the owner of a step had.
func (f *Following) before(s names.Step) string {
	if s.Owner == "" {
		return ""
	}
	if s.Kind == names.Option && !strings.Contains(s.Owner, ".") {
		return f.renamed.Then(names.Dictionary, s.Owner)
	}
	if s.Kind == names.Node {
		return f.renamed.Then(names.Workflow, s.Owner)
	}
	was, _ := f.renamed.ModelWas(s.Owner)
	return was
}

// taken finds what has the new code of a step in one of the texts, and keeps it.
func (f *Following) taken(was compiled, s names.Step, over map[string]*string) (compile.Reference, bool) {
	path := joined(s.Kind, f.before(s), s.New)
	if f.become(was, s.Kind, path) != path {
		return compile.Reference{}, false
	}
	for _, r := range was.uses.Of(s.Kind, path) {
		if _, in := over[r.Node.File()]; r.Defines && in {
			return r, true
		}
	}
	return compile.Reference{}, false
}

// check takes back the changes of files in which a name would mean something else than it did.
func (f *Following) check(was compiled, over map[string]*string, e *edits, out *Followed) {
	next := map[string]*string{}
	for file, text := range over {
		if c, changed := out.Changes[file]; changed {
			text = &c.Text
		}
		next[e.now(file)] = text
	}
	then := f.now.with(next).compile(nil)
	meant := map[string]map[string]int{}
	for _, r := range was.uses.All() {
		if c, changed := out.Changes[r.Node.File()]; changed {
			count(meant, c.To, r.Kind, f.become(was, r.Kind, r.Path), 1)
		}
	}
	from := map[string]string{}
	for _, c := range e.changes {
		from[c.To] = c.From
	}
	for _, r := range then.uses.All() {
		file := r.Node.File()
		if _, changed := out.Changes[from[file]]; changed && count(meant, file, r.Kind, r.Path, -1) < 0 {
			d := diag.New("RENAME009", placesOf([]compile.Reference{r})[0].Position, r.Written, r.Path, nothing)
			d.File = from[file]
			out.Left = append(out.Left, d)
			delete(out.Changes, from[file]) // further places of it are not told
		}
	}
}

// count adds to how often a file names a thing, and returns it.
func count(in map[string]map[string]int, file string, k names.Kind, path string, n int) int {
	if in[file] == nil {
		in[file] = map[string]int{}
	}
	thing := key(k, path)
	in[file][thing] += n
	return in[file][thing]
}

// become is how a path is called after the steps.
func (f *Following) become(was compiled, k names.Kind, of string) string {
	switch k {
	case names.Property:
		now, _ := f.renamed.Model(of)
		return now
	case names.Node:
		document, part, _ := strings.Cut(of, ".")
		document, _ = f.renamed.Document(names.Workflow, document)
		return names.Join(document, f.renamed.Node(document, part))
	case names.Option:
		owner, code := cut(of)
		if strings.Contains(owner, ".") {
			owner, _ = f.renamed.Model(owner)
		} else {
			owner, _ = f.renamed.Document(names.Dictionary, owner)
		}
		for _, s := range f.steps {
			if s.Kind == k && s.Owner == owner && s.Old == code {
				code = s.New
				break
			}
		}
		return joined(k, owner, code)
	case names.List, names.Form:
		if !slices.ContainsFunc(was.uses.Of(k, of), func(r compile.Reference) bool { return r.Defines }) {
			k = names.Model // it has none of an author
		}
	}
	now, _ := f.renamed.Document(k, of)
	return now
}

// Mentions are the places in a text of a script at which one of the former codes is a word.
func (f *Following) Mentions(file, text string) []Use { return wordsIn(text, file, f.Words()) }

// forget takes out what a definition was called before: in the older packs it still is.
func forget(object *source.Node, _ compile.Reference, _ string) splice {
	n := object.Get("renamedFrom")
	if n == nil {
		return splice{}
	}
	from, end := n.KeyOffset(), 0
	if n.Kind == source.Array {
		end = n.Offset() + 1
		if len(n.Members) > 0 {
			_, end = source.In(n.Members[len(n.Members)-1]).Range()
			end++
		}
		for object.Between(end, end+1) != "]" {
			end++
		}
		end++
	} else {
		_, end = source.In(n).Range()
		end++
	}
	space := func(at int) bool { return strings.Contains(" \t\r\n", object.Between(at, at+1)) }
	next := end
	for space(next) {
		next++
	}
	if object.Between(next, next+1) == "," {
		for next++; space(next); next++ {
		}
		return splice{from, next, ""}
	}
	before := from - 1
	for space(before) {
		before--
	}
	if object.Between(before, before+1) == "," {
		from = before
	}
	return splice{from, end, ""}
}

// Moved is the path of a file in its folder after a change.
func (c Change) Moved(dir string) string {
	name, _ := strings.CutPrefix(c.To, path.Clean(dir)+"/")
	return name
}
