package app

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
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

func (t *transaction) Tell(ctx context.Context, m world.Message) error {
	if t.batch == nil {
		return errReadOnly
	}
	if m.Title.Zh == "" || m.Title.I18n["en"] == "" {
		return errors.New("a message needs a title in both languages")
	}
	to := slices.Clone(m.To)
	slices.Sort(to)
	var out []notify.Message
	for _, user := range slices.Compact(to) {
		out = append(out, notify.Message{To: user, Type: notify.Custom, Sender: t.view.User(), Title: m.Title, Text: m.Text,
			Record: query.Ref{SchemaCode: m.Model, ID: m.Record}, Once: m.Once})
	}
	return t.app.messages.Send(t.tx, out...)
}
