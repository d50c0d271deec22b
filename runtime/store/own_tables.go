package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm/schema"

	"github.com/sluice-platform/sluice/engine/plan"
)

var ownKinds = map[schema.DataType]plan.Kind{schema.Bool: plan.Bool, schema.Int: plan.Int, schema.Uint: plan.Int, schema.String: plan.Text,
	schema.Time: plan.Instant, schema.Bytes: plan.Bytes, "uuid": plan.ID}

// ownStorage describes the tables of the engine: what the registered structs say of them.
func ownStorage(models []any) (plan.Storage, error) {
	var out plan.Storage
	var parsed sync.Map
	for _, m := range models {
		s, err := schema.Parse(m, &parsed, schema.NamingStrategy{SingularTable: true})
		if err != nil {
			return plan.Storage{}, err
		}
		t, err := ownTableOf(s)
		if err != nil {
			return plan.Storage{}, fmt.Errorf("%s: %w", s.Table, err)
		}
		out.Tables = append(out.Tables, t)
	}
	sortTables(out.Tables)
	return out, nil
}

func sortTables(of []plan.Table) {
	slices.SortFunc(of, func(a, b plan.Table) int { return cmp.Compare(a.Name, b.Name) })
}

func ownTableOf(s *schema.Schema) (plan.Table, error) {
	t := plan.Table{Name: s.Table, Model: s.Table, Key: s.PrimaryFieldDBNames}
	if len(t.Key) == 0 {
		return t, fmt.Errorf("a table of the engine needs a primary key")
	}
	for _, f := range s.Fields {
		if f.DBName == "" {
			continue
		}
		c := plan.Column{Name: f.DBName, Kind: ownKinds[f.DataType], NotNull: f.NotNull && !f.PrimaryKey}
		switch {
		case c.Kind == plan.None, f.AutoIncrement, f.Unique:
			return t, fmt.Errorf("%s: tables of the engine have no such column", f.DBName)
		case c.Kind == plan.Text:
			c.MaxLength = f.Size
		}
		if f.DefaultValueInterface != nil {
			c.Default = fmt.Sprint(f.DefaultValueInterface)
		} else if f.HasDefaultValue {
			return t, fmt.Errorf("%s: the default %q is not a value", f.DBName, f.DefaultValue)
		}
		t.Columns = append(t.Columns, c)
	}
	for _, i := range s.ParseIndexes() {
		x := plan.Index{Name: i.Name, Where: i.Where}
		for _, f := range i.Fields {
			x.Columns = append(x.Columns, f.DBName)
			if f.Field == nil || f.Expression != "" || f.Sort != "" || f.Collate != "" || f.Length != 0 {
				return t, fmt.Errorf("%s: tables of the engine have no such index", i.Name)
			}
		}
		if i.Class == "UNIQUE" {
			t.Unique = append(t.Unique, x)
		} else {
			t.Indexes = append(t.Indexes, x)
		}
	}
	for _, of := range [][]plan.Index{t.Unique, t.Indexes} { // the parser's order is none
		slices.SortFunc(of, func(a, b plan.Index) int { return cmp.Compare(a.Name, b.Name) })
	}
	return t, nil
}

// keepOwn adds to the wanted tables what a database has and no struct names: another version may have made it, and may come again.
// What must not be empty and has no default may be from then on, since nobody fills it.
func keepOwn(have, want plan.Storage) (plan.Storage, error) {
	out := plan.Storage{Tables: slices.Clone(want.Tables)}
	for _, h := range have.Tables {
		i := slices.IndexFunc(out.Tables, func(t plan.Table) bool { return t.Name == h.Name })
		if i < 0 {
			out.Tables = append(out.Tables, h)
			continue
		}
		w := &out.Tables[i]
		if !slices.Equal(h.Key, w.Key) {
			return out, fmt.Errorf("the primary key of %s is %s and cannot become %s", h.Name, strings.Join(h.Key, ", "), strings.Join(w.Key, ", "))
		}
		w.Columns = slices.Clone(w.Columns)
		fillRequired(h.Columns, w.Columns)
		for _, c := range h.Columns {
			if !slices.ContainsFunc(w.Columns, func(o plan.Column) bool { return o.Name == c.Name }) {
				c.NotNull = c.NotNull && c.Default != nil
				w.Columns = append(w.Columns, c)
			}
		}
		unique, plain := leftIndexes(h.Unique, w.Unique, w.Indexes), leftIndexes(h.Indexes, w.Indexes, w.Unique)
		w.Unique, w.Indexes = slices.Concat(w.Unique, unique), slices.Concat(w.Indexes, plain)
	}
	sortTables(out.Tables)
	return out, nil
}

