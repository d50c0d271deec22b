package app

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Answer is what an author says to an Offer: keep, drop (apply, where nothing is lost), or rename with the property that it is called now.
type Answer struct {
	ID string `json:"id"`
	Do string `json:"do"`
	To string `json:"to"`
}

// Answer carries out what the author of the files decided, in `sluice dev`, and serves what came of it.
func (a *App) Answer(ctx context.Context, view *authz.View, in Answer) (diag.List, error) {
	if !a.cfg.Dev || !view.Has(authoring) {
		return nil, fault.New(fault.Forbidden)
	}
	if err := a.answer(in); err != nil {
		return nil, err
	}
	return a.Reload(ctx)
}

// AnswerLine is Answer for a line typed where the program runs; ok is false for a line that is none.
func (a *App) AnswerLine(ctx context.Context, line string) (list diag.List, ok bool, err error) {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 {
		return nil, false, nil
	}
	in := Answer{Do: words[0], ID: words[1]}
	if len(words) == 3 {
		in.To = words[2]
	}
	list, err = a.Answer(ctx, a.State().Policy.View(principal.System("the terminal"), a.Now(), a.cfg.Zone), in)
	return list, true, err
}

func (a *App) answer(in Answer) error {
	a.swap.Lock()
	defer a.swap.Unlock()
	i := slices.IndexFunc(a.dev.offers, func(o Offer) bool { return strings.EqualFold(o.ID, in.ID) })
	if i < 0 {
		return fault.New(fault.BadParameter, "id")
	}
	o := a.dev.offers[i]
	switch {
	case in.Do == "drop", in.Do == "apply" && !o.Loses:
		if a.dev.allowed == nil {
			a.dev.allowed = map[string]bool{}
		}
		a.dev.allowed[o.ID] = true
		return nil
	case in.Do == "keep" && o.Keeps && o.document != "":
		return a.putFile(o)
	case in.Do == "rename" && o.document != "" && slices.Contains(o.Renames, in.To):
		return a.nameFile(o, in.To)
	case in.Do == "keep" && o.Keeps:
		return a.rewrite(o, func(now, before *source.Node) *source.Node { return putBack(now, before, o.property) })
	case in.Do == "rename" && slices.Contains(o.Renames, in.To):
		return a.rewrite(o, func(now, _ *source.Node) *source.Node { return renamedFrom(now, in.To, o.property) })
	}
	return fault.New(fault.BadParameter, "do")
}

// onDisk is where a file of a pack is.
func (a *App) onDisk(pack, name string) (string, error) {
	folders, _, err := a.cfg.Folders()
	if err != nil {
		return "", err
	}
	f := slices.IndexFunc(folders, func(f Folder) bool { return f.Code == pack && !f.Embedded })
	if f < 0 {
		return "", fault.New(fault.DocumentNotFound)
	}
	return filepath.Join(filepath.FromSlash(folders[f].Dir), filepath.FromSlash(name)), nil
}

// putFile puts a document back as it was served.
func (a *App) putFile(o Offer) error {
	file, err := a.onDisk(o.Pack, o.Path)
	if err != nil {
		return err
	}
	text, _ := a.dev.served.get(o.Pack, o.Path)
	if text == nil {
		return fault.New(fault.DocumentNotFound)
	}
	return os.WriteFile(file, []byte(*text), 0o644)
}

// nameFile says in a document what it was called.
func (a *App) nameFile(o Offer, code string) error {
	name := path.Join(path.Dir(o.Path), code+".json")
	file, err := a.onDisk(o.Pack, name)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	now, problems := source.Parse(name, data)
	if now == nil || problems.HasErrors() {
		return fault.New(fault.DocumentNotFound)
	}
	schemas, err := a.schemas()
	if err != nil {
		return err
	}
	kind, _ := a.kindOf(name)
	old := strings.TrimSuffix(path.Base(o.Path), path.Ext(o.Path))
	return os.WriteFile(file, source.Format(formerly(now, old), schemas.Layout(kind)), 0o644)
}

// formerly is a definition that says what it was called last.
func formerly(n *source.Node, old string) *source.Node {
	note, _ := source.Parse("", []byte(`{"renamedFrom": "`+old+`"}`)) // a code: letters, digits and underscores
	to := *n
	to.Members = append(slices.DeleteFunc(slices.Clone(n.Members), func(m *source.Node) bool { return m.Key == "renamedFrom" }), note.Get("renamedFrom"))
	return &to
}

// rewrite changes the list of properties that an offer is about, and writes the file in its canonical form.
func (a *App) rewrite(o Offer, change func(now, before *source.Node) *source.Node) error {
	file, err := a.onDisk(o.Pack, o.Path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	now, problems := source.Parse(o.Path, data)
	text, _ := a.dev.served.get(o.Pack, o.Path)
	if now == nil || problems.HasErrors() || text == nil {
		return fault.New(fault.DocumentNotFound)
	}
	before, _ := source.Parse(o.Path, []byte(*text))
	sheet := strings.Split(o.ID, ".")[1:] // a property, or a sub-table and its property
	changed := within(now, before, sheet[:len(sheet)-1], change)
	if changed == nil {
		return fault.New(fault.BadParameter, "id")
	}
	schemas, err := a.schemas()
	if err != nil {
		return err
	}
	k, _ := compile.Kinds(a.cfg.Set).OfFile(path.Join(o.Pack, o.Path))
	if k.Code == "" {
		k.Code = def.KindModel
	}
	return os.WriteFile(file, source.Format(changed, schemas.Layout(k.Code)), 0o644)
}

// within changes the properties of a model, or of one of its sub-tables.
func within(now, before *source.Node, sheet []string, change func(now, before *source.Node) *source.Node) *source.Node {
	list, old := now.Get("properties"), before.Get("properties")
	var to *source.Node
	if len(sheet) == 0 {
		to = change(list, old)
	} else if entry := coded(list, sheet[0]); entry != nil {
		inner := within(entry, coded(old, sheet[0]), sheet[1:], change)
		if inner != nil {
			to = replaced(list, entry, inner)
		}
	}
	if to == nil || list == nil {
		return nil
	}
	return replaced(now, list, to)
}

func coded(list *source.Node, code string) *source.Node {
	for _, e := range list.Items() {
		if e.Get("code").Text() == code {
			return e
		}
	}
	return nil
}

// replaced is a node with another member in place of one.
func replaced(n, old, with *source.Node) *source.Node {
	out := *n
	out.Members = slices.Clone(n.Members)
	out.Members[slices.Index(n.Members, old)] = with
	return &out
}

// putBack puts a property back behind the one that stood before it.
func putBack(now, before *source.Node, code string) *source.Node {
	property := coded(before, code)
	if property == nil || now == nil {
		return nil
	}
	at := 0
	for _, e := range before.Items() {
		if e == property {
			break
		}
		if i := slices.IndexFunc(now.Items(), func(n *source.Node) bool { return n.Get("code").Text() == e.Get("code").Text() }); i >= 0 {
			at = i + 1
		}
	}
	out := *now
	out.Members = slices.Insert(slices.Clone(now.Members), at, property)
	return &out
}

// renamedFrom says in a property what it was called.
func renamedFrom(now *source.Node, code, old string) *source.Node {
	property := coded(now, code)
	if property == nil {
		return nil
	}
	return replaced(now, property, formerly(property, old))
}
