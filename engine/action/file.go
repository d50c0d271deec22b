package action

import (
	"context"
	"io"

	"github.com/sluice-platform/sluice/engine/world"
)

// Uploader is an Endpoint that takes a file: calls of its routes are multipart/form-data with one part "file"; the other parts are texts
// of the input. The file is kept as an upload of the caller before Run, and Call.Upload tells of it. Its routes have the method POST or PUT.
type Uploader interface {
	Endpoint
	Takes() Upload
}

// Upload is what files an Uploader takes.
type Upload struct {
	Accept []string // endings (".xlsx") and types ("image/*"); none = every kind that the product takes
	Most   int64    // bytes; 0 = 20 MB
}

// Downloader is an Endpoint that answers with a file: Run returns a File, and Output is not asked for. It only reads. Its routes have the method
// GET, or POST when the input is long.
type Downloader interface {
	Endpoint
	Gives() string // the type of the file: "text/csv; charset=utf-8"
}

// File is the answer of a Downloader. Write is called once, within the transaction; what it writes is sent when it returns nil, so a
// caller gets a whole file or an error.
type File struct {
	Name  string // with its ending: "points.csv"
	Write func(to io.Writer) error
}

// NewUpload makes an Uploader of a function, as New does.
func NewUpload[In, Out any](name string, takes Upload, input, output string, run func(ctx context.Context, call Call, file world.File, in In) (Out, error)) Uploader {
	return uploader[In, Out]{newTyped(name, input, output, func(ctx context.Context, call Call, in In) (Out, error) {
		return run(ctx, call, *call.Upload, in)
	}), takes}
}

type uploader[In, Out any] struct {
	typed[In, Out]
	takes Upload
}

func (u uploader[In, Out]) Takes() Upload { return u.takes }

// NewDownload makes a Downloader of a function, as New does.
func NewDownload[In any](name, input, mime string, run func(ctx context.Context, call Call, in In) (File, error)) Downloader {
	return downloader[In]{newTyped(name, input, "true", run), mime}
}

type downloader[In any] struct {
	typed[In, File]
	mime string
}

func (d downloader[In]) Gives() string { return d.mime }

func (d downloader[In]) Run(ctx context.Context, call Call) (any, error) {
	var in In
	if err := read(call.Body, &in); err != nil {
		return nil, err
	}
	return d.run(ctx, call, in)
}

// Lengthy is an Endpoint that may take as long as an upload: it writes what one has brought. Other calls end after half a minute.
type Lengthy interface {
	Endpoint
	lengthy()
}

// Long gives an Endpoint the time of an upload.
func Long(e Endpoint) Lengthy { return long{e} }

type long struct{ Endpoint }

func (long) lengthy() {}

func (l long) fits() bool {
	f, ok := l.Endpoint.(interface{ fits() bool })
	return ok && f.fits()
}
