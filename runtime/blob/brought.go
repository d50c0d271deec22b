package blob

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
)

// Brought is the list of files that a restore is about to bring and that were not there before. It is kept beside them under the name of the
// restore before the first of them comes, so that another process can take them away when that one is killed.
type Brought struct {
	s    *Service
	w    *writer
	to   *bufio.Writer
	kept bool
}

// lists is where such lists are.
const lists = "restores/"

// Bringing begins a list.
func (s *Service) Bringing(ctx context.Context, name string) (*Brought, error) {
	w, err := s.place.create(ctx, lists+name, "text/plain", false)
	if err != nil {
		return nil, err
	}
	return &Brought{s: s, w: w, to: bufio.NewWriterSize(w, chunkSize)}, nil
}

// Note adds a file, unless it is there.
func (b *Brought) Note(ctx context.Context, id string) error {
	if uuid.Validate(id) != nil || len(id) != 36 {
		return nil // Bring refuses it
	}
	var there bool
	_, err := b.s.place.step(ctx, b.s.place.answer, func() (err error) {
		there, err = b.s.place.bucket.Exists(ctx, key(id))
		return err
	}, func() {})
	if err == nil && !there {
		_, err = b.to.WriteString(id + "\n")
	}
	return err
}

// Keep keeps the list: files may come.
func (b *Brought) Keep() error {
	if err := b.to.Flush(); err != nil {
		return err
	}
	b.kept = true
	return b.w.Close()
}

// Abort gives the list up, unless it is kept.
func (b *Brought) Abort() {
	if !b.kept {
		b.w.Abort()
	}
}

// Lists are the names of the lists that are there: of restores that are under way, or were killed.
func (s *Service) Lists(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var out []string
	_, err := s.place.step(ctx, s.place.answer, func() error {
		for all := s.place.bucket.List(&blob.ListOptions{Prefix: lists}); ; {
			one, err := all.Next(ctx)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			out = append(out, strings.TrimPrefix(one.Key, lists))
		}
	}, func() {})
	if err != nil { // a step that was left may still write
		return nil, err
	}
	return out, nil
}

// Stay drops a list: what it names is part of an installation.
func (s *Service) Stay(ctx context.Context, name string) error {
	err := s.place.remove(ctx, lists+name)
	s.place.tidy(lists)
	if missing(err) {
		return nil
	}
	return err
}

// Withdraw removes the files of a list, also those that are written by half, and then the list. Nobody may bring them any more.
func (s *Service) Withdraw(ctx context.Context, name string) error {
	s.place.halves(lists+name, 0)
	r, err := s.place.open(ctx, lists+name)
	if missing(err) {
		s.place.tidy(lists)
		return nil
	}
	if err != nil {
		return err
	}
	for lines := bufio.NewReader(r); err == nil; {
		var line string
		if line, err = lines.ReadString('\n'); err != nil {
			break
		}
		at := key(strings.TrimSpace(line))
		s.place.halves(at, 0)
		if err = s.place.remove(ctx, at); missing(err) {
			err = nil
		}
		s.place.tidy(at)
	}
	if e := r.Close(); errors.Is(err, io.EOF) {
		err = e
	}
	if err != nil {
		return err
	}
	return s.Stay(ctx, name)
}

// halves removes what was written by half of a file, of a folder ("12/*") or the like, once it is that old.
func (p *place) halves(at string, age time.Duration) {
	if p.dir == "" {
		return // S3 has no file before it is whole
	}
	found, _ := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(at)) + ".*.tmp")
	for _, name := range found {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) >= age {
			_ = os.Remove(name)
		}
	}
}

// tidy removes the folder of a file when it is empty.
func (p *place) tidy(at string) {
	if dir := filepath.Dir(filepath.FromSlash(at)); p.dir != "" && dir != "." {
		_ = os.Remove(filepath.Join(p.dir, dir))
	}
}
