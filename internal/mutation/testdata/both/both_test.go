package both

import (
	"testing"

	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

func TestBoth(t *testing.T) {
	if wrong := larger(1, 1) || smaller(1, 1); wrong && storetest.OnPostgres() {
		t.Fail()
	}
}
