package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

func (d *postgresDialect) literal(c plan.Column) (string, error) {
	text := strings.ReplaceAll(fmt.Sprint(c.Default), "'", "''")
	kind, _, _ := strings.Cut(d.columnType(c.Kind), " ")
	return "'" + text + "'::" + kind, nil
}

func (d *postgresDialect) converted(c plan.Conversion, to plan.Kind, column string) string {
	zone := literals([]string{cmp.Or(c.Zone, "UTC")})
	switch {
	case c.Split:
		return partsOf(c, column)
	case c.Words != nil:
		return wordsOf(c, column)
	case c.Names != "":
		return nameOf(c, column)
	case c.From == plan.Set:
		one := "CASE WHEN position(';' in " + column + ") = 0 THEN " + column + " END"
		if to == plan.ID {
			one = "(" + one + ")::uuid"
		}
		return one
	case c.From == plan.Bool && to == plan.Text:
		return "CASE WHEN " + column + " THEN '是' WHEN NOT " + column + " THEN '否' END"
	case c.From == plan.Text && to == plan.Bool:
		return "CASE WHEN " + column + " IN (" + literals(plan.BoolTexts[true]) + ") THEN true WHEN " + column + " IN (" + literals(plan.BoolTexts[false]) + ") THEN false END"
	case c.From == plan.Instant && to == plan.Text:
		return "to_char(" + column + ` AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
	case c.From == plan.Instant && to == plan.Date:
		day := "(" + column + " AT TIME ZONE " + zone + ")::date"
		begins := d.converted(plan.Conversion{From: plan.Date, Zone: c.Zone}, plan.Instant, "("+day+")")
		return "CASE WHEN (" + begins + ") = " + column + " THEN " + day + " END"
	case c.From == plan.Number && to == plan.Text:
		return "trim_scale(" + column + ")::text"
	case c.From == plan.Date && to == plan.Instant:
		at := "(" + column + "::timestamp AT TIME ZONE " + zone + ")"
		first := "(" + at + " - interval '1 hour')" // of two midnights AT TIME ZONE takes the second
		return "CASE WHEN " + first + " AT TIME ZONE " + zone + " = " + column + "::timestamp THEN " + first + " ELSE " + at + " END"
	case c.From == plan.Date && to == plan.Text:
		return "to_char(" + column + ", 'YYYY-MM-DD')"
	case c.From == plan.Text && to == plan.Number:
		return "CASE WHEN " + column + " ~ " + literals([]string{plan.NumberText.String()}) + " THEN " + column + "::numeric(24,8) END"
	case c.From == plan.Text && to == plan.Clock:
		return "CASE WHEN " + column + " ~ " + literals([]string{plan.ClockText.String()}) + " THEN " + column + " || CASE length(" + column + ") WHEN 5 THEN ':00' ELSE '' END END"
	case c.From == plan.Text && to == plan.Date:
		return written(column, "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$", "date")
	case c.From == plan.Text && to == plan.Instant:
		return written(column, plan.InstantText.String(), "timestamptz")
	}
	return column
}

// partsOf is what names.Parts gives, as sets are stored.
func partsOf(c plan.Conversion, column string) string {
	spaces := "E' \\t\u3000'"
	part := "btrim(p, " + spaces + ")"
	all := "(SELECT string_agg(m, ';' ORDER BY n) FROM (SELECT m, min(n) AS n FROM (SELECT " + wordsOf(c, part) +
		" AS m, n FROM regexp_split_to_table(" + column + `, E'[` + strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(names.Separators) +
		"]') WITH ORDINALITY AS written(p, n)) AS named WHERE m <> '' GROUP BY m) AS once)"
	if len(c.Words) == 0 {
		return all
	}
	whole := "btrim(" + column + ", " + spaces + ")"
	return "CASE WHEN " + whole + " IN (" + literals(slices.Sorted(maps.Keys(c.Words))) + ") THEN " + wordsOf(c, whole) + " ELSE " + all + " END"
}

func (*postgresDialect) hasOthers(set string, than []string) string {
	return "EXISTS (SELECT 1 FROM unnest(string_to_array(" + set + ", ';')) AS m WHERE m NOT IN (" + literals(than) + "))"
}

// written is the day or moment that a text of a pattern writes, where its month has that day.
func written(column, pattern, kind string) string {
	part := func(from, n int) string { return fmt.Sprintf("substr(%s, %d, %d)::int", column, from, n) }
	first := "make_date(" + part(1, 4) + ", " + part(6, 2) + ", 1)"
	days := "extract(day FROM " + first + " + interval '1 month - 1 day')"
	return "CASE WHEN " + column + " ~ '" + pattern + "' AND left(" + column + ", 4) <> '0000' THEN CASE WHEN " + part(9, 2) + " <= " + days + " THEN " + column + "::" + kind + " END END"
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

func (*postgresDialect) memberLiterals(codes []string) string { return literals(codes) }

func (*postgresDialect) packedSet(texts string) string { return texts }

func (*postgresDialect) finer(column string, scale int) string {
	return fmt.Sprintf("%s <> round(%s, %d)", column, column, scale)
}
