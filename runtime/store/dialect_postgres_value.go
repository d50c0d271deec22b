package store

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

func (d *postgresDialect) literal(c plan.Column) (string, error) {
	text := strings.ReplaceAll(fmt.Sprint(c.Default), "'", "''")
	kind, _, _ := strings.Cut(d.columnType(c.Kind), " ")
	return "'" + text + "'::" + kind, nil
}

func (*postgresDialect) converted(c plan.Conversion, to plan.Kind, column string) string {
	switch {
	case c.From == plan.Number && to == plan.Text:
		return "trim_scale(" + column + ")::text"
	case c.From == plan.Date && to == plan.Instant:
		zone := literals([]string{cmp.Or(c.Zone, "UTC")})
		at := "(" + column + "::timestamp AT TIME ZONE " + zone + ")"
		first := "(" + at + " - interval '1 hour')" // of two midnights AT TIME ZONE takes the second
		return "CASE WHEN " + first + " AT TIME ZONE " + zone + " = " + column + "::timestamp THEN " + first + " ELSE " + at + " END"
	case c.From == plan.Date && to == plan.Text:
		return "to_char(" + column + ", 'YYYY-MM-DD')"
	case c.From == plan.Text && to == plan.Number:
		return "CASE WHEN " + column + " ~ " + literals([]string{plan.NumberText.String()}) + " THEN " + column + "::numeric(24,8) END"
	case c.From == plan.Text && to == plan.Date:
		part := func(from, n int) string { return fmt.Sprintf("substr(%s, %d, %d)::int", column, from, n) }
		first := "make_date(" + part(1, 4) + ", " + part(6, 2) + ", 1)"
		days := "extract(day FROM " + first + " + interval '1 month - 1 day')"
		return "CASE WHEN " + column + " ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' AND left(" + column + ", 4) <> '0000' THEN CASE WHEN " +
			part(9, 2) + " <= " + days + " THEN " + column + "::date END END"
	}
	return column
}

func (*postgresDialect) shown(k plan.Kind, value string) string {
	switch k {
	case plan.Number:
		return "trim_scale(" + value + ")::text"
	case plan.Instant:
		return "to_char(" + value + ` AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
	}
	return "(" + value + ")::text"
}

func (*postgresDialect) finer(column string, scale int) string {
	return fmt.Sprintf("%s <> round(%s, %d)", column, column, scale)
}
