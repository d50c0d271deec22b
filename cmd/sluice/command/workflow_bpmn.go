package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sluice-platform/sluice/engine/bpmn"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/app"
)

// packFolder are the flags of commands that work on the documents of one pack.
type packFolder struct {
	Pack   string   `help:"The pack's folder." required:""`
	With   []string `help:"Folders of other packs that it needs, separated by commas."`
	Locale string   `help:"Language of the texts: zh or en; defaults to LANG." enum:"zh,en," default:""`
}

// documents loads the pack, and finds its code.
func (p packFolder) documents(io console) (app.Documents, string, error) {
	docs, err := packs{Packs: append([]string{p.Pack}, p.With...), Timezone: "Asia/Shanghai"}.documents(io)
	if err != nil {
		return docs, "", err
	}
	folders, _, err := docs.Folders()
	if err != nil {
		return docs, "", err
	}
	for _, f := range folders {
		if filepath.Clean(f.Dir) == filepath.Clean(home(p.Pack)) {
			return docs, f.Code, nil
		}
	}
	return docs, "", usageError{fmt.Errorf("--pack: %s is not the folder of one pack", p.Pack)}
}

type workflowImportCmd struct {
	File  string `arg:"" help:"The BPMN 2.0 file."`
	Model string `help:"Code of the model that the workflow is for; a file that was exported here names it itself."`
	Code  string `help:"Code of the workflow; defaults to the id of the process."`
	Pool  string `help:"Which of several pools is taken: its name or id, or that of its process."`
	Force bool   `help:"Write over a workflow of that code."`
	packFolder
}

// Help is shown by "sluice workflow import --help".
func (workflowImportCmd) Help() string {
	return `Reads the block-structured subset of BPMN 2.0, as bpmn.io, Camunda, Flowable, Activiti and others write it, and writes
workflows/CODE.json in canonical form. What was not taken, was taken as something else or is to be completed is listed with line, column,
id and name; a file that cannot be taken is refused with that list and exit code 1, and nothing is written. Where something is to be
completed, the workflow is a draft ("published": 0).

Example:
  sluice workflow import leave.bpmn --pack examples/ship-lock --model contract --code leave`
}

func (c *workflowImportCmd) Run(io console) error {
	collectLate()
	docs, pack, err := c.documents(io)
	if err != nil {
		return err
	}
	f, err := os.Open(home(c.File))
	if err != nil {
		return err
	}
	got, err := docs.ImportBPMN(f, app.BPMNImport{File: c.File, Pack: pack, Model: c.Model, Code: c.Code, Pool: c.Pool})
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := printDiagnostics(io, io.err, got.Report.List(), "text", c.Locale); err != nil {
		return err
	}
	if got.Document == nil {
		return exitError(exitFaulty)
	}
	file := filepath.Join(home(c.Pack), filepath.FromSlash(got.Path))
	if _, err := os.Stat(file); err == nil && !c.Force {
		return usageError{fmt.Errorf("%s exists; choose another --code, or write over it with --force", file)}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(*got.Document), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintln(io.out, file)
	return err
}

type workflowExportCmd struct {
	Code   string       `arg:"" help:"Code of the workflow."`
	Output string       `short:"o" help:"File to write; standard output when missing."`
	For    bpmn.Dialect `help:"Whose attributes are added: plain, camunda or flowable." default:"plain" enum:"plain,camunda,flowable"`
	packFolder
}

// Help is shown by "sluice workflow export --help".
func (workflowExportCmd) Help() string {
	return `Writes a BPMN 2.0 file with a diagram. What BPMN has no place for goes into extension elements, so that an import of the file gives
the same document.

Example:
  sluice workflow export contractApproval --pack examples/ship-lock -o contract.bpmn --for camunda`
}

func (c *workflowExportCmd) Run(io console) error {
	collectLate()
	docs, _, err := c.documents(io)
	if err != nil {
		return err
	}
	cat, list, err := docs.Compile()
	if err != nil {
		return err
	}
	if cat == nil {
		return &app.Faulty{List: list}
	}
	if cat.Workflow(c.Code) == nil {
		return usageError{errors.New("there is no workflow " + c.Code)}
	}
	_, file, report, err := app.ExportBPMN(cat, c.Code, c.For)
	if err != nil {
		return err
	}
	if c.Output == "" {
		_, err = io.out.Write(file)
		return err
	}
	if err := diag.WriteText(io.err, report.List(), map[bool]string{true: "en", false: "zh"}[english(c.Locale)]); err != nil {
		return err
	}
	return os.WriteFile(home(c.Output), file, 0o644)
}
