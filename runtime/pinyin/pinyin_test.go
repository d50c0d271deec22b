package pinyin_test

import (
	"testing"
	"unicode"

	"github.com/sluice-platform/sluice/runtime/pinyin"
)

func TestOf(t *testing.T) {
	for text, want := range map[string][2]string{
		"张伟": {"zhangwei", "zw"}, "A区王": {"aquwang", "aqw"}, "HT-2026-0007 引航道": {"ht20260007yinhangdao", "ht20260007yhd"}, "Li Na 2": {"lina2", "lina2"}, "Éa中": {"eazhong", "eaz"}, "": {},
	} {
		full, initials := pinyin.Of(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		if full != want[0] || initials != want[1] {
			t.Errorf("%q sounds %q %q, want %q", text, full, initials, want)
		}
	}
	if full, _ := pinyin.Of("甲-乙", func(r rune) bool { return r == '-' }); full != "jia-yi" {
		t.Errorf("a kept character: %q", full)
	}
	if !pinyin.Chinese("A区") || pinyin.Chinese("A") {
		t.Error("what is Chinese is not known")
	}
}
