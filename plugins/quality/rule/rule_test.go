package rule_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func ptr(text string) *decimal.Decimal {
	if text == "" {
		return nil
	}
	v := dec(text)
	return &v
}

func values(text string) (out []decimal.Decimal) {
	for _, f := range strings.Fields(text) {
		out = append(out, dec(f))
	}
	return out
}

// jts and jtg are short forms of the sets in data/q_rule.json, which the scenarios in the pack's folder tests use as they are.
func jts() *rule.Set {
	return &rule.Set{Code: "JTS257_2008", Revision: 1, MainRate: dec("1"), GeneralRate: dec("0.8"), SafetyFactor: ptr("1.5"), MachineFactor: ptr("1.2"),
		CompactionLow: dec("5"), CompactionPoint: dec("2"), Strength: strength(), ExcellentRate: dec("0.9"), ExcellentShare: dec("0.5"),
		Compaction: []rule.Coefficient{{N: 2, T: dec("4.4645")}, {N: 5, T: dec("0.9534")}, {N: 10, T: dec("0.5797")}},
		Levels: []rule.Level{{NodeType: "PROJECT", Documents: true}, {NodeType: "UNIT", Documents: true, Tests: true, Appearance: true}, {NodeType: "DIVISION", Documents: true},
			{NodeType: "ITEM", Documents: true}, {NodeType: "LOT", Documents: true}}}
}

func jtg() *rule.Set {
	s := jts()
	s.Code, s.MainRate, s.MachineMainRate, s.SafetyFactor, s.MachineFactor, s.Extremes = "JTGF80_2017", dec("0.95"), ptr("1"), nil, nil, true
	return s
}

func strength() []rule.Strength {
	return []rule.Strength{{From: 1, Below: ptr("60"), L3: ptr("1.15"), L4: ptr("0.95")}, {From: 1, L3: ptr("1.10"), L4: ptr("0.95")},
		{From: 10, L1: ptr("1.15"), L2: ptr("0.90")}, {From: 15, L1: ptr("1.05"), L2: ptr("0.85")}, {From: 20, L1: ptr("0.95"), L2: ptr("0.85")}}
}

// waterway are the rows of JTS 257 for C20 to C40 and for the grades above.
func waterway() (out []rule.Strength) {
	for _, l := range []struct {
		from                                   int
		l1, over, under, overAbove, underAbove string
	}{
		{1, "", "4.5", "", "5.5", ""}, {2, "", "4.5", "2.25", "5.5", "2.75"}, {5, "1", "", "3.15", "", "3.85"}, {10, "1", "", "4.05", "", "4.95"}, {20, "1", "", "4.5", "", "5.5"}} {
		out = append(out, rule.Strength{From: l.from, Below: ptr("41"), L1: ptr(l.l1), MeanOver: ptr(l.over), LeastUnder: ptr(l.under)},
			rule.Strength{From: l.from, L1: ptr(l.l1), MeanOver: ptr(l.overAbove), LeastUnder: ptr(l.underAbove)})
	}
	for _, l := range []rule.Strength{{From: 1, MeanOver: ptr("3.5")}, {From: 5, L1: ptr("1"), LeastUnder: ptr("2.45")}} {
		l.Below = ptr("20")
		out = append(out, l)
	}
	return out
}

