package record

import (
	"context"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// FileRight reports whether the principal may read a file in a record that holds it.
type FileRight func(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error)

// CopyFiles says who may read a file: besides one's own, records take files that their writer may read elsewhere. It is said
// once, before the first write; without it they take no others.
func (w *Writer) CopyFiles(may FileRight) { w.mayRead = may }

// takesOver reports whether a field takes a file that somebody else brought: one that it held before, or that the principal may
// read where it is. After the first that they may not, nobody looks any further: guessed ids cost one search.
func (c *change) takesOver(w wantedRef, file string) (bool, error) {
	if !c.create {
		if held, err := c.heldBefore(c.m, c.id, w.code, file); err != nil || held {
			return held, err
		}
	}
	if c.w.mayRead == nil || c.unread {
		return false, nil
	}
	may, err := c.w.mayRead(c.ctx, c.tx, c.view, file)
	c.unread = !may
	return may, err
}

// takeFiles looks whether the fields take the files that they are given for the first time, and notes those for holdFiles.
// That the files are there, and the principal may take them, is the matter of references.
func (c *change) takeFiles(wanted []wantedRef) error {
	c.files = map[string][]string{}
	for _, w := range wanted {
		taker, ok := w.field.Property.(property.FileTaker)
		if !ok {
			continue
		}
		limits, ids := taker.Files(), slices.Collect(maps.Keys(w.ids))
		known, err := blob.Files(c.tx, ids)
		if err != nil {
			return err
		}
		for _, f := range known {
			switch {
			case !blob.Accepts(limits.Accept, f.Name, f.Mime):
				c.errs = append(c.errs, fault.FieldError{PropertyCode: w.code, Row: w.row, Code: fault.FileKind, Args: []any{f.Name}})
			case f.Size > limits.MaxSize:
				c.errs = append(c.errs, fault.FieldError{PropertyCode: w.code, Row: w.row, Code: fault.FileTooLarge, Args: []any{blob.SizeText(limits.MaxSize)}})
			}
		}
		c.files[w.code] = append(c.files[w.code], ids...)
	}
	return nil
}

// holdFiles keeps the files from being swept as orphans, in the transaction of the record that holds them.
func (c *change) holdFiles() error {
	for code, ids := range c.files {
		slices.Sort(ids)
		ids = slices.Compact(ids)
		n, err := blob.Hold(c.tx, ids, c.m.Code, code)
		if err != nil {
			return err
		}
		if n < int64(len(ids)) { // swept between the check and now
			c.refuse(code, fault.FieldReference, c.m.Code)
			return c.refusal()
		}
	}
	return nil
}
