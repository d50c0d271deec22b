package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/runtime/app"
)

// namedPacks are the packs in which a name is looked for, and its kind.
type namedPacks struct {
	Dir      string   `arg:"" help:"A pack folder, or a folder that contains packs."`
	Kind     string   `arg:"" help:"${nameKinds}."`
	Packs    []string `help:"Further pack folders, separated by commas: those that use DIR or that it requires."`
	With     []string `help:"Packs of this program to switch on, separated by commas."`
	Format   string   `help:"text or json." default:"text" enum:"text,json"`
	Locale   string   `help:"Language of the texts: zh or en; defaults to LANG." enum:"zh,en," default:""`
	Timezone string   `help:"The installation's time zone." default:"Asia/Shanghai"`
}

// load finds the packs and the kind.
func (n *namedPacks) load(io console) (rename.Packs, names.Kind, error) {
	kind := rename.KindOf(n.Kind)
	if kind == "" {
		return rename.Packs{}, "", usageError{fmt.Errorf("unknown kind %q; use one of %s", n.Kind, strings.Join(rename.Words(), ", "))}
	}
	collectLate()
	docs, err := packs{Packs: append([]string{n.Dir}, n.Packs...), With: n.With, Timezone: n.Timezone}.documents(io)
	if err != nil {
		return rename.Packs{}, "", err
	}
	out, found, err := renamePacks(docs)
	if err != nil {
		return rename.Packs{}, "", err
	}
	if found.HasErrors() {
		return rename.Packs{}, "", n.refuse(io, found)
	}
	return out, kind, nil
}

// renamePacks are the folders of documents for questions about names.
func renamePacks(docs app.Documents) (rename.Packs, diag.List, error) {
	schemas, err := compile.Schemas(docs.Set)
	if err != nil {
		return rename.Packs{}, nil, err
	}
	folders, found, err := docs.Folders()
	if err != nil {
		return rename.Packs{}, nil, err
	}
	out := rename.Packs{Set: docs.Set, Schemas: schemas, Options: compile.Options{Zone: docs.Zone, Places: docs.Places, Cache: &compile.Cache{}}}
	for _, f := range folders {
		out.Folders = append(out.Folders, rename.Folder{Folder: f.Folder, Embedded: f.Embedded})
	}
	return out, found, nil
}

// refuse prints why something cannot be done.
func (n *namedPacks) refuse(io console, list diag.List) error {
	format, to := n.Format, io.err
	if format == "json" {
		to = io.out
	}
	if err := printDiagnostics(io, to, list, format, n.Locale); err != nil {
		return err
	}
	return exitError(exitFaulty)
}

type usesCmd struct {
	namedPacks
	database
	Saved bool   `help:"Count also what people saved, were given or entered in the installation of --data or --db that names it."`
	Name  string `arg:"" help:"Its code; of a property model.property or model.subtable.property, of a node workflow.node, of an option model.property:option or dictionary:option."`
}

// Help is shown by "sluice uses --help".
func (usesCmd) Help() string {
	return `Prints each place that names a thing, with file, line and column, also in the other packs of the program:

  definition  where it is defined
  reference   a document refers to it: in a value, a key, a text or an expression
  program     a query, a hook or a declaration of codes of a pack
  possible    the word in a script, a page, a scenario or other code of a pack: it may mean the thing

What is in a document with errors may be missing; these are printed first. With --saved it also counts, in an installation, saved filters, columns
that people exported last, arrangements of portal pages, external links, tokens for chosen applications, delegations, people with a role, and records whose values name the thing.

Example:
  sluice uses examples/ship-lock property contract.amount
  sluice uses --saved --data ./data examples/ship-lock option contract.status:SIGNED`
}

func (c *usesCmd) Run(ctx context.Context, io console) error {
	in, kind, err := c.load(io)
	if err != nil {
		return err
	}
	uses, problems, refused := in.Uses(kind, c.Name)
	if len(refused) > 0 {
		return c.refuse(io, refused)
	}
	problems = slices.DeleteFunc(problems, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if err := printDiagnostics(io, io.err, problems, "text", c.Locale); err != nil {
		return err
	}
	if !c.Saved {
		if c.Format == "json" {
			return writeJSON(io.out, uses)
		}
		return printUses(io.out, uses)
	}
	saved, err := c.saved(ctx, io, kind)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return writeJSON(io.out, struct {
			Places []rename.Use   `json:"places"`
			Saved  []app.SavedUse `json:"saved"`
		}{uses, saved})
	}
	if err := printUses(io.out, uses); err != nil {
		return err
	}
	for _, one := range saved {
		what := strings.TrimSpace(one.What + " " + one.In)
		if _, err := fmt.Fprintf(io.out, "installation: %d %s\n", one.Count, what); err != nil {
			return err
		}
	}
	return nil
}

// saved counts in the installation what names the thing. Whose it is stays with the pages of administrators.
func (c *usesCmd) saved(ctx context.Context, io console, kind names.Kind) (out []app.SavedUse, err error) {
	reads := changing{database: c.database, packs: packs{Packs: append([]string{c.Dir}, c.Packs...), With: c.With, Timezone: c.Timezone}}
	err = reads.with(ctx, io, false, func(o *planned) error {
		if !o.made {
			return usageError{errors.New("--saved needs an installation: name it with --data or --db")}
		}
		out, err = app.SavedUses(ctx, o.db, o.catalog, kind, c.Name)
		for i := range out {
			out[i].Who = nil
		}
		return err
	})
	return out, err
}

