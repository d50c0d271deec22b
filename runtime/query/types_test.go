package query_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// The operators that types have, in the order of their numbers (documents.md section 9).
const (
	operatorsB = "Equal NotEqual IsNull IsNotNull"
	operatorsC = "Equal NotEqual Contains NotContains IsNull IsNotNull"
	operatorsN = "Equal NotEqual GreaterThan LessThan GreaterThanOrEqual LessThanOrEqual IsNull IsNotNull Between NotBetween"
	operatorsP = "Equal NotEqual Contains NotContains IsNull IsNotNull Of NotOf Have NotHave In NotIn"
)

// numbered is every operator with its number on the wire.
var numbered = map[string]string{"Equal": "1", "NotEqual": "2", "GreaterThan": "3", "LessThan": "4", "GreaterThanOrEqual": "5", "LessThanOrEqual": "6",
	"Contains": "7", "NotContains": "8", "IsNull": "9", "IsNotNull": "10", "Of": "11", "NotOf": "12", "Have": "13", "NotHave": "14", "In": "15", "NotIn": "16",
	"Between": "17", "NotBetween": "18"}

// operands are values that the operators of a type take; the others take a word.
var operands = map[string]string{"p2": "1", "p3": "2026", "p4": "true", "p5": id("x"), "p9": id("x"), "p11": id("x"), "p20": "08:00:00",
	"p12": "a", "p13": "a", "p14": "a", "p15": "a", "p50": id("x"), "p51": id("x"), "p60": id("x"), "p61": id("x")}

// TestFigures: smallest and largest values are written as their property writes values, sums, averages and counts as numbers.
func TestFigures(t *testing.T) {
	c := catalogOf(t, "testdata/types.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		figures := func(list string, filters ...query.Filter) string {
			p, err := w.list(w.rights("clerk", "reader"), query.ListRequest{SchemaCode: "all", QueryCode: list, Filters: filters})
			must(t, err)
			return fmt.Sprint(p.Aggregates)
		}
		w.put("all", map[string]values{"a": {"p2": 1, "p3": now, "p20": "08:00:00", "p4": true}, "b": {"p2": 2, "p3": now.Add(-time.Hour), "p20": "09:30:00"}, "c": {}})
		if got := figures("all"); got != "map[p2:3 p20:09:30:00 p3:2026-11-21T02:00:00.000Z p4:1]" {
			t.Errorf("figures: %s", got)
		}
		if got := figures("all", filter("p2", "Equal", "5")); got != "map[p2:<nil> p20:<nil> p3:<nil> p4:0]" {
			t.Errorf("of nothing: %s", got)
		}
		if got := figures("average"); got != "map[p2:1.5]" {
			t.Errorf("average: %s", got)
		}
	})
}

// TestTypesOnTheWire: the number of each type, its operators by name and by number, and the list call takes no others.
func TestTypesOnTheWire(t *testing.T) {
	want := map[int]string{0: operatorsC, 1: operatorsC, 2: operatorsN, 3: operatorsN, 4: "Equal", 5: operatorsP, 6: operatorsC, 7: operatorsC, 8: "IsNull IsNotNull",
		9: operatorsB, 10: operatorsC, 11: operatorsB, 12: operatorsC, 13: operatorsC, 14: operatorsC, 15: operatorsC, 20: operatorsC,
		50: operatorsP, 51: operatorsP, 60: operatorsP, 61: operatorsP}
	c := catalogOf(t, "testdata/types.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		view := w.rights("clerk", "reader")
		items, err := w.DataItems(view, "all", "")
		must(t, err)
		found := 0
		for _, item := range items {
			if item.DefaultProperty {
				continue
			}
			found++
			if item.Code != fmt.Sprintf("p%d", item.PropertyType) {
				t.Errorf("%s has the number %d", item.Code, item.PropertyType)
			}
			have := map[string]bool{}
			for _, op := range item.Operators {
				have[string(op)] = true
			}
			allowed := map[string]bool{}
			for op := range strings.FieldsSeq(want[item.PropertyType]) {
				allowed[op] = true
			}
			for op, number := range numbered {
				if have[op] != allowed[op] {
					t.Errorf("%s has the operator %s: %v", item.Code, op, have[op])
				}
				value, ok := operands[item.Code]
				if !ok {
					value = "x"
				}
				if op == "Between" || op == "NotBetween" {
					value += ";"
				}
				for _, name := range []string{`"` + op + `"`, number} {
					f := filter(item.Code, "", value)
					f.QueryFilterType = []byte(name)
					_, err := w.List(t.Context(), view, query.ListRequest{SchemaCode: "all", Filters: []query.Filter{f}})
					if got := fault.Of(err); allowed[op] && err != nil || !allowed[op] && got != fault.OperatorNotAllowed {
						t.Errorf("%s %s: %v", item.Code, name, err)
					}
				}
			}
		}
		if found != len(want) {
			t.Errorf("%d types of %d", found, len(want))
		}
	})
}

