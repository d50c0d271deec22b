package number_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/number"
)

// FuzzParse: any text is refused with a ValueError or has a canonical form that is read as itself.
func FuzzParse(f *testing.F) {
	p, _ := number.Type{}.Compile(propertytest.Define(number.Type{}, ""), propertytest.Scope{})
	for _, s := range []string{"1", "-0", "1e8", "1E-8", "0e99999999", ".5", "5.", "+1", "1,000", "٣", "0x1p4", "1_0", "Infinity"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, in := range []any{s, json.Number(s)} {
			v, err := p.Parse(in)
			var refusal *property.ValueError
			switch {
			case errors.As(err, &refusal) || v == nil:
				continue
			case err != nil:
				t.Fatalf("%q: %v", s, err)
			}
			var text string
			wire := p.AppendJSON(nil, v, nil)
			if err := json.Unmarshal(wire, &text); err != nil || len(text) > 26 {
				t.Fatalf("%q becomes %s", s, wire)
			}
			again, err := p.Parse(text)
			if err != nil || string(p.AppendJSON(nil, again, nil)) != string(wire) {
				t.Fatalf("%q becomes %s, which is read as %v, %v", s, wire, again, err)
			}
		}
	})
}