// unset are the values that a struct has before anything is written into it, by kind. Times have none: the zero time is a date that people see.
var unset = map[plan.Kind]string{plan.Text: "", plan.Int: "0", plan.Bool: "false"}

// fillRequired gives required columns without a default, which a table of an earlier version lacks, the value of the struct as their default: rows
// that are there have it from then on. Those that got theirs so keep it.
func fillRequired(have, want []plan.Column) {
	for i := range want {
		c := &want[i]
		value, fills := unset[c.Kind]
		if !fills || !c.NotNull || c.Default != nil {
			continue
		}
		at := slices.IndexFunc(have, func(h plan.Column) bool { return h.Name == c.Name })
		if at < 0 || have[at].NotNull && have[at].Default == value {
			c.Default = value
		}
	}
}

// leftIndexes are those that no wanted one takes the place of: by its name, or as the same one under another name.
func leftIndexes(have, same, others []plan.Index) (out []plan.Index) {
	for _, h := range have {
		named := func(w plan.Index) bool { return w.Name == h.Name }
		if !slices.ContainsFunc(others, named) && !slices.ContainsFunc(same, func(w plan.Index) bool {
			return named(w) || slices.Equal(w.Columns, h.Columns) && w.Where == h.Where
		}) {
			out = append(out, h)
		}
	}
	return out
}

// adoptOwn says of tables that were read from a database what the database cannot tell: SQLite knows no lengths and no truth values, and
// both write a condition in their own words. A primary key stays whatever it was: gorm's migrations changed none.
func adoptOwn(d dialect, have, want plan.Storage) {
	for t, h := range have.Tables {
		i := slices.IndexFunc(want.Tables, func(t plan.Table) bool { return t.Name == h.Name })
		if i < 0 {
			continue
		}
		w := want.Tables[i]
		have.Tables[t].Key = w.Key
		for n, c := range h.Columns {
			h.Columns[n].NotNull = c.NotNull && !slices.Contains(w.Key, c.Name)
			j := slices.IndexFunc(w.Columns, func(o plan.Column) bool { return o.Name == c.Name })
			if j >= 0 && d.ownType(c) == d.ownType(w.Columns[j]) {
				h.Columns[n].Kind, h.Columns[n].MaxLength = w.Columns[j].Kind, w.Columns[j].MaxLength
			}
		}
		for _, pair := range [][2][]plan.Index{{h.Unique, w.Unique}, {h.Indexes, w.Indexes}} {
			for n, x := range pair[0] {
				if j := slices.IndexFunc(pair[1], func(o plan.Index) bool { return o.Name == x.Name && slices.Equal(o.Columns, x.Columns) }); j >= 0 {
					pair[0][n].Where = pair[1][j].Where
				}
			}
		}
	}
}

// createOwn is the statement that makes a table of the engine under a name.
func createOwn(d dialect, t plan.Table, name string) string {
	parts := make([]string, 0, len(t.Columns)+1)
	for _, c := range t.Columns {
		parts = append(parts, ownColumn(d, c))
	}
	parts = append(parts, "PRIMARY KEY ("+idents(t.Key)+")")
	return "CREATE TABLE " + Ident(name) + " (" + strings.Join(parts, ", ") + ")"
}

func ownColumn(d dialect, c plan.Column) string {
	text := Ident(c.Name) + " " + d.ownType(c)
	if c.NotNull {
		text += " NOT NULL"
	}
	if c.Default != nil {
		text += " DEFAULT " + ownDefault(c)
	}
	return text
}

// ownDefault is the default of a column of the engine's tables, as both databases read it.
func ownDefault(c plan.Column) string {
	text := fmt.Sprint(c.Default)
	if c.Kind == plan.Int || c.Kind == plan.Bool {
		return text
	}
	return literals([]string{text})
}

// defaultOf is the value that an expression of a database represents, as a plan writes it.
func defaultOf(expression string) string {
	text, _, _ := strings.Cut(expression, "::")
	if n := len(text); n > 1 && text[0] == '\'' && text[n-1] == '\'' {
		return strings.ReplaceAll(text[1:n-1], "''", "'")
	}
	return text
}

// changesDefault reports whether a column of the engine's tables, which stays, gets another default.
func changesDefault(t tableDiff, c columnDiff) bool {
	return own(*t.want) && c.stays() && c.have.Default != c.want.Default
}

func defaultWord(c *plan.Column) string {
	if c.Default == nil {
		return "NULL"
	}
	return ownDefault(*c)
}
