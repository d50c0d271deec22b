// Package codes declares what the code of the pack names in documents.
package codes

import "github.com/sluice-platform/sluice/engine/pack"

// Declared are all codes of the package.
var Declared = pack.NewCodes("survey")

// Models.
var (
	Campaign     = Declared.Model("campaign")
	ControlPoint = Declared.Model("controlPoint")
	Observation  = Declared.Model("observation")
)

// Properties.
var (
	Displacement = Declared.Property("displacement", pack.Path(Campaign, Points))
	Due          = Declared.Property("due", Campaign)
	Grade        = Declared.Property("grade", ControlPoint)
	Number       = Declared.Property("number", ControlPoint)
	Point        = Declared.Property("point", pack.Path(Campaign, Points), Observation)
	Points       = Declared.Property("points", Campaign)
	Remark       = Declared.Property("remark", Campaign)
	Result       = Declared.Property("result", pack.Path(Campaign, Points))
	Status       = Declared.Property("status", Campaign)
	Surveyor     = Declared.Property("surveyor", Campaign, ControlPoint)
	TakenAt      = Declared.Property("takenAt", Observation)
	Title        = Declared.Property("title", Campaign)
	Value        = Declared.Property("value", Observation)
	Worst        = Declared.Property("worst", Campaign)
)

// Options.
var (
	OptionBad = Declared.Option("BAD", pack.Path(Campaign, Points, Result))
	OptionOk  = Declared.Option("OK", pack.Path(Campaign, Points, Result))
)

// Settlement is the tolerance of settlements.
var Settlement = Declared.Document("tolerance", "settlement")
