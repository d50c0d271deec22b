package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Source is the installation that is copied. It may be served meanwhile.
type Source struct {
	DB      *store.DB
	System  []any // gorm models of its system tables
	Files   *blob.Service
	Program string // version
	Clock   func() time.Time
	Key     secret.Text // goes into the backup; "" = none
	// AllowMissing goes on when files are missing in the installation itself, and lists them.
	AllowMissing bool
}

// MissingError: the installation knows files whose bytes are gone.
type MissingError struct{ Files []string }

// Error names the first of them.
func (e *MissingError) Error() string {
	const few = 5
	names := e.Files
	more := ""
	if len(names) > few {
		names, more = names[:few], fmt.Sprintf(" and %d more", len(e.Files)-few)
	}
	return fmt.Sprintf("%d files are missing in the storage of uploaded files (ids %s%s); find them, or use --allow-missing to back up without them",
		len(e.Files), strings.Join(names, ", "), more)
}

// left are tables that a copy leaves out: what ends with the installation, and who copies.
func left(table string) bool { return slices.Contains(append(authn.Passing(), blob.PauseTable), table) }

// Take writes a copy of the state of an installation at one moment.
func Take(ctx context.Context, src Source, w io.Writer) (Head, Manifest, error) {
	t := &taking{Source: src, manifest: Manifest{Rows: map[string]int64{}}}
	err := blob.Undisturbed(ctx, src.DB, src.Clock, func(ctx context.Context) error {
		return src.DB.Snapshot(ctx, src.System, func(s *store.Snapshot) error { return t.run(ctx, s, w) })
	})
	if err == nil && len(t.manifest.Missing) > 0 && !src.AllowMissing {
		err = &MissingError{t.manifest.Missing}
	}
	return t.head, t.manifest, err
}

type taking struct {
	Source
	head     Head
	manifest Manifest
	out      *packer
}

func (t *taking) run(ctx context.Context, s *store.Snapshot, w io.Writer) (err error) {
	at := t.Clock().UTC().Truncate(time.Second)
	t.head = Head{Format: Format, Program: t.Program, Database: t.DB.Dialect(), TakenAt: at, Version: s.Version, Digest: s.Digest, Storage: s.Storage, Key: t.Key != ""}
	for _, table := range s.Tables {
		if !left(table.Name) {
			t.head.Tables = append(t.head.Tables, table)
		}
	}
	if t.out, err = newPacker(w, at); err != nil {
		return err
	}
	if err := t.out.json(headName, t.head); err != nil {
		return err
	}
	if t.Key != "" {
		key := t.Key.Reveal()
		if err := t.out.entry(keyName, int64(len(key)), strings.NewReader(key)); err != nil {
			return err
		}
	}
	for _, table := range t.head.Tables {
		if err := t.table(ctx, s, table); err != nil {
			return err
		}
	}
	if err := t.files(ctx, s.Tx()); err != nil {
		return err
	}
	return t.out.close(t.manifest)
}

func (t *taking) table(ctx context.Context, s *store.Snapshot, table store.DumpTable) error {
	var part []byte
	parts, rows := 0, int64(0)
	flush := func() error {
		parts++
		err := t.out.entry(partName(table.Name, parts), int64(len(part)), bytes.NewReader(part))
		part = part[:0]
		return err
	}
	err := s.Rows(ctx, table, func(row []any) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if part, err = appendRow(part, table.Columns, row); err != nil {
			return fmt.Errorf("%s: %w", table.Name, err)
		}
		rows++
		if len(part) >= partSize {
			return flush()
		}
		return nil
	})
	if err == nil && len(part) > 0 {
		err = flush()
	}
	t.manifest.Rows[table.Name] = rows
	return err
}

func partName(table string, n int) string { return fmt.Sprintf("%s%s/%06d.jsonl", tablesDir, table, n) }

// files copies the bytes of all files that the snapshot knows, those that no record holds yet too: somebody is filling in a form.
func (t *taking) files(ctx context.Context, tx *store.Tx) error {
	const page = 500
	for last := ""; ; {
		list, err := blob.Listed(tx, last, page)
		if err != nil {
			return err
		}
		for _, f := range list {
			last = f.ID
			if err := t.file(ctx, f.ID); errors.Is(err, blob.ErrGone) {
				t.manifest.Missing = append(t.manifest.Missing, f.ID)
			} else if err != nil {
				return fmt.Errorf("file %s: %w", f.ID, err)
			}
		}
		if len(list) < page {
			return nil
		}
	}
}

func (t *taking) file(ctx context.Context, id string) error {
	r, size, err := t.Files.Open(ctx, id)
	if err != nil {
		return err
	}
	err = t.out.entry(filesDir+id, size, r)
	t.manifest.Files++
	t.manifest.Bytes += size
	return errors.Join(err, r.Close())
}
