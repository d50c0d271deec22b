// Command bench measures the product against a floor program on the same data and prints ratios within one run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"
)

// options are the command line.
type options struct {
	rows, postgres int
	dir            string
	each           time.Duration
	server         string
	profile        string
	first          bool
	documents      bool
	forms, list    bool
	create         bool
	bytes          bool
	sheets         bool
	paper          bool
	imports        int
	exports        int
	people         int
	workflows      int
	reports        bool
	quality        bool
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		if err := child(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 5 && os.Args[1] == "spreadsheet" {
		if err := spreadsheetTask(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	var o options
	flag.IntVar(&o.rows, "rows", 200_000, "rows of the large table on SQLite; 0 leaves SQLite out")
	flag.IntVar(&o.postgres, "postgres", 50_000, "rows of the table on PostgreSQL; 0 leaves it out")
	flag.StringVar(&o.server, "server", "", "URL of a PostgreSQL database of yours, which keeps the rows for the next run")
	flag.StringVar(&o.dir, "dir", ".bench", "folder of the seeded databases, which are kept for the next run")
	flag.DurationVar(&o.each, "each", 2*time.Second, "time of each measurement")
	flag.StringVar(&o.profile, "profile", "", "folder for CPU profiles of the server processes")
	flag.BoolVar(&o.first, "first", false, "measure the list page only, for profiles")
	flag.BoolVar(&o.create, "create", false, "measure the creating of records only, for profiles")
	flag.IntVar(&o.exports, "exports", 0, "measure the export of a list of so many rows only")
	flag.IntVar(&o.imports, "imports", 0, "measure the import of a file of so many rows only")
	flag.IntVar(&o.people, "people", 0, "measure the pickers of an organization of so many people only")
	flag.IntVar(&o.workflows, "workflows", 0, "measure decisions, lists and timers of workflows with so many open tasks only")
	flag.BoolVar(&o.reports, "reports", false, "measure figures of reports only")
	flag.BoolVar(&o.quality, "quality", false, "measure the pack quality only: imports, the tree, the roll-up")
	flag.BoolVar(&o.bytes, "bytes", false, "print what each table and index takes on the disk only")
	flag.BoolVar(&o.sheets, "spreadsheets", false, "measure the reading and writing of spreadsheets only")
	flag.BoolVar(&o.paper, "paper", false, "measure the layout and painting of print templates only")
	flag.BoolVar(&o.documents, "documents", false, "measure the compiler and sluice dev only")
	flag.BoolVar(&o.forms, "forms", false, "measure a large form in Chromium only (needs node and `make build`)")
	flag.BoolVar(&o.list, "list", false, "measure a list of 60 columns and 500 rows in Chromium only (needs node and `make build`)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.forms {
		return measureInBrowser(ctx, "bench/forms.mjs")
	}
	if o.list {
		return measureInBrowser(ctx, "bench/list.mjs")
	}
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return err
	}
	o.dir = dir
	if err := writePacks(filepath.Join(dir, "packs")); err != nil {
		return err
	}
	t := &table{}
	if o.paper {
		if err := measurePaper(); err != nil {
			return err
		}
		defer t.print()
		return measureBatch(ctx, o, t)
	}
	if o.sheets {
		defer t.print()
		return measureSheets(ctx, o, t)
	}
	if o.quality {
		defer t.print()
		return measureQuality(ctx, o, t)
	}
	if o.bytes {
		return measureBytes(ctx, o)
	}
	if o.people > 0 {
		defer t.print()
		return measurePeople(ctx, o, t)
	}
	if o.workflows > 0 {
		defer t.print()
		return measureWorkflows(ctx, o, t)
	}
	if o.documents {
		defer t.print()
		return measureDocuments(ctx, o, t)
	}
	fmt.Printf("%s %s/%s, %d cores, %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format(time.DateOnly))
	if o.rows > 0 {
		if err := measureSQLite(ctx, o, t); err != nil {
			return err
		}
	}
	if o.postgres > 0 && (!o.first || o.rows == 0) {
		if err := measurePostgres(ctx, o, t); err != nil {
			return err
		}
	}
	t.print()
	return nil
}

// measureInBrowser runs a bench that is a program of the browser's side.
func measureInBrowser(ctx context.Context, program string) error {
	cmd := exec.CommandContext(ctx, "node", program)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}

func measureSQLite(ctx context.Context, o options, t *table) error {
	if o.create || o.imports > 0 || o.exports > 0 {
		p, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, fmt.Sprint(o.rows/10))}, o.rows/10)
		if err != nil {
			return err
		}
		if o.exports > 0 {
			return exportsBeside(ctx, o, t, p)
		}
		if o.imports > 0 {
			if p, err = p.copied("imports"); err != nil {
				return err
			}
			defer func() { _ = os.RemoveAll(p.dir) }()
			return measureImports(ctx, o, t, p)
		}
		return measureCreate(ctx, o, t, p)
	}
	large, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, fmt.Sprint(o.rows))}, o.rows)
	if err != nil {
		return err
	}
	if o.reports {
		return measureReports(ctx, o, t, large)
	}
	small, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, fmt.Sprint(o.rows/10))}, o.rows/10)
	if err != nil {
		return err
	}
	if err := measureLists(ctx, o, t, large, small); err != nil || o.first {
		return err
	}
	if err := measureCreate(ctx, o, t, small); err != nil {
		return err
	}
	if err := measureRights(ctx, t, small); err != nil {
		return err
	}
	return measureDocuments(ctx, o, t)
}