// TestStrength: groups of specimens of concrete by GB/T 50107-2010, with its floor of the standard deviation, and by JTS 257-2008. The bounds are
// computed by hand; each is met exactly once and missed by little once.
func TestStrength(t *testing.T) {
	gb, jts := jtg(), jts()
	gb.Strength, gb.LeastDeviation, jts.Strength = strength(), ptr("2.5"), waterway()
	spread := func(n int, values string) string { return strings.TrimSpace(strings.Repeat(values+" ", n)) }
	for _, one := range []struct {
		norm          *rule.Set
		values, grade string
		want          string
	}{
		{gb, "33.1 35.4 31.8 36.2 34.0 32.7 37.5 33.9 35.0 34.6", "30", rule.OK},    // S 1.6995 counts as 2.5: 34.42 − 2.875 = 31.545
		{gb, "33.1 28.4 31.8 36.2 34.0 29.7 37.5 30.9 35.0 34.6", "30", rule.NotOK}, // S 2.9024: 33.12 − 3.3378 = 29.782
		{gb, "32.5 32.0 31.5 33.0 32.8 31.9 33.4 32.2 31.6 33.1", "30", rule.NotOK}, // 32.4 − 2.875 = 29.525; without the floor it would pass
		{gb, spread(10, "32.875"), "30", rule.OK},                                   // 32.875 − 2.875 = 30, exactly
		{gb, spread(10, "32.874"), "30", rule.NotOK},
		{gb, spread(19, "40") + " 25.5", "30", rule.OK}, // 0.85 of C30 for 20 groups, exactly
		{gb, spread(19, "40") + " 25.4", "30", rule.NotOK},
		{gb, spread(15, "32.625"), "30", rule.OK}, // 15 groups: 32.625 − 1.05 · 2.5 = 30
		{gb, spread(14, "32.625"), "30", rule.NotOK},
		{gb, "35.1 34.8 33.9 36.0 34.5", "30", rule.OK},
		{gb, "35.1 28.4 36.9 38.0 36.5", "30", rule.NotOK}, // the least is below 28.5
		{gb, "35.1 28.5 36.9 38.0 36.5", "30", rule.OK},
		{gb, "66 66 66", "60", rule.OK},       // 1.10 of C60
		{gb, "65.9 66 66", "60", rule.NotOK},  // mean below 66
		{gb, "34.5 34.5 34.5", "30", rule.OK}, // 1.15 of C30, exactly
		{gb, "34.4 34.5 34.5", "30", rule.NotOK},
		{gb, "", "30", rule.Incomplete},

		{jts, "35.1 28.4 36.9 38.0 36.5", "30", rule.OK},    // 34.98 − 3.822 = 31.158, 28.4 ≥ 30 − 0.7 · 4.5
		{jts, "31.5 32 31 33 32.5", "30", rule.OK},          // no floor: 32 − 0.7906 = 31.21
		{jts, "30.5 30.4 30.3 30.2 30.1", "30", rule.OK},    // 30.3 − 0.1581 = 30.142
		{jts, "30.1 30.1 30.1 30.1 29.9", "30", rule.NotOK}, // 30.06 − 0.0894 = 29.971
		{jts, spread(9, "40") + " 25.95", "30", rule.OK},    // ten groups: 30 − 0.9 · 4.5, exactly; 38.595 − 4.443 = 34.152
		{jts, spread(9, "40") + " 25.94", "30", rule.NotOK},
		{jts, spread(19, "40") + " 25.5", "30", rule.OK}, // twenty: 30 − 4.5
		{jts, spread(19, "40") + " 25.4", "30", rule.NotOK},
		{jts, "34.5 34.5", "30", rule.OK}, // two groups: the mean is 30 + 4.5, exactly
		{jts, "34.5 34.4", "30", rule.NotOK},
		{jts, "38 38 27.75", "30", rule.OK}, // the least is 30 − 0.5 · 4.5, exactly; mean 34.583
		{jts, "39 39 27.74", "30", rule.NotOK},
		{jts, "34.5", "30", rule.OK}, // one group: 30 + 4.5
		{jts, "34.4", "30", rule.NotOK},
		{jts, "44.5 44.5", "40", rule.OK},    // C40 is of the middle grades
		{jts, "50.4 50.4", "45", rule.NotOK}, // above them 5.5
		{jts, "50.5 50.5", "45", rule.OK},
		{jts, "18.5", "15", rule.OK}, // below C20 3.5
		{jts, "18.4", "15", rule.NotOK},
		{jts, "19 19 19 19 12.55", "15", rule.NotOK}, // 15 − 0.7 · 3.5 = 12.55 holds; 17.71 − 2.884 = 14.826 does not
		{jts, "20 20 20 20 12.55", "15", rule.OK},    // 18.51 − 3.3317 = 15.178
		{jts, "20 20 20 20 12.54", "15", rule.NotOK},
	} {
		it := rule.Item{Class: rule.Main, Method: rule.StatStrength, Design: ptr(one.grade)}
		require.Equal(t, one.want, one.norm.Evaluate(it, values(one.values)).Conclusion, "%s C%s: %s", one.norm.Code, one.grade, one.values)
	}

	rounded := jtg()
	rounded.Strength, rounded.MeanDigits, rounded.DeviationDigits = []rule.Strength{{From: 1, L1: ptr("1")}}, ptr("1"), ptr("2")
	it := rule.Item{Class: rule.Main, Method: rule.StatStrength, Design: ptr("30")}
	require.Equal(t, rule.OK, rounded.Evaluate(it, values("30.95 31.95 30")).Conclusion, "30.9667 − 0.9751 is below 30; 31.0 − 0.98 is not")
	rounded.MeanDigits = nil
	require.Equal(t, rule.NotOK, rounded.Evaluate(it, values("30.95 31.95 30")).Conclusion)
	rounded.Strength = []rule.Strength{{From: 1}}
	require.Equal(t, rule.Incomplete, rounded.Evaluate(it, values("31")).Conclusion, "a row without coefficients asks for nothing and judges nothing")
}

