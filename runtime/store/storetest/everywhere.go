package storetest

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// everywhere is the environment variable of the run that tests everything, make test-all.
const everywhere = "SLUICE_TEST_EVERYWHERE"

// always is the environment variable that asks for PostgreSQL in the package at hand, with each test in its small size:
// internal/mutation sets it.
const always = "SLUICE_TEST_POSTGRES_ALWAYS"

const module = "github.com/sluice-platform/sluice/"

// onPostgres are the packages whose tests always run on PostgreSQL too: those in which SQL and several writers matter.
// The tests of all others run on it with SLUICE_TEST_EVERYWHERE=1.
var onPostgres = []string{
	"runtime/app", "runtime/authn", "runtime/bulk", "runtime/importer", "runtime/job", "runtime/query", "runtime/record",
	"runtime/store", "runtime/workflow",
}

// Everywhere reports whether this run tests everything: both databases in every package, and each test in its full
// size.
func Everywhere() bool { return os.Getenv(everywhere) == "1" }

// OnPostgres reports whether the tests of this package run on PostgreSQL too.
func OnPostgres() bool { return Everywhere() || os.Getenv(always) == "1" || needsPostgres(tested()) }

// Full is the number of rounds, rows or cases of a test that repeats itself: few in the required run, all with
// SLUICE_TEST_EVERYWHERE=1.
func Full(few, all int) int {
	if Everywhere() {
		return all
	}
	return few
}

// tested is the import path of the package whose test binary this process is; "" in other programs.
func tested() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	path, ok := strings.CutSuffix(info.Path, ".test")
	if !ok {
		return ""
	}
	return path
}

// needsPostgres reports whether the tests of a package always run on PostgreSQL.
func needsPostgres(path string) bool {
	own, ok := strings.CutPrefix(path, module)
	return ok && slices.Contains(onPostgres, own)
}
