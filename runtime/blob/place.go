package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Outage is the error of a call that the storage of files could not serve although nothing was wrong with what it was asked. It may succeed
// when it is made again later.
type Outage struct{ Err error }

func (e *Outage) Error() string { return fmt.Sprintf("the storage of files is away: %v", e.Err) }

// Unwrap gives the storage's error.
func (e *Outage) Unwrap() error { return e.Err }

const (
	answerWithin = 5 * time.Second // for one step, such as opening a file
	leastRate    = 64 << 10        // bytes a second, of what one step moves
	partSize     = 5 << 20         // of what S3 is sent at once; the client collects it before
	mostAtOnce   = 30 << 20        // bytes that the client of S3 collects and sends at once
	mostHanging  = 32              // steps that the storage has not ended and nobody waits for
	chunkSize    = 64 << 10        // bytes that are read in one step
)

// place is the storage of files. Each of its steps ends in time, whatever the storage does: calls of a file system cannot be ended, and
// run on alone. What the storage cannot serve is an *Outage, which is none when the file alone is missing, the disk is full or the caller left.
type place struct {
	bucket  *blob.Bucket
	dir     string // "" = S3
	answer  time.Duration
	hanging atomic.Int64 // steps that were left and go on
	outages atomic.Uint64
}

// patience is how long a step may take that moves so many bytes.
func (p *place) patience(n int64) time.Duration {
	return p.answer + time.Duration(n)*time.Second/leastRate
}

var errHanging = errors.New("it does not answer earlier calls")

// step runs f, and waits for it within a limit and until ctx ends. A step that nobody waits for any more is left: late is called when it ends.
func (p *place) step(ctx context.Context, limit time.Duration, f func() error, late func()) (left bool, err error) {
	if p.hanging.Load() >= mostHanging {
		return false, p.away(errHanging)
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return false, p.told(ctx, err)
	case <-timer.C:
		err = p.away(fmt.Errorf("it did not answer within %s", limit))
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.hanging.Add(1)
	go func() {
		<-done
		p.hanging.Add(-1)
		late()
	}()
	return true, err
}

func (p *place) away(err error) error {
	p.outages.Add(1)
	return &Outage{err}
}

// told is the error of a step as its caller should see it.
func (p *place) told(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return err
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	case gcerrors.Code(err) == gcerrors.NotFound && p.there(err):
		return err
	}
	return p.away(err)
}

// there reports whether what does not find a file is there itself.
func (p *place) there(err error) bool {
	if p.dir != "" {
		return p.folder() == nil
	}
	var said interface{ ErrorCode() string }
	return !errors.As(err, &said) || said.ErrorCode() != "NoSuchBucket"
}

func (p *place) folder() error {
	info, err := os.Stat(p.dir)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "open", Path: p.dir, Err: syscall.ENOTDIR}
	}
	return err
}

// probeName is where a probe writes.
const probeName = "sluice-ready"

// probe asks whether files can be read and written. On a full disk they can be read, so it is not an outage.
func (p *place) probe(ctx context.Context) error {
	if p.dir == "" {
		if is, err := p.bucket.Exists(ctx, probeName); err == nil && is {
			return nil
		}
		return p.bucket.WriteAll(ctx, probeName, nil, nil) // a bucket that is missing has no files either
	}
	if err := p.folder(); err != nil {
		return err
	}
	at := filepath.Join(p.dir, probeName)
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		err = f.Close()
		_ = os.Remove(at) // another node may have been first
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	return err
}

// missing reports whether a file alone is.
func missing(err error) bool {
	var away *Outage
	return gcerrors.Code(err) == gcerrors.NotFound && !errors.As(err, &away)
}

func (p *place) remove(ctx context.Context, at string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err := p.step(ctx, p.answer, func() error { return p.bucket.Delete(ctx, at) }, func() {})
	return err
}

// reader reads a file in steps, some bytes ahead.
type reader struct {
	p      *place
	ctx    context.Context
	cancel context.CancelFunc
	from   *blob.Reader // nil = a step was left that has it, or it is closed
	size   int64
	buf    []byte
	ahead  []byte // of buf
	err    error  // ends it
}

