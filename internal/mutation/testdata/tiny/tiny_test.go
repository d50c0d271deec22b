package tiny

import "testing"

func TestTiny(t *testing.T) {
	if larger(1, 1) || !both(true, true) {
		t.Fail()
	}
}
