package command

import (
	"context"
	"fmt"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/seed"
)

type benchCmd struct {
	Seed seedCmd `cmd:"" help:"Fill a model with generated records (same count, same data)."`
}

type seedCmd struct {
	database
	packs
	Rows  int    `help:"Number of records the model should have." default:"1000000"`
	Model string `help:"Code of the model." default:"inspection"`
}

// Help is shown by `sluice bench seed --help`.
func (seedCmd) Help() string {
	return `Adds rows until the model has as many as asked. The rows follow from their number, so that two installations hold the same.

Example:
  sluice bench seed --data ./data --packs examples/ship-lock --rows 1000000`
}

func (c *seedCmd) Run(ctx context.Context, io console) error {
	cfg, err := config(c.database, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return err
	}
	cfg.Idle = true // the indexes that are put off are built at the end
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return err
	}
	err = c.fill(ctx, a, io)
	if e := a.Close(); err == nil {
		err = e
	}
	return err
}

func (c *seedCmd) fill(ctx context.Context, a *app.App, io console) error {
	state := a.State()
	m := state.Catalog.Model(c.Model)
	if m == nil || m.Parent != nil {
		return fmt.Errorf("unknown model %q", c.Model)
	}
	if err := a.CatchUp(ctx); err != nil { // so that all records are known to be computed, the new ones among them
		return err
	}
	told := 0
	err := seed.Fill(ctx, a.Store(), state.Catalog, m, c.Rows, func(done int) {
		if done-told >= 100_000 || done == c.Rows {
			told = done
			fmt.Fprintln(io.out, diag.Fill("{0} {0|row|rows}", []any{done}, "en"))
		}
	})
	return err
}
