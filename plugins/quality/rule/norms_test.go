package rule_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// shipped are the rule sets as they come with the pack: vectors are judged by what installations judge by. Two thresholds of compaction are defaults
// of the model: a value may be 5 points below the standard, and passes as a point at 2 below it.
func shipped(t *testing.T) map[string]*rule.Set {
	text, err := os.ReadFile("../data/q_rule.json")
	require.NoError(t, err)
	var file struct {
		Rows []struct {
			rule.Set
			Revision   string `json:"revision"`
			Compaction []struct {
				N          string
				T          decimal.Decimal
				Confidence *decimal.Decimal
			} `json:"compaction"`
			Strength []struct {
				rule.Strength
				From string `json:"from"`
			} `json:"strength"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	sets := map[string]*rule.Set{}
	for _, row := range file.Rows {
		s := row.Set
		s.CompactionLow, s.CompactionPoint = dec("5"), dec("2")
		for _, c := range row.Compaction {
			n, err := strconv.Atoi(c.N)
			require.NoError(t, err)
			s.Compaction = append(s.Compaction, rule.Coefficient{N: n, T: c.T, Confidence: c.Confidence})
		}
		for _, l := range row.Strength {
			from, err := strconv.Atoi(l.From)
			require.NoError(t, err)
			l.Strength.From = from
			s.Strength = append(s.Strength, l.Strength)
		}
		sets[s.Code] = &s
	}
	return sets
}

// vector is an item with its readings, computed by hand.
type vector struct {
	item, values string // the item in words: class, method, then key=value
	ok           int    // passed points
	want         string
}

// asked reads an item: "general point ±10 safety", "main strength f=30", "main point +8 ext=-20..20".
func asked(t *testing.T, text string) (it rule.Item) {
	words := strings.Fields(text)
	it.Class = map[string]string{"main": rule.Main, "general": rule.General}[words[0]]
	it.Method = map[string]string{
		"point": rule.Point, "strength": rule.StatStrength, "compaction": rule.StatCompaction, "look": rule.YesNo,
	}[words[1]]
	require.NotEmpty(t, it.Class+it.Method, text)
	for _, w := range words[2:] {
		name, v, _ := strings.Cut(w, "=")
		switch {
		case strings.HasPrefix(w, "±"):
			it.DevLow, it.DevHigh = ptr("-"+w[len("±"):]), ptr(w[len("±"):])
		case name == "up":
			it.DevHigh = ptr(v)
		case name == "f" || name == "K0" || name == "d":
			it.Design = ptr(v)
		case name == "ext":
			low, high, _ := strings.Cut(v, "..")
			it.LimitLow, it.LimitHigh = ptr(low), ptr(high)
		case name == "conf":
			it.Confidence = ptr(v)
		case name == "least":
			it.MinPoints, _ = strconv.Atoi(v)
		case w == "safety":
			it.Safety = true
		case w == "machine":
			it.Machine = true
		default:
			require.Fail(t, "no such word", w)
		}
	}
	return it
}

func times(n int, value string) string { return strings.Repeat(value+" ", n) }

// points are ordinary ones and a few that stand for the bounds.
func points(n int, others string) string { return times(n, "1") + others }

var vectors = map[string][]vector{
	"JTS257_2008": {
		{"main point ±10", "10 -10 0", 3, rule.OK}, // bounds are in tolerance
		{"main point ±10", "10 -10.01 0", 2, rule.NotOK},
		{"main point ±10", points(99, "10.1"), 99, rule.NotOK}, // every point of a main item
		{"general point ±10 safety", "3 -5 8 11 2 0 -9 6 7 4", 9, rule.OK},
		{"general point ±10 safety", points(8, "15 -15"), 8, rule.OK}, // 80 % and 1.5 times the tolerance, both exactly
		{"general point ±10 safety", points(8, "15.01 -15"), 8, rule.NotOK},
		{"general point ±10", "3 -5 8 16 2 0 -9 6 7 4", 9, rule.OK}, // no cap without a flag
		{"general point ±10", "3 -5 8 11 12 -13 -9 6 7 4", 7, rule.NotOK},
		{"general point ±10", points(79, times(21, "11")), 79, rule.NotOK}, // 79 %
		{"general point ±10 machine", "3 -5 8 12 11 0 -9 6 7 4", 8, rule.OK},
		{"general point ±10 machine", "3 -5 8 12.5 2 0 -9 6 7 4", 9, rule.NotOK},
		{"general point ±10 safety machine", points(9, "12.01"), 9, rule.NotOK}, // the stricter of the two
		{"general point up=8", "8 8 8 8 40", 4, rule.OK},
		{"general point up=8 safety", "8 8 8 8 12", 4, rule.OK}, // 1.5 · 8
		{"general point up=8 safety", "8 8 8 8 12.1", 4, rule.NotOK},
		{"general point d=1200 ±10", "1190 1210 1200 1189 1205", 4, rule.OK}, // deviations −10 10 0 −11 5
		{"general look", "1 1 1 1 0", 4, rule.NotOK},                         // the rate is one of deviations
		{"main look", "1 1 1 1 0", 4, rule.NotOK},
		{"main strength f=30", "35.1 28.4 36.9 38.0 36.5", 4, rule.OK}, // 34.98 − 3.822 = 31.158; 28.4 ≥ 30 − 0.7 · 4.5 = 26.85
		{"main strength f=30", "31.5 32 31 33 32.5", 5, rule.OK},       // 32 − 0.7906, without a floor
		{"main strength f=30", times(9, "40") + "25.95", 9, rule.OK},   // 30 − 0.9 · 4.5, exactly
		{"main strength f=30", times(9, "40") + "25.94", 9, rule.NotOK},
		{"main strength f=30", "34.5 34.5", 2, rule.OK}, // 30 + D
		{"main strength f=30", "34.4", 1, rule.NotOK},
		{"main strength f=41", "46.5", 1, rule.OK}, // above C40 D is 5.5
		{"main strength f=41", "46.4", 1, rule.NotOK},
		{"main strength f=15", "18.5", 1, rule.OK}, // below C20 D is 3.5
		{"main strength f=20", "24.4", 1, rule.NotOK},
	},
	"GB50300_2013": {
		{"main point ±10", "10 -10 0", 3, rule.OK},
		{"main point ±10", points(99, "10.1"), 99, rule.NotOK},
		{"general point ±10", points(8, "15 -15"), 8, rule.OK}, // 80 % and 1.5 times, of any general item
		{"general point ±10", points(8, "15.01 -15"), 8, rule.NotOK},
		{"general point ±10", points(7, "11 11 11"), 7, rule.NotOK},
		{"general point ±10 machine", points(9, "15"), 9, rule.OK}, // 1.2 is of the waterways
		{"general point ±10 ext=-12..12", points(9, "13"), 9, rule.OK},
		{"general point up=8", "8 8 8 8 12", 4, rule.OK},
		{"general point up=8", "8 8 8 8 12.1", 4, rule.NotOK},
		{"general point ±10 least=5", "1 2 3 4", 4, rule.Incomplete},
		{"general look", "1 1 1 1 0", 4, rule.OK}, // 80 %, as of points
		{"general look", "1 1 1 0", 3, rule.NotOK},
		{"general look safety", "1 1 1 1 0", 4, rule.NotOK},
		{"main look", times(99, "1") + "0", 99, rule.NotOK},
		{"main strength f=30", "33.1 35.4 31.8 36.2 34.0 32.7 37.5 33.9 35.0 34.6", 10, rule.OK},   // 34.42 − 1.15 · 2.5 = 31.545
		{"main strength f=30", "33.1 28.4 31.8 36.2 34.0 29.7 37.5 30.9 35.0 34.6", 8, rule.NotOK}, // 33.12 − 1.15 · 2.9024 = 29.782
		{"main strength f=30", "32.5 32.0 31.5 33.0 32.8 31.9 33.4 32.2 31.6 33.1", 10, rule.NotOK},
		{"main strength f=30", times(10, "32.875"), 10, rule.OK}, // 30 + 1.15 · 2.5
		{"main strength f=30", times(10, "32.874"), 10, rule.NotOK},
		{"main strength f=30", times(15, "32.625"), 15, rule.OK}, // 30 + 1.05 · 2.5
		{"main strength f=30", times(14, "32.625"), 14, rule.NotOK},
		{"main strength f=30", times(20, "32.375"), 20, rule.OK}, // 30 + 0.95 · 2.5
		{"main strength f=30", times(19, "32.375"), 19, rule.NotOK},
		{"main strength f=30", times(9, "40") + "27", 9, rule.OK}, // 0.90 · 30; 38.7 − 1.15 · 4.1110 = 33.972
		{"main strength f=30", times(9, "40") + "26.9", 9, rule.NotOK},
		{"main strength f=30", "35.1 34.8 33.9 36.0 34.5", 5, rule.OK},
		{"main strength f=30", "35.1 28.4 36.9 38.0 36.5", 4, rule.NotOK}, // below 0.95 · 30 = 28.5
		{"main strength f=30", "35.1 28.5 36.9 38.0 36.5", 4, rule.OK},
		{"main strength f=60", "66 66 66", 3, rule.OK}, // 1.10 from C60 on
		{"main strength f=59", "67.8 67.8 67.8", 3, rule.NotOK},
		{"main strength f=59", "67.85 67.85 67.85", 3, rule.OK}, // 1.15 · 59
	},
	"JTGF80_2017": {
		{"main point ±10", points(19, "15"), 19, rule.OK}, // 95 %, exactly
		{"main point ±10", points(18, "15 15"), 18, rule.NotOK},
		{"main point ±10", points(18, "15"), 18, rule.NotOK}, // 94.7 %
		{"main point ±10 machine", points(99, "11"), 99, rule.NotOK},
		{"general point ±10", points(8, "90 90"), 8, rule.OK}, // no cap by the tolerance
		{"general point ±10", points(7, "11 11 11"), 7, rule.NotOK},
		{"general point ±10 ext=-20..20", points(9, "20"), 9, rule.OK},
		{"general point ±10 ext=-20..20", points(9, "20.1"), 9, rule.NotOK},
		{"general point ±10 ext=-20..20", points(9, "-20.1"), 9, rule.NotOK},
		{"main strength f=30", "35.1 28.4 36.9 38.0 36.5", 4, rule.NotOK}, // as GB/T 50107
		{"main strength f=30", "34.5 34.5 34.5", 3, rule.OK},
		{"main strength f=30", times(10, "32.874"), 10, rule.NotOK},
		{"main compaction K0=96.2", "96 96.5 97 97.5 98", 5, rule.OK}, // 97 − 0.9534 · 0.790569 = 96.2463
		{"main compaction K0=96.3", "96 96.5 97 97.5 98", 5, rule.NotOK},
		{"main compaction K0=95.8", "95 96 97 98 99 97", 6, rule.OK}, // 97 − 0.8226 · 1.414214 = 95.8367
		{"main compaction K0=95.9", "95 96 97 98 99 97", 6, rule.NotOK},
		{"main compaction K0=96", "96 96 96", 3, rule.OK},            // without deviation the standard itself
		{"main compaction K0=95", times(9, "99") + "90", 9, rule.OK}, // 98.1 − 0.5797 · 2.8461 = 96.450, and the least is 95 − 5
		{"main compaction K0=95", times(9, "99") + "89.9", 9, rule.NotOK},
		{"main compaction K0=95", times(9, "99") + "93", 10, rule.OK}, // a point passes at 95 − 2
		{"main compaction K0=95", times(9, "99") + "92.9", 9, rule.OK},
		{"main compaction K0=90.6", "96 98", 2, rule.OK}, // 97 − 4.4645 · 1.414214 = 90.6862
		{"main compaction K0=90.7", "96 98", 2, rule.NotOK},
		{"main compaction K0=95", "99", 1, rule.Incomplete},
		{"main compaction K0=95.67 conf=99", "96 96.5 97 97.5 98", 5, rule.OK}, // 97 − 1.6757 · 0.790569 = 95.6752
		{"main compaction K0=95.68 conf=99", "96 96.5 97 97.5 98", 5, rule.NotOK},
		{"main compaction K0=96.45 conf=90", "96 96.5 97 97.5 98", 5, rule.OK}, // 97 − 0.6857 · 0.790569 = 96.4579
		{"main compaction K0=96.46 conf=90", "96 96.5 97 97.5 98", 5, rule.NotOK},
		{"main compaction K0=96.2 conf=95", "96 96.5 97 97.5 98", 5, rule.OK}, // the default
		{"main compaction K0=96.3 conf=95", "96 96.5 97 97.5 98", 5, rule.NotOK},
		{"main compaction K0=81.08 conf=99", "96 98", 2, rule.NotOK}, // 97 − 22.5005 · 1.414214 = 65.1795
		{"main compaction K0=65.17 conf=99", "96 98", 2, rule.OK},
		{"main compaction K0=90 conf=97", "96 96.5 97 97.5 98", 5, rule.Incomplete}, // no coefficients of that level
		{"main compaction K0=96.67", times(34, "97") + "93", 34, rule.OK},           // 96.885714 − 0.3102 · 0.676123 = 96.6760, by the line of 30 points
		{"main compaction K0=96.68", times(34, "97") + "93", 34, rule.NotOK},
		{"main compaction K0=95 ext=91..101", times(9, "99") + "90.9", 9, rule.NotOK}, // the extreme value of the item
		{"main compaction K0=95 ext=91..101", times(9, "99") + "91", 9, rule.OK},
		{"main compaction K0=95 ext=89..101", times(9, "99") + "89.5", 9, rule.OK}, // 98.05 − 0.5797 · 3.0042 = 96.3085
		{"general look", "1 1 1 1 0", 4, rule.OK},
		{"general look", times(79, "1") + times(20, "0"), 79, rule.NotOK}, // 79.8 %
		{"main look", "1 1 1 1 0", 4, rule.NotOK},
		{"general point ±10 ext=-8..8", points(9, "9"), 10, rule.NotOK}, // in tolerance, beyond the extreme value
	},
}

// TestNorms: each norm by vectors that were computed by hand from its text, with the rule sets that come with the pack.
func TestNorms(t *testing.T) {
	sets := shipped(t)
	require.Len(t, sets, len(vectors))
	for code, list := range vectors {
		require.GreaterOrEqual(t, len(list), 8)
		for _, v := range list {
			got := sets[code].Evaluate(asked(t, v.item), values(v.values))
			require.Equal(t, v.want, got.Conclusion, "%s, %s: %s", code, v.item, v.values)
			require.Equal(t, v.ok, got.OKPoints, "%s, %s: %s", code, v.item, v.values)
		}
	}
}

// TestConfidence: the level of a set holds for items that name none.
func TestConfidence(t *testing.T) {
	s := *shipped(t)["JTGF80_2017"]
	s.Confidence = ptr("90")
	for item, want := range map[string]string{
		"main compaction K0=96.45":         rule.OK,
		"main compaction K0=96.46":         rule.NotOK,
		"main compaction K0=96.2 conf=95":  rule.OK,
		"main compaction K0=96.45 conf=95": rule.NotOK,
	} {
		require.Equal(t, want, s.Evaluate(asked(t, item), values("96 96.5 97 97.5 98")).Conclusion, item)
	}
}

// TestLevels: what a part of each level needs besides its records or parts, by each norm: tests where waterways and buildings ask for them, the
// appearance where highways do.
func TestLevels(t *testing.T) {
	sets := shipped(t)
	passed := rule.Child{Eval: rule.Qualified, Work: rule.Done, DocComplete: true}
	for _, one := range []struct{ code, level, needs string }{
		{"JTS257_2008", "LOT", ""},
		{"JTS257_2008", "ITEM", ""},
		{"JTS257_2008", "DIVISION", ""},
		{"JTS257_2008", "UNIT", "tests appearance"},
		{"JTS257_2008", "PROJECT", ""},
		{"GB50300_2013", "LOT", ""},
		{"GB50300_2013", "DIVISION", "tests appearance"},
		{"GB50300_2013", "UNIT", "tests appearance"},
		{"GB50300_2013", "PROJECT", ""},
		{"JTGF80_2017", "ITEM", "appearance"},
		{"JTGF80_2017", "DIVISION", "appearance"},
		{"JTGF80_2017", "UNIT", "appearance"},
		{"JTGF80_2017", "PROJECT", ""},
	} {
		for without := range 8 {
			given := rule.Own{Conclusion: rule.OK, Counts: rule.Counts{Started: true}, TestOK: without&1 == 0}
			if without&2 == 0 {
				given.Appearance = rule.OK
			}
			if without&4 != 0 { // a required sheet is open
				given.SheetTotal = 1
			}
			var parts []rule.Child
			if one.level != "LOT" && one.level != "ITEM" {
				parts, given.Conclusion = []rule.Child{passed, passed}, ""
			}
			documents := one.code != "JTGF80_2017" || one.level != "PROJECT" // the whole of a highway is its unit works
			lacks := strings.Contains(one.needs, "tests") && without&1 != 0 || strings.Contains(one.needs, "appearance") && without&2 != 0
			want := rule.Qualified
			if lacks || documents && without&4 != 0 {
				want = rule.Pending
			}
			require.Equal(t, want, sets[one.code].Roll(one.level, given, parts).Eval, "%s %s without %b", one.code, one.level, without)
		}
	}
}

// TestLevelsAreAnswered: what a level needs is due by the set that its rule set names. A part of the works that needs a test which nobody is asked for
// would stay pending with nothing missing.
func TestLevelsAreAnswered(t *testing.T) {
	text, err := os.ReadFile("../data/q_due_set.json")
	require.NoError(t, err)
	var file struct {
		Rows []struct {
			Code   string
			Sheets []struct {
				SchemaCode, BizKind string
				Top                 bool
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	asked := map[string]map[string]bool{}
	for _, row := range file.Rows {
		asked[row.Code] = map[string]bool{}
		for _, sheet := range row.Sheets {
			require.True(t, sheet.Top, row.Code)
			asked[row.Code][sheet.SchemaCode+" "+sheet.BizKind], asked[row.Code][sheet.SchemaCode] = true, true
		}
	}
	for code, set := range shipped(t) {
		for _, level := range set.Levels {
			if level.NodeType == "LOT" || level.NodeType == "ITEM" { // these name a kind of work, which says it
				require.Empty(t, level.DueCode)
				continue
			}
			of := asked[level.DueCode]
			require.Equal(t, level.Documents, of["q_doccheck"], "%s %s", code, level.NodeType)
			require.Equal(t, level.Tests, of["q_doccheck TEST"], "%s %s", code, level.NodeType)
			require.Equal(t, level.Appearance, of["q_appearance"], "%s %s", code, level.NodeType)
		}
	}
}
