package query

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Narrowed is a filter of a report's page with what it is set to.
type Narrowed struct {
	Of  *catalog.ReportFilter
	Set Filter
}

// FilterText is a filter in words.
type FilterText struct{ Name, Text string }

// shownValues are the values of a filter that are named; of more there is a number.
const shownValues = 20

// FilterTexts are filters in words, for those that the view may use. Names of records are those that it may read.
func (r *Reader) FilterTexts(ctx context.Context, view *authz.View, in []Narrowed) ([]FilterText, error) {
	type narrowed struct {
		Narrowed
		op     plan.Op
		values []filterValue
		more   int
	}
	var all []narrowed
	names, locale := r.names(ctx, view), view.Principal().Locale
	for _, f := range in {
		if !view.Can(f.Of.Model, "view") {
			continue
		}
		if _, may := conditionPlan(newGraph(view, f.Of.Model), f.Of.Condition); !may {
			continue
		}
		one := narrowed{Narrowed: f, op: f.Of.Condition.Operator}
		var op string
		if json.Unmarshal(f.Set.QueryFilterType, &op) == nil && op != "" {
			one.op = plan.Op(op)
		}
		field := f.Of.Condition.Path.Field
		words, plain := r.operandWords(field, f.Set.PropertyValue)
		if len(words) > shownValues {
			words, one.more = words[:shownValues], len(words)-shownValues
		}
		for _, word := range words {
			v := filterValue{word: word}
			if !plain {
				v.value = parsedWord(field, word)
				names.collect(field, v.value)
			}
			one.values = append(one.values, v)
		}
		all = append(all, one)
	}
	if err := r.read(ctx, func(_ context.Context, tx *store.Tx) error { return names.resolve(tx.Context(), tx) }); err != nil {
		return nil, err
	}
	out := []FilterText{}
	for _, f := range all {
		field := f.Of.Condition.Path.Field
		var texts []string
		for _, v := range f.values {
			text := v.word
			if v.value != nil {
				text = field.Property.Text(v.value, property.TextContext{Locale: locale, Zone: r.zone, Names: names.of(field)})
			} else if _, refers := field.Property.(property.Referrer); refers {
				text = ""
			}
			texts = append(texts, cmp.Or(text, "…"))
		}
		if f.more > 0 {
			texts = append(texts, fmt.Sprintf("+%d", f.more))
		}
		out = append(out, FilterText{Name: f.Of.Condition.Label.In(locale), Text: operatorText(f.op, texts, locale)})
	}
	return out, nil
}

// filterValue is a value of a filter: of its property, or else a word.
type filterValue struct {
	word  string
	value any
}

// parsedWord is a word as a value of a property; nil when it is not one, as a part of a text.
func parsedWord(f *catalog.Field, word string) any {
	if f.Property.Kind() == plan.Text {
		if _, chooses := f.Property.(property.Chooser); !chooses {
			return nil // a part of a text
		}
	}
	for _, given := range []any{word, []any{word}} {
		if v, err := f.Property.Parse(given); err == nil && v != nil {
			return v
		}
	}
	return nil
}

// operandWords are the values of a filter, apart. Plain ones are shown as they are: the days of dates.
func (r *Reader) operandWords(f *catalog.Field, raw json.RawMessage) (out []string, plain bool) {
	given, err := decodeOperand(raw)
	if err != nil || given == nil {
		return nil, true
	}
	if dated, is := f.Property.(property.Dated); is {
		if first, last, ok := dated.Days(given, property.FilterContext{Zone: r.zone, Now: r.clock()}); ok {
			return slices.Compact([]string{first, last}), true
		}
	}
	list, is := given.([]any)
	if !is {
		list = []any{given}
	}
	for _, v := range list {
		out = append(out, strings.Split(fmt.Sprint(v), ";")...)
	}
	return out, false
}

// operatorText is a comparison in words.
func operatorText(op plan.Op, values []string, locale string) string {
	word := func(zh, en string) string {
		if locale == "en" {
			return en
		}
		return zh
	}
	comma := word("、", ", ")
	positive, negated := op.Positive()
	text := strings.Join(values, comma)
	switch positive {
	case plan.OpIsNull:
		if negated {
			return word("不为空", "not empty")
		}
		return word("为空", "empty")
	case plan.Between:
		if len(values) == 2 {
			text = values[0] + word(" 至 ", " to ") + values[1]
		}
	case plan.Contains:
		text = word("含 ", "contains ") + text
	case plan.GreaterThan:
		text = "> " + text
	case plan.LessThan:
		text = "< " + text
	case plan.GreaterThanOrEqual:
		text = "≥ " + text
	case plan.LessThanOrEqual:
		text = "≤ " + text
	}
	if negated {
		return word("非 ", "not ") + text
	}
	return text
}
