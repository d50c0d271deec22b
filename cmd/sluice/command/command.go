// Package command is the command line of sluice as a library: a program of your own that adds packs with code is a main
// function that calls Main with their Register functions (docs/authoring.md, "A pack with Go code").
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/httpapi"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Exit codes; they are part of the contract with scripts.
const (
	exitDone        = 0
	exitFaulty      = 1 // the documents or the plan have errors
	exitUsage       = 2
	exitEnvironment = 3 // database, files, network
)

// cli is the command line. Flags win over the environment (SLUICE_*), the environment over sluice.yaml.
type cli struct {
	Serve    serveCmd    `cmd:"" help:"Serve the applications."`
	Dev      devCmd      `cmd:"" help:"Serve, and reload packs when their files change."`
	Check    checkCmd    `cmd:"" help:"Check definitions and report every problem."`
	Fmt      fmtCmd      `cmd:"" help:"Write definitions in their canonical form."`
	Uses     usesCmd     `cmd:"" help:"Print every place that names a model, property, role or other thing."`
	Rename   renameCmd   `cmd:"" help:"Give a thing another code, in every file that refers to it."`
	Plan     planCmd     `cmd:"" help:"Show the database changes that the definitions require."`
	Apply    applyCmd    `cmd:"" help:"Apply those changes to the database."`
	Test     testCmd     `cmd:"" help:"Run the scenario files of packs: who may do what, and what comes of it."`
	Explain  explainCmd  `cmd:"" help:"Explain a list for a user: query plan, SQL and permissions."`
	Export   exportCmd   `cmd:"" help:"Write documents as files, including published ones."`
	Backup   backupCmd   `cmd:"" help:"Copy a running installation into one file, or check such a file."`
	Restore  restoreCmd  `cmd:"" help:"Make an installation of a backup."`
	User     userCmd     `cmd:"" help:"Manage users, passwords and tokens."`
	Bench    benchCmd    `cmd:"" help:"Generate data for benchmarks."`
	Schema   schemaCmd   `cmd:"" help:"Write the JSON Schemas of definitions, for editors."`
	Workflow workflowCmd `cmd:"" help:"Work with workflows."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// console is where commands write, and which program they are part of.
type console struct {
	in       io.Reader // nil = nobody types
	out, err io.Writer
	program
}

// program is what a binary holds besides the command line itself.
type program struct {
	version string
	packs   []pack.Registrar // besides those of the platform
	offers  []pack.Offer     // besides those of the platform
}

// set registers the extensions and packs of the program, and of the packs that it offers those that are named or that packs on disk require.
func (p program) set(with, dirs []string) (*pack.Set, error) {
	set := &pack.Set{}
	for i, register := range append([]pack.Registrar{plugins.Register}, p.packs...) {
		if err := register(set); err != nil {
			return nil, fmt.Errorf("register packs (%d of %d): %w", i+1, len(p.packs)+1, err)
		}
	}
	if err := set.Take(slices.Concat(plugins.Offered(), p.offers), with, onDisk(dirs)...); err != nil {
		if unknown := (*pack.UnknownOffer)(nil); errors.As(err, &unknown) {
			return nil, usageError{fmt.Errorf("--with: %w", err)}
		}
		return nil, err
	}
	set.Freeze()
	return set, nil
}

// hasPack reports whether the program has a pack that can be switched on by this code.
func (p program) hasPack(code string) bool {
	set, err := p.set([]string{code}, nil)
	return err == nil && set.Took(code)
}

// onDisk are the packs in folders.
func onDisk(dirs []string) (out []pack.Manifest) {
	for _, dir := range dirs {
		folders, _ := compile.Folders(os.DirFS(dir), dir) // what is wrong with them is told when they are loaded
		for _, f := range folders {
			m := pack.ReadManifest(f.FS)
			m.Code = f.Code
			out = append(out, m)
		}
	}
	return out
}

// usageError is a command line that cannot be meant.
type usageError struct{ error }

// exitError carries an exit code for an error that was already printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// gcPercent lets the heap grow further than Go does by itself: pages are short-lived and the live heap is small, so the
// collector's share of the time falls for a few tens of megabytes. GOGC in the environment wins.
const gcPercent = 300

// firstCollection is the heap at which a short command begins to collect: most end before.
const firstCollection = 256 << 20

// collectLate puts the first collection off for a command that ends soon; after it all is as for others.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new([64]byte), func(before int64) {
		debug.SetMemoryLimit(before)
		debug.SetGCPercent(gcPercent)
	}, limit)
}

// Main runs the command line of a program whose version is given and which holds the platform's packs and the given ones. It
// ends the process.
func Main(version string, packs ...pack.Registrar) {
	workbook.Child() // a process that reads a spreadsheet does nothing else
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr, program: program{version: version, packs: packs}})
	stop()
	os.Exit(code)
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, io console) int {
	var c cli
	done := false
	if len(args) > 0 && args[0] != "serve" && args[0] != "dev" { // which act for others
		ctx = audit.ByCommand(ctx)
	}
	parser, err := kong.New(&c, kong.Name("sluice"), kong.Description("A metadata-driven engine for business applications."),
		kong.Writers(io.out, io.err), kong.Exit(func(int) { done = true }), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Configuration(yamlConfig, "sluice.yaml"),
		kong.Vars{"nameKinds": strings.Join(rename.Words(), ", ")}, kong.DefaultEnvars("SLUICE"), kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(io))
	if err != nil {
		fmt.Fprintln(io.err, "sluice:", err)
		return exitUsage
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	cmd, err := parser.Parse(args)
	if done {
		return exitDone
	}
	if err != nil {
		fmt.Fprintln(io.err, "sluice:", err)
		return exitUsage
	}
	return exitCode(cmd.Run(), io)
}

// exitCode tells a failure and chooses its code.
func exitCode(err error, io console) int {
	var told exitError
	var faulty *app.Faulty
	var blocked *app.Blocked
	var pending *app.Pending
	var missing *app.NoDatabase
	var refused *fault.Error
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &told):
		return int(told)
	case errors.As(err, &faulty):
		printDiagnostics(io, io.err, faulty.List, "text", "")
		return exitFaulty
	case errors.As(err, &blocked):
		fmt.Fprintln(io.err, blocked.Error())
		if blocked.Impossible() {
			fmt.Fprintln(io.err, "Change the records or the definitions that the impossible steps name, then look at the steps again with `sluice plan`.")
			return exitFaulty
		}
		fmt.Fprintln(io.err, "Look at the steps with `sluice plan`, then run `sluice apply --yes` (and --allow-destructive for what loses data).")
		return exitFaulty
	case errors.As(err, &pending):
		fmt.Fprintf(io.err, "sluice: %v; review them with `sluice plan`, then run `sluice apply`\n", pending)
		return exitFaulty
	case errors.As(err, &missing):
		fmt.Fprintf(io.err, "sluice: %v; create it with `sluice apply` or `sluice serve`\n", missing)
		return exitEnvironment
	case errors.Is(err, store.ErrServed):
		fmt.Fprintf(io.err, "sluice: %v; stop that process, or use another folder with --data\n", err)
		return exitEnvironment
	case errors.Is(err, store.ErrMoved), errors.Is(err, store.ErrConfirm), errors.Is(err, store.ErrDestructive), errors.Is(err, store.ErrNoValue), errors.Is(err, store.ErrTooLong),
		errors.Is(err, store.ErrDuplicates), errors.Is(err, app.ErrNoPlanFile), errors.Is(err, app.ErrOtherInstallation), errors.Is(err, app.ErrDocumentsMoved),
		errors.Is(err, app.ErrDatabaseMoved), errors.Is(err, app.ErrStepsMoved):
		fmt.Fprintln(io.err, "sluice:", err)
		return exitFaulty
	case errors.As(err, new(faultyBackup)):
		fmt.Fprintln(io.err, "sluice:", err)
		return exitFaulty
	case errors.As(err, &usage):
		fmt.Fprintln(io.err, "sluice:", err)
		return exitUsage
	case errors.As(err, &refused) && refused.Code != fault.Internal:
		where := strings.TrimSuffix(err.Error(), refused.Error()) // a data file and the key of its row, or nothing
		fmt.Fprintln(io.err, "sluice:", where+httpapi.Sentence(refused, terminalLocale()))
		return exitFaulty
	}
	fmt.Fprintln(io.err, "sluice:", err)
	return exitEnvironment
}

// versionCmd prints the version.
type versionCmd struct{}

func (versionCmd) Run(io console) error {
	_, err := fmt.Fprintln(io.out, "sluice", io.version)
	return err
}
