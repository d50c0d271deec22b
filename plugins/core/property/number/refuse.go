package number

import (
	"errors"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

// percentPlaces is how many decimal places of a stored ratio stand before the point of its percentage.
const percentPlaces = 2

// shown is a limit as people type it: of a percentage with its sign, 10% for a stored 0.1.
func (p number) shown(d decimal.Decimal) string {
	if p.format != "percent" {
		return canonical(d)
	}
	return canonical(d.Shift(percentPlaces)) + "%"
}

// example is a number that the field takes, as people type it. check.ts chooses the same one.
func (p number) example() string {
	d := decimal.New(125, -1)
	if p.format == "percent" {
		d = d.Shift(-percentPlaces)
	}
	d = d.Truncate(int32(p.scale))
	if d.LessThan(p.min) {
		d = p.min
	}
	if d.GreaterThan(p.max) {
		d = p.max
	}
	return p.shown(d)
}

// unread says why a value can't be read as a number, or is too large, in the words of the field.
func (p number) unread(err error) error {
	var refused *property.ValueError
	if !errors.As(err, &refused) {
		return err
	}
	if fault.Code(refused.Code) == fault.FieldRange {
		return property.Refuse(fault.FieldRange, p.shown(largest.Neg()), p.shown(largest))
	}
	return property.Refuse(fault.FieldNumber, p.example())
}

// tooFine refuses more decimal places than the field keeps, counted as people see them.
func (p number) tooFine() error {
	places := p.scale
	if p.format == "percent" {
		places -= percentPlaces
	}
	switch {
	case places > 0:
		return property.Refuse(fault.FieldScale, places)
	case places == 0:
		return property.Refuse(fault.FieldWhole)
	default:
		return property.Refuse(fault.FieldStep, p.shown(decimal.New(1, int32(-p.scale))))
	}
}
