package store

import (
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Ids are lower-case UUIDs of 36 characters everywhere outside this package, and 16 bytes in tables of models: BLOB on SQLite,
// uuid on PostgreSQL. Bytes sort as the texts do. A text that is not a such UUID is the id of no record: it equals none, and is
// refused where one is to be stored.
const (
	idLength = 36
	idBytes  = 16
)

// format is how values of a kind are stored now; a database of a smaller one is brought to it by an apply.
//
//	0: ids are texts
//	1: ids are 16 bytes
const format = 1

// ErrFormat: the tables hold values in the form of an earlier version, which an apply has to change first.
var ErrFormat = errors.New("the database is of an earlier version; start the server, or run `sluice apply`, to bring it up to date")

// packID gives the 16 bytes of an id; ok is false for any other text.
func packID(s string) (id [idBytes]byte, ok bool) {
	if len(s) != idLength || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return id, false
	}
	at := 0
	for i := 0; i < idLength; i += 2 {
		if s[i] == '-' {
			i++
		}
		hi, lo := digit(s[i]), digit(s[i+1])
		if hi|lo > 15 {
			return id, false
		}
		id[at] = hi<<4 | lo
		at++
	}
	return id, true
}

func digit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	}
	return 0xff
}

func isUUID(s string) bool {
	_, ok := packID(s)
	return ok
}

// appendID writes 16 bytes as text.
func appendID(dst, id []byte) []byte {
	for from, to := range []int{4, 6, 8, 10, 16} {
		begin := []int{0, 4, 6, 8, 10}[from]
		if begin > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, id[begin:to])
	}
	return dst
}

// idText is the text of what a column holds in place of an id: 16 bytes, or a text that stays.
func idText(b []byte) string {
	if len(b) != idBytes {
		return string(b)
	}
	return string(appendID(make([]byte, 0, idLength), b))
}

// idRow writes the ids of a row one after the other into memory that it uses again, and cuts them from one text: a row costs
// one piece of memory, however many ids it has.
type idRow struct {
	bytes []byte
	text  string
}

// holdsIDs reports whether a value of a kind is ids in bytes.
func holdsIDs(k plan.Kind, v any) ([]byte, bool) {
	b, ok := v.([]byte)
	return b, ok && len(b) > 0 && len(b)%idBytes == 0 && (k == plan.Set || len(b) == idBytes && (k == plan.ID || k == plan.Text))
}

func (r *idRow) begin() { r.bytes = r.bytes[:0] }

func (r *idRow) add(b []byte) {
	for ; len(b) >= idBytes; b = b[idBytes:] {
		r.bytes = appendID(r.bytes, b[:idBytes])
	}
}

// end makes the text of what was added; take cuts the value of the next column with n bytes from it.
func (r *idRow) end() { r.text = string(r.bytes) }

func (r *idRow) take(k plan.Kind, n int) any {
	if k != plan.Set {
		one := r.text[:idLength]
		r.text = r.text[idLength:]
		return one
	}
	out := make([]string, n/idBytes)
	for i := range out {
		out[i], r.text = r.text[:idLength], r.text[idLength:]
	}
	return out
}

// packed is an id, or a member of a set, as SQLite stores it: what is not an id stays a text.
func packed(s string) any {
	if id, ok := packID(s); ok {
		return id[:]
	}
	return s
}

// packedSet is a set in one value, as SQLite stores it beside its link table: the bytes of ids one after the other, or the
// texts with a semicolon between two.
func packedSet(set []string) any {
	if len(set) == 0 {
		return nil
	}
	out := make([]byte, 0, len(set)*idBytes)
	for _, s := range set {
		id, ok := packID(s)
		if !ok {
			return joined(set)
		}
		out = append(out, id[:]...)
	}
	return out
}

func unpackedSet(b []byte) any {
	r := &idRow{}
	r.add(b)
	r.end()
	return r.take(plan.Set, len(b))
}

// registerIDs adds functions to the SQLite driver: id_text and id_pack between the forms of an id, and set_pack from texts with
// semicolons to the form of a set. What is in that form already stays.
func registerIDs() error {
	return errors.Join(
		register("id_text", 1, func(args []driver.Value) (driver.Value, error) {
			if b, ok := args[0].([]byte); ok {
				return idText(b), nil
			}
			return args[0], nil
		}),
		register("id_pack", 1, func(args []driver.Value) (driver.Value, error) {
			if s, ok := args[0].(string); ok {
				return packed(s), nil
			}
			return owned(args[0]), nil
		}),
		register("set_pack", 1, func(args []driver.Value) (driver.Value, error) {
			if s, ok := args[0].(string); ok {
				return packedSet(strings.Split(s, ";")), nil
			}
			return owned(args[0]), nil
		}))
}

// owned is an argument that may be given back: SQLite's own bytes end with the call.
func owned(v driver.Value) driver.Value {
	if b, ok := v.([]byte); ok {
		return append([]byte(nil), b...)
	}
	return v
}

// id is an id as an argument for a column of ids.
func (tx *Tx) id(id string) any { return tx.db.d.id(id) }

// uuids are those of some texts that are ids.
func uuids(of []string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(s string) bool { return !isUUID(s) })
}

// member gives members of a set the form that their link table holds.
func (tx *Tx) member(c plan.Column) func(string) any {
	if w, err := tx.grammar(); err == nil && w.member(c) == plan.ID {
		return tx.id
	}
	return func(s string) any { return s }
}
