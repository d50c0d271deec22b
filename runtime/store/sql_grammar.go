package store

import (
	"fmt"

	"github.com/sluice-platform/sluice/engine/plan"
)

// grammar is what the SQL of the databases differs in.
type grammar interface {
	// param writes placeholder n for a value of a kind.
	param(dst []byte, n int, k plan.Kind) []byte
	// encode turns a value into an argument; decode reads a column's value back. nil stays nil.
	encode(k plan.Kind, v any) (any, error)
	decode(k plan.Kind, v any) (any, error)
	// in writes what follows an operand that is one of several texts, or ids.
	in(b *builder, dst []byte, k plan.Kind, values []string) []byte
	// values writes a sub-select of texts, or of ids, as column name.
	values(b *builder, dst []byte, k plan.Kind, values []string, name string) []byte
	// member is the kind of what a link table of a set holds: ID or Text.
	member(c plan.Column) plan.Kind
	// asText writes an id as a text, asID a text as the id that it is.
	asText(dst, id []byte) []byte
	asID(dst, text []byte) []byte
	// sharedRecord writes the id of a record as fixed link tables hold it, sharedID what they hold as an id, sharedSet the set that one holds
	// for the record of an alias.
	sharedRecord(dst, id []byte) []byte
	sharedID(dst, v []byte) []byte
	sharedSet(dst []byte, links, alias string) []byte
	// fixedInstant writes a time of a fixed table as models hold times.
	fixedInstant(dst, at []byte) []byte
	// contains writes that text x contains a folded pattern; f says what of x is to be folded.
	contains(b *builder, dst, x []byte, f folding) []byte
	// containsValue is contains for a pattern that is itself a column.
	containsValue(b *builder, dst, x, pattern []byte) []byte
	// grams writes that the search index of a column knows all grams of a text.
	grams(b *builder, dst []byte, alias, table, column, text string) []byte
	// rare asks whether so few rows have the grams of a text that they are better collected than all rows tested; nil where
	// the database weighs that itself.
	rare(b *builder, table, column, text string) []byte
	// hits selects up to so many rows that have all pieces of a text in the gram index, and stops there; nil where a query of the table itself does.
	hits(b *builder, table, column, text string, most int) []byte
	// byHits follows the table of a statement whose rows the hits of gram indexes hold.
	byHits() string
	// searchColumn adds the column beside a searched text that has its grams, where they are kept in one.
	searchColumn(column string, text any, add func(name string, k plan.Kind, v any))
	// collate makes a computed text compare by bytes.
	collate() string
	// nulls follows a sort key so that empty values come first ascending and last descending.
	nulls(descending bool) string
	// weighs reports whether the database itself chooses between collecting ids first and asking each record.
	weighs() bool
	// arith and number write decimals, aggregate a footer figure of one that is written already.
	arith(s *scope, dst []byte, x *plan.Arith) []byte
	number(dst, whole []byte) []byte
	// null writes the empty value of a kind.
	null(k plan.Kind) string
	// call writes a function of engine/expression that runs as SQL.
	call(s *scope, dst []byte, x *plan.Call) []byte
	aggregate(dst []byte, fn plan.Sum, k plan.Kind, x []byte) []byte
}

func grammarOf(dialect string) (grammar, error) {
	switch dialect {
	case "sqlite":
		return sqliteGrammar{}, nil
	case "postgres":
		return postgresGrammar{}, nil
	}
	return nil, fmt.Errorf("unknown database %q", dialect)
}

// number writes a whole number as a decimal.
func (s *scope) number(dst []byte, e plan.Expr) []byte {
	return s.w.number(dst, s.value(nil, e))
}
