package plan

// Storage is the tables that a catalog needs, in a stable order. It is what `plan` compares and sl_schema keeps.
type Storage struct {
	Tables []Table `json:"tables"`
}

// Table is one real table. Codes are written as authors wrote them; the store quotes and shortens names (documents.md
// section 10). Every table of a model has rid (SQLite) and id; a sub-table has id, parent and sortKey.
type Table struct {
	Name        string   `json:"name"`             // d_inspection, d_inspection__items
	Model       string   `json:"model"`            // inspection, inspection.items
	Parent      string   `json:"parent,omitempty"` // table of the parent record, for sub-tables
	RenamedFrom string   `json:"renamedFrom,omitempty"`
	Columns     []Column `json:"columns"`
	Unique      []Index  `json:"unique,omitempty"`
	Indexes     []Index  `json:"indexes,omitempty"`
	At          string   `json:"-"` // file:line:col, for messages; not compared
}

// Column is one column, without the words of a database. Set columns have a link table beside them.
type Column struct {
	Name        string `json:"name"`
	Property    string `json:"property"`
	Kind        Kind   `json:"kind"`
	NotNull     bool   `json:"notNull,omitempty"`
	MaxLength   int    `json:"maxLength,omitempty"` // Text: characters; 0 = no limit. A larger limit widens, a smaller one narrows
	Scale       int    `json:"scale,omitempty"`     // Number: fraction digits shown and accepted
	References  string `json:"references,omitempty"`
	OnDelete    string `json:"onDelete,omitempty"` // refuse (default), clear, cascade
	Search      bool   `json:"search,omitempty"`   // gram index
	Default     any    `json:"default,omitempty"`  // value for existing rows of a new NotNull column, as canonical text
	RenamedFrom string `json:"renamedFrom,omitempty"`
	At          string `json:"-"`
}

// Index is a list of columns; Desc marks the descending ones.
type Index struct {
	Columns []string `json:"columns"`
	Desc    []bool   `json:"desc,omitempty"`
	At      string   `json:"-"`
}
