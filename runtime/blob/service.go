package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // s3://bucket?region=…&endpoint=…

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Service keeps files. It is safe for concurrent use.
type Service struct {
	db     *store.DB
	place  *place
	clock  func() time.Time
	drawn  drawing
	spare  Spare
	quota  Quota
	coming arriving
	ahead  ahead
}

// Open opens the place of the bytes: a folder, which is made, or s3://bucket with the parameters of gocloud.dev's s3blob
// (region, endpoint, use_path_style). Credentials of S3 come from the environment.
func Open(ctx context.Context, db *store.DB, place string, clock func() time.Time) (*Service, error) {
	at, err := open(ctx, place)
	if err != nil {
		return nil, fmt.Errorf("open the place of files: %w", err)
	}
	return &Service{db: db, place: at, clock: clock, drawn: newDrawing(), quota: usual}, nil
}

func open(ctx context.Context, at string) (*place, error) {
	if scheme, _, ok := strings.Cut(at, "://"); ok {
		if scheme != "s3" {
			return nil, fmt.Errorf("%q is neither a folder nor s3://", scheme)
		}
		if _, err := url.Parse(at); err != nil {
			return nil, errors.New("the address cannot be read")
		}
		bucket, err := blob.OpenBucket(ctx, at)
		return &place{bucket: bucket, answer: answerWithin}, err
	}
	// Half-written files stand beside their place, so that taking them there is one rename on one disk.
	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, err
	}
	dir := filepath.Clean(at)
	bucket, err := fileblob.OpenBucket(dir, &fileblob.Options{Metadata: fileblob.MetadataDontWrite, NoTempDir: true, DirFileMode: 0o700})
	return &place{bucket: bucket, dir: dir, answer: answerWithin}, err
}

// Close ends the service. Steps that hang do not keep it.
func (s *Service) Close() error {
	s.ahead.end()
	_, err := s.place.step(context.Background(), s.place.answer, s.place.bucket.Close, func() {})
	return err
}

// Probe asks the storage whether files can be read and written. It may take as long as the storage likes.
func (s *Service) Probe(ctx context.Context) error {
	if err := s.place.probe(ctx); err != nil {
		return &Outage{err}
	}
	return nil
}

// ready is Probe that ends in time.
func (s *Service) ready(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err := s.place.step(ctx, s.place.answer, func() error { return s.place.probe(ctx) }, func() {})
	return err
}

// Outages tells how many calls the storage could not serve since the start.
func (s *Service) Outages() uint64 { return s.place.outages.Load() }

// Upload is a file that somebody brings.
type Upload struct {
	Name   string
	By     string // user id
	Most   int64  // bytes; more are refused
	Accept []string
	// Mime is the type of a file that the system itself made; its content is not judged then.
	Mime  string
	Bytes io.Reader
	// Last is asked when all bytes have arrived, long after the upload began; nil asks nobody.
	Last func(File) error
}

// Takes refuses a file that is larger than an upload may be, or of another kind: FileNotAccepted, FileTooLarge.
func (u *Upload) Takes(f File) error {
	if !Accepts(u.Accept, f.Name, f.Mime) {
		return fault.New(fault.FileNotAccepted, strings.Join(u.Accept, " "))
	}
	if f.Size > u.Most {
		return fault.New(fault.FileTooLarge, SizeText(u.Most))
	}
	return nil
}

// Put keeps a file. It belongs to nothing yet: only its uploader can read it until a record holds it. Refusals are FileKind,
// FileEmpty, FileContent, FileNotAccepted, FileTooLarge and FileQuota; nothing of a refused or broken upload stays.
func (s *Service) Put(ctx context.Context, u Upload) (File, error) {
	var has Quota
	if u.By != "" {
		if err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
			has, err = loose(tx, u.By)
			return err
		}); err != nil {
			return File{}, err
		}
	}
	f, err := s.receive(ctx, u, has)
	if err != nil {
		return File{}, err
	}
	if u.Last != nil {
		err = u.Last(f)
	}
	if err == nil {
		err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.keep(ctx, tx, &f) })
	}
	if err != nil {
		_ = s.place.remove(context.WithoutCancel(ctx), key(f.ID)) // the error that counts is the first one
		return File{}, err
	}
	s.Ahead(f)
	return f, nil
}

// PutIn is Put inside a transaction. When it is given up, the bytes go too.
func (s *Service) PutIn(ctx context.Context, tx *store.Tx, u Upload) (File, error) {
	has, err := loose(tx, u.By)
	if err != nil {
		return File{}, err
	}
	f, err := s.receive(ctx, u, has)
	if err != nil {
		return File{}, err
	}
	tx.Undone(func() { _ = s.place.remove(context.WithoutCancel(ctx), key(f.ID)) })
	return f, s.keep(ctx, tx, &f)
}