// TestLot: tolerance ±10 by JTS 257.
func TestLot(t *testing.T) {
	for _, one := range []struct {
		name, values    string
		safety, machine bool
		want            string
	}{
		{"worst 11", "3 -5 8 11 2 0 -9 6 7 4", true, false, rule.OK},
		{"worst 16, safety", "3 -5 8 16 2 0 -9 6 7 4", true, false, rule.NotOK},
		{"worst 15, safety", "3 -5 8 15 2 0 -9 6 7 4", true, false, rule.OK},
		{"worst -15.1, safety", "3 -5 8 -15.1 2 0 -9 6 7 4", true, false, rule.NotOK},
		{"worst 16", "3 -5 8 16 2 0 -9 6 7 4", false, false, rule.OK},
		{"70 %", "3 -5 8 11 12 -13 -9 6 7 4", false, false, rule.NotOK},
		{"worst 12.5, machine", "3 -5 8 12.5 2 0 -9 6 7 4", false, true, rule.NotOK},
		{"80 % and 12, machine", "3 -5 8 12 11 0 -9 6 7 4", false, true, rule.OK},
	} {
		it := rule.Item{Class: rule.General, Method: rule.Point, DevLow: ptr("-10"), DevHigh: ptr("10"), Safety: one.safety, Machine: one.machine}
		require.Equal(t, one.want, jts().Evaluate(it, values(one.values)).Conclusion, one.name)
	}
	main := rule.Item{Class: rule.Main, Method: rule.Point, DevLow: ptr("-10"), DevHigh: ptr("10")}
	require.Equal(t, rule.NotOK, jts().Evaluate(main, values("3 -5 8 11 2 0 -9 6 7 4")).Conclusion, "every point of a main item")
	design := rule.Item{Class: rule.Main, Method: rule.Point, Design: ptr("1200"), DevLow: ptr("-10"), DevHigh: ptr("10")}
	r := jts().Evaluate(design, values("1195 1210 1190"))
	require.Equal(t, rule.OK, r.Conclusion)
	require.Equal(t, "10", r.MaxDev.Abs().String())
	few := rule.Item{Class: rule.General, Method: rule.Point, DevLow: ptr("-10"), DevHigh: ptr("10"), MinPoints: 3}
	require.Equal(t, rule.Incomplete, jts().Evaluate(few, values("1 2")).Conclusion)
	yes := rule.Item{Class: rule.Main, Method: rule.YesNo}
	require.Equal(t, rule.OK, jts().Evaluate(yes, values("1")).Conclusion)
	require.Equal(t, rule.NotOK, jts().Evaluate(yes, values("0")).Conclusion)
}

// TestHighway: rates of JTG F80/1, extreme values, machinery.
func TestHighway(t *testing.T) {
	it := rule.Item{Class: rule.Main, Method: rule.Point, DevLow: ptr("-10"), DevHigh: ptr("10"), LimitLow: ptr("-20"), LimitHigh: ptr("20")}
	twenty := func(bad string) []decimal.Decimal { return append(values(strings.Repeat("1 ", 19)), dec(bad)) }
	require.Equal(t, rule.OK, jtg().Evaluate(it, twenty("15")).Conclusion, "95 %, inclusive")
	require.Equal(t, rule.NotOK, jtg().Evaluate(it, twenty("20.1")).Conclusion, "an extreme value")
	require.Equal(t, rule.NotOK, jtg().Evaluate(it, values("1 1 1 1 1 1 1 1 1 15")).Conclusion, "90 %")
	it.Machine = true
	require.Equal(t, rule.NotOK, jtg().Evaluate(it, twenty("15")).Conclusion, "machinery wants every point")
}

