package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// limit is a limit on values that changes, by its word in definitions. broken is the condition of the rows that the new one
// refuses; "" when it refuses none that the old one took.
type limit struct {
	word     string
	from, to string // "" = none
	broken   string
	out, in  []string // choices that go and come
}

// none is what a limit that is not set is called.
var none = map[string]string{"zh": "无", "en": "none"}

// shownChoices is how many choices a step names; a dictionary can have thousands.
const shownChoices = 5

func (l limit) text(locale string) string {
	if l.out == nil && l.in == nil {
		word := func(v string) string {
			if v == "" {
				return none[locale]
			}
			return v
		}
		return l.word + " " + word(l.from) + " → " + word(l.to)
	}
	parts := []string{l.word}
	for _, of := range []struct {
		sign  string
		codes []string
	}{{"−", l.out}, {"+", l.in}} {
		for i, code := range of.codes {
			if i == shownChoices {
				parts = append(parts, fmt.Sprintf("%s…%d", of.sign, len(of.codes)-i))
				break
			}
			parts = append(parts, of.sign+code)
		}
	}
	return strings.Join(parts, " ")
}

// inWords tells all limits that change.
func inWords(of []limit, locale string) string {
	out := make([]string, len(of))
	for i, l := range of {
		out[i] = l.text(locale)
	}
	return strings.Join(out, ", ")
}

// limit keeps the limits with a step, in words for people and before and after for programs.
func (s *Step) limit(of []limit) {
	s.limits = of
	var from, to []string
	for _, l := range of {
		if l.from != "" {
			from = append(from, l.word+" "+l.from)
		}
		if l.to != "" {
			to = append(to, l.word+" "+l.to)
		}
	}
	s.From, s.To = strings.Join(from, ", "), strings.Join(to, ", ")
}

// brokenBy is the condition of rows that any of the limits refuses.
func brokenBy(of []limit) string {
	var out []string
	for _, l := range of {
		if l.broken != "" {
			out = append(out, l.broken)
		}
	}
	return strings.Join(out, " OR ")
}

// atMost is a limit on a count; 0 is none.
func atMost(word string, have, want int, broken string) (limit, bool) {
	l := limit{word: word, from: counted(have), to: counted(want)}
	if want != 0 && (have == 0 || want < have) {
		l.broken = broken
	}
	return l, have != want
}

