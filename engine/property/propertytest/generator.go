package propertytest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Generator makes random values and filter operands of a property, the same ones for the same seed.
type Generator struct {
	p    property.Property
	rnd  *rand.Rand
	pool []any
	zone *time.Location
}

// NewGenerator makes a generator. Values are made from the property's kind, options and limits; when a pool is given they
// are taken from it (JSON values as encoding/json with UseNumber gives them).
func NewGenerator(p property.Property, seed uint64, pool ...any) *Generator {
	return &Generator{p: p, rnd: rand.New(rand.NewPCG(seed, 2)), pool: pool, zone: Shanghai}
}

// Value returns a Go value of the property; one in eight is empty.
func (g *Generator) Value() any {
	if g.rnd.IntN(8) == 0 {
		return nil
	}
	for range 100 {
		if v, err := g.p.Parse(g.Input()); err == nil && v != nil {
			return v
		}
	}
	panic("no generated value is accepted; give the generator a pool")
}

// Input returns a JSON value that is meant to be a value of the property; limits may refuse it.
func (g *Generator) Input() any {
	if len(g.pool) > 0 {
		return g.pool[g.rnd.IntN(len(g.pool))]
	}
	if g.p.Kind() != plan.Set {
		return g.one()
	}
	out := make([]any, 1+g.rnd.IntN(4))
	for i := range out {
		out[i] = g.one()
	}
	return out
}

func (g *Generator) one() any {
	if c, ok := g.p.(property.Chooser); ok {
		o := c.Choices()
		return o[g.rnd.IntN(len(o))].Code
	}
	switch g.p.Kind() {
	case plan.Text:
		return g.text(1 + g.rnd.IntN(6))
	case plan.Number:
		return g.number()
	case plan.Date:
		return g.day().Format(time.DateOnly)
	case plan.Instant:
		return g.moment().Format(time.RFC3339Nano)
	case plan.Clock:
		return fmt.Sprintf("%02d:%02d:%02d", g.rnd.IntN(24), g.rnd.IntN(60), g.rnd.IntN(3))
	case plan.Bool:
		return g.rnd.IntN(2) == 0
	}
	return ID(g.rnd.IntN(12))
}

// letters fold, decompose and sort in ways that differ between careless evaluators.
var letters = []string{"a", "A", "b", "ß", "é", "e\u0301", "İ", "ı", "K", "\u212a", "检", "验", "批", "𠮷", "1", "%", "_", "\\", "'", "ſ", "Σ", "ς", " "}

func (g *Generator) text(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(letters[g.rnd.IntN(len(letters))])
	}
	return strings.TrimSpace(b.String())
}

// number favours small values, which meet each other, and the ends of the range.
func (g *Generator) number() json.Number {
	scale := g.p.Columns()[0].Scale
	sign := []string{"", "-"}[g.rnd.IntN(2)]
	switch g.rnd.IntN(8) {
	case 0:
		return json.Number(sign + strings.Repeat("9", 16))
	case 1:
		return json.Number(fmt.Sprintf("%s%d", sign, g.rnd.Int64N(1e16)))
	case 2:
		if scale > 0 {
			return json.Number(fmt.Sprintf("%s%d.%0*d", sign, g.rnd.IntN(3), scale, g.rnd.IntN(10)))
		}
	}
	return json.Number(fmt.Sprintf("%s%d", sign, g.rnd.IntN(10)))
}

func (g *Generator) day() time.Time {
	switch g.rnd.IntN(20) {
	case 0:
		return time.Date(1, 1, 2, 0, 0, 0, 0, g.zone)
	case 1:
		return time.Date(9999, 12, 30, 0, 0, 0, 0, g.zone)
	}
	return time.Date(2026, 2, 20+g.rnd.IntN(20), 0, 0, 0, 0, g.zone)
}

// moment favours the ends of days.
func (g *Generator) moment() time.Time {
	offset := []time.Duration{0, time.Millisecond, -time.Millisecond, time.Duration(g.rnd.IntN(86400)) * time.Second}
	return g.day().Add(offset[g.rnd.IntN(len(offset))])
}

// Operand returns an operand for an operator, in one of the forms that the wire allows; nil for IsNull.
func (g *Generator) Operand(op plan.Op) any {
	switch op {
	case plan.OpIsNull:
		return nil
	case plan.Between:
		a, b := g.word(), g.word()
		switch g.rnd.IntN(8) {
		case 0:
			return a + ";"
		case 1:
			return ";" + b
		case 2:
			return []any{a, b}
		}
		return a + ";" + b
	}
	if g.many() {
		var words []any
		var texts []string
		for range 1 + g.rnd.IntN(3) {
			w := g.one()
			words, texts = append(words, w), append(texts, fmt.Sprint(w))
		}
		if g.rnd.IntN(2) == 0 {
			return words
		}
		return strings.Join(texts, ";")
	}
	if op == plan.Contains {
		if s, ok := g.one().(string); ok && s != "" {
			if g.p.Kind() == plan.Clock {
				return s[3:]
			}
			return g.nonEmpty()
		}
	}
	return g.word()
}

func (g *Generator) nonEmpty() string {
	for {
		if s := g.text(1 + g.rnd.IntN(2)); s != "" {
			return s
		}
	}
}

// many reports whether operands are sets.
func (g *Generator) many() bool {
	_, chooses := g.p.(property.Chooser)
	return chooses || g.p.Kind() == plan.Set || g.p.Kind() == plan.ID
}

// word is one value as operands are written. On points in time half of them are plain days.
func (g *Generator) word() string {
	if g.p.Kind() == plan.Instant && g.rnd.IntN(2) == 0 {
		return g.day().Format(time.DateOnly)
	}
	for {
		if w := fmt.Sprint(g.one()); w != "" {
			return w
		}
	}
}