// TestCompaction: mean 97, S 1; n = 5 has tα/√n 0.9534, so the representative value is 96.046.
func TestCompaction(t *testing.T) {
	it := rule.Item{Class: rule.Main, Method: rule.StatCompaction, Design: ptr("96")}
	series := values("96 96.5 97 97.5 98") // S = 0.7906
	require.Equal(t, rule.OK, jtg().Evaluate(it, series).Conclusion)
	it.Design = ptr("96.3")
	require.Equal(t, rule.NotOK, jtg().Evaluate(it, series).Conclusion, "97 − 0.9534·0.7906 = 96.246")
	it.Design = ptr("96")
	r := jtg().Evaluate(it, values("90.9 99 99 99 99"))
	require.Equal(t, rule.NotOK, r.Conclusion, "a value more than 5 below")
	require.Equal(t, [2]int{4, 5}, [2]int{r.OKPoints, r.Points})
	require.Equal(t, rule.Incomplete, jtg().Evaluate(it, values("97")).Conclusion)
}

// TestRecord: the order of items does not matter.
func TestRecord(t *testing.T) {
	for in, want := range map[string]string{"OK OK": rule.OK, "OK NA": rule.OK, "NA": rule.Incomplete, "": rule.Incomplete, "OK INCOMPLETE": rule.Incomplete,
		"INCOMPLETE OK": rule.Incomplete, "INCOMPLETE NOT_OK OK": rule.NotOK} {
		require.Equal(t, want, rule.Record(strings.Fields(in)), in)
	}
}

func own(conclusion string) rule.Own {
	return rule.Own{Counts: rule.Counts{Started: conclusion != ""}, Conclusion: conclusion}
}

// TestLeaf: a lot by its records, sheets and corrective actions.
func TestLeaf(t *testing.T) {
	s := jts()
	with := func(o rule.Own, change func(o *rule.Own)) rule.Own { change(&o); return o }
	for name, one := range map[string]struct {
		own        rule.Own
		eval, work string
	}{
		"nothing":              {own(""), rule.None, rule.NotStarted},
		"begun":                {rule.Own{Counts: rule.Counts{Started: true}}, rule.Pending, rule.Doing},
		"passed":               {own(rule.OK), rule.Qualified, rule.Done},
		"sheet missing":        {with(own(rule.OK), func(o *rule.Own) { o.SheetTotal = 1 }), rule.Pending, rule.Doing},
		"failed":               {own(rule.NotOK), rule.Unqualified, rule.Done},
		"reworked":             {with(own(rule.NotOK), func(o *rule.Own) { o.NCR = rule.ReworkNCR }), rule.Rework, rule.Done},
		"closed, not repeated": {with(own(rule.NotOK), func(o *rule.Own) { o.NCR = rule.ClosedNCR }), rule.Pending, rule.Done},
		"passed, open action":  {with(own(rule.OK), func(o *rule.Own) { o.NCROpen = 1 }), rule.Pending, rule.Done},
		"conceded":             {with(own(rule.NotOK), func(o *rule.Own) { o.Concession = true }), rule.Qualified, rule.Done},
		"incomplete":           {own(rule.Incomplete), rule.Pending, rule.Done},
	} {
		got := s.Roll("LOT", one.own, nil)
		require.Equal(t, one.eval, got.Eval, name)
		require.Equal(t, one.work, got.Work, name)
	}
}

