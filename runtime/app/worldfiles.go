package app

import (
	"context"
	"io"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/blob"
)

// largestOwn bounds the files that code of packs writes, as uploads are bounded.
const largestOwn = 1 << 30

func (t *transaction) File(ctx context.Context, id string) (world.File, error) {
	f, err := t.app.reader.FileIn(ctx, t.tx, t.view, id)
	return fileOf(f), err
}

func fileOf(f blob.File) world.File {
	return world.File{ID: f.ID, Name: f.Name, Mime: f.Mime, Size: f.Size}
}

func (t *transaction) OpenFile(ctx context.Context, id string) (io.ReadSeekCloser, error) {
	f, err := t.app.reader.FileIn(ctx, t.tx, t.view, id)
	if err != nil {
		return nil, err
	}
	return t.app.files.Read(ctx, f)
}

func (t *transaction) PutFile(ctx context.Context, name string, from io.Reader) (world.File, error) {
	if t.batch == nil {
		return world.File{}, errReadOnly
	}
	f, err := t.app.files.PutIn(ctx, t.tx, blob.Upload{Name: name, By: t.view.User(), Most: largestOwn, Bytes: from})
	return fileOf(f), err
}
