package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/runtime/httpapi"
	"github.com/sluice-platform/sluice/ui"
)

// process is a server in a process of its own, so that its CPU time and memory are its own.
type process struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	address string
	url     string // of its database on PostgreSQL
}

// start runs this program again as the product or the floor, and waits for its address.
func start(ctx context.Context, o options, kind string, p place) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	profile := ""
	if o.profile != "" {
		profile = filepath.Join(o.profile, fmt.Sprintf("%s-%d.prof", kind, time.Now().UnixNano()))
	}
	cmd := exec.CommandContext(ctx, self, "child", kind, p.dir, p.url, p.packs, p.reader, profile)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s did not start: %w", kind, err), cmd.Wait())
	}
	return &process{cmd: cmd, stdin: stdin, address: "http://" + strings.TrimSpace(line), url: p.url}, nil
}

func (p *process) stop() {
	_ = p.stdin.Close()
	_ = p.cmd.Wait()
}

// cpu is the CPU time of the process so far; Linux counts it in hundredths of a second.
func (p *process) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return ticks(strings.Fields(after)[11:13])
}

// ticks adds up times of /proc/*/stat.
func ticks(fields []string) (sum time.Duration, err error) {
	for _, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum, nil
}

// rss is the memory of the process in MiB.
func (p *process) rss() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	kib, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	return kib / 1024, err
}

// child is the other side of start: it serves until its input ends.
func child(kind string, args []string) error {
	p, profile := place{dir: args[0], url: args[1], packs: args[2], reader: args[3]}, args[4]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if kind == "floor" {
		f, err := openFloor(ctx, p)
		if err != nil {
			return err
		}
		fmt.Println(l.Addr())
		server := &http.Server{Handler: f.handler(), ReadHeaderTimeout: 10 * time.Second}
		go func() { <-ctx.Done(); _ = server.Close() }()
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return f.db.Close()
	}
	debug.SetGCPercent(300) // as the command does
	a, err := open(ctx, p, false)
	if err != nil {
		return err
	}
	server, err := httpapi.New(httpapi.Options{App: a, Log: slog.New(slog.DiscardHandler), UI: ui.Files()})
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return errors.Join(server.Serve(ctx, l), a.Close())
}

// call posts a body and returns the answer's; an error code of the product is an error.
func call(ctx context.Context, client *http.Client, url, token string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(string(body)))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(res.Body)
	if e := res.Body.Close(); err == nil {
		err = e
	}
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", res.Status, out)
	}
	return out, err
}

// data is the page in an answer's envelope.
type data struct {
	Data struct {
		Total int     `json:"totalElements"`
		Next  *string `json:"next"`
	} `json:"data"`
}

func decode(answer []byte) (data, error) {
	var d data
	err := json.Unmarshal(answer, &d)
	return d, err
}
