package pinyin_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sluice-platform/sluice/runtime/finder/findertest"
	"github.com/sluice-platform/sluice/runtime/pinyin"
)

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func TestEveryReadingIsHeard(t *testing.T) {
	for _, r := range findertest.Names().Readings {
		name, index := r.Name, pinyin.Index(r.Name, word)
		for _, sound := range r.Sounds {
			if heard, _ := pinyin.Match(name, sound, false); heard != pinyin.Whole {
				t.Errorf("%s is not %s: %d", name, sound, heard)
			}
			if !slices.Contains(strings.Fields(index), sound) {
				t.Errorf("the index of %s knows %s, not %s", name, index, sound)
			}
		}
	}
}

func TestMatch(t *testing.T) {
	for _, x := range []struct {
		text, typed string
		person      bool
		heard       pinyin.Heard
		usual       bool
	}{
		{"曾华", "zenghua", true, pinyin.Whole, true}, {"曾华", "cenghua", true, pinyin.Whole, false},
		{"尉迟恭", "yuchigong", true, pinyin.Whole, true}, {"尉迟恭", "weichigong", true, pinyin.Whole, false}, {"尉健", "weijian", true, pinyin.Whole, true},
		{"曾华", "cenghua", false, pinyin.Whole, true}, {"曾华", "zengh", true, pinyin.Begin, true}, {"华曾", "ceng", false, pinyin.Inside, true},
		{"三峡银行", "yinhang", false, pinyin.Inside, true}, {"三峡银行", "yx", false, pinyin.Inside, true}, {"银行", "yhx", false, pinyin.Unheard, true},
		{"A区王", "aquw", false, pinyin.Begin, true}, {"A区王", "a区wang", false, pinyin.Whole, true}, {"张伟", "hang", false, pinyin.Unheard, true},
		{"先", "xi", false, pinyin.Begin, true}, {"西安", "xian", false, pinyin.Whole, true}, {"", "x", false, pinyin.Unheard, true}, {"张", "", false, pinyin.Unheard, true},
	} {
		if heard, usual := pinyin.Match(x.text, x.typed, x.person); heard != x.heard || usual != x.usual {
			t.Errorf("%s hears %s: %d %v, want %d %v", x.text, x.typed, heard, usual, x.heard, x.usual)
		}
	}
}

// TestIndexIsBounded: a text of nothing but characters with several readings has an index of some times its length.
func TestIndexIsBounded(t *testing.T) {
	for _, n := range []int{1, 10, 100, 2000} {
		text := strings.Repeat("长行重乐", n)
		full, _ := pinyin.Of(text, word)
		if index := pinyin.Index(text, word); len(index) > 2*len(full)+2000 {
			t.Errorf("%d characters have an index of %d bytes", 4*n, len(index))
		}
	}
	if index := pinyin.Index("张伟", word); index != "zhangwei zw" {
		t.Errorf("a name that is read in one way has the index %q", index)
	}
	far := pinyin.Index("闸室底板第一段左侧浇筑混凝土银行", word)
	if !strings.Contains(far, "hunningtuyinhang") || strings.Count(far, "zhashi") != 1 {
		t.Errorf("an unusual reading far behind: %q", far)
	}
}
