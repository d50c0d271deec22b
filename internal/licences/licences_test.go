// Package licences holds the test that keeps THIRD_PARTY.md true: every module and package that the product is built from, under
// a licence that lets us.
package licences

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

const root = "../.."

var update = flag.Bool("update", false, "write THIRD_PARTY.md")

// allowed are the licences under which others may be part of the product.
var allowed = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "MPL-2.0", "ISC"}

// words tell a licence by its text; the first that fits counts.
var words = []struct{ licence, text string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MPL-2.0", "Mozilla Public License"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "Permission to use, copy, modify, and"},
	{"BSD-3-Clause", "Neither the name"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
}

// licence reads the licence files of a folder; "" when there is none that we know.
func licence(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		text := strings.Join(strings.Fields(string(data)), " ")
		for _, w := range words {
			if strings.Contains(strings.ToLower(text), strings.ToLower(w.text)) {
				return w.licence
			}
		}
	}
	return ""
}

// part is something of others in the product.
type part struct{ name, version, licence string }

// modules are those of go.mod, the ones that only others require too: all of them may be linked.
func modules(t *testing.T) (out []part) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	download := exec.Command("go", "mod", "download") // a machine that has built no more than the product lacks some
	download.Dir = root
	if text, err := download.CombinedOutput(); err != nil {
		t.Logf("go mod download: %v: %s", err, text)
	}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(string(data), -1) {
		dir := filepath.Join(strings.TrimSpace(string(cache)), filepath.FromSlash(escaped(m[1])+"@"+escaped(m[2])))
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s is not in the module cache", m[1])
			out = append(out, part{m[1], m[2], ""})
			continue
		}
		out = append(out, part{m[1], m[2], licence(t, dir)})
	}
	return out
}

// escaped is a path as the module cache writes it: an upper-case letter becomes ! and the small one.
func escaped(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// packages are those of package.json; the product ships the ones that shipped tells.
func packages(t *testing.T) (shipped, tools []part) {
	t.Helper()
	var manifest struct {
		Dependencies, DevDependencies map[string]string
	}
	read(t, filepath.Join(root, "package.json"), &manifest)
	if _, err := os.Stat(filepath.Join(root, "node_modules")); err != nil {
		t.Skip("node_modules is missing: run npm ci")
	}
	of := func(names map[string]string) (out []part) {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			dir := filepath.Join(root, "node_modules", filepath.FromSlash(name))
			var own struct{ Version, License string }
			read(t, filepath.Join(dir, "package.json"), &own)
			p := part{name, own.Version, ""}
			for _, one := range strings.Split(strings.Trim(own.License, "()"), " OR ") { // of several the product takes one that it may
				if slices.Contains(allowed, one) {
					p.licence = one
					break
				}
			}
			if p.licence == "" {
				p.licence = licence(t, dir)
			}
			out = append(out, p)
		}
		return out
	}
	return of(manifest.Dependencies), of(manifest.DevDependencies)
}

func read(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, v), file)
}

const heading = `# Third-party software

What Sluice is built from, beside its own code; each part is under its own licence, whose text comes with its source. A test writes this list from
` + "`go.mod` and `package.json`" + ` (` + "`go test ./internal/licences -update`" + `) and refuses other licences.

The parts under the Mozilla Public License 2.0 are used unchanged; their source is where their names lead, at the version given.
`

// TestLicences fails on a part under another licence than the allowed ones, and on a list that is not up to date.
func TestLicences(t *testing.T) {
	linked := modules(t)
	shipped, tools := packages(t)
	for _, p := range slices.Concat(linked, shipped, tools) {
		if !slices.Contains(allowed, p.licence) {
			t.Errorf("%s %s: licence %q is none of %s", p.name, p.version, p.licence, strings.Join(allowed, ", "))
		}
	}
	var b strings.Builder
	b.WriteString(heading)
	for _, group := range []struct {
		title string
		parts []part
	}{{"Go modules", linked}, {"JavaScript packages of the user interface", shipped}} {
		fmt.Fprintf(&b, "\n## %s\n\n| Name | Version | Licence |\n|---|---|---|\n", group.title)
		for _, p := range group.parts {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", p.name, p.version, p.licence)
		}
	}
	file := filepath.Join(root, "THIRD_PARTY.md")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		return
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, b.String(), strings.ReplaceAll(string(have), "\r\n", "\n"), "run go test ./internal/licences -update")
}

// TestNotice: what ships names this list.
func TestNotice(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	require.NoError(t, err)
	require.Contains(t, string(data), "THIRD_PARTY.md")
}

// TestLicenceByText: a text that we do not know is nothing, so that TestLicences refuses it.
func TestLicenceByText(t *testing.T) {
	for text, want := range map[string]string{
		"GNU GENERAL PUBLIC LICENSE\nVersion 3":                        "",
		"Mozilla Public License Version 2.0\n1. Definitions":           "MPL-2.0",
		"Redistribution and\n use in source and binary forms, with or": "BSD-2-Clause",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "LICENSE.txt"), []byte(text), 0o644))
		require.Equal(t, want, licence(t, dir), text)
	}
}
