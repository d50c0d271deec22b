// Command mutation breaks lines of Go at random and tells which of them no test sees (docs/adr/0032, docs/bite.md).
// The source files stay as they are: tests are built through go's overlay, with many breaks in one program, one of
// which is on at a time.
//
//	TMPDIR=/dev/shm go run ./internal/mutation -n 20 -seed 1 ./runtime/bulk
//	TMPDIR=/dev/shm go run ./internal/mutation -changed [BASE]
//
// The first form breaks lines of a package. The second breaks lines of each Go file that differs from BASE (by
// default the merge base with origin/main, or the commit before, as on main itself), those that the change touched
// before others, and exits with 1 when a line is unseen; `make bite` runs it, and the tool of the interface
// (ui/testing/mutation) after it. -record writes the score of a draw into the table of docs/bite.md, which may not fall
// by more than chance; -fall says why it may.
//
// A line that does not compile when broken is not counted, and one that no test runs is not tried. Breaks that
// change no answer are listed with their reason in testdata/equivalent.txt. It prints one line for each break, then
// the sum. Breaks of files with postgres in their name are tried with the tests on PostgreSQL as well
// (.ci/with-postgres starts one), and with -both those that the tests on SQLite do not see: only there two writers
// meet.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// errUnseen says that a change has lines that no test sees, each of which is printed.
var errUnseen = errors.New("no test sees some lines: add tests, or list in equivalent.txt what changes no answer")

type options struct {
	trial
	count, most, line int
	seed              uint64
	only, fall        string
	record            bool
}

const usage = `Breaks lines of Go and tells which of them no test sees (docs/bite.md).

  mutation [-n 20] [-seed 1] [-record [-fall REASON]] PACKAGE    lines of a package, drawn at random
  mutation -changed [-n 5] [-most 60] [BASE]                     lines of the files that differ from a commit
  mutation -table                                                bring the list of docs/bite.md up to date

`

func main() {
	o := options{trial: trial{out: os.Stdout}}
	count := flag.Int("n", 0, "lines to break, 20 by default; with -changed of each file, 5 by default")
	flag.IntVar(&o.most, "most", 60, "lines to break in all with -changed, and one of each file at least")
	flag.Uint64Var(&o.seed, "seed", 1, "which lines")
	flag.StringVar(&o.only, "file", "", "break lines of this `file` only")
	flag.IntVar(&o.line, "line", 0, "break this line of -file only, listed or not")
	tests := flag.String("tests", "", "ask the tests of these `packages`, with commas, and no others")
	flag.StringVar(&o.run, "run", "", "tests to run, as of go test")
	flag.StringVar(&o.skip, "skip", "/on/postgres|//on/postgres", "tests to leave out, as of go test")
	flag.StringVar(&o.slow, "slow", "", "tests to ask only when the others see nothing, as of go test")
	flag.BoolVar(&o.both, "both", false, "ask the tests on PostgreSQL too when those on SQLite see nothing")
	flag.BoolVar(&o.record, "record", false, "write the score into "+scoresFile)
	flag.StringVar(&o.fall, "fall", "", "the `reason` why the score in "+scoresFile+" may fall")
	changed := flag.Bool("changed", false, "break lines of the files that differ from a commit")
	enter := flag.Bool("enter", false, "read a score as JSON and write it into "+scoresFile+", for other tools")
	table := flag.Bool("table", false, "write the table of "+scoresFile+" again: packages come and go")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	o.count = *count
	if *tests != "" {
		o.tests = strings.Split(*tests, ",")
	}
	var err error
	switch {
	case *changed && flag.NArg() <= 1 && !o.record:
		err = o.ofChange(flag.Arg(0))
	case *table && flag.NArg() == 0:
		err = enterScore(nil, "")
	case *enter && flag.NArg() == 0:
		var s score
		if err = json.NewDecoder(os.Stdin).Decode(&s); err == nil {
			err = enterScore(&s, o.fall)
		}
	case flag.NArg() == 1 && !*changed && !*table && !*enter:
		err = o.ofPackage(filepath.Clean(flag.Arg(0)))
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		if errors.Is(err, errUnseen) {
			os.Exit(1)
		}
		os.Exit(2)
	}
}

// ofPackage breaks lines of a package, drawn at random.
func (o options) ofPackage(pkg string) error {
	if o.record && (o.only != "" || o.line != 0 || o.run != "") {
		return errors.New("a score is of a whole package: -record goes with -n, -seed and -tests")
	}
	breaks, err := breaksOf(pkg, o.only)
	if err != nil {
		return err
	}
	if o.count == 0 {
		o.count = 20
	}
	shuffle(breaks, o.seed)
	s, err := o.of(pkg).draw([]*pool{{breaks, o.count}}, o.line)
	if err != nil {
		return err
	}
	fmt.Fprintln(o.out, s)
	if !o.record {
		return nil
	}
	s.Seed, s.Count, s.Date = o.seed, o.count, time.Now().Format(time.DateOnly)
	return enterScore(&s, o.fall)
}
