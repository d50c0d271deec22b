package app

import (
	"context"
	"io"
	"iter"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/importer"
)

func (t *transaction) SheetRows(ctx context.Context, file string) iter.Seq2[world.SheetRow, error] {
	return func(yield func(world.SheetRow, error) bool) {
		f, err := t.app.reader.FileIn(ctx, t.tx, t.view, file)
		if err != nil {
			yield(world.SheetRow{}, err)
			return
		}
		bytes, err := t.app.files.Read(ctx, f)
		if err != nil {
			yield(world.SheetRow{}, err)
			return
		}
		defer bytes.Close()
		going := true
		err = importer.ReadRows(ctx, f.Name, bytes, func(number int, cells []string) bool {
			going = yield(world.SheetRow{Number: number, Cells: cells}, nil)
			return going
		})
		if err != nil && going {
			yield(world.SheetRow{}, err)
		}
	}
}

func (t *transaction) WriteSheet(to io.Writer, s world.Sheet, rows iter.Seq2[[]any, error]) error {
	return importer.WriteRows(to, s, rows, t.view.Principal().Locale, t.app.Now())
}
