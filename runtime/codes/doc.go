// Package codes is the register of what the engine's tables hold of codes of definitions, and brings along what is rewritten when codes change.
//
// There are three ways for what holds codes, and no fourth (docs/adr/0073). As of: bodies that were written once, such as histories, drafts and
// versions, stay as they are and are read through the log of names (engine/names) from the epoch that is kept beside them. Rewritten: short columns
// by which rows are found follow a rename in the transaction that applies it. Kept: what is evidence, or is said to people, stays as it was written.
package codes

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/names"
)

// Way is what becomes of a column when codes change.
type Way string

// The ways. None is for columns that hold no codes of definitions.
const (
	AsOf      Way = "as of"
	Rewritten Way = "rewritten"
	Kept      Way = "kept"
	None      Way = "none"
)

// Holder is a column, or several that name one thing together, of a table of the engine.
type Holder struct {
	Table   string
	Columns []string
	Way     Way
	Why     string // of None and Kept: what is in it

	of []names.Kind
	// within are columns of other rows of the register that say of what Columns are part. They have the codes of now already, and stay.
	within []string
	// Gives the values of within and Columns the codes of now. False: what they name is gone.
	now func(then names.Reading, values []string) bool
	// gone is what becomes of rows whose thing is gone.
	gone gone
	// alone: rows that something else of the same code left behind make room: they go where gone is remove, and aside otherwise.
	alone bool
}

type gone string

const (
	leave  gone = ""       // the row stays as it is; its readers know that what it names may be missing
	remove gone = "remove" // the row goes with what it belongs to
	aside  gone = "aside"  // the row stays under a code that nothing has
)

// all are the columns by which rows are found.
func (h Holder) all() []string { return slices.Concat(h.within, h.Columns) }

// Kinds are the kinds of names in what is rewritten or read as of its time.
func (h Holder) Kinds() []names.Kind { return h.of }
