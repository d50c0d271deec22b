package main

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestListedBreaksExist keeps the list of breaks that change no answer true when the lines change.
func TestListedBreaksExist(t *testing.T) {
	t.Chdir("../..")
	listed, err := readEquivalent()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]bool{}
	for key := range listed {
		file, _, _ := strings.Cut(key, ":")
		pkg := path.Dir(file)
		if known[pkg] == nil {
			known[pkg] = map[string]bool{}
			breaks, err := breaksOf(pkg, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range breaks {
				known[pkg][b.key(pkg)] = true
			}
		}
		if !known[pkg][key] {
			t.Errorf("no line can be broken so:\n%s", key)
		}
	}
}

func TestBreaks(t *testing.T) {
	breaks, err := breaksIn("testdata/sample/sample.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range breaks {
		got = append(got, b.String())
	}
	want := []string{
		"sample.go:4  a > 0 && b > 0  ->  a > 0",
		"sample.go:4  a > 0 && b > 0  ->  b > 0",
		"sample.go:4  a > 0 && b > 0  ->  false && (a > 0 && b > 0)",
		"sample.go:4  a > 0  ->  a >= 0",
		"sample.go:4  b > 0  ->  b >= 0",
		"sample.go:5  a + b  ->  a - b",
		"sample.go:7  println(make([]int, 0, a+b))  ->  ",
		`sample.go:8  "a"+name < name  ->  "a"+name <= name`,
		`sample.go:8  println("a"+name < name, "c"+name+name)  ->  `,
		"sample.go:9  b + 1  ->  b - 1",
	}
	slices.Sort(got)
	slices.Sort(want)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
