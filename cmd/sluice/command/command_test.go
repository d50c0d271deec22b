package command

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sluice-platform/sluice/internal/inputs"
	"github.com/sluice-platform/sluice/internal/plugintest"
)

func TestMain(m *testing.M) {
	// Most of these commands begin with an empty database. Servers of this process and the built program load all divisions.
	testscript.Main(m, map[string]func(){"sluice": func() {
		readers, _ = strconv.Atoi(os.Getenv(readersOfTests))
		Main("dev", plugintest.Few)
	}})
}

// readersOfTests is the environment variable by which a test gives its program another number of readers.
const readersOfTests = "SLUICE_TEST_READERS"

// TestScripts runs the command lines of testdata/script as a shell would; $EXAMPLES are the repository's examples.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	inputs.Of(t, []string{examples}) // commands read them in processes of their own
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			e.Setenv("LANG", "en_US.UTF-8")
			e.Setenv("ZONEINFO", os.Getenv("ZONEINFO"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command and compares its exit code: exits 2 sluice nonsense.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, not %s", code, args[0])
	}
}
