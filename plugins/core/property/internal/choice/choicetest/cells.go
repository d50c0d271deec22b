package choicetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
)

// Cells tests that what files hold of a value is read as this value, whatever options are called: labels with separators and brackets, labels
// that are codes of others, and equal ones.
func Cells(t *testing.T, typ property.Type) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"甲", "乙", "a", "A", "甲、乙", "a;b", "甲（a）", "a(甲)", `"甲"`, "a，b", "甲；乙", "ａ", "b", "a|b", "x y", "xy"}
	for range 300 {
		var codes, options []string
		for range 2 + r.IntN(6) {
			code := words[r.IntN(len(words))]
			if slices.Contains(codes, code) || strings.ContainsAny(code, ";") {
				continue
			}
			codes = append(codes, code)
			options = append(options, fmt.Sprintf(`{"code": %q, "name": %q, "name_i18n": {"en": %q}}`, code, words[r.IntN(len(words))], words[r.IntN(len(words))]))
		}
		p, problems := typ.Compile(propertytest.Define(typ, `{"options": [`+strings.Join(options, ",")+`]}`), propertytest.Scope{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for range 10 {
			chosen := slices.Clone(codes)
			r.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
			var v any = chosen[0]
			if many := chosen[:1+r.IntN(len(chosen))]; several(p) {
				v = many
			}
			for _, locale := range []string{"zh", "en"} {
				text := p.(property.SheetWriter).SheetText(v, property.TextContext{Locale: locale})
				got, err := p.(property.CellReader).ReadCell(property.Cell{Kind: property.CellText, Text: text})
				if err != nil || fmt.Sprint(got) != fmt.Sprint(v) {
					t.Fatalf("%v is written %q and read %v (%v), options %s", v, text, got, err, options)
				}
			}
		}
	}
}

func several(p property.Property) bool { return p.Columns()[0].Kind == plan.Set }
