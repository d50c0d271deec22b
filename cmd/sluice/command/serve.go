package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/httpapi"
	"github.com/sluice-platform/sluice/runtime/oidc"
	"github.com/sluice-platform/sluice/ui"
)

// serving are the flags that serve and dev share.
type serving struct {
	database
	packs
	Addr           string      `help:"Address to listen on." default:"127.0.0.1:8080"`
	PublicURL      string      `name:"public-url" help:"Public URL when the server runs behind a proxy, such as https://sluice.example.com."`
	TrustedProxies []string    `help:"Addresses or networks (CIDR) of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted."`
	OIDCFile       string      `name:"oidc-file" help:"JSON file with OpenID Connect providers for sign-in; needs --public-url." type:"path"`
	MetricsAddr    string      `help:"Address to serve /metrics on, for Prometheus; none by default. It needs no sign-in: keep it private."`
	Name           string      `help:"Name of the installation, in page titles." default:"Sluice"`
	Language       string      `help:"Language of people who have chosen none: browser (that of their browser), zh or en." default:"browser" enum:"browser,zh,en"`
	HomeApp        string      `help:"Code of the application that the start page opens, instead of the list of all applications."`
	SetupSecret    secret.Text `help:"Setup secret for the first administrator; generated and printed if empty."`
	Files          string      `help:"Storage of uploaded files: a folder, or s3://BUCKET?region=…&endpoint=… with credentials from the environment. Defaults to files in --data."`
	RecycleDays    int         `help:"Days to keep deleted records; 0 deletes them at once." default:"30"`
	Workers        int         `help:"Background jobs to run concurrently, half of them short ones; 0 runs none on this node." default:"2"`
	ExportDays     int         `help:"Days to keep the files of exports." default:"30"`
	KeepMessages   int         `help:"Days to keep read notifications; 0 keeps them forever." default:"180"`
	AuditDays      int         `help:"Days to keep entries of the audit log; 0 keeps them forever." default:"730"`
	channels
	LogLevel  string `help:"debug, info, warn or error." default:"info" enum:"debug,info,warn,error"`
	LogFormat string `help:"text or json." default:"text" enum:"text,json"`
}

// maxRecycleDays is a hundred years: without an end.
const maxRecycleDays = 36_500

type serveCmd struct{ serving }

// Help is shown by `sluice serve --help`.
func (serveCmd) Help() string {
	return `Starts on SQLite in ./data with the embedded packs. Safe changes of tables are applied by itself; with others it does not
start and names them (see plan and apply).

Example:
  sluice serve --packs examples/ship-lock --data ./data --addr 127.0.0.1:8080
  sluice serve --db postgres://sluice@localhost/sluice --packs packs/`
}

func (c *serveCmd) Run(ctx context.Context, io console) error { return c.run(ctx, io, false) }

type devCmd struct{ serving }

// Help is shown by `sluice dev --help`.
func (devCmd) Help() string {
	return `Serves the packs and follows their files: saving a definition checks it, applies its safe changes (renames too) and updates
the open page. A file with errors is served as it was, and so is one whose change would lose data: page and terminal say why. About a
property that was removed, and so about a sub-table (ticket.lines), a model (ticket) or a role (role:agent), type here
  keep ticket.note            to put it back into the file
  rename ticket.note remark   when it is called remark now: writes renamedFrom into the file
  drop ticket.note            to lose its data

Example:
  sluice dev --packs examples/ship-lock`
}

func (c *devCmd) Run(ctx context.Context, io console) error {
	if len(c.Packs) == 0 {
		fmt.Fprintln(io.err, "sluice: dev requires --packs DIR (the folders to watch)")
		return exitError(exitUsage)
	}
	return c.run(ctx, io, true)
}