// TestParent: a node by its children.
func TestParent(t *testing.T) {
	s := jts()
	child := func(eval string) rule.Child {
		return rule.Child{Eval: eval, Work: rule.Done, DocComplete: true, Counts: rule.Counts{Points: 10, OKPoints: 8}}
	}
	for want, evals := range map[string][]string{rule.Qualified: {"QUALIFIED QUALIFIED", "QUALIFIED EXCELLENT"}, rule.None: {"NONE NONE"},
		rule.Pending:     {"QUALIFIED NONE", "NONE UNQUALIFIED", "QUALIFIED PENDING", "QUALIFIED REWORK", "UNQUALIFIED REWORK"},
		rule.Unqualified: {"QUALIFIED UNQUALIFIED", "UNQUALIFIED"}} {
		for _, line := range evals {
			var children []rule.Child
			for _, e := range strings.Fields(line) {
				children = append(children, child(e))
			}
			got := s.Roll("DIVISION", rule.Own{}, children)
			require.Equal(t, want, got.Eval, line)
			rate, _ := got.Rate()
			require.Equal(t, "0.8", rate.String())
		}
	}
	two := []rule.Child{child(rule.Qualified), child(rule.Qualified)}
	require.Equal(t, rule.Pending, s.Roll("UNIT", rule.Own{}, two).Eval, "a unit needs tests and appearance")
	require.Equal(t, rule.Qualified, s.Roll("UNIT", rule.Own{TestOK: true, Appearance: rule.OK}, two).Eval)
	require.Equal(t, rule.Pending, s.Roll("DIVISION", rule.Own{Counts: rule.Counts{SheetTotal: 1}}, two).Eval, "documents")
	require.Equal(t, rule.Pending, s.Roll("DIVISION", rule.Own{Appearance: rule.NotOK}, two).Eval)
	s.Grading = true
	require.Equal(t, rule.Excellent, s.Roll("DIVISION", rule.Own{}, []rule.Child{child(rule.Excellent), child(rule.Qualified)}).Eval, "half of them")
	main := child(rule.Qualified)
	main.Main = true
	require.Equal(t, rule.Qualified, s.Roll("DIVISION", rule.Own{}, []rule.Child{child(rule.Excellent), main}).Eval, "a main part is not excellent")
	scored := func(score string, main bool) rule.Child {
		c := child(rule.Qualified)
		c.Main, c.Score, c.ScoreValue = main, true, dec(score)
		return c
	}
	require.Equal(t, "86.67", s.Roll("DIVISION", rule.Own{}, []rule.Child{scored("90", true), scored("80", false)}).Score.String())
}

// TestOrder: the order of children changes nothing, and what a node has never depends on how its siblings are grouped.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	evals := []string{rule.None, rule.Pending, rule.Qualified, rule.Excellent, rule.Unqualified, rule.Rework}
	works := []string{rule.NotStarted, rule.Doing, rule.Done}
	for range 2000 {
		var children []rule.Child
		for range 1 + r.IntN(6) {
			children = append(children, rule.Child{Eval: evals[r.IntN(6)], Work: works[r.IntN(3)], DocComplete: r.IntN(2) == 0, Main: r.IntN(3) == 0,
				Counts: rule.Counts{Points: int64(r.IntN(9)), OKPoints: int64(r.IntN(5)), SheetTotal: int64(r.IntN(3)), SheetDone: int64(r.IntN(3)), NCROpen: int64(r.IntN(2))}})
		}
		s := jts()
		s.Grading = r.IntN(2) == 0
		o := rule.Own{Conclusion: []string{"", rule.OK, rule.NotOK, rule.Incomplete}[r.IntN(4)]}
		want := s.Roll("DIVISION", o, children)
		r.Shuffle(len(children), func(i, j int) { children[i], children[j] = children[j], children[i] })
		require.Equal(t, want, s.Roll("DIVISION", o, children))
		if want.Eval == rule.Qualified || want.Eval == rule.Excellent {
			for _, c := range children {
				require.Contains(t, []string{rule.Qualified, rule.Excellent}, c.Eval)
			}
		}
	}
}

// TestBelow: a child is of a strictly lower type.
func TestBelow(t *testing.T) {
	s := jts()
	require.True(t, s.Below("", "PROJECT"))
	require.True(t, s.Below("UNIT", "ITEM"))
	require.False(t, s.Below("ITEM", "ITEM"))
	require.False(t, s.Below("LOT", "UNIT"))
	require.False(t, s.Below("UNIT", "OTHER"))
}
