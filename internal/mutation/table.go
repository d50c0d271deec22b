package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	scoresFile  = "docs/bite.md"
	scoresBegin = "<!-- scores, written by internal/mutation -->\n"
	scoresEnd   = "<!-- end of scores -->\n"
	scoresHead  = "| lines of | date | draw | broken | equivalent | seen | share | best | note |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
	notDrawn = "\nNot drawn yet:\n\n"
)

// table is the written part of docs/bite.md.
type table struct {
	scores   map[string]score
	notDrawn []string
}

var scoreRow = regexp.MustCompile("^\\| `([^`]+)` " +
	`\| (\d{4}-\d\d-\d\d) \| n (\d+), seed (\d+) \| (\d+) \| (\d+) ` +
	`\| (\d+) of (\d+) \| \d+ % \| (\d+) of (\d+) \| (?:([^|]*) )?\|$`)

// readTable reads a page, whose written part is between its two marks.
func readTable(page string) (t table, before, after string, err error) {
	before, rest, begun := strings.Cut(page, scoresBegin)
	text, after, ended := strings.Cut(rest, scoresEnd)
	if !begun || !ended {
		return t, "", "", errors.New(scoresFile + ": the marks of the scores are missing")
	}
	t.scores = map[string]score{}
	rows, list, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "\n"), scoresHead), notDrawn)
	for row := range strings.Lines(rows) {
		m := scoreRow.FindStringSubmatch(strings.TrimSuffix(row, "\n"))
		if m == nil {
			return t, "", "", fmt.Errorf("%s: not a row of scores: %s", scoresFile, row)
		}
		var n [8]int
		for i, at := range []int{3, 4, 5, 6, 7, 8, 9, 10} {
			if n[i], err = strconv.Atoi(m[at]); err != nil {
				return t, "", "", err
			}
		}
		s := score{
			Name: m[1], Date: m[2], Count: n[0], Seed: uint64(n[1]), //nolint:gosec // digits alone
			Broken: n[2], Equivalent: n[3], Seen: n[4], best: share{n[6], n[7]}, note: m[11],
		}
		if s.tried() != n[5] {
			return t, "", "", fmt.Errorf("%s: broken less equivalent is what was tried: %s", scoresFile, row)
		}
		t.scores[s.Name] = s
	}
	for line := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == '\n' }) {
		t.notDrawn = append(t.notDrawn, strings.TrimSuffix(strings.TrimPrefix(line, "- `"), "`"))
	}
	return t, before, after, nil
}

func (t table) String() string {
	var b strings.Builder
	b.WriteString("\n" + scoresHead)
	for _, name := range slices.Sorted(maps.Keys(t.scores)) {
		s := t.scores[name]
		note := ""
		if s.note != "" {
			note = s.note + " "
		}
		fmt.Fprintf(&b, "| `%s` | %s | n %d, seed %d | %d | %d | %d of %d | %d %% | %d of %d | %s|\n",
			s.Name, s.Date, s.Count, s.Seed, s.Broken, s.Equivalent, s.Seen, s.tried(), (200*s.Seen+s.tried())/(2*s.tried()),
			s.best.seen, s.best.of, note)
	}
	b.WriteString(notDrawn)
	for _, name := range t.notDrawn {
		b.WriteString("- `" + name + "`\n")
	}
	return b.String() + "\n"
}

// enter puts a score into the table. One that has fallen is refused without a reason.
func (t table) enter(s score, reason string) error {
	if s.tried() <= 0 || s.Seen < 0 || s.Seen > s.tried() || s.Equivalent < 0 {
		return fmt.Errorf("%s: a draw without a line that was tried is no score", s.Name)
	}
	if strings.ContainsAny(reason, "|\n") {
		return errors.New("a reason is one line without bars")
	}
	was, known := t.scores[s.Name]
	s.best, s.note = s.share(), strings.TrimSpace(reason)
	switch {
	case !known || reason != "":
	case s.share().fallen(was.best):
		return fmt.Errorf("%s: seen %d of %d after %d of %d, less than by chance: add tests, or give a reason (-fall)",
			s.Name, s.Seen, s.tried(), was.best.seen, was.best.of)
	case !s.best.beats(was.best):
		s.best, s.note = was.best, was.note
	}
	t.scores[s.Name] = s
	return nil
}

// list sets what is not drawn yet: what is due and what was listed before, as far as it exists and has no score.
func (t *table) list(due []string) {
	due = append(slices.Clone(due), t.notDrawn...)
	slices.Sort(due)
	t.notDrawn = slices.DeleteFunc(slices.Compact(due), func(name string) bool {
		_, drawn := t.scores[name]
		return drawn || !exists(name)
	})
}

// enterScore writes a score into the table, or the table alone.
func enterScore(s *score, reason string) error {
	page, err := os.ReadFile(scoresFile)
	if err != nil {
		return err
	}
	t, before, after, err := readTable(string(page))
	if err != nil {
		return err
	}
	if s != nil {
		if s.Date == "" {
			s.Date = time.Now().Format(time.DateOnly)
		}
		if !exists(s.Name) {
			return fmt.Errorf("%s: no such folder", s.Name)
		}
		if err := t.enter(*s, reason); err != nil {
			return err
		}
	}
	due, err := dueScores()
	if err != nil {
		return err
	}
	t.list(due)
	page = []byte(before + scoresBegin + t.String() + scoresEnd + after)
	return os.WriteFile(scoresFile, page, 0o644) //nolint:gosec // everyone reads the page
}

// ofInterface marks what the tool of the interface draws in a folder that is a package of Go too.
const ofInterface = ": interface"

func exists(name string) bool {
	info, err := os.Stat(filepath.FromSlash(strings.TrimSuffix(name, ofInterface)))
	return err == nil && info.IsDir()
}

// dueScores are the packages with tests of runtime, engine and plugins, and the folders of the interface.
func dueScores() ([]string, error) {
	var out, due []string
	for _, top := range []string{"runtime", "engine", "plugins"} {
		err := fs.WalkDir(os.DirFS("."), top, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && (e.Name() == "testdata" || e.Name() == "node_modules"):
				return fs.SkipDir
			case strings.HasSuffix(name, "_test.go"):
				out = append(out, path.Dir(name))
			case top == "plugins" && strings.HasSuffix(name, ".tsx"):
				due = append(due, strings.Join(strings.Split(name, "/")[:2], "/")+ofInterface)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	for _, pkg := range slices.Compact(out) {
		breaks, err := breaksOf(pkg, "")
		if err != nil {
			return nil, err
		}
		if len(breaks) > 0 {
			due = append(due, pkg)
		}
	}
	folders, err := filepath.Glob("ui/src/*")
	if err != nil {
		return nil, err
	}
	areas, err := filepath.Glob("ui/src/features/*")
	if err != nil {
		return nil, err
	}
	for _, name := range append(folders, areas...) {
		name = filepath.ToSlash(name)
		if base := path.Base(name); base != "features" && base != "testing" && base != "i18n" && exists(name) {
			due = append(due, name)
		}
	}
	return due, nil
}
