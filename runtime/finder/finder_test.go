package finder_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/runtime/finder"
)

// words of testdata/cases.json, which the browser's rank is tested with too.
var words = map[string]finder.Fit{"exact": finder.Exact, "begins": finder.Begins, "contains": finder.Contains, "sounds": finder.Sounds, "soundsBegin": finder.SoundsBegin,
	"soundsContain": finder.SoundsContain, "beside": finder.Beside, "": finder.None}

func TestCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Typed, Fit           string
		Names, Codes, Beside []string
	}
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range cases {
		want, known := words[c.Fit]
		got := finder.Typed(c.Typed).Fit(finder.Subject{Names: c.Names, Codes: c.Codes, Beside: c.Beside})
		if !known || got != want {
			t.Errorf("%q is to %v %v %d, want %q", c.Typed, c.Names, c.Codes, got, c.Fit)
		}
	}
}

// pairs are names with longer ones that have them.
var pairs = [][2]string{
	{"灌注桩", "地基灌注桩"}, {"银行", "三峡银行"}, {"混凝土", "底板混凝土"}, {"闸室", "闸室底板"}, {"上闸首", "船闸上闸首"}, {"围堰", "上游围堰"}, {"导航墙", "上游导航墙"}, {"钢筋", "钢筋网片"},
	{"模板", "钢模板"}, {"止水", "铜止水"}, {"基坑", "基坑开挖"}, {"回填", "墙后回填"}, {"桥梁", "跨闸桥梁"}, {"人字门", "上人字门"}, {"启闭机", "液压启闭机"}, {"阀门", "输水阀门"},
	{"输水廊道", "左输水廊道"}, {"靠船墩", "靠船墩基础"}, {"护坡", "护坡工程"}, {"护底", "护底块石"}, {"质量部", "质量部检测室"}, {"工程部", "三峡工程部"}, {"张伟", "张伟明"}, {"李娜", "李娜娜"},
	{"王芳", "王芳芳"}, {"曾国", "曾国庆"}, {"解放", "解放军"}, {"长江", "长江航道局"}, {"重庆", "重庆分公司"}, {"水泥", "硅酸盐水泥"}, {"砂", "河砂"}, {"石", "碎石"},
	{"甲方", "甲方代表"}, {"监理", "总监理"}, {"A-1", "A-10"}, {"C30", "C30P8"}, {"Lot", "Lot 2"}, {"Dock", "Dry dock"}, {"一段", "第一段"}, {"合同", "补充合同"},
}

// TestExactBesideLonger: of a name and a longer one that has it, the text means the first, however it is typed, and never the second.
func TestExactBesideLonger(t *testing.T) {
	if len(pairs) != 40 {
		t.Fatalf("%d pairs", len(pairs))
	}
	for _, p := range pairs {
		for _, typed := range []string{p[0], " " + p[0] + "　"} {
			text := finder.Typed(typed)
			ranked := finder.Rank(text, []string{p[1], p[0]}, func(name string) finder.Subject { return finder.Subject{Names: []string{name}} })
			if ranked[0].Of != p[0] || text.Named(ranked[0].Fit) != finder.ByText || text.Named(ranked[1].Fit) != "" {
				t.Errorf("%q finds %v", typed, ranked)
			}
		}
	}
}

// TestSpellingBeforeSound: what has the letters comes before what sounds so, and the surname's reading before another.
func TestSpellingBeforeSound(t *testing.T) {
	names := []string{"岑华", "曾华", "zenghua2", "增华", "Zenghua"}
	var got []string
	for _, r := range finder.Rank(finder.Typed("zenghua"), names, func(name string) finder.Subject { return finder.Subject{Names: []string{name}, Person: true} }) {
		got = append(got, r.Of)
	}
	if want := []string{"Zenghua", "zenghua2", "曾华", "增华"}; !slices.Equal(got, want) {
		t.Errorf("zenghua finds %v, want %v", got, want)
	}
	for typed, want := range map[string]finder.Fit{"zenghua": finder.Sounds, "cenghua": finder.SoundsSo} {
		if got := finder.Typed(typed).Fit(finder.Subject{Names: []string{"曾华"}, Person: true}); got != want {
			t.Errorf("曾华 is to %s %d, want %d", typed, got, want)
		}
	}
}
