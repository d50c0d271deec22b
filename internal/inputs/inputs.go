// Package inputs tells Go's cache of test results which files of the repository a test depends on, where it is not the
// test itself that opens them: a program that the test starts does, such as go list, a linter or the test binary as a
// child. Without it the result of such a test stays cached when those files change.
package inputs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of looks at the files below folders, or at single files; with extensions only at files that have one of them. What is
// generated, installed or hidden is left out. Go records each look of a test with the size and the time of the file.
func Of(t testing.TB, paths []string, extensions ...string) {
	t.Helper()
	seen := 0
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
			base := filepath.Base(name)
			switch {
			case err != nil:
				return err
			case e.IsDir() && name != path && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "dist"):
				return fs.SkipDir
			case e.IsDir() || !fits(base, extensions):
				return nil
			}
			seen++
			_, err = os.Stat(name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen == 0 {
		t.Fatalf("no files in %v", paths)
	}
}

func fits(name string, extensions []string) bool {
	for _, x := range extensions {
		if strings.HasSuffix(name, x) {
			return true
		}
	}
	return len(extensions) == 0
}