// open opens a file and reads its first bytes.
func (p *place) open(ctx context.Context, at string) (*reader, error) {
	ctx, cancel := context.WithCancel(ctx)
	r := &reader{p: p, ctx: ctx, cancel: cancel}
	var from *blob.Reader
	_, err := p.step(ctx, p.answer, func() (err error) {
		from, err = p.bucket.NewReader(ctx, at, nil)
		return err
	}, func() {
		if from != nil {
			_ = from.Close()
		}
	})
	if err != nil {
		cancel()
		return nil, err
	}
	r.from, r.size = from, from.Size()
	r.buf = make([]byte, min(chunkSize, max(r.size, 1)))
	if r.fill(); r.err != nil && !errors.Is(r.err, io.EOF) {
		return nil, errors.Join(r.err, r.Close())
	}
	return r, nil
}

// fill reads ahead.
func (r *reader) fill() {
	from, buf, n := r.from, r.buf, 0
	left, err := r.p.step(r.ctx, r.p.patience(int64(len(buf))), func() (err error) {
		n, err = io.ReadFull(from, buf)
		if n > 0 && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)) {
			err = nil
		}
		return err
	}, func() { _ = from.Close() })
	if left {
		r.cancel()
		r.from, r.buf = nil, nil
	}
	if r.err = err; err == nil {
		r.ahead = buf[:n]
	}
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if len(r.ahead) == 0 && r.err == nil {
		r.fill()
	}
	if len(r.ahead) == 0 {
		return 0, r.err
	}
	n := copy(p, r.ahead)
	r.ahead = r.ahead[n:]
	return n, nil
}

// outage is why reading failed, where that was the storage.
func (r *reader) outage() error {
	if r.err == nil || errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

// Seek implements io.Seeker. It moves no bytes: the next read does.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	if r.from == nil {
		return 0, r.err
	}
	if whence == io.SeekCurrent {
		offset -= int64(len(r.ahead))
	}
	at, err := r.from.Seek(offset, whence)
	if r.ahead = nil; errors.Is(r.err, io.EOF) {
		r.err = nil
	}
	return at, err
}

// Close implements io.Closer.
func (r *reader) Close() error {
	defer r.cancel()
	from := r.from
	if from == nil {
		return nil
	}
	r.from, r.ahead, r.err = nil, nil, os.ErrClosed
	_, err := r.p.step(context.WithoutCancel(r.ctx), r.p.answer, from.Close, func() {})
	return err
}

// writer writes a file in steps. It has its name when Close returns nil.
type writer struct {
	p      *place
	ctx    context.Context
	cancel context.CancelFunc
	at     string
	over   bool // it replaces a file
	to     *blob.Writer
	buf    []byte
	n      int64
	left   bool // a step was left, which ends it
}

func (p *place) create(ctx context.Context, at, mime string, over bool) (*writer, error) {
	ctx, cancel := context.WithCancel(ctx)
	w := &writer{p: p, ctx: ctx, cancel: cancel, at: at, over: over}
	var to *blob.Writer
	_, err := p.step(ctx, p.answer, func() (err error) {
		if p.dir != "" { // the folder of all would be made with that of the file
			if err := p.folder(); err != nil {
				return err
			}
		}
		to, err = p.bucket.NewWriter(ctx, at, &blob.WriterOptions{ContentType: mime, DisableContentTypeDetection: true})
		return err
	}, func() {
		if cancel(); to != nil {
			_ = to.Close()
		}
	})
	if err != nil {
		cancel()
		return nil, err
	}
	w.to = to
	return w, nil
}

// Write implements io.Writer.
func (w *writer) Write(b []byte) (int, error) {
	moved := int64(len(b))
	if w.p.dir == "" {
		moved = max(moved, partSize)
	}
	w.buf = append(w.buf[:0], b...)
	n := 0
	left, err := w.p.step(w.ctx, w.p.patience(moved), func() (err error) {
		n, err = w.to.Write(w.buf)
		return err
	}, w.drop)
	if w.left = left; err != nil {
		return 0, err
	}
	w.n += int64(n)
	return n, nil
}

// drop throws away what was written.
func (w *writer) drop() {
	w.cancel()
	_ = w.to.Close()
}

// Abort throws away what was written; it may have been closed before.
func (w *writer) Abort() {
	if w.cancel(); w.left {
		return
	}
	_, _ = w.p.step(context.WithoutCancel(w.ctx), w.p.answer, func() error { w.drop(); return nil }, func() {})
}

// Close implements io.Closer.
func (w *writer) Close() error {
	defer w.cancel()
	left, err := w.p.step(w.ctx, w.p.patience(min(w.n, mostAtOnce)), w.to.Close, func() {
		if !w.over { // whoever waited for it was told that it is not there
			_ = w.p.remove(context.WithoutCancel(w.ctx), w.at)
		}
	})
	w.left = left
	return err
}
