package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/scenario"
)

type testCmd struct {
	Dir      string   `arg:"" help:"A pack folder, a folder that contains packs, or the code of a pack of this program."`
	Packs    []string `help:"More packs to load with it, separated by commas."`
	With     []string `help:"Packs of this program to switch on, separated by commas."`
	Only     string   `help:"Only files whose path contains this text."`
	Format   string   `help:"text, json or sarif." default:"text" enum:"text,json,sarif"`
	Locale   string   `help:"Language of the texts: zh or en; defaults to LANG." enum:"zh,en," default:""`
	Timezone string   `help:"The installation's time zone." default:"Asia/Shanghai"`
}

// Help is shown by `sluice test --help`.
func (testCmd) Help() string {
	return `Runs the scenarios of packs, the files tests/*.access.json, tests/*.test.json and tests/*.workflow.json: people with roles and records are made in a database
of the scenario's own, then each step is done or checked with the rights of its person. Each problem is reported with its place and the
grants behind it. Exit code 1 when there are any. A file tests/*.workflow.json plays a workflow as ` + "`sluice workflow rehearse`" + ` does; at the end
each workflow is named with the routes that no scenario takes.

Example:
  sluice test examples/ship-lock
  sluice test --only inspector packs
  sluice test quality`
}

func (c *testCmd) Run(ctx context.Context, io console) error {
	from := packs{Packs: append([]string{c.Dir}, c.Packs...), With: c.With, Timezone: c.Timezone}
	_, err := os.Stat(home(c.Dir))
	inProgram := errors.Is(err, fs.ErrNotExist) && io.hasPack(c.Dir)
	if inProgram {
		from.Packs, from.With = c.Packs, append(c.With, c.Dir)
	}
	docs, err := from.documents(io)
	if err != nil {
		return err
	}
	find := c.files
	if inProgram {
		find = c.filesOf
	}
	files, problems, err := find(docs)
	if err != nil {
		return err
	}
	if len(files) == 0 && len(problems) == 0 {
		return usageError{fmt.Errorf("there are no files tests/*.access.json, tests/*.test.json or tests/*.workflow.json in %s", c.Dir)}
	}
	results, err := scenario.Run(ctx, docs, io.version, files)
	var faulty *app.Faulty
	if errors.As(err, &faulty) {
		problems = append(problems, faulty.List...)
	} else if err != nil {
		return err
	}
	return c.print(io, results, problems)
}

// files are the scenarios of the packs in Dir.
func (c *testCmd) files(docs app.Documents) ([]*scenario.File, diag.List, error) {
	dir := docs.Dirs[0]
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("packs: there is no folder %s", dir)
	}
	folders, problems := compile.Folders(os.DirFS(dir), filepath.Clean(dir))
	var out []*scenario.File
	for _, f := range folders {
		files, found, err := scenario.Find(docs.Set, f.FS, f.Dir)
		if err != nil {
			return nil, nil, err
		}
		out, problems = append(out, files...), append(problems, found...)
	}
	return slices.DeleteFunc(out, func(f *scenario.File) bool { return !strings.Contains(f.Path(), c.Only) }), problems, nil
}

// filesOf are the scenarios of a pack of the program.
func (c *testCmd) filesOf(docs app.Documents) (out []*scenario.File, problems diag.List, err error) {
	for _, f := range docs.Set.Folders() {
		if !strings.EqualFold(compile.CodeOf(f.FS, f.Path), c.Dir) {
			continue
		}
		if out, problems, err = scenario.Find(docs.Set, f.FS, f.Path); err != nil {
			return nil, nil, err
		}
	}
	return slices.DeleteFunc(out, func(f *scenario.File) bool { return !strings.Contains(f.Path(), c.Only) }), problems, nil
}

func (c *testCmd) print(io console, results []scenario.Result, problems diag.List) error {
	locale := "zh"
	if english(c.Locale) {
		locale = "en"
	}
	good := 0
	for _, r := range results {
		problems = append(problems, r.Problems...)
		good += r.Steps
		if c.Format == "text" && len(r.Problems) == 0 {
			fmt.Fprintln(io.out, diag.Fill(passed[locale == "en"], []any{r.File.Path(), r.Steps}, locale))
		}
	}
	if c.Format == "text" {
		untaken(io, results, locale)
	}
	if err := printDiagnostics(io, io.out, problems, c.Format, locale); err != nil {
		return err
	}
	if len(problems) > 0 {
		if c.Format == "text" {
			fmt.Fprintln(io.err, diag.Fill(failed[locale == "en"], []any{len(problems), good}, locale))
		}
		return exitError(exitFaulty)
	}
	return nil
}

// untaken names the ways of workflows that no scenario takes.
func untaken(io console, results []scenario.Result, locale string) {
	var codes []string
	taken, ways := map[string]map[string]bool{}, map[string][]string{}
	for _, r := range results {
		if r.Report == nil {
			continue
		}
		code := r.Report.Workflow
		if taken[code] == nil {
			taken[code] = map[string]bool{}
			codes = append(codes, code)
		}
		for _, route := range r.Report.Routes {
			way := route.Node.Node + " → " + route.To
			if !slices.Contains(ways[code], way) {
				ways[code] = append(ways[code], way)
			}
			taken[code][way] = taken[code][way] || route.Taken > 0
		}
	}
	slices.Sort(codes)
	for _, code := range codes {
		left := slices.DeleteFunc(ways[code], func(way string) bool { return taken[code][way] })
		if len(left) > 0 {
			fmt.Fprintln(io.out, diag.Fill(never[locale == "en"], []any{code, strings.Join(left, ", ")}, locale))
		}
	}
}

var (
	never  = map[bool]string{false: "流程 {0}：没有场景走过 {1}", true: "workflow {0}: no scenario takes {1}"}
	passed = map[bool]string{false: "通过 {0}（{1} 步）", true: "ok {0} ({1} {1|step|steps})"}
	failed = map[bool]string{false: "{0} 个问题，{1} 步通过", true: "{0} {0|problem|problems}, {1} {1|step|steps} as they should be"}
)
