package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// changing are the flags that plan and apply share.
type changing struct {
	database
	packs
	DropPack []string `help:"Code of a pack that is not in use any more: the steps delete its tables, which otherwise stay. Several: separated by commas." placeholder:"CODE"`
	Format   string   `help:"text or json." default:"text" enum:"text,json"`
}

type planCmd struct {
	changing
	Out string `help:"File to write the plan into, for sluice apply FILE; it must not exist." placeholder:"FILE"`
}

// Help is shown by `sluice plan --help`.
func (planCmd) Help() string {
	return `Compares the definitions on disk with the database and prints each step with its class: safe, needs-confirmation,
destructive or impossible (records stand in its way), and the rows that it would break or lose. Then it prints how many instances of workflows run by older versions and which of
them could go on by the new one, and who gains or loses which rows, fields and actions, compared with the definitions that the database
was last served with. Before the steps come the places where published documents and those of the packs don't agree, and words in scripts
and code of the program that may mean what a step removes. It changes nothing. Without --packs it takes those that the database was last
used with. With --out it also writes the steps into a file, as JSON, with digests of the definitions and the database: people review it,
and sluice apply FILE takes these steps and no others.

Example:
  sluice plan --data ./data --packs examples/ship-lock --out plan.json`
}

func (c *planCmd) Run(ctx context.Context, io console) error {
	return c.with(ctx, io, false, func(o *planned) error {
		if err := c.print(io, o); err != nil || c.Out == "" {
			return err
		}
		file, err := o.file(ctx)
		if err != nil {
			return err
		}
		return writePlan(c.Out, file)
	})
}