// receive takes the bytes of an upload of somebody whose loose uploads are known.
func (s *Service) receive(ctx context.Context, u Upload, has Quota) (File, error) {
	f := File{ID: uuid.Must(uuid.NewV7()).String(), Name: plainName(u.Name), CreatedBy: u.By, CreatedAt: s.clock().UTC()}
	entry, err := s.enter(u.By, has)
	if err != nil {
		return File{}, err
	}
	defer entry.leave()
	u.Bytes = entry.counting(u.Bytes)
	head := make([]byte, sniff)
	n, err := io.ReadFull(u.Bytes, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return File{}, err
	}
	if f.Mime = u.Mime; f.Mime == "" {
		if f.Mime, err = kindOf(f.Name, head[:n]); err != nil {
			return File{}, err
		}
	}
	if err := u.Takes(f); err != nil {
		return File{}, err
	}
	if f.Size, err = s.write(ctx, key(f.ID), io.MultiReader(bytes.NewReader(head[:n]), u.Bytes), f.Mime, u.Most); err != nil {
		return File{}, err
	}
	return f, nil
}

// write streams bytes to a key. An error, a caller who left or too many bytes leave nothing behind.
func (s *Service) write(ctx context.Context, at string, from io.Reader, mime string, most int64) (int64, error) {
	w, err := s.place.create(ctx, at, mime, false)
	if err != nil {
		return 0, err
	}
	return fill(w, from, most, func() error { return nil })
}

// fill writes bytes to a file, and asks after the last one whether they are to be kept.
func fill(w *writer, from io.Reader, most int64, check func() error) (int64, error) {
	n, err := io.Copy(w, io.LimitReader(from, most+1))
	if err == nil && n > most {
		err = fault.New(fault.FileTooLarge, SizeText(most))
	}
	if err == nil {
		err = check()
	}
	if err != nil {
		w.Abort()
		return 0, err
	}
	return n, w.Close()
}

// Read opens a file's bytes; the reader can seek.
func (s *Service) Read(ctx context.Context, f File) (io.ReadSeekCloser, error) {
	r, err := s.place.open(ctx, key(f.ID))
	if missing(err) {
		return nil, fault.New(fault.FileNotFound)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// orphanAge is how long an upload may wait for its form to be saved.
const orphanAge = 24 * time.Hour

// Spare reports whether something besides records waits for a file that nothing holds.
type Spare func(tx *store.Tx, id string) (bool, error)

// SpareThose makes Sweep leave files that somebody waits for.
func (s *Service) SpareThose(f Spare) { s.spare = f }

// Discard removes a file that no record holds, as that of a call that was refused. What cannot be removed now is left to Sweep.
func (s *Service) Discard(ctx context.Context, id string) {
	_, _ = s.sweepOne(context.WithoutCancel(ctx), id)
}

// Sweep removes files that were brought and never became part of a record. It returns their number.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	s.place.halves("*/*", orphanAge) // of servers that were killed
	if err := s.sweepPauses(ctx); err != nil {
		return 0, err
	}
	gone, last := 0, ""
	for {
		var old []File
		err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Where("held = ? AND created_at < ? AND id > ?", false, s.clock().UTC().Add(-orphanAge), last).
				Order("id").Limit(sweepFiles).Find(&old).Error
		})
		if err != nil {
			return gone, err
		}
		for _, f := range old {
			last = f.ID
			swept, err := s.sweepOne(ctx, f.ID)
			if err != nil {
				return gone, err
			}
			if swept {
				gone++
			}
		}
		if len(old) < sweepFiles {
			return gone, nil
		}
	}
}

// sweepFiles is how many files Sweep looks at in one go.
const sweepFiles = 1000

// sweepOne removes a file unless somebody waits for it, a record took it meanwhile, or another node was here.
func (s *Service) sweepOne(ctx context.Context, id string) (bool, error) {
	if err := s.ready(ctx); err != nil { // what knows of the bytes goes only when they can go too
		return false, err
	}
	var mine int64
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if waits, err := paused(ctx, tx, s.clock()); err != nil || waits {
			return err
		}
		if s.spare != nil {
			if waited, err := s.spare(tx, id); err != nil || waited {
				return err
			}
		}
		done := tx.System().Where("id = ? AND held = ?", id, false).Delete(&File{})
		mine = done.RowsAffected
		return done.Error
	})
	if err != nil || mine == 0 {
		return false, err
	}
	all := []string{key(id)}
	for _, r := range renditions {
		all = append(all, r.key(id))
	}
	for _, at := range all {
		if err := s.place.remove(ctx, at); err != nil && !missing(err) {
			return true, err
		}
	}
	return true, nil
}

// key is where a file's bytes are: by its generated id, never by its name.
func key(id string) string { return id[len(id)-2:] + "/" + id }

// SizeText is a number of bytes as people read it: "20 MB".
func SizeText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if n >= u.size {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
