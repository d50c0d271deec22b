package directory_test

import (
	"testing"

	"github.com/sluice-platform/sluice/runtime/directory"
)

func TestPinyin(t *testing.T) {
	for name, want := range map[string]string{"张伟": "zhangwei zw", "Li Na 2": "lina2 lina2", "A区王": "aquwang aqw", "": " ", "—": " "} {
		if got := directory.Pinyin(name); got != want {
			t.Errorf("%q sounds %q, want %q", name, got, want)
		}
	}
}