// writePlan writes a plan into a file that is not there yet.
func writePlan(path string, file *app.PlanFile) error {
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // it names values of records
	if err != nil {
		return usageError{err}
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}

// file is the plan as a file.
func (o *planned) file(ctx context.Context) (*app.PlanFile, error) {
	installation := ""
	if o.made {
		var err error
		if installation, err = app.Installation(ctx, o.db); err != nil {
			return nil, err
		}
	}
	return app.NewPlanFile(o.plan, o.catalog, installation, o.cfg.Clock()), nil
}

// reviewed reads the plan that people reviewed; nil without one.
func (c *applyCmd) reviewed() (*app.PlanFile, error) {
	if c.File == "" {
		return nil, nil
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, usageError{err}
	}
	defer f.Close()
	return app.ReadPlanFile(f)
}

type applyCmd struct {
	changing
	File             string `arg:"" optional:"" help:"Plan that sluice plan --out wrote: these steps are taken and no others."`
	Yes              bool   `help:"Apply steps that need confirmation."`
	AllowDestructive bool   `help:"Apply steps that delete data."`
}

// Help is shown by `sluice apply --help`.
func (applyCmd) Help() string {
	return `Takes the steps of the plan in one transaction and builds indexes after it. An interrupted apply leaves the old tables or the
new ones, never anything between. Without --packs it takes those that the database was last used with. With a plan file it refuses when the
definitions, the database or the classes of the steps are others than in the plan; name the same packs, and the steps that are not safe are allowed here too.

Example:
  sluice apply --data ./data --packs examples/ship-lock --yes
  sluice apply --data ./data --packs examples/ship-lock --yes plan.json`
}

func (c *applyCmd) Run(ctx context.Context, io console) error {
	file, err := c.reviewed()
	if err != nil {
		return err
	}
	return c.with(ctx, io, true, func(o *planned) error {
		db := o.db
		if file != nil {
			now, err := o.file(ctx)
			if err == nil {
				err = file.Same(now)
			}
			if err != nil {
				return err
			}
		}
		if err := c.print(io, o); err != nil {
			return err
		}
		if err := db.Apply(ctx, o.plan, store.ApplyOptions{Yes: c.Yes, AllowDestructive: c.AllowDestructive, Publish: o.cfg.Following()}); err != nil {
			return err
		}
		if err := db.EnsureIndexes(ctx); err != nil {
			return err
		}
		if err := app.RememberPacks(ctx, db, o.cfg.Dirs); err != nil {
			return err
		}
		if err := app.RememberWith(ctx, db, o.cfg.With); err != nil {
			return err
		}
		if err := app.RememberDocuments(ctx, db, o.cfg.Documents); err != nil {
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
func (c *changing) with(ctx context.Context, io console, takes bool, f func(*planned) error) error {
	cfg, err := config(c.database, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return err
	}
	cfg.Hold = true
	made, err := app.Initialized(ctx, cfg)
	if err != nil {
		return err
	}
	if made {
		if err := recall(ctx, &cfg, io); err != nil {
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
	options := app.PlanOptions(compiled)
	options.Version, options.Drop = cfg.Documents.Version, c.DropPack
	err = left(ctx, db, options)
	var p *store.Plan
	if err == nil {
		p, err = app.Plan(ctx, cfg, db, compiled, options)
	}
	if err == nil {
		o := &planned{cfg: cfg, db: db, plan: p, catalog: compiled, made: made, warnings: slices.Concat(diag.List{}, app.OfPublished(list)), mentions: diag.List{}}
		if gone := p.Removed(); len(gone) > 0 {
			if o.mentions, err = mentions(cfg.Documents, gone); err != nil {
				return errors.Join(err, db.Close())
			}
		}
		if o.access, err = app.AccessChange(ctx, cfg, db, compiled); err == nil {
			o.workflows, err = workflow.ImpactOf(ctx, db, compiled)
		}
		if err == nil {
			err = f(o)
		}
	}
	if e := db.Close(); err == nil {
		err = e
	}
	return err
}

// left refuses to drop a pack that is in use, or has no tables.
func left(ctx context.Context, db *store.DB, o store.PlanOptions) error {
	if len(o.Drop) == 0 {
		return nil
	}
	have, _, err := db.Schema(ctx)
	if err != nil {
		return err
	}
	for _, code := range o.Drop {
		switch {
		case slices.Contains(o.Packs, code):
			return usageError{fmt.Errorf("the pack %s is in use; leave it out (--packs, --with) to delete its tables", code)}
		case !slices.ContainsFunc(have.Tables, func(t plan.Table) bool { return t.Pack == code }):
			return usageError{fmt.Errorf("the database has no tables of a pack %s", code)}
		}
	}
	return nil
}

// planned is what the documents change in a database.
type planned struct {
	cfg     app.Config
	db      *store.DB
	plan    *store.Plan
	made    bool           // the database was there before
	access  *access.Report // nil = it is not known what the database was served with
	catalog *catalog.Catalog
	// workflows are those whose instances run by other versions than the documents'.
	workflows []workflow.Impact
	warnings  diag.List // where published documents and those of the packs do not agree
	// mentions are warnings at words in scripts and at code that may mean what the plan removes.
	mentions diag.List
}

// mentions looks for what is gone where the compiler does not.
func mentions(d app.Documents, gone []names.Step) (diag.List, error) {
	in, found, err := renamePacks(d)
	if err != nil || found.HasErrors() {
		return diag.List{}, err
	}
	return in.Read().Mentions(gone), nil
}

// recall gives a configuration the documents that were published into its database, and one without packs those that the database was
// last used with: to name none does not mean that their tables shall go.
func recall(ctx context.Context, cfg *app.Config, io console) error {
	db, err := app.OpenStore(ctx, *cfg)
	if err != nil {
		return err
	}
	if len(cfg.Dirs) == 0 {
		cfg.Dirs, err = app.RememberedPacks(ctx, db)
		if err == nil && len(cfg.With) == 0 {
			cfg.With, err = app.RememberedWith(ctx, db)
		}
		if err == nil {
			cfg.Set, err = io.set(cfg.With, cfg.Dirs)
		}
	}
	if err == nil {
		cfg.Documents, err = cfg.WithPublished(ctx, db)
	}
	return errors.Join(err, db.Close())
}

// planOnly turns a configuration whose database has not been made into one of an empty database that clean removes again.
func planOnly(ctx context.Context, cfg *app.Config) (clean func(), err error) {
	made, err := app.Initialized(ctx, *cfg)
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

func (c *changing) print(io console, o *planned) error {
	p := o.plan
	if c.Format == "json" {
		enc := json.NewEncoder(io.out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(struct {
			*store.Plan
			Access    *access.Report    `json:"access"`
			Workflows []workflow.Impact `json:"workflows"`
			Warnings  diag.List         `json:"warnings"`
			Mentions  diag.List         `json:"mentions"`
		}{p, o.access, o.workflows, o.warnings, append(diag.List{}, o.mentions...)})
	}
	if err := diag.WriteText(io.out, o.warnings, terminalLocale()); err != nil {
		return err
	}
	fmt.Fprint(io.out, app.KeptText(p.Kept, o.cfg.Documents.Set, terminalLocale()))
	switch changes := o.access != nil && len(o.access.Groups) > 0; {
	case len(p.Steps) == 0 && changes:
		fmt.Fprintln(io.out, "nothing to change in the tables")
	case len(p.Steps) == 0:
		fmt.Fprintln(io.out, "nothing to change")
	default:
		fmt.Fprint(io.out, app.PlanText(p, terminalLocale(), func(store.Step) bool { return true }))
	}
	if err := printDiagnostics(io, io.err, o.mentions, "text", ""); err != nil {
		return err
	}
	fmt.Fprint(io.out, workflow.ImpactText(o.workflows, terminalLocale()))
	if o.access == nil {
		return nil
	}
	return o.access.WriteText(io.out, terminalLocale())
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
	if err := recall(ctx, &cfg, io); err != nil {
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
