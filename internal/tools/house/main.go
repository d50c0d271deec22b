// Command house prints what internal/house counts in this repository, beside the same counts of PocketBase and Caddy.
//
//	go run ./internal/tools/house                 the counts, for each 1,000 lines of Go too
//	go run ./internal/tools/house -list wide      each place that a fence counts
//	go run ./internal/tools/house -areas          the counts of each area, as testdata/counts.txt has them
//	go run ./internal/tools/house -measure        counts the others again, in the versions of testdata/beside.json; downloads their modules
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"

	"github.com/sluice-platform/sluice/internal/house"
)

const besideFile = "internal/house/testdata/beside.json"

// project is another one, as it was counted.
type project struct {
	Name, Module, Version string
	Lines                 int // of Go
	Counts                map[string]int
}

func main() {
	list := flag.String("list", "", "print each place that the `fence` counts")
	areas := flag.Bool("areas", false, "print the counts of each area")
	measure := flag.Bool("measure", false, "count the other projects again")
	flag.Parse()
	if err := run(os.Stdout, *list, *areas, *measure); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, list string, areas, measure bool) error {
	all, err := house.Look(".")
	if err != nil {
		return err
	}
	if list != "" {
		for _, f := range all {
			if f.Fence == list {
				fmt.Fprintf(out, "%s:%d: %s\n", f.File, f.Line, f.Text)
			}
		}
		return nil
	}
	if areas {
		_, err := fmt.Fprint(out, house.Count(all))
		return err
	}
	text, err := os.ReadFile(besideFile)
	if err != nil {
		return err
	}
	var others []*project
	if err := json.Unmarshal(text, &others); err != nil {
		return err
	}
	if measure {
		for _, p := range others {
			if err := p.count(); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		text, err := json.MarshalIndent(others, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(besideFile, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	lines, err := house.Lines(".")
	if err != nil {
		return err
	}
	own := &project{Name: "Sluice", Lines: lines, Counts: house.Count(all).Totals()}
	return report(out, append([]*project{own}, others...))
}

// report prints a line a fence and a column a project: the count, and how many that is for each 1,000 lines of Go.
func report(out io.Writer, all []*project) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t")
	for _, p := range all {
		fmt.Fprintf(w, "%s %s\tper 1,000\t", p.Name, p.Version)
	}
	fmt.Fprint(w, "\nlines of Go\t")
	for _, p := range all {
		fmt.Fprintf(w, "%d\t\t", p.Lines)
	}
	fmt.Fprintln(w)
	for _, f := range house.Fences() {
		fmt.Fprint(w, f.Name, "\t")
		for _, p := range all {
			fmt.Fprintf(w, "%d\t%.2f\t", p.Counts[f.Name], 1000*float64(p.Counts[f.Name])/float64(max(p.Lines, 1)))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// count downloads the module and counts it. Its interface is not in the module; the counts are of Go.
func (p *project) count() error {
	cmd := exec.Command("go", "mod", "download", "-json", p.Module+"@"+p.Version)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return err
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(text, &at); err != nil {
		return err
	}
	all, err := house.Look(filepath.Clean(at.Dir))
	if err != nil {
		return err
	}
	p.Counts = house.Count(all).Totals()
	p.Lines, err = house.Lines(at.Dir)
	return err
}
