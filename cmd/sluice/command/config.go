package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/app"
	"gopkg.in/yaml.v3"
)

// database are the flags of every command that opens one.
type database struct {
	Data string `help:"Folder of the SQLite database and files." default:"./data" type:"path"`
	DB   string `name:"db" help:"PostgreSQL instead of SQLite: postgres://user:password@host/name."`

	Key     secret.Text `help:"Key that encrypts the installation's keys in the database, at least 32 characters; set it as SLUICE_KEY. Defaults to the key in --key-file."`
	KeyFile string      `help:"File with the key; defaults to sluice.key in --data, generated at the first start."`
}

// packs are the flags of every command that loads definitions.
type packs struct {
	Packs      []string `help:"Pack folders, or folders that contain packs, separated by commas."`
	With       []string `help:"Packs of this program to switch on, separated by commas; those that a pack on disk requires take part anyway."`
	NoEmbedded bool     `help:"Load no embedded packs except core, organisation and those that --with or a pack on disk asks for."`
	Timezone   string   `help:"The installation's time zone." default:"Asia/Shanghai"`
}

func (p packs) documents(io console) (app.Documents, error) {
	zone, err := time.LoadLocation(p.Timezone)
	if err != nil {
		return app.Documents{}, usageError{fmt.Errorf("--timezone: %w", err)}
	}
	dirs := make([]string, len(p.Packs))
	for i, dir := range p.Packs {
		dirs[i] = home(dir)
	}
	set, err := io.set(p.With, dirs)
	if err != nil {
		return app.Documents{}, err
	}
	return app.Documents{Set: set, Dirs: dirs, With: p.With, NoEmbedded: p.NoEmbedded, Zone: zone}, nil
}

// home resolves "~/", which shells leave in settings and behind "=". Paths are not made absolute otherwise: diagnostics name
// files as their author does.
func home(path string) string {
	if strings.HasPrefix(path, "~/") {
		return kong.ExpandPath(path)
	}
	return path
}

// readers is how many transactions read SQLite at once; 0 = as many as suit the processors.
var readers int

// patience is how long commands wait for a server that writes, which is long while it builds an index.
const patience = 10 * time.Minute

func config(d database, p packs, io console, log *slog.Logger) (app.Config, error) {
	if scheme, _, _ := strings.Cut(d.DB, "://"); d.DB != "" && scheme != "postgres" && scheme != "postgresql" {
		return app.Config{}, usageError{errors.New("--db must begin with postgres://")}
	}
	docs, err := p.documents(io)
	if err != nil {
		return app.Config{}, err
	}
	return app.Config{Documents: docs, URL: d.DB, Dir: d.Data, Key: d.Key, KeyFile: home(d.KeyFile), Version: io.version, Clock: time.Now, Log: log, Patience: patience, Readers: readers}, nil
}

// attach opens the system for a command that works on people only. Without --packs it takes the tables as they are, so that
// it needs none of the definitions that the database is served with. It makes no database, except, where first is set, one
// without packs for the first person.
func attach(ctx context.Context, d database, p packs, first bool, io console) (*app.App, error) {
	cfg, err := config(d, p, io, newLogger(io.err, "warn", "text"))
	if err != nil {
		return nil, err
	}
	cfg.Attach = len(p.Packs) == 0
	cfg.Existing = !cfg.Attach || !first
	return app.Open(ctx, cfg)
}

// made reports whether there may be a database: of a server only opening tells.
func (d database) made() bool {
	if d.DB != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(d.Data, "sluice.db"))
	return err == nil
}

func newLogger(w io.Writer, level, format string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: l}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// fileConfig are the settings of sluice.yaml by the names of flags.
type fileConfig map[string]any

// yamlConfig reads sluice.yaml: the names of flags, underscores or hyphens, in one flat map.
func yamlConfig(r io.Reader) (kong.Resolver, error) {
	values := map[string]any{}
	if err := yaml.NewDecoder(r).Decode(&values); err != nil && err != io.EOF {
		return nil, err
	}
	byFlag := fileConfig{}
	for k, v := range values {
		byFlag[strings.ReplaceAll(k, "_", "-")] = v
	}
	return byFlag, nil
}

// Validate refuses a setting that no command has: a misspelt one would silently do nothing.
func (f fileConfig) Validate(app *kong.Application) error {
	var known []string
	_ = kong.Visit(app, func(v kong.Visitable, next kong.Next) error {
		if flag, ok := v.(*kong.Flag); ok {
			known = append(known, strings.ReplaceAll(flag.Name, "-", "_"))
		}
		return next(nil)
	})
	for _, name := range slices.Sorted(maps.Keys(f)) {
		name = strings.ReplaceAll(name, "-", "_")
		if slices.Contains(known, name) {
			continue
		}
		if near := diag.Nearest(name, known); near != "" {
			return fmt.Errorf("sluice.yaml: unknown setting %q (did you mean %q?)", name, near)
		}
		return fmt.Errorf("sluice.yaml: unknown setting %q", name)
	}
	return nil
}

// Resolve gives a flag its setting unless the environment has one.
func (f fileConfig) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, given := os.LookupEnv(name); given {
			return nil, nil
		}
	}
	return f[flag.Name], nil
}