func printUses(w io.Writer, uses []rename.Use) error {
	for _, u := range uses {
		at := u.Pointer
		if at != "" {
			at = " " + at
		}
		if _, err := fmt.Fprintf(w, "%s: %s %s%s\n", u.Position, u.How, u.Written, at); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

type renameCmd struct {
	namedPacks
	Old          string `arg:"" help:"Its code; of a property model.property or model.subtable.property."`
	New          string `arg:"" help:"The new code, without the model."`
	DryRun       bool   `help:"Don't write; list the files that would change."`
	AllowScripts bool   `help:"Write although scripts name a field by its old code; correct them afterwards."`
}

// Help is shown by "sluice rename --help".
func (renameCmd) Help() string {
	return `Changes the code of a thing wherever the files of the packs refer to it: in values, keys, texts and expressions. A document that is
called after its code moves to a file of the new name. The former code is written into "renamedFrom", so that apply keeps the data. Lines
without the name stay as they are.

The result is compiled before it is written. Nothing is written, and the exit code is 1, if it has an error that was not there
before, if a name would mean something else, or if code of the program uses the name. Scripts, pages, scenarios and Go code are
not changed: places in them that may mean the thing are listed. A script that names a field of a form by its old code is such an error;
with --allow-scripts the rename is written and the script is left to you.

Example:
  sluice rename examples/ship-lock property contract.amount total
  sluice rename packs model contract agreement --dry-run`
}

// renamedText closes a rename.
var renamedText = map[bool]string{false: "{0} 处，{1} 个文件", true: "{0} {0|place|places} in {1} {1|file|files}"}

// possibleText heads the places that stay.
var possibleText = map[bool]string{false: "以下位置可能也指它，没有修改：", true: "These places may mean it too and were not changed:"}

func (c *renameCmd) Run(io console) error {
	in, kind, err := c.load(io)
	if err != nil {
		return err
	}
	done, list := in.Rename(rename.Request{Kind: kind, Old: c.Old, New: c.New, AllowScripts: c.AllowScripts})
	if len(list) > 0 {
		return c.refuse(io, list)
	}
	for _, f := range in.Folders {
		if !f.Embedded {
			if err := ownFiles(f.Dir, done.Changes); err != nil {
				return err
			}
		}
	}
	if !c.DryRun {
		if err := writeChanges(done.Changes); err != nil {
			return err
		}
	}
	if c.Format == "json" {
		return c.json(io, done)
	}
	for _, f := range done.Changes {
		line := f.From
		if f.To != f.From {
			line += " -> " + f.To
		}
		fmt.Fprintln(io.out, line)
	}
	fmt.Fprintln(io.err, diag.Fill(renamedText[english(c.Locale)], []any{done.Places, len(done.Changes)}, "en"))
	if len(done.Possible) > 0 {
		fmt.Fprintln(io.err, possibleText[english(c.Locale)])
	}
	if err := printUses(io.err, done.Possible); err != nil {
		return err
	}
	return printDiagnostics(io, io.err, done.Left, "text", c.Locale)
}

func (c *renameCmd) json(io console, done *rename.Result) error {
	type file struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	out := struct {
		Files    []file       `json:"files"`
		Places   int          `json:"places"`
		Possible []rename.Use `json:"possible"`
		Left     diag.List    `json:"left"`
	}{Files: []file{}, Places: done.Places, Possible: append([]rename.Use{}, done.Possible...), Left: append(diag.List{}, done.Left...)}
	for _, f := range done.Changes {
		out.Files = append(out.Files, file{f.From, f.To})
	}
	return writeJSON(io.out, out)
}

// ownFiles refuses files of a folder that are links, or behind one: what they lead to may be others' too.
func ownFiles(dir string, changes []rename.Change) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for _, c := range changes {
		name, ok := strings.CutPrefix(c.From, path.Clean(filepath.ToSlash(dir))+"/")
		if !ok {
			continue
		}
		at, err := filepath.EvalSymlinks(filepath.FromSlash(c.From))
		if err != nil {
			return err
		}
		if at != filepath.Join(root, filepath.FromSlash(name)) {
			return usageError{errors.New(c.From + " is a link, or behind one; rename where its target is")}
		}
	}
	return nil
}

// writeChanges writes all new texts beside their files and then puts them in place. When that fails midway, the files get back what they had.
func writeChanges(changes []rename.Change) (err error) {
	var undo []func()
	defer func() {
		if err != nil {
			for _, back := range slices.Backward(undo) {
				back()
			}
		}
	}()
	temps := make([]string, len(changes))
	for i, c := range changes {
		if temps[i], err = stage(c); err != nil {
			return err
		}
		undo = append(undo, func() { _ = os.Remove(temps[i]) })
	}
	for i, c := range changes {
		before, err := os.ReadFile(c.From)
		if err != nil {
			return err
		}
		info, err := os.Stat(c.From)
		if err != nil {
			return err
		}
		undo = append(undo, func() {
			if c.To != c.From {
				_ = os.Remove(c.To)
			}
			_ = os.WriteFile(c.From, before, info.Mode())
		})
		if err := os.Rename(temps[i], c.To); err != nil {
			return err
		}
		if c.To != c.From {
			if err := os.Remove(c.From); err != nil {
				return err
			}
		}
	}
	return nil
}

// stage writes a text beside its file.
func stage(c rename.Change) (name string, err error) {
	info, err := os.Stat(c.From)
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(filepath.Dir(c.To), "."+filepath.Base(c.To)+".*")
	if err != nil {
		return "", err
	}
	_, err = temp.WriteString(c.Text)
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(temp.Name(), info.Mode())
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return temp.Name(), err
}
