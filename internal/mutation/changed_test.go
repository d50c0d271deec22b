package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what is wanted")

// TestDrawOfChange commits the files of before, puts those of after in their place, and compares how many lines are
// drawn of which file, with its breaks in their order. Half of what is new is committed, the rest is not.
func TestDrawOfChange(t *testing.T) {
	cases, err := filepath.Glob("testdata/changed/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			c, err := txtar.ParseFile(name)
			require.NoError(t, err)
			dir := t.TempDir()
			git := gitIn(t, dir)
			texts := map[string]string{}
			put := func(side string) {
				for _, f := range c.Files {
					if name, ok := strings.CutPrefix(f.Name, side+"/"); ok {
						at := filepath.Join(dir, name)
						require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
						require.NoError(t, os.WriteFile(at, f.Data, 0o644))
						continue
					}
					texts[f.Name] = strings.TrimSpace(string(f.Data))
				}
			}
			git("init", "-q")
			put("before")
			git("add", ".")
			git("commit", "-q", "-m", "before")
			git("commit", "-q", "--allow-empty", "-m", "between")
			git("branch", "base", "HEAD~1")
			put("after")
			for _, f := range c.Files {
				if gone, ok := strings.CutPrefix(f.Name, "before/"); ok && texts["after/"+gone] == "" {
					require.NoError(t, os.Remove(filepath.Join(dir, gone)))
				}
			}
			git("add", "--update")
			git("commit", "-q", "--allow-empty", "-m", "half")

			files, err := changedSince(dir, "base")
			require.NoError(t, err)
			count, err := strconv.Atoi(texts["n"])
			require.NoError(t, err)
			most, err := strconv.Atoi(texts["most"])
			require.NoError(t, err)
			pools, without, err := poolsOf(dir, files, count, most, 1)
			require.NoError(t, err)
			var got strings.Builder
			for _, name := range without {
				fmt.Fprintf(&got, "none %s\n", name)
			}
			for _, p := range pools {
				fmt.Fprintf(&got, "%s %d\n", p.file, p.want)
				for _, b := range p.breaks {
					mark := ""
					if b.touched {
						mark = "+ "
					}
					fmt.Fprintf(&got, "\t%s:%d %s%s\n", filepath.Base(b.file), b.at.Line, mark, b.change())
				}
			}
			want := &c.Files[len(c.Files)-1]
			require.Equal(t, "want", want.Name)
			if *update {
				want.Data = []byte(got.String())
				require.NoError(t, os.WriteFile(name, txtar.Format(c), 0o644))
				return
			}
			assert.Equal(t, string(want.Data), got.String())
		})
	}
}

func gitIn(t *testing.T, dir string) func(...string) {
	return func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// TestOfChange tries the lines of a change in a module of its own: the tests see those of one package, and not
// those of the other.
func TestOfChange(t *testing.T) {
	dir := t.TempDir()
	git := gitIn(t, dir)
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	test := "package %s\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif f(1, 1) {\n\t\tt.Fail()\n\t}\n}\n"
	put("go.mod", "module tiny\n")
	put("a/a_test.go", fmt.Sprintf(test, "a"))
	put("b/b_test.go", fmt.Sprintf(test, "b"))
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "before")
	git("commit", "-q", "--allow-empty", "-m", "between")
	t.Chdir(dir)
	var out strings.Builder
	change := options{trial: trial{out: &out}, most: 60, seed: 1}
	require.NoError(t, change.ofChange(""))
	assert.Equal(t, "no Go file with lines to break has changed\n", out.String())

	put("a/a.go", "package a\n\nfunc f(x, y int) bool { return x > y }\n")
	out.Reset()
	require.NoError(t, change.ofChange(""), "what is seen is no fault")
	assert.Equal(t, "# a\nseen   + a.go:3  x > y  ->  x >= y\na: seen 1 of 1, 0 equivalent\n", out.String())

	git("add", ".")
	git("commit", "-q", "-m", "a")
	put("a/a.go", "package a\n\nfunc f(x, y int) bool { return x > 2 }\n")
	put("b/b.go", "package b\n\nfunc f(x, y int) bool { return x > y }\n")
	out.Reset()
	require.ErrorIs(t, change.ofChange("HEAD"), errUnseen)
	assert.Contains(t, out.String(), "UNSEEN + a.go:3  x > 2  ->  x >= 2\n       a/a.go: func f(x, y int) bool {")
	sums := "a: seen 0 of 1, 0 equivalent\nb: seen 1 of 1, 0 equivalent\n"
	assert.True(t, strings.HasSuffix(out.String(), sums), out.String())
}

