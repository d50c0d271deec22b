package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

type workflowAuditCmd struct {
	database
	packs
	JSON   bool   `help:"Print the findings as JSON."`
	Locale string `help:"Language of the texts: zh or en; defaults to LANG." enum:"zh,en," default:""`
}

// Help is shown by `sluice workflow audit --help`.
func (workflowAuditCmd) Help() string {
	return `Looks at all running workflows, as the server does each night, and prints what nothing in them can mend: those that wait for nobody or for a
sub-workflow that does not come, that belong to somebody who has left, whose tasks do, or whose course can't be read. Administrators are told of what
is new. Exit code 1 when there are findings. The server may be running.

Example:
  sluice workflow audit --data ./data --packs examples/ship-lock`
}

// findingsAtOnce is how many findings are read at once.
const findingsAtOnce = 100

func (c *workflowAuditCmd) Run(ctx context.Context, io console) error {
	cfg, err := config(c.database, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return err
	}
	cfg.Existing, cfg.Idle = true, true
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return err
	}
	found := []workflow.Found{}
	err = finish(a, func(a *app.App) error {
		if _, err := a.Workflows().AuditAll(ctx); err != nil {
			return err
		}
		view := a.State().Policy.View(principal.System("workflow audit"), a.Now(), a.Zone())
		for {
			page, err := a.Workflows().Findings(ctx, view, len(found)/findingsAtOnce, findingsAtOnce)
			if err != nil {
				return err
			}
			if found = append(found, page.Content...); len(page.Content) < findingsAtOnce {
				return nil
			}
		}
	})
	if err != nil {
		return err
	}
	if err := c.print(io, found); err != nil {
		return err
	}
	if len(found) > 0 {
		return exitError(exitFaulty)
	}
	return nil
}

// print writes findings, each in a line.
func (c *workflowAuditCmd) print(io console, found []workflow.Found) error {
	if c.JSON {
		encoder := json.NewEncoder(io.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(found)
	}
	locale := "zh"
	if english(c.Locale) {
		locale = "en"
	}
	for _, f := range found {
		parts := []string{f.Kind, f.Instance.ID, f.Instance.Name, f.Title().In(locale)}
		if f.Node != "" {
			parts = append(parts, fmt.Sprintf("%s [%s]", plan.Label{Zh: f.Name, I18n: f.NameI18n}.In(locale), f.Node))
		}
		if f.Person != nil {
			parts = append(parts, f.Person.Name)
		}
		if _, err := fmt.Fprintln(io.out, strings.Join(parts, "  ")); err != nil {
			return err
		}
	}
	return nil
}
