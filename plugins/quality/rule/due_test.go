package rule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

func lacks(list []rule.Missing) string {
	var out []string
	for _, m := range list {
		text := m.What + " " + m.Key
		if m.What == rule.LacksItem {
			text += " " + m.Kind
		}
		if m.What == rule.LacksShare {
			text += fmt.Sprintf(" %d/%d", m.Have, m.Need)
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// inspection is a record of a contractor's lot that counts: "SELF CONTRACTOR ann q_lot a b".
func inspection(text string) rule.GivenRecord {
	f := strings.Fields(text)
	return rule.GivenRecord{Kind: f[0], Party: strings.Trim(f[1], "-"), Author: strings.Trim(f[2], "-"), Workflow: strings.Trim(f[3], "-"), Counts: true, Judged: f[4:]}
}

// TestMissing: what a lot lacks of two items (a main), an inspection that the supervisor approves, the supervisor's own of the main items, a test, a sheet
// and a hold point.
func TestMissing(t *testing.T) {
	due := rule.Due{Items: []rule.DueItem{{ID: "a", Class: rule.Main, Kind: rule.Self}, {ID: "b", Class: rule.General, Kind: rule.Self}, {ID: "c", Class: rule.Main, Kind: rule.Test}},
		Kinds:    []rule.DueKind{{Kind: rule.Self, Items: rule.EveryItem, Workflow: "q_lot"}, {Kind: rule.Sup, Items: rule.MainItems}},
		Sheets:   []rule.DueSheet{{Model: "q_hidden", Workflow: "q_hidden"}},
		Consents: []rule.DueConsent{{Key: "POUR"}}}
	whole := []string{"SELF CONTRACTOR ann q_lot a b", "SUP SUPERVISOR eve - a", "TEST OTHER lab - c"}
	sheet, consents := rule.GivenSheet{Model: "q_hidden", Workflow: "q_hidden", Done: true}, []string{"POUR"}
	for _, c := range []struct {
		name    string
		records []string
		sheet   rule.GivenSheet
		pour    []string
		want    string
	}{
		{"all", whole, sheet, consents, ""},
		{"nothing", nil, rule.GivenSheet{}, nil, "CONSENT POUR; KIND SELF; KIND SUP; KIND TEST; SHEET q_hidden"},
		{"one general item alone", []string{"SELF CONTRACTOR ann q_lot b", whole[1], whole[2]}, sheet, consents, "ITEM a SELF"},
		{"in two records", []string{"SELF CONTRACTOR ann q_lot a", "SELF CONTRACTOR bob q_lot b", whole[1], whole[2]}, sheet, consents, ""},
		{"without the supervisor's approval", []string{"SELF CONTRACTOR ann - a b", whole[1], whole[2]}, sheet, consents, "KIND SELF"},
		{"by another workflow", []string{"SELF CONTRACTOR ann mine a b", whole[1], whole[2]}, sheet, consents, "KIND SELF"},
		{"the supervisor's by the contractor", []string{whole[0], "SUP CONTRACTOR eve - a", whole[2]}, sheet, consents, "KIND SUP"},
		{"the contractor's by the supervisor", []string{"SELF SUPERVISOR ann q_lot a b", whole[1], whole[2]}, sheet, consents, "KIND SELF"},
		{"a test of the contractor's laboratory", []string{whole[0], whole[1], "TEST CONTRACTOR lab - c"}, sheet, consents, "KIND TEST"},
		{"both by one person", []string{whole[0], "SUP SUPERVISOR ann - a", whole[2]}, sheet, consents, "KIND SUP"},
		{"both by one person, the other way round", []string{"SUP SUPERVISOR eve - a", "SELF CONTRACTOR eve q_lot a b", whole[2]}, sheet, consents, "KIND SELF"},
		{"the supervisor judged a general item", []string{whole[0], "SUP SUPERVISOR eve - b", whole[2]}, sheet, consents, "ITEM a SUP"},
		{"no parties are named", []string{"SELF - ann q_lot a b", "SUP - eve - a", "TEST - lab - c"}, sheet, consents, ""},
		{"of files", []string{"SELF CONTRACTOR - q_lot a b", "SUP SUPERVISOR - - a", "TEST OTHER - - c"}, sheet, consents, ""},
		{"a sheet that answers no", whole, rule.GivenSheet{Model: "q_hidden", Workflow: "q_hidden"}, consents, "SHEET q_hidden"},
		{"a sheet that nobody approved", whole, rule.GivenSheet{Model: "q_hidden", Done: true}, consents, "SHEET q_hidden"},
		{"another sheet", whole, rule.GivenSheet{Model: "q_work", Workflow: "q_hidden", Done: true}, consents, "SHEET q_hidden"},
		{"another hold point", whole, sheet, []string{"WELD"}, "CONSENT POUR"},
	} {
		g := rule.Given{Sheets: []rule.GivenSheet{c.sheet}, Consents: c.pour, Lots: 1}
		for _, r := range c.records {
			g.Records = append(g.Records, inspection(r))
		}
		require.Equal(t, c.want, lacks(due.Missing(g)), c.name)
	}
	g := rule.Given{Records: []rule.GivenRecord{inspection(whole[0]), inspection(whole[1]), inspection(whole[2])}, Sheets: []rule.GivenSheet{sheet}, Consents: consents}
	g.Records[0].Judged, g.Records[0].Void = []string{"a"}, []string{"b"}
	require.Empty(t, due.Missing(g), "who approves agrees that an item does not apply")
	due.Kinds[0].Workflow, g.Records[0].Workflow = "", ""
	require.Equal(t, "ITEM b SELF", lacks(due.Missing(g)), "nobody agreed")
	g.Records[0].Counts = false
	require.Equal(t, "KIND SELF", lacks(due.Missing(g)))
	checked, own := inspection("SUP SUPERVISOR eve - a"), inspection("SELF CONTRACTOR ann q_lot a b")
	own.Inspector = "eve" // named on the record of somebody else
	require.Empty(t, rule.DueKind{Kind: rule.Sup}.Counting([]rule.GivenRecord{own, checked}))
	witnessed := rule.DueKind{Kind: rule.Test, Witnessed: true}
	require.Len(t, witnessed.Counting([]rule.GivenRecord{inspection("TEST CONTRACTOR lab - c")}), 1)
}

// TestShare: a share of the lots is rounded up.
func TestShare(t *testing.T) {
	for text, want := range map[string]string{"0.1 10 1": "", "0.1 11 1": "SHARE SUP 1/2", "0.1 1 0": "SHARE SUP 0/1", "0.34 3 1": "SHARE SUP 1/2", "1 3 3": "", "0.3333 3 1": "", "0.0001 20000 2": "", "0.0001 20001 2": "SHARE SUP 2/3"} {
		f := strings.Fields(text)
		var lots, have int64
		fmt.Sscan(f[1], &lots)
		fmt.Sscan(f[2], &have)
		due := rule.Due{Kinds: []rule.DueKind{{Kind: rule.Sup, Share: ptr(f[0])}}}
		require.Equal(t, want, lacks(due.Missing(rule.Given{Lots: lots, ByKind: map[string]int64{rule.Sup: have}})), text)
	}
}

// TestScope: lots have what is due of each lot, the node that holds the set has what is due of it, and one without lots has both.
func TestScope(t *testing.T) {
	due := rule.Due{Items: []rule.DueItem{{ID: "a"}}, Kinds: []rule.DueKind{{Kind: rule.Self}, {Kind: rule.Sup, Share: ptr("0.1")}},
		Sheets: []rule.DueSheet{{Model: "lot"}, {Model: "top", Top: true}}, Consents: []rule.DueConsent{{Key: "lot"}, {Key: "top", Top: true}}}
	count := func(leaf, lower bool) []int {
		d := due.Scope(leaf, lower)
		return []int{len(d.Items), len(d.Kinds), len(d.Sheets), len(d.Consents)}
	}
	require.Equal(t, []int{1, 1, 1, 1}, count(true, true))
	require.Equal(t, []int{1, 2, 2, 2}, count(true, false))
	require.Equal(t, []int{0, 1, 1, 1}, count(false, false))
	require.False(t, rule.Due{Sheets: due.Sheets}.Judges())
	require.True(t, due.Judges())
}

// TestMoreIsNeverLess: what somebody adds to what is given never makes anything missing that was not, unless it makes them a second inspector of the same
// node; and what is taken away never makes anything appear.
func TestMoreIsNeverLess(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	kinds, parties, flows := []string{rule.Self, rule.Sup, rule.Test}, []string{rule.Contractor, rule.Supervisor, rule.Other, ""}, []string{"", "q_lot"}
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	for range 3000 {
		var due rule.Due
		for i := range 1 + r.IntN(4) {
			due.Items = append(due.Items, rule.DueItem{ID: fmt.Sprint(i), Class: pick([]string{rule.Main, rule.General}), Kind: pick(kinds)})
		}
		for _, k := range kinds[:r.IntN(4)] {
			due.Kinds = append(due.Kinds, rule.DueKind{Kind: k, Items: pick([]string{rule.EveryItem, rule.MainItems, rule.AnyItem}), Workflow: pick(flows), Witnessed: r.IntN(2) == 0})
		}
		var g rule.Given
		before := -1
		for n := range 6 {
			rec := rule.GivenRecord{Kind: pick(kinds), Party: pick(parties), Author: fmt.Sprint("p", n), Workflow: pick(flows), Counts: r.IntN(4) > 0}
			for i := range due.Items {
				if r.IntN(2) == 0 {
					rec.Judged = append(rec.Judged, fmt.Sprint(i))
				}
			}
			g.Records = append(g.Records, rec)
			now := weight(due.Missing(g))
			if before >= 0 {
				require.LessOrEqual(t, now, before, "%+v\n%+v", due, g)
			}
			before = now
		}
	}
}

// weight counts a kind that is missing as all its items.
func weight(list []rule.Missing) (n int) {
	for _, m := range list {
		n++
		if m.What == rule.LacksKind {
			n += 100
		}
	}
	return n
}
