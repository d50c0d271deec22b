// Package officetest has an office program open and save files, for the tests of what we write and read.
package officetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What LibreOffice can save a spreadsheet as.
const (
	XLSX = "xlsx:Calc MS Excel 2007 XML"
	XLS  = "xls:MS Excel 97"
	CSV  = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false" // commas, UTF-8, cells as they are shown
)

// Convert has LibreOffice open a file and save it as another kind. The test is skipped where there is no such program (apt-get install
// libreoffice-calc-nogui, 270 MB), and in short runs: it takes seconds to start.
func Convert(t testing.TB, file []byte, name, kind string) []byte {
	t.Helper()
	office, err := exec.LookPath("soffice")
	if err != nil || testing.Short() {
		t.Skip("no LibreOffice")
	}
	in, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(in, name), file, 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+t.TempDir(), "--headless", "--convert-to", kind, "--outdir", out, filepath.Join(in, name)).CombinedOutput()
	if err != nil {
		t.Fatal(err, string(said))
	}
	made, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(made) != 1 {
		t.Fatal(made, err, string(said))
	}
	converted, err := os.ReadFile(made[0])
	if err != nil {
		t.Fatal(err)
	}
	return converted
}
