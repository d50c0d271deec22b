package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/app"
)

type exportCmd struct {
	Dir string `arg:"" help:"Folder to write into; each pack gets a folder of its own there."`
	database
	packs
	Pack []string `help:"Codes of the packs to write; those on disk and those with published documents when missing."`
}

// Help is shown by `sluice export --help`.
func (exportCmd) Help() string {
	return `Writes the documents of packs as they are served: the pack's own files with what was published over them. Files that were not
changed come out byte by byte as they are in the pack; files that were published away are removed from the folder. Without --packs it
takes those that the database was last used with.

Example:
  sluice export --data ./data out
  sluice export --data ./data --packs examples/ship-lock --pack shiplock examples`
}

func (c *exportCmd) Run(ctx context.Context, io console) error {
	cfg, err := config(c.database, c.packs, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return err
	}
	made, err := app.Initialized(ctx, cfg)
	if err != nil {
		return err
	}
	if made {
		if err := recall(ctx, &cfg, io); err != nil {
			return err
		}
	}
	var all, missing []string
	folders, _, err := cfg.Folders()
	if err != nil {
		return err
	}
	for _, f := range folders {
		all = append(all, f.Code)
	}
	for _, code := range c.Pack {
		if !slices.ContainsFunc(all, func(have string) bool { return strings.EqualFold(have, code) }) {
			missing = append(missing, code)
		}
	}
	if len(missing) > 0 {
		return usageError{fmt.Errorf("--pack: there is no pack %s (there are %s)", strings.Join(missing, ", "), strings.Join(all, ", "))}
	}
	changed, err := cfg.Export(home(c.Dir), func(f app.Folder) bool {
		if len(c.Pack) > 0 {
			return slices.ContainsFunc(c.Pack, func(code string) bool { return strings.EqualFold(code, f.Code) })
		}
		return !f.Embedded || len(cfg.Published[f.Code]) > 0
	})
	if err == nil {
		fmt.Fprintln(io.out, diag.Fill(exported, []any{changed}, "en"))
	}
	return err
}

const exported = "{0} {0|file|files} written"
