// Command mutation breaks lines of a package at random and tells which of them the package's tests do not see (docs/adr/0032). The
// source files stay as they are: the tests are built through go's overlay, with many breaks in one program, one of which is switched
// on at a time.
//
//	TMPDIR=/dev/shm go run ./internal/mutation -n 20 -seed 1 ./runtime/bulk
//
// A line that does not compile when broken is not counted, and one that no test runs is not tried. Breaks that change no answer stand
// with their reason in testdata/equivalent.txt. It prints one line for each break, then the sum. Breaks of files with postgres in their
// name are tried with the tests on PostgreSQL as well (.ci/with-postgres starts one), and with -both those that the tests on SQLite do
// not see: only there two writers meet.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	count := flag.Int("n", 20, "lines to break")
	seed := flag.Uint64("seed", 1, "which lines")
	only := flag.String("file", "", "break lines of this `file` only")
	line := flag.Int("line", 0, "break this line of -file only, listed or not")
	tests := flag.String("tests", "", "`packages` whose tests are asked, with commas; the package itself when empty")
	run := flag.String("run", "", "tests to run, as of go test")
	skip := flag.String("skip", "/on/postgres|//on/postgres", "tests to leave out, as of go test")
	slow := flag.String("slow", "", "tests to ask only when the others see nothing, as of go test")
	both := flag.Bool("both", false, "ask the tests on PostgreSQL too when those on SQLite see nothing")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	t := trial{pkg: filepath.Clean(flag.Arg(0)), tests: []string{flag.Arg(0)}, run: *run, skip: *skip, slow: *slow, both: *both}
	if *tests != "" {
		t.tests = strings.Split(*tests, ",")
	}
	if err := t.all(*only, *line, *count, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
