package core

import (
	"context"
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/workday"
	"github.com/sluice-platform/sluice/plugins/core/codes"
)

// Codes of the models of working time.
var (
	workCalendar    = codes.WorkCalendar
	workCalendarDay = codes.WorkCalendarDay
)

// weekdays are the properties with the hours of the days of a week.
var weekdays = []string{codes.Monday, codes.Tuesday, codes.Wednesday, codes.Thursday, codes.Friday, codes.Saturday, codes.Sunday}

// checkCalendar refuses hours that make no sense, a week without any, and a second default of a code. A calendar that is for no department is
// its code's default.
func checkCalendar(ctx context.Context, e *hook.Record, next func() error) error {
	if e.Delete {
		return next()
	}
	now := e.New()
	works := false
	for _, day := range weekdays {
		spans, err := hours(e, now, day)
		if err != nil {
			return err
		}
		works = works || len(spans) > 0
	}
	if !works {
		return refuse(weekdays[0], fault.WorkWeekEmpty)
	}
	if department, _ := now[codes.Department].(string); department == "" && now[codes.IsDefault] != true {
		now[codes.IsDefault], e.Set[codes.IsDefault] = true, true
	}
	code, _ := now[codes.Code].(string)
	if now[codes.IsDefault] != true || code == "" || e.World == nil {
		return next()
	}
	if err := e.World.Lock(ctx, "core.calendars"); err != nil {
		return err
	}
	others, err := e.World.Find(ctx, workCalendar, map[string]any{codes.Code: code, codes.IsDefault: true}, 2)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other != e.ID {
			return refuse(codes.IsDefault, fault.WorkCalendarDefault, code)
		}
	}
	return next()
}

// checkDay refuses hours that make no sense, and those of a day off.
func checkDay(_ context.Context, e *hook.Record, next func() error) error {
	if e.Delete {
		return next()
	}
	now := e.New()
	spans, err := hours(e, now, codes.Hours)
	if err != nil {
		return err
	}
	if kind, _ := now[codes.Kind].(string); kind == codes.OptionHoliday && len(spans) > 0 {
		return refuse(codes.Hours, fault.WorkDayOffHours)
	}
	return next()
}

// hours reads the hours in a property, and writes them in one form where they change.
func hours(e *hook.Record, now map[string]any, property string) (workday.Hours, error) {
	text, _ := now[property].(string)
	spans, wrong, err := workday.ParseHours(text)
	switch {
	case errors.Is(err, workday.ErrReverse):
		return nil, refuse(property, fault.WorkHoursReversed, wrong)
	case errors.Is(err, workday.ErrOverlap):
		return nil, refuse(property, fault.WorkHoursOverlap, wrong)
	case err != nil:
		return nil, refuse(property, fault.WorkHoursInvalid, wrong)
	}
	if _, changes := e.Set[property].(string); changes && len(spans) > 0 {
		e.Set[property] = spans.String()
	}
	return spans, nil
}

// refuse is the refusal of one property.
func refuse(property string, code fault.Code, args ...any) error {
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{1},
		Data: fault.Invalid{Errors: []fault.FieldError{{PropertyCode: property, Code: code, Args: args}}}}
}
