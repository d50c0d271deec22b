// Package codes declares what the code of the pack names in documents.
package codes

import "github.com/sluice-platform/sluice/engine/pack"

// Declared are all codes of the package.
var Declared = pack.NewCodes("core")

// Models.
var (
	WorkCalendar    = Declared.Model("workCalendar")
	WorkCalendarDay = Declared.Model("workCalendarDay")
)

// Properties.
var (
	Code       = Declared.Property("code", WorkCalendar)
	Department = Declared.Property("department", WorkCalendar)
	Friday     = Declared.Property("friday", WorkCalendar)
	Hours      = Declared.Property("hours", WorkCalendarDay)
	IsDefault  = Declared.Property("isDefault", WorkCalendar)
	Kind       = Declared.Property("kind", WorkCalendarDay)
	Monday     = Declared.Property("monday", WorkCalendar)
	Saturday   = Declared.Property("saturday", WorkCalendar)
	Sunday     = Declared.Property("sunday", WorkCalendar)
	Thursday   = Declared.Property("thursday", WorkCalendar)
	Tuesday    = Declared.Property("tuesday", WorkCalendar)
	Wednesday  = Declared.Property("wednesday", WorkCalendar)
)

// Options.
var (
	OptionHoliday = Declared.Option("HOLIDAY", pack.Path(WorkCalendarDay, Kind))
)
