package plan

import "github.com/sluice-platform/sluice/engine/names"

// Storage is the tables that a catalog needs, in a stable order. It is what `plan` compares and sl_schema keeps: with
// RenamedFrom, so that a rename that has been carried out is told from one that is asked for.
type Storage struct {
	Tables []Table `json:"tables"`
	Format int     `json:"format,omitempty"` // how the store writes values; its own affair
	// Names are those of all documents and their parts. They are kept beside the tables, not in their description.
	Names names.Set `json:"-"`
	Marks bool      `json:"marks,omitempty"` // columns report whether they are Computed; storage that old versions applied does not
}

// Table is one real table. Codes are written as authors wrote them; the store quotes and shortens names
// (docs/formats.md). Every table of a model has rid (SQLite) and id; a sub-table has id, parent and sortKey.
type Table struct {
	Name        string       `json:"name"`             // d_inspection, d_inspection__items
	Model       string       `json:"model"`            // inspection, inspection.items
	Parent      string       `json:"parent,omitempty"` // table of the parent record, for sub-tables
	Pack        string       `json:"pack,omitempty"`   // of the document that declares the model; tables that old versions applied do not tell
	Kept        bool         `json:"kept,omitempty"`   // its pack takes part no more: no document speaks of it, its rows stay
	RenamedFrom names.Former `json:"renamedFrom,omitempty"`
	MinRows     int          `json:"minRows,omitempty"` // sub-tables: rows that a record must and may have; 0 = no limit
	MaxRows     int          `json:"maxRows,omitempty"`
	Columns     []Column     `json:"columns"`
	Key         []string     `json:"key,omitempty"`  // the primary key of a table of the engine, which has no columns but those listed; none = a table of a model
	Live        []string     `json:"live,omitempty"` // properties that are computed when they are read and have no column
	Unique      []Index      `json:"unique,omitempty"`
	Indexes     []Index      `json:"indexes,omitempty"`
	At          string       `json:"-"` // file:line:col, for messages; not compared
}

// Column is one column, without the words of a database. Set columns have a link table beside them.
//
// Required and the limits (MaxLength, Scale, Min, Max, Choices, MaxCount) are kept by the person who writes records, not by the database:
// they stand here so that a plan can tell which stored values a change of them breaks.
type Column struct {
	Name      string   `json:"name"`
	Property  string   `json:"property"`
	Kind      Kind     `json:"kind"`
	NotNull   bool     `json:"notNull,omitempty"`   // of the engine's own columns
	Required  bool     `json:"required,omitempty"`  // every record must have a value
	Computed  bool     `json:"computed,omitempty"`  // a formula gives the value; otherwise people do
	MaxLength int      `json:"maxLength,omitempty"` // Text: characters; 0 = no limit. A larger limit widens, a smaller one narrows
	Scale     int      `json:"scale,omitempty"`     // Number: fraction digits shown and accepted
	Min       string   `json:"min,omitempty"`       // Number: decimal text; "" = no limit
	Max       string   `json:"max,omitempty"`
	Choices   []string `json:"choices,omitempty"` // codes that a value may be, or members of a Set; sorted; none = any
	// ChoicesFrom are the codes that choices had before, by what they are now.
	ChoicesFrom map[string]names.Former `json:"choicesFrom,omitempty"`
	MaxCount    int                     `json:"maxCount,omitempty"` // Set: members; 0 = no limit
	References  string                  `json:"references,omitempty"`
	Of          string                  `json:"of,omitempty"`       // models of the records that ids name without a key, with spaces between; "" = any, or not known
	OnDelete    string                  `json:"onDelete,omitempty"` // refuse (default), clear, cascade
	Search      bool                    `json:"search,omitempty"`   // gram index
	Default     any                     `json:"default,omitempty"`  // value for existing rows of a new NotNull column, as canonical text; in a table of the engine it stays the default
	RenamedFrom names.Former            `json:"renamedFrom,omitempty"`
	At          string                  `json:"-"`

	Conversions []Conversion `json:"-"` // forms that the column takes over from what was there before
}

// Index is a list of columns; Desc marks the descending ones. Those of tables of the engine have a name of their own, and maybe a condition.
type Index struct {
	Columns []string `json:"columns"`
	Desc    []bool   `json:"desc,omitempty"`
	Name    string   `json:"name,omitempty"`
	Where   string   `json:"where,omitempty"`
	At      string   `json:"-"`
}
