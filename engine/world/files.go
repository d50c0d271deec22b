package world

import (
	"context"
	"io"

	"github.com/sluice-platform/sluice/engine/plan"
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

// Message is a notification that people get in their message center. It exists when the transaction is stored.
type Message struct {
	To    []string   // ids of users; somebody who is named twice gets it once
	Title plan.Label // in both languages
	Text  string     // below the title, at most 200 characters are shown
	// Model and Record are what the message opens; "" = nothing. People who do not see the record get the message without its text.
	Model, Record string
	// Once: a person gets at most one message with this key. "" = no such bound.
	Once string
}