func TestScoreIsOfAPackage(t *testing.T) {
	for _, o := range []options{{only: "tiny.go"}, {line: 4}, {trial: trial{run: "TestTiny"}}} {
		o.record = true
		assert.ErrorContains(t, o.ofPackage("testdata/tiny"), "a whole package")
	}
}

// TestBase asks for the commit that a change begins at on a branch, on main, and in checkouts of few commits.
func TestBase(t *testing.T) {
	dir := t.TempDir()
	git := gitIn(t, dir)
	name := filepath.Join(dir, "a.go")
	commit := func(text string) {
		require.NoError(t, os.WriteFile(name, []byte("package "+text+"\n"), 0o644))
		git("add", ".")
		git("commit", "-q", "-m", text)
	}
	changed := func(base string, want ...string) {
		t.Helper()
		files, err := changedSince(dir, base)
		require.NoError(t, err)
		var got []string
		for _, f := range files {
			got = append(got, f.name)
		}
		assert.Equal(t, want, got)
	}
	git("init", "-q")
	commit("one")
	git("update-ref", "refs/remotes/origin/main", "HEAD")
	changed("")
	commit("two")
	changed("", "a.go")
	git("update-ref", "refs/remotes/origin/main", "HEAD")
	changed("", "a.go") // the last commit of main
	changed("HEAD")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.go"), []byte("package one\n"), 0o644))
	changed("", "a.go", "b.go")
	git("add", ".")
	changed("", "b.go") // work on top of main
	git("commit", "-q", "-m", "three")
	changed("", "b.go")
	git("update-ref", "-d", "refs/remotes/origin/main")
	changed("", "b.go")
	_, err := changedSince(dir, "gone")
	require.ErrorContains(t, err, "no commit to compare with: gone")
}

// TestTiny breaks the lines of a small package and runs its tests.
func TestTiny(t *testing.T) {
	breaks, err := breaksOf("testdata/tiny", "")
	require.NoError(t, err)
	var out strings.Builder
	tiny := trial{out: &out}.of("testdata/tiny")
	s, err := tiny.draw([]*pool{{breaks, len(breaks)}}, 0)
	require.NoError(t, err)
	for _, line := range []string{
		"seen   tiny.go:4  a > b  ->  a >= b\n",
		"UNSEEN tiny.go:6  a && b  ->  a\n",
		"NEVER  tiny.go:8  true  ->  false\n" +
			"       testdata/tiny/tiny.go: func unknown(a bool) bool { return a || true }\n       true  ->  false\n",
	} {
		assert.Contains(t, out.String(), line)
	}
	assert.Equal(t, "seen 1 of 6, 0 equivalent", s.String())

	out.Reset()
	tiny.tests = nil
	s, err = tiny.draw([]*pool{{breaks, 2}}, 0)
	require.NoError(t, err)
	assert.Equal(t, "seen 0 of 2, 0 equivalent", s.String(), "a package without tests")
	assert.NotContains(t, out.String(), "UNSEEN")
}

// TestBoth: PostgreSQL is asked in a package whose tests run on SQLite alone by themselves, with -both and for files
// named postgres.
func TestBoth(t *testing.T) {
	t.Setenv("SLUICE_TEST_EVERYWHERE", "")
	breaks, err := breaksOf("testdata/both", "")
	require.NoError(t, err)
	for both, want := range map[bool]string{
		false: "UNSEEN both.go:3  a > b  ->  a >= b\n",
		true:  "seen   both.go:3  a > b  ->  a >= b\n",
	} {
		var out strings.Builder
		of := trial{out: &out, skip: "/on/postgres", both: both}.of("testdata/both")
		_, err = of.draw([]*pool{{slices.Clone(breaks), len(breaks)}}, 0)
		require.NoError(t, err)
		assert.Contains(t, out.String(), want)
		assert.Contains(t, out.String(), "seen   postgres.go:3  a < b  ->  a <= b\n")
	}
}
