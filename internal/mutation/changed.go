package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ofChange breaks lines of the files that differ from base, package by package.
func (o options) ofChange(base string) error {
	if o.count == 0 {
		o.count = 5
	}
	files, err := changedSince(".", base)
	if err != nil {
		return err
	}
	pools, without, err := poolsOf(".", files, o.count, o.most, o.seed)
	if err != nil {
		return err
	}
	if len(without) > 0 {
		fmt.Fprintln(o.out, "# no line to break: "+strings.Join(without, ", "))
	}
	if len(pools) == 0 {
		fmt.Fprintln(o.out, "no Go file with lines to break has changed")
		return nil
	}
	var sums []score
	for _, pkg := range packagesOf(pools) {
		fmt.Fprintln(o.out, "# "+pkg)
		var own []*pool
		for _, p := range pools {
			if path.Dir(p.file) == pkg {
				own = append(own, &p.pool)
			}
		}
		s, err := o.of(pkg).draw(own, 0)
		if err != nil {
			return err
		}
		sums = append(sums, s)
	}
	missed := false
	for _, s := range sums {
		fmt.Fprintf(o.out, "%s: %s\n", s.Name, s)
		missed = missed || s.Seen < s.tried()
	}
	if missed {
		return errUnseen
	}
	return nil
}

func packagesOf(pools []*filePool) (out []string) {
	for _, p := range pools {
		out = append(out, path.Dir(p.file))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// filePool is what is drawn of a changed file.
type filePool struct {
	pool
	file string // from the root
}

// poolsOf draws of each changed file count lines, those that the change touched before others, and names the files
// that have none to break. When that is more than most, each file gives one after the other until it is enough, and
// all of them at least one.
func poolsOf(
	root string, files []changedFile, count, most int, seed uint64,
) (out []*filePool, without []string, err error) {
	for _, f := range files {
		breaks, err := breaksOf(path.Join(root, path.Dir(f.name)), path.Base(f.name))
		if err != nil {
			return nil, nil, err
		}
		if len(breaks) == 0 {
			if !strings.HasSuffix(f.name, "_test.go") {
				without = append(without, f.name)
			}
			continue
		}
		shuffle(breaks, seed)
		for i := range breaks {
			breaks[i].touched = f.touched(breaks[i].at.Line)
		}
		slices.SortStableFunc(breaks, func(a, b brokenLine) int {
			switch {
			case a.touched == b.touched:
				return 0
			case a.touched:
				return -1
			}
			return 1
		})
		out = append(out, &filePool{pool{breaks, 0}, f.name})
	}
	left := max(most, len(out))
	for range count {
		for _, p := range out {
			if left > 0 && p.want < len(p.breaks) {
				p.want++
				left--
			}
		}
	}
	return out, without, nil
}

// changedFile is a file of Go that a change touches, and the lines that are new in it: pairs of the first and the
// one after the last.
type changedFile struct {
	name  string
	spans [][2]int
	whole bool // the file is new
}

func (f changedFile) touched(line int) bool {
	return f.whole || slices.ContainsFunc(f.spans, func(s [2]int) bool { return s[0] <= line && line < s[1] })
}

var newLines = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// changedSince lists the files of Go in a checkout that differ from a commit. What is not committed counts.
func changedSince(dir, base string) ([]changedFile, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...) //nolint:gosec // a developer's own command line
		cmd.Dir = dir
		var told strings.Builder
		cmd.Stderr = &told
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, told.String())
		}
		return string(out), nil
	}
	from, err := baseOf(git, base)
	if err != nil {
		return nil, err
	}
	diff, err := git("-c", "core.quotePath=off", "diff", "-U0", "-M", "--no-color", "--no-ext-diff", "--relative",
		"--src-prefix=a/", "--dst-prefix=b/", "--diff-filter=d", from, "--", "*.go")
	if err != nil {
		return nil, err
	}
	var out []changedFile
	for line := range strings.SplitSeq(diff, "\n") {
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			out = append(out, changedFile{name: strings.TrimSuffix(name, "\t")})
			continue
		}
		if span := newLines.FindStringSubmatch(line); span != nil && len(out) > 0 {
			first, _ := strconv.Atoi(span[1])
			count := 1
			if span[2] != "" {
				count, _ = strconv.Atoi(span[2])
			}
			last := &out[len(out)-1]
			last.spans = append(last.spans, [2]int{first, first + count})
		}
	}
	unknown, err := git("-c", "core.quotePath=off", "ls-files", "--others", "--exclude-standard", "--", "*.go")
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsFuncSeq(unknown, func(r rune) bool { return r == '\n' }) {
		out = append(out, changedFile{name: name, whole: true})
	}
	return slices.DeleteFunc(out, func(f changedFile) bool { return !ofModule(dir, f.name) }), nil
}

// baseOf is the commit that a change begins at: where HEAD left the commit that is named, or origin/main. It is the
// commit before in a checkout that has no origin/main, or nothing beyond it.
func baseOf(git func(...string) (string, error), base string) (string, error) {
	named := base != ""
	known := func(commit string) bool {
		_, err := git("rev-parse", "--verify", "--quiet", commit+"^{commit}")
		return err == nil
	}
	if !named {
		base = "origin/main"
		if !known(base) {
			base = "HEAD~1"
		}
	}
	out, err := git("merge-base", "HEAD", base)
	if err != nil {
		return "", errors.Join(fmt.Errorf("no commit to compare with: %s", base), err)
	}
	if named {
		return strings.TrimSpace(out), nil
	}
	head, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	altered, err := git("status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return "", err
	}
	if out == head && altered == "" && known("HEAD~1") {
		return "HEAD~1", nil
	}
	return strings.TrimSpace(out), nil
}

// ofModule reports whether a file is one of the module's own, and no data of tests.
func ofModule(root, name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if path.Base(dir) == "testdata" {
			return false
		}
		if _, err := os.Stat(path.Join(root, dir, "go.mod")); err == nil {
			return false
		}
	}
	return true
}
