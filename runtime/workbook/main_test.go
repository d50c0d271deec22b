package workbook_test

import (
	"os"
	"testing"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

func TestMain(m *testing.M) {
	workbook.Child()
	os.Exit(m.Run())
}