// TestDataItems: what is told of properties: of a form's only when one is named, whether the list shows them, and the
// numbers of formats and sums. The rules of rows are told like those of records.
func TestDataItems(t *testing.T) {
	c := catalogOf(t, "testdata/types.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		view := w.rights("clerk", "reader")
		words := func(items []query.DataItem) string {
			var out []string
			for _, one := range items {
				word := one.SchemaCode + "." + one.Code
				if one.Selected {
					word += "+"
				}
				if one.Format != nil {
					word += fmt.Sprintf(":%d", *one.Format)
				}
				if !one.DefaultProperty && one.Published {
					out = append(out, word)
				}
			}
			return strings.Join(out, " ")
		}
		items, err := w.DataItems(view, "all", "")
		must(t, err)
		if got := words(items); got != "all.p0+ all.p1 all.p2+ all.p3+:2 all.p4+ all.p5 all.p6 all.p7 all.p8+ all.p9 all.p10+:2 all.p11 all.p12 all.p13 all.p14 all.p15 all.p20+ all.p50 all.p51 all.p60 all.p61" {
			t.Error(got)
		}
		items, err = w.DataItems(view, "all", "all")
		must(t, err)
		if got := words(items) + " / " + words(items[1].SubSchema.Properties); got != "all.p0+ all.p8+ / p8.word+ p8.day:6" {
			t.Error(got)
		}
		if _, err := w.DataItems(view, "all", "average"); fault.Of(err) != fault.FormNotFound {
			t.Errorf("a form that is none: %v", err)
		}
		sums := map[string]int{}
		for _, list := range []string{"all", "average"} {
			config, err := w.Config(view, "all", list)
			must(t, err)
			for _, column := range config.Columns {
				if column.SumType != nil {
					sums[list+"."+column.PropertyCode] = *column.SumTypeCode
				}
				if column.PropertyCode == "p3" && *column.Format != 12 || column.PropertyCode == "p10" && *column.Format != 1 {
					t.Errorf("the column's own format of %s: %d", column.PropertyCode, *column.Format)
				}
			}
		}
		if got := fmt.Sprint(sums); got != "map[all.p2:1 all.p20:4 all.p3:3 all.p4:5 average.p2:2]" {
			t.Error(got)
		}
		rules, err := w.DataRules(view, "all")
		must(t, err)
		told := map[string]any{}
		for _, rule := range rules {
			told[fmt.Sprintf("%s %d", rule.PropertyCode, rule.CheckType)] = rule.Options["maxLength"]
		}
		for rule, length := range map[string]any{"p0 4": 40, "p0 5": nil, "p1 4": 2000, "p8.word 4": 7, "p8.word 5": nil} {
			if got, ok := told[rule]; !ok || got != length {
				t.Errorf("rule %s: %v", rule, got)
			}
		}
	})
}

// TestConditionKeys: what a definition says of a condition reaches the panel, and what it leaves out is the type's.
func TestConditionKeys(t *testing.T) {
	c := catalogOf(t, "testdata/types.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		config, err := w.Config(w.rights("clerk", "reader"), "all", "conditions")
		must(t, err)
		said := func(values ...*string) string {
			out := ""
			for _, v := range values {
				if v == nil {
					out += " -"
					continue
				}
				out += " " + *v
			}
			return out
		}
		got := map[string]string{}
		for _, one := range config.Conditions {
			var options []string
			for _, option := range one.Options {
				options = append(options, option.Code)
			}
			got[one.PropertyCode] = fmt.Sprint(one.Name, " ", one.NameI18n["en"], " ", one.QueryFilterType, " ", one.AccurateSearch, " ", one.Visible,
				said(one.DisplayFormat, one.DefaultValue, one.StartValue, one.EndValue, one.ChoiceType, one.DisplayType, one.DefaultState, one.RelativeCode, one.RelativeQuery), " ", options)
		}
		for code, want := range map[string]string{
			"p0":  "编号 Number Equal true true - - - - - - shown - - []",
			"p1":  "长文本 Long text Contains false true - - - - - - - - - []",
			"p3":  "日期 Date Between false true HH:mm - 2026-01-01 2026-12-31 - - more - - []",
			"p4":  "是否 Yes or no Equal false false - true - - - flat - - - []",
			"p12": "单选 Radio Contains false true - - - - single - - - - [b c]",
			"p9":  "关联 Relation Equal false true - - - - - - - all average []",
			"p60": "部门 Department Of false true - - - - - - - - - []",
		} {
			if got[code] != want {
				t.Errorf("%s: %s, want %s", code, got[code], want)
			}
		}
	})
}
