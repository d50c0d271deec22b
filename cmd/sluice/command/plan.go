package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// changing are the flags that plan and apply share.
type changing struct {
	database
	packs
	Format string `help:"text or json." default:"text" enum:"text,json"`
}

type planCmd struct{ changing }

// Help is shown by `sluice plan --help`.
func (planCmd) Help() string {
	return `Compares the definitions on disk with the database and prints each step with its class: safe, needs-confirmation or
destructive, and the rows that it would break or lose. It changes nothing. Without --packs it takes those that the database was
last used with.

Example:
  sluice plan --data ./data --packs examples/ship-lock`
}

func (c *planCmd) Run(ctx context.Context, io console) error {
	return c.with(ctx, io, false, func(_ *store.DB, _ []string, p *store.Plan) error { return c.print(io, p) })
}

type applyCmd struct {
	changing
	Yes              bool `help:"Apply steps that need confirmation."`
	AllowDestructive bool `help:"Apply steps that delete data."`
}

// Help is shown by `sluice apply --help`.
func (applyCmd) Help() string {
	return `Takes the steps of the plan in one transaction and builds indexes after it. An interrupted apply leaves the old tables or the
new ones, never anything between. Without --packs it takes those that the database was last used with.

Example:
  sluice apply --data ./data --packs examples/ship-lock --yes`
}

func (c *applyCmd) Run(ctx context.Context, io console) error {
	return c.with(ctx, io, true, func(db *store.DB, dirs []string, p *store.Plan) error {
		if err := c.print(io, p); err != nil {
			return err
		}
		if err := db.Apply(ctx, p, store.ApplyOptions{Yes: c.Yes, AllowDestructive: c.AllowDestructive}); err != nil {
			return err
		}
		if err := db.EnsureIndexes(ctx); err != nil {
			return err
		}
		if err := app.RememberPacks(ctx, db, dirs); err != nil {
			return err
		}
		if c.Format == "text" {
			fmt.Fprintln(io.out, "applied")
		}
		return nil
	})
}

// with compiles the documents, opens the database and plans. Where there is no database yet, it makes one only for a caller that
// takes steps.
func (c *changing) with(ctx context.Context, io console, takes bool, f func(*store.DB, []string, *store.Plan) error) error {
	cfg, err := config(c.database, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return err
	}
	if made, err := app.Made(ctx, cfg); err != nil {
		return err
	} else if made {
		if err := recall(ctx, &cfg); err != nil {
			return err
		}
	}
	compiled, list, err := cfg.Compile()
	if err != nil {
		return err
	}
	if compiled == nil {
		return &app.Faulty{List: list}
	}
	if !takes {
		clean, err := planOnly(ctx, &cfg)
		if err != nil {
			return err
		}
		defer clean()
	}
	db, err := app.OpenStore(ctx, cfg)
	if err != nil {
		return err
	}
	p, err := db.Plan(ctx, compiled.Storage, store.PlanOptions{Version: cfg.Documents.Version})
	if err == nil {
		err = f(db, cfg.Dirs, p)
	}
	if e := db.Close(); err == nil {
		err = e
	}
	return err
}

// recall gives a configuration the documents that were published into its database, and one without packs those that the database was
// last used with: to name none does not mean that their tables shall go.
func recall(ctx context.Context, cfg *app.Config) error {
	db, err := app.OpenStore(ctx, *cfg)
	if err != nil {
		return err
	}
	if len(cfg.Dirs) == 0 {
		cfg.Dirs, err = app.RememberedPacks(ctx, db)
	}
	if err == nil {
		cfg.Documents, err = cfg.WithPublished(ctx, db)
	}
	return errors.Join(err, db.Close())
}

// planOnly turns a configuration whose database has not been made into one of an empty database that clean removes again.
func planOnly(ctx context.Context, cfg *app.Config) (clean func(), err error) {
	made, err := app.Made(ctx, *cfg)
	if err != nil || made {
		return func() {}, err
	}
	dir, err := os.MkdirTemp("", "sluice-plan-")
	if err != nil {
		return nil, err
	}
	cfg.URL, cfg.Dir = "", dir
	return func() { _ = os.RemoveAll(dir) }, nil
}

func (c *changing) print(io console, p *store.Plan) error {
	if c.Format == "json" {
		enc := json.NewEncoder(io.out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(p)
	}
	if len(p.Steps) == 0 {
		_, err := fmt.Fprintln(io.out, "nothing to change")
		return err
	}
	_, err := fmt.Fprint(io.out, app.PlanText(p, terminalLocale(), func(store.Step) bool { return true }))
	return err
}

type explainCmd struct {
	database
	packs
	User string `help:"Username." required:""`
	List string `help:"Code of the list." required:""`
}

// Help is shown by `sluice explain --help`.
func (explainCmd) Help() string {
	return `Runs the code that answers the list for that user and prints its plan, its SQL and which role gave or withheld what.
It changes nothing: the database must have been made by serve or apply, and must fit the definitions. Without --packs it
takes those that the database was last served with.

Example:
  sluice explain --data ./data --user zhang.wei --list inspection`
}

func (c *explainCmd) Run(ctx context.Context, io console) error {
	cfg, err := config(c.database, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return err
	}
	cfg.Existing = true
	if err := recall(ctx, &cfg); err != nil {
		return err
	}
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return err
	}
	text, err := a.Explain(ctx, c.User, c.List, terminalLocale())
	if err == nil {
		_, err = fmt.Fprint(io.out, text)
	}
	if e := a.Close(); err == nil {
		err = e
	}
	return err
}
