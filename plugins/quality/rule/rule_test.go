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

// jts, jtg and gb have the thresholds of data/q_rule.json; TestRuleSets of the pack compares them.
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

// TestStrength: groups of C30 specimens by GB/T 50107-2010.
func TestStrength(t *testing.T) {
	c30 := rule.Item{Class: rule.Main, Method: rule.StatStrength, Design: ptr("30")}
	for _, one := range []struct{ values, grade, want string }{
		{"33.1 35.4 31.8 36.2 34.0 32.7 37.5 33.9 35.0 34.6", "30", rule.OK},
		{"33.1 28.4 31.8 36.2 34.0 29.7 37.5 30.9 35.0 34.6", "30", rule.NotOK}, // mean − 1.15 S = 29.782
		{"35.1 34.8 33.9 36.0 34.5", "30", rule.OK},
		{"35.1 28.4 36.9 38.0 36.5", "30", rule.NotOK}, // the least is below 28.5
		{"35.1 28.5 36.9 38.0 36.5", "30", rule.OK},
		{"66 66 66", "60", rule.OK},       // 1.10 of C60
		{"65.9 66 66", "60", rule.NotOK},  // mean below 66
		{"34.5 34.5 34.5", "30", rule.OK}, // 1.15 of C30, exactly
		{"34.4 34.5 34.5", "30", rule.NotOK},
		{strings.Repeat("30.5 ", 14) + "28", "30", rule.NotOK}, // 15 groups: mean − 1.05 S < 30
		{strings.Repeat("31 ", 20), "30", rule.OK},
		{strings.Repeat("40 ", 19) + "25.4", "30", rule.NotOK}, // the least is below 0.85 of the grade
		{"", "30", rule.Incomplete},
	} {
		c30.Design = ptr(one.grade)
		require.Equal(t, one.want, jts().Evaluate(c30, values(one.values)).Conclusion, one.values)
	}
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
