package world

import (
	"context"
	"io"
)

// Files are uploaded files. Who may read one follows from the record and field that hold it.
type Files interface {
	// File tells of a file that the principal may read; fault.FileNotFound otherwise.
	File(ctx context.Context, id string) (File, error)
	// OpenFile opens its bytes. The caller closes them.
	OpenFile(ctx context.Context, id string) (io.ReadSeekCloser, error)
	// PutFile keeps a file of the principal, as the upload call does: its content must fit its name (fault.FileKind, fault.FileContent).
	// It goes away after a day unless a record holds it: put {"refId": id} into an attachment property.
	PutFile(ctx context.Context, name string, from io.Reader) (File, error)
}

// File is what is known of a file.
type File struct {
	ID, Name, Mime string
	Size           int64 // bytes
}
