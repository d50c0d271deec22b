package command

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/scenario"
)

type checkCmd struct {
	Dir      string   `arg:"" help:"A pack folder, or a folder that contains packs."`
	With     []string `help:"Packs of this program to switch on, separated by commas."`
	Format   string   `help:"text, json or sarif." default:"text" enum:"text,json,sarif"`
	Locale   string   `help:"Language of the texts: zh or en; defaults to LANG." enum:"zh,en," default:""`
	Timezone string   `help:"The installation's time zone." default:"Asia/Shanghai"`
}

// Help is shown by `sluice check --help`.
func (checkCmd) Help() string {
	return `Reports every problem at once with file, line and column, a stable code and its repair. Exit code 1 when there are errors;
warnings alone leave 0. It reads files alone and knows no earlier state: sluice plan compares them with a database, and tells each name that is
renamed or gone, what becomes of the values, and places in scripts and code that may still mean it.

Example:
  sluice check examples/ship-lock
  sluice check --format sarif packs > sluice.sarif`
}

func (c *checkCmd) Run(io console) error {
	collectLate()
	docs, err := packs{Packs: []string{c.Dir}, With: c.With, Timezone: c.Timezone}.documents(io)
	if err != nil {
		return err
	}
	_, list, err := docs.Compile()
	if err != nil {
		return err
	}
	if err := printDiagnostics(io, io.out, list, c.Format, c.Locale); err != nil {
		return err
	}
	if c.Format == "text" && len(list) > 0 {
		errs := list.Errors()
		fmt.Fprintln(io.err, diag.Fill(counted[english(c.Locale)], []any{errs, len(list) - errs}, "en"))
	}
	if list.HasErrors() {
		return exitError(exitFaulty)
	}
	return nil
}

// counted closes a list of problems.
var counted = map[bool]string{false: "{0} 个错误，{1} 个警告", true: "{0} {0|error|errors}, {1} {1|warning|warnings}"}

func english(locale string) bool {
	if locale == "" {
		locale = terminalLocale()
	}
	return locale == "en"
}

// printDiagnostics writes a list in one of the three formats.
func printDiagnostics(c console, w io.Writer, list diag.List, format, locale string) error {
	if locale == "" {
		locale = terminalLocale()
	}
	switch format {
	case "json":
		return diag.WriteJSON(w, list)
	case "sarif":
		return diag.WriteSARIF(w, list, c.version, locale)
	}
	return diag.WriteText(w, list, locale)
}

func terminalLocale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if strings.HasPrefix(v, "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

type fmtCmd struct {
	Dir   string   `arg:"" help:"A pack folder, a folder that contains packs, or one file."`
	With  []string `help:"Packs of this program whose kinds of documents to write, separated by commas."`
	Check bool     `help:"Don't write; list the files that need formatting and exit with code 1."`
}

// Help is shown by `sluice fmt --help`.
func (fmtCmd) Help() string {
	return `Writes keys in their canonical order, one entry a line, short forms where an entry holds nothing but its code. Arrays are
never reordered.

Example:
  sluice fmt examples/ship-lock
  sluice fmt --check packs`
}

func (c *fmtCmd) Run(io console) error {
	set, err := io.set(c.With, []string{home(c.Dir)})
	if err != nil {
		return err
	}
	schemas, err := compile.Schemas(set)
	if err != nil {
		return err
	}
	kinds := compile.Kinds(set)
	var list diag.List
	changed := 0
	err = filepath.WalkDir(home(c.Dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		kind, ok := kinds.OfFile(filepath.ToSlash(path))
		if !ok || filepath.Ext(path) != ".json" {
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 { // what it leads to inside the folder is written under its own name
			if !within(home(c.Dir), path) {
				list = append(list, diag.New("DOC015", diag.Position{File: path}, filepath.Base(path)))
			}
			return nil
		}
		before, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		root, found := source.Parse(path, before)
		list = append(list, found...)
		if root == nil || found.HasErrors() {
			return nil
		}
		after := source.Format(root, schemas.Layout(kind.Code))
		if bytes.Equal(before, after) {
			return nil
		}
		changed++
		fmt.Fprintln(io.out, path)
		if c.Check {
			return nil
		}
		return replaceFile(path, after)
	})
	if err != nil {
		return err
	}
	if err := printDiagnostics(io, io.err, list, "text", ""); err != nil {
		return err
	}
	if list.HasErrors() || c.Check && changed > 0 {
		return exitError(exitFaulty)
	}
	return nil
}

// within reports whether a link leads to something of the folder.
func within(dir, link string) bool {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(root, target)
	return err == nil && filepath.IsLocal(rel)
}

// replaceFile writes beside the file and renames, so that an interrupted run leaves the old or the new text.
func replaceFile(path string, data []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(temp.Name(), info.Mode())
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

type schemaCmd struct {
	Out  string   `help:"Folder to write to." default:".sluice/schemas"`
	With []string `help:"Packs of this program whose extensions to include, separated by commas."`
}

// Help is shown by `sluice schema --help`.
func (schemaCmd) Help() string {
	return `Writes one JSON Schema (draft 2020-12) for each kind of document, with the options of every extension of this binary. Point
"$schema" at them, or let your editor map folders to them.

Example:
  sluice schema --out .sluice/schemas`
}

func (c *schemaCmd) Run(io console) error {
	set, err := io.set(c.With, nil)
	if err != nil {
		return err
	}
	kinds := append(compile.Kinds(set), scenario.Kinds()...)
	schemas, err := schema.Compose(set, kinds)
	if err != nil {
		return err
	}
	out := home(c.Out)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, kind := range kinds {
		path := filepath.Join(out, string(kind.Code)+".schema.json")
		if err := os.WriteFile(path, schemas.JSON(kind.Code), 0o644); err != nil {
			return err
		}
		fmt.Fprintln(io.out, path)
	}
	return nil
}
