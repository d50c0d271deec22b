package backup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/store"
)

// sink takes what a backup holds, in its order; nil members are passed over.
type sink struct {
	head  func(Head) error
	key   func(secret.Text) error
	rows  func(t store.DumpTable, rows [][]any) error
	ended func() error // no rows follow
	file  func(id string, size int64, from io.Reader, check func() error) error
}

// read goes through a backup from its beginning to its end and compares all sums and counts.
func read(from io.Reader, to sink) (head Head, m Manifest, err error) {
	u, err := newUnpacker(from)
	if err != nil {
		return head, m, err
	}
	if head, err = readHead(u); err != nil {
		return head, m, err
	}
	if to.head != nil {
		if err := to.head(head); err != nil {
			return head, m, err
		}
	}
	if err := u.next(); err != nil {
		return head, m, err
	}
	if head.Key {
		if err := readKey(u, to); err != nil {
			return head, m, err
		}
	}
	counts := Manifest{Rows: map[string]int64{}}
	for _, t := range head.Tables {
		if counts.Rows[t.Name], err = readTable(u, t, to); err != nil {
			return head, m, err
		}
	}
	if to.ended != nil {
		if err := to.ended(); err != nil {
			return head, m, err
		}
	}
	for ; strings.HasPrefix(u.name, filesDir); counts.Files++ {
		counts.Bytes += u.size
		if err := readFile(u, to); err != nil {
			return head, m, err
		}
	}
	if u.name != manifestName {
		return head, m, damaged("unexpected entry %q", u.name)
	}
	if m, err = u.manifest(); err != nil {
		return head, m, err
	}
	return head, m, counts.equals(m)
}

func (c Manifest) equals(m Manifest) error {
	if c.Files != m.Files || c.Bytes != m.Bytes || len(c.Rows) != len(m.Rows) {
		return damaged("it does not hold what its manifest says")
	}
	for name, n := range c.Rows {
		if m.Rows[name] != n {
			return damaged("%s has %d rows and not %d", name, n, m.Rows[name])
		}
	}
	return nil
}

func readHead(u *unpacker) (h Head, err error) {
	if err := u.next(); err != nil {
		return h, err
	}
	if u.name != headName {
		return h, damaged("not a backup of Sluice: it begins with %q", u.name)
	}
	text, err := u.whole()
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, damaged("%s: %w", headName, err)
	}
	if h.Format > Format {
		return h, &VersionError{Format: h.Format, Program: h.Program}
	}
	if h.Format < 1 {
		return h, damaged("the format is %d", h.Format)
	}
	return h, u.done()
}

// VersionError: a backup was written by a newer program.
type VersionError struct {
	Format  int
	Program string
	Table   string // that this program does not know, or not so; "" = the format itself
}

// Error says what to do.
func (e *VersionError) Error() string {
	if e.Table != "" {
		return fmt.Sprintf("the backup was made by Sluice %s, whose table %s this program does not know; restore it with that version or a later one", e.Program, e.Table)
	}
	return fmt.Sprintf("the backup was made by Sluice %s in format %d; this program reads formats up to %d: restore it with that version or a later one", e.Program, e.Format, Format)
}

func readKey(u *unpacker, to sink) error {
	if u.name != keyName {
		return damaged("the key is missing")
	}
	text, err := u.whole()
	if err == nil {
		err = u.done()
	}
	if err == nil && to.key != nil {
		err = to.key(secret.Text(text))
	}
	if err != nil {
		return err
	}
	return u.next()
}

// readTable reads the parts of a table that begin with the present entry.
func readTable(u *unpacker, t store.DumpTable, to sink) (int64, error) {
	n := int64(0)
	for part := 1; u.name == partName(t.Name, part); part++ {
		text, err := u.whole()
		if err == nil {
			err = u.done()
		}
		if err != nil {
			return n, err
		}
		var rows [][]any
		for line := range bytes.Lines(text) {
			row, err := parseRow(line, t.Columns)
			if err != nil {
				return n, damaged("%s, row %d: %w", t.Name, n+1, err)
			}
			rows = append(rows, row)
			n++
		}
		if to.rows != nil {
			if err := to.rows(t, rows); err != nil {
				return n, err
			}
		}
		if err := u.next(); err != nil {
			return n, err
		}
	}
	return n, nil
}

func readFile(u *unpacker, to sink) error {
	id := strings.TrimPrefix(u.name, filesDir)
	if uuid.Validate(id) != nil || len(id) != 36 {
		return damaged("%q is not a file's name", u.name)
	}
	done := false
	check := func() error { done = true; return u.done() }
	if to.file != nil {
		if err := to.file(id, u.size, u.body, check); err != nil {
			return err
		}
	}
	if !done {
		if _, err := io.Copy(io.Discard, u.body); err != nil {
			return damaged("%s: %w", u.name, err)
		}
		if err := u.done(); err != nil {
			return err
		}
	}
	return u.next()
}

// Verify reads a whole backup and tells what it holds; ErrDamaged when it is not what was written.
func Verify(from io.Reader) (Head, Manifest, error) { return read(from, sink{}) }
