package store

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// optionMoves are what becomes of values of a choice whose options have other codes now.
type optionMoves struct {
	renamed []names.Became
	back    []names.Became // of options that went earlier and are given back under another code
	aside   []names.Became // of options that are gone and whose code another one has now
}

// all are the moves in the order in which they are told.
func (m optionMoves) all() []names.Became { return slices.Concat(m.renamed, m.back, m.aside) }

// optionMoves are those of a column; none where the values are lost.
func (d columnDiff) optionMoves(x *storageDiff, t tableDiff) (out optionMoves) {
	if !d.stays() || d.retyped(x) || len(d.want.Choices) == 0 {
		return out
	}
	left := x.log.Left(t.have.Model, d.have.Property)
	if len(d.have.Choices) == 0 && len(left) == 0 {
		return out
	}
	out.renamed, out.back, out.aside = names.OptionValues(optionNames(*d.have), optionNames(*d.want), left, x.log.Epoch()+1)
	return out
}

// optionNames are the options of a column as the log of names knows them.
func optionNames(c plan.Column) []names.Entry {
	out := make([]names.Entry, len(c.Choices))
	for i, code := range c.Choices {
		out[i] = names.Entry{Code: code, Former: c.ChoicesFrom[code]}
	}
	return out
}

func olds(of []names.Became) (out []string) {
	for _, m := range of {
		out = append(out, m.Old)
	}
	return out
}

func news(of []names.Became) (out []string) {
	for _, m := range of {
		out = append(out, m.New)
	}
	return out
}

// optionStep tells of the options of a column that have other codes, and counts the records that have them.
func optionStep(d dialect, c columnDiff, table string, of optionMoves, step func(Action, Class, *plan.Column, string) Step, class Class) Step {
	moves := of.all()
	has := Ident(c.have.Name) + " IN (" + literals(olds(moves)) + ")"
	if c.have.Kind == plan.Set {
		has = `"id" IN (SELECT "v" FROM ` + Ident(LinkTable(table, c.have.Name)) + ` WHERE "id" IN (` + d.memberLiterals(olds(moves)) + "))"
	}
	s := step(RenameOption, class, c.want, has)
	s.From, s.To = few(olds(moves)), few(news(moves))
	s.quiet = len(of.renamed) == 0 // what went earlier may have left no values
	return s
}

// few are some codes of many, in words.
func few(codes []string) string {
	if len(codes) > shownChoices {
		return strings.Join(codes[:shownChoices], ", ") + ", …"
	}
	return strings.Join(codes, ", ")
}

// renameOptions gives the values of choices their new codes. Codes may change places, and a record may have values that no option has any more: each
// value goes by way of a text that no option can be, for options have no semicolon.
func (x *storageDiff) renameOptions(d dialect, s *script) {
	for _, t := range x.tables {
		for _, c := range t.columns {
			moves := c.optionMoves(x, t).all()
			if len(moves) == 0 {
				continue
			}
			table, column, held := t.want.Name, c.want.Name, literals
			if c.want.Kind == plan.Set {
				table, column, held = LinkTable(table, column), idColumn, d.memberLiterals
			}
			table, column = Ident(table), Ident(column)
			var to, back strings.Builder
			between := make([]string, len(moves))
			for i, m := range moves {
				between[i] = aside + m.New
				on := literals(between[i : i+1])
				to.WriteString(" WHEN " + held([]string{m.Old}) + " THEN " + on)
				back.WriteString(" WHEN " + on + " THEN " + held([]string{m.New}))
			}
			s.add("UPDATE ", table, " SET ", column, " = CASE ", column, to.String(), " END WHERE ", column, " IN (", held(olds(moves)), ")")
			if c.want.Kind == plan.Set { // a set that had what the option is called now has it once
				s.add("DELETE FROM ", table, " WHERE ", column, " IN (", held(news(moves)), ") AND EXISTS (SELECT 1 FROM ", table, ` AS o WHERE o."v" = `,
					table, `."v" AND o."id" = `, literals([]string{aside}), " || ", d.shown(plan.ID, table+`."id"`), ")")
			}
			s.add("UPDATE ", table, " SET ", column, " = CASE ", column, back.String(), " END WHERE ", column, " IN (", literals(between), ")")
			if c.want.Kind == plan.Set {
				row := Ident(t.want.Name)
				all := `(SELECT string_agg(` + d.shown(plan.ID, `s."id"`) + `, ';' ORDER BY s."ordinal") FROM ` + table + ` AS s WHERE s."v" = ` + row + `."id")`
				s.add("UPDATE ", row, " SET ", Ident(c.want.Name), " = ", d.packedSet(all), ` WHERE "id" IN (SELECT "v" FROM `, table, " WHERE ", column, " IN (", held(news(moves)), "))")
			}
		}
	}
}

// aside begins a value on its way.
const aside = ";"

// withOptions gives names that were kept before options had any those that the tables tell.
func withOptions(set names.Set, s plan.Storage) names.Set {
	if set == nil || hasOptions(set) {
		return set
	}
	out := names.Set{}
	for k, entries := range set {
		out[k] = entries
	}
	out[names.Model] = optionsOf(set[names.Model], tableNames(s)[names.Model])
	return out
}

func hasOptions(s names.Set) bool {
	for k, entries := range s {
		if k == names.Option && len(entries) > 0 || slices.ContainsFunc(entries, func(e names.Entry) bool { return hasOptions(e.Parts) }) {
			return true
		}
	}
	return false
}

func optionsOf(of, tables []names.Entry) []names.Entry {
	out := slices.Clone(of)
	for i, e := range out {
		j := slices.IndexFunc(tables, func(t names.Entry) bool { return strings.EqualFold(t.Code, e.Code) })
		if j < 0 {
			continue
		}
		parts := names.Set{}
		for k, entries := range e.Parts {
			parts[k] = entries
		}
		if found := optionsOf(e.Parts[names.Property], tables[j].Parts[names.Property]); len(found) > 0 {
			parts[names.Property] = found
		}
		if own := tables[j].Parts[names.Option]; len(own) > 0 {
			parts[names.Option] = own
		}
		if len(parts) > 0 {
			out[i].Parts = parts
		}
	}
	return out
}