func counted(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// columnLimits are the limits of a staying column that change. What is stored is looked at under its old names.
func (x *storageDiff) columnLimits(d dialect, t tableDiff, c columnDiff) (out []limit, err error) {
	h, w, col := c.have, c.want, Ident(c.have.Name)
	if cv, ok := c.moves(x); ok {
		h, col = convertedLimits(cv, c), asItIs(d, cv, t, c)
	}
	link := Ident(LinkTable(t.have.Name, h.Name))
	add := func(l limit, changes bool) {
		if changes {
			out = append(out, l)
		}
	}
	if len(w.Choices) == 0 { // they say more than a length
		add(atMost("maxLength", h.MaxLength, w.MaxLength, fmt.Sprintf("length(%s) > %d", col, w.MaxLength)))
	}
	if w.Kind == plan.Number {
		l := limit{word: "scale", from: strconv.Itoa(h.Scale), to: strconv.Itoa(w.Scale)}
		if w.Scale < h.Scale {
			l.broken = d.finer(col, w.Scale)
		}
		add(l, h.Scale != w.Scale)
		for _, bound := range []struct {
			word, have, want, outside string
			tighter                   bool
		}{{"min", h.Min, w.Min, " < ", less(h.Min, w.Min)}, {"max", h.Max, w.Max, " > ", less(w.Max, h.Max)}} {
			l := limit{word: bound.word, from: bound.have, to: bound.want}
			if bound.want != "" && (bound.have == "" || bound.tighter) {
				literal, err := d.literal(plan.Column{Name: w.Name, Kind: plan.Number, Default: bound.want})
				if err != nil {
					return nil, err
				}
				l.broken = col + bound.outside + literal
			}
			add(l, bound.have != bound.want)
		}
	}
	add(atMost("maxCount", h.MaxCount, w.MaxCount, fmt.Sprintf(`"id" IN (SELECT "v" FROM %s GROUP BY "v" HAVING count(*) > %d)`, link, w.MaxCount)))
	choices, changes := choiceLimit(d, c.have, w, c.optionMoves(x, t), col, link)
	if cv, ok := c.moves(x); ok && cv.Split && choices.broken != "" {
		choices.broken = d.hasOthers(col, w.Choices)
	}
	add(choices, changes)
	return out, nil
}

// longest is how many characters the text of a stored value has at most: of a number a sign, 16 digits, a point and 8 more.
var longest = map[plan.Kind]int{plan.Number: 26, plan.Date: 10, plan.Clock: 8, plan.Instant: 24, plan.Bool: 1, plan.ID: maxName}

// maxName is more than the name of any record has.
const maxName = 1 << 20

// convertedLimits is the new column with the limits that values of the old one kept.
func convertedLimits(cv plan.Conversion, c columnDiff) *plan.Column {
	h := *c.want
	if h.Choices = c.have.Choices; cv.Words != nil { // the options of one side are what the texts of the other become
		h.Choices = nil
		if slices.ContainsFunc(slices.Collect(maps.Values(cv.Words)), func(word string) bool { return utf8.RuneCountInString(word) > h.MaxLength }) {
			h.MaxLength = 0
		}
	}
	if h.MaxLength < longest[cv.From] {
		h.MaxLength = 0
	}
	if cv.From == plan.Text && h.Kind == plan.Number {
		h.Scale, h.Min, h.Max = decimalDigits, "", ""
	}
	return &h
}

// less compares decimal texts; a missing one is not less.
func less(a, b string) bool {
	x, e1 := decimal.NewFromString(a)
	y, e2 := decimal.NewFromString(b)
	return e1 == nil && e2 == nil && x.LessThan(y)
}

// choiceLimit compares the codes that a value may be. What only has another code stays. An option whose code another one has now is gone as well.
func choiceLimit(d dialect, h, w *plan.Column, of optionMoves, col, link string) (l limit, changes bool) {
	moves := of.renamed
	displaced := slices.DeleteFunc(olds(of.aside), func(code string) bool { return !slices.Contains(h.Choices, code) })
	l = limit{word: "options", in: missingIn(missingIn(w.Choices, h.Choices), news(moves))}
	l.out = slices.Concat(missingIn(missingIn(h.Choices, w.Choices), olds(moves)), displaced)
	if len(w.Choices) > 0 && (len(l.out) > 0 || len(h.Choices) == 0) {
		fit := missingIn(slices.Concat(w.Choices, missingIn(olds(moves), w.Choices)), displaced)
		if l.broken = col + " NOT IN (" + literals(fit) + ")"; h.Kind == plan.Set {
			l.broken = `"id" IN (SELECT "v" FROM ` + link + ` WHERE "id" NOT IN (` + d.memberLiterals(fit) + "))"
		}
	}
	l.from, l.to = strings.Join(l.out, " "), strings.Join(l.in, " ")
	return l, len(l.out)+len(l.in) > 0
}

func missingIn(of, in []string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(s string) bool { return slices.Contains(in, s) })
}

// literals are texts as both databases read them: standard strings, quotes doubled.
func literals(of []string) string {
	out := make([]string, len(of))
	for i, s := range of {
		out[i] = "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return strings.Join(out, ", ")
}

// rowSteps are what changes about the number of rows that a record of a sub-table's parent must and may have.
func rowSteps(t tableDiff) []Step {
	h, w := t.have, t.want
	step := func(a Action, class Class, broken string) Step {
		s := Step{Action: a, Class: class, Table: w.Name, Model: w.Model, At: w.At}
		if broken != "" {
			s.counts.text = countRows(h.Parent, broken)
		}
		return s
	}
	var out []Step
	var limits []limit
	few := fewRows(h.Name, w.MinRows)
	switch {
	case h.MinRows == 0 && w.MinRows == 1:
		out = append(out, step(Required, Safe, few))
	case h.MinRows == 1 && w.MinRows == 0:
		out = append(out, step(Optional, Safe, ""))
	case h.MinRows != w.MinRows:
		l := limit{word: "minRows", from: counted(h.MinRows), to: counted(w.MinRows)}
		if w.MinRows > h.MinRows {
			l.broken = few
		}
		limits = append(limits, l)
	}
	if l, changes := atMost("maxRows", h.MaxRows, w.MaxRows, fmt.Sprintf(`"id" IN (SELECT "parentId" FROM %s GROUP BY "parentId" HAVING count(*) > %d)`, Ident(h.Name), w.MaxRows)); changes {
		limits = append(limits, l)
	}
	if len(limits) > 0 {
		s := step(Widen, Safe, "")
		if broken := brokenBy(limits); broken != "" {
			s = step(Narrow, Confirm, broken)
		}
		s.limit(limits)
		out = append(out, s)
	}
	return out
}

// fewRows is the condition of parents with less than n rows in a sub-table.
func fewRows(table string, n int) string {
	return fmt.Sprintf(`"id" NOT IN (SELECT "parentId" FROM %s GROUP BY "parentId" HAVING count(*) >= %d)`, Ident(table), n)
}