func (s *serving) run(ctx context.Context, io console, dev bool) error {
	recent := app.NewRecent(newLogger(io.err, s.LogLevel, s.LogFormat).Handler())
	log := slog.New(recent)
	cfg, err := config(s.database, s.packs, io, log)
	if err != nil {
		return err
	}
	if s.Workers < 0 {
		return usageError{fmt.Errorf("--workers: %d is less than 0", s.Workers)}
	}
	if s.AuditDays < 0 {
		return usageError{fmt.Errorf("--audit-days: %d is less than 0", s.AuditDays)}
	}
	if s.KeepMessages < 0 {
		return usageError{fmt.Errorf("--keep-messages: %d is less than 0", s.KeepMessages)}
	}
	if s.RecycleDays < 0 || s.RecycleDays > maxRecycleDays {
		return usageError{fmt.Errorf("--recycle-days: %d is not between 0 and %d", s.RecycleDays, maxRecycleDays)}
	}
	if s.ExportDays < 1 || s.ExportDays > maxRecycleDays {
		return usageError{fmt.Errorf("--export-days: %d is not between 1 and %d", s.ExportDays, maxRecycleDays)}
	}
	proxies, err := prefixes(s.TrustedProxies)
	if err != nil {
		return usageError{fmt.Errorf("--trusted-proxies: %w", err)}
	}
	var public *url.URL
	if s.PublicURL != "" {
		if public, err = httpapi.PublicURL(s.PublicURL); err != nil {
			return usageError{fmt.Errorf("--public-url %q: %w", s.PublicURL, err)}
		}
	}
	if s.OIDCFile != "" {
		if public == nil {
			return usageError{errors.New("--oidc-file needs --public-url: providers send browsers back to it")}
		}
		if cfg.Providers, err = oidc.Read(s.OIDCFile, os.Getenv); err != nil {
			return usageError{fmt.Errorf("--oidc-file: %w", err)}
		}
	}
	hears, err := s.channels.read(public != nil)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	figures, err := s.listenMetrics()
	if err != nil {
		return err
	}
	if figures != nil {
		defer func() { _ = figures.Close() }()
	}
	cfg.Channels, cfg.Recent = hears, recent
	cfg.Patience = 0 // a server answers that the database is locked
	cfg.HomeApp = s.HomeApp
	cfg.Serving, cfg.Name, cfg.Dev, cfg.SetupSecret, cfg.Files, cfg.Workers = true, s.Name, dev, s.SetupSecret, s.Files, s.Workers
	cfg.KeepExports = time.Duration(s.ExportDays) * 24 * time.Hour
	if public != nil {
		cfg.Address = strings.TrimSuffix(public.String(), "/")
	}
	cfg.KeepAudit = time.Duration(s.AuditDays) * 24 * time.Hour
	cfg.KeepMessages = time.Duration(s.KeepMessages) * 24 * time.Hour
	if cfg.RecycleDays = s.RecycleDays; cfg.RecycleDays == 0 {
		cfg.RecycleDays = -1
	}
	made := cfg.SetupSecret == ""
	if made {
		if cfg.SetupSecret, err = authn.NewSetupSecret(); err != nil {
			return err
		}
	}
	a, err := app.Open(ctx, cfg)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		log.Info("stopped during startup; the next start resumes from here")
		return nil
	}
	if err != nil {
		return err
	}
	defer endWithin(ctx, stopTime, log, os.Exit)()
	defer func() {
		if err := a.Close(); err != nil {
			log.Error("close", "error", err)
		}
	}()
	server, err := httpapi.New(httpapi.Options{App: a, Log: log, UI: ui.Files(), Dev: dev, Proxies: proxies, PublicURL: public,
		Language: map[string]string{"zh": "zh", "en": "en"}[s.Language]})
	if err != nil {
		return err
	}
	address := "http://" + displayHost(listener.Addr().String())
	fmt.Fprintf(io.out, "Sluice serves %s\n", address)
	if public != nil {
		address = public.String()
	}
	if needed, err := a.Auth().SetupNeeded(ctx); err == nil && needed {
		if made {
			fmt.Fprintf(io.out, "First start: open %s/setup and enter this secret once: %s\n", address, cfg.SetupSecret.Reveal())
		} else {
			fmt.Fprintf(io.out, "First start: open %s/setup and enter your setup secret\n", address)
		}
	}
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if figures != nil {
		beside.Go(func() {
			if err := server.ServeMetrics(ctx, figures); err != nil {
				log.Error("serve the metrics", "error", err)
			}
		})
	}
	if dev {
		if io.in != nil {
			go answerLines(ctx, io, a) // a read of a terminal does not end with the program's work
		}
		beside.Go(func() {
			if err := a.Watch(ctx, func(list diag.List, err error) { reportTurn(io, list, err) }); err != nil {
				log.Error("follow the files", "error", err)
			}
		})
	}
	return server.Serve(ctx, listener)
}

// prefixes reads networks; an address alone is a network of one.
func prefixes(texts []string) ([]netip.Prefix, error) {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		one, err := netip.ParseAddr(text)
		if err == nil {
			out[i] = netip.PrefixFrom(one.Unmap(), one.Unmap().BitLen())
			continue
		}
		if out[i], err = netip.ParsePrefix(text); err != nil {
			return nil, fmt.Errorf("%q is no address or network such as 10.0.0.0/8", text)
		}
	}
	return out, nil
}

// listenMetrics opens the listener of the figures, if one is wanted.
func (s *serving) listenMetrics() (net.Listener, error) {
	if s.MetricsAddr == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", s.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("--metrics-addr: %w", err)
	}
	return l, nil
}

// answerLines takes what the author types about changes that wait.
func answerLines(ctx context.Context, io console, a *app.App) {
	for lines := bufio.NewScanner(io.in); lines.Scan() && ctx.Err() == nil; {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		switch list, known, err := a.AnswerLine(ctx, lines.Text()); {
		case !known:
			fmt.Fprintln(io.err, "sluice: type keep, drop or rename with what a change that waits is about, such as: keep ticket.note")
		default:
			reportTurn(io, list, err)
		}
	}
}

func reportTurn(io console, list diag.List, err error) {
	switch {
	case err != nil:
		fmt.Fprintln(io.err, "sluice:", err)
	case len(list) > 0:
		printDiagnostics(io, io.err, list, "text", "")
	default:
		fmt.Fprintln(io.out, "definitions reloaded")
	}
}

// displayHost writes an address as a browser takes it.
func displayHost(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsUnspecified() || ip.IsLoopback()) {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
