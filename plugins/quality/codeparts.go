package quality

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// joints are between the parts of a code: 01-02-03, 80.10.1, A/1_2.
const joints = "-./_ "

// aboveCode is a code without its last part; "" where it has one part only. 80.10.1 is below 80.10, and never below 80.1.
func aboveCode(code string) string { return code[:max(0, strings.LastIndexAny(code, joints))] }

// partsBelow reports whether a code is one of the parts below another, and returns what follows that one, with its joint.
func partsBelow(code, top string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(code, top)
	return rest, ok && top != "" && len(rest) > 1 && strings.ContainsRune(joints, rune(rest[0]))
}

// strange reports whether a code says that it belongs somewhere else than below another one: both begin with the same part.
func strange(code, top string) bool {
	first := func(s string) string { before, _, _ := strings.Cut(strings.Map(oneJoint, s), "-"); return before }
	if aboveCode(code) == "" || aboveCode(top) == "" || first(code) != first(top) {
		return false
	}
	_, is := partsBelow(code, top)
	return !is
}

func oneJoint(r rune) rune {
	if strings.ContainsRune(joints, r) {
		return '-'
	}
	return r
}

// partBelow is the code of the nth part of a node: 01-02-03 with two digits or more, 80.10.1 below a code with points.
func partBelow(parent string, n int64) string {
	number := itoa(n)
	if i := strings.LastIndexAny(parent, joints); i >= 0 && parent[i] == '.' {
		return parent + "." + number
	} else if i >= 0 {
		parent += parent[i : i+1]
	} else if parent != "" {
		parent += "-"
	}
	return parent + strings.Repeat("0", max(0, 2-len(number))) + number
}

// compareCodes orders codes as people do: 80.2 before 80.10, 01-2 before 01-10. Lists have the same order by the property codeOrder.
func compareCodes(a, b string) int {
	return cmp.Or(cmp.Compare(expression.CodeOrder(a), expression.CodeOrder(b)), cmp.Compare(a, b))
}

// sameOrder reports whether the order that people gave does not tell two rows apart.
func sameOrder(a, b world.Row) bool {
	return a.Empty(codes.SortKey) == b.Empty(codes.SortKey) && a.Number(codes.SortKey).Equal(b.Number(codes.SortKey))
}

// ordered puts the rows of a query, which are in the order of a tree or the rows of one place, in the order of their codes where they have
// the same order or none: the database compares codes letter by letter.
func ordered(list []world.Row) []world.Row {
	there, beside := make(map[string]bool, len(list)), map[string][]world.Row{}
	for _, r := range list {
		there[r.ID] = true
	}
	for _, r := range list {
		up := r.Text(codes.ParentID)
		if !there[up] {
			up = ""
		}
		beside[up] = append(beside[up], r)
	}
	out := make([]world.Row, 0, len(list))
	var give func(up string)
	give = func(up string) {
		some := beside[up]
		for from := 0; from < len(some); {
			to := from + 1
			for to < len(some) && sameOrder(some[to], some[from]) {
				to++
			}
			slices.SortStableFunc(some[from:to], func(a, b world.Row) int { return compareCodes(a.Text(codes.Code), b.Text(codes.Code)) })
			from = to
		}
		for _, r := range some {
			out = append(out, r)
			give(r.ID)
		}
	}
	give("")
	return out
}
