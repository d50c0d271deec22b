// Package backup copies a whole installation into one file while it is served, and makes an installation of such a file, on the same
// kind of database or on another (ADR 46).
package backup

import (
	"archive/tar"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Format is the version of the form of backups that this program writes. It reads this and earlier ones.
const Format = 1

// Head is the first entry of a backup: what it holds and how.
type Head struct {
	Format   int               `json:"format"`
	Program  string            `json:"program"`  // version of what wrote it
	Database string            `json:"database"` // sqlite or postgres
	TakenAt  time.Time         `json:"takenAt"`
	Version  int64             `json:"version"` // of the published documents
	Digest   string            `json:"digest"`  // of Storage
	Storage  string            `json:"storage"` // JSON of the tables of models
	Tables   []store.DumpTable `json:"tables"`  // in the order of their rows
	Key      bool              `json:"key"`     // the installation's key is in the backup
}

// Manifest is the last entry: without it a backup is not whole.
type Manifest struct {
	Rows    map[string]int64 `json:"rows"` // by table
	Files   int64            `json:"files"`
	Bytes   int64            `json:"bytes"`             // of the files
	Missing []string         `json:"missing,omitempty"` // ids of files that were missing in the installation already
	Sums    string           `json:"sums"`              // SHA-256 of all lines of sums
}

// Names of entries. Rows are in tables/NAME/PART.jsonl, files in files/ID. Each sums/N.sha256 has the sums of the entries since the one
// before, in the form of sha256sum.
const (
	headName     = "backup.json"
	keyName      = "key"
	manifestName = "manifest.json"
	tablesDir    = "tables/"
	filesDir     = "files/"
	sumsDir      = "sums/"
)

const (
	partSize = 1 << 20   // bytes after which the rows of a table go on in another entry
	mostPart = 256 << 20 // bytes of an entry that is read as a whole
	mostSums = 1000      // entries whose sums are in one
)

// ErrDamaged: a backup is not what was written.
var ErrDamaged = errors.New("the backup is damaged or not complete")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, args...))
}

// packer writes the entries of a backup.
type packer struct {
	zip   *gzip.Writer
	tar   *tar.Writer
	at    time.Time
	sums  []byte
	lines int
	parts int
	all   hash.Hash // of all lines
}

func newPacker(w io.Writer, at time.Time) (*packer, error) {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	return &packer{zip: z, tar: tar.NewWriter(z), at: at, all: sha256.New()}, nil
}

// entry writes size bytes and remembers their sum.
func (p *packer) entry(name string, size int64, from io.Reader) error {
	sum, err := p.plain(name, size, from)
	if err != nil {
		return err
	}
	line := hex.EncodeToString(sum) + "  " + name + "\n"
	p.sums = append(p.sums, line...)
	if p.lines++; p.lines >= mostSums {
		return p.flush()
	}
	return nil
}

func (p *packer) plain(name string, size int64, from io.Reader) ([]byte, error) {
	if err := p.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: p.at}); err != nil {
		return nil, err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(p.tar, h), from)
	if err == nil && n != size {
		err = fmt.Errorf("%s has %d bytes and not %d", name, n, size)
	}
	return h.Sum(nil), err
}

func (p *packer) json(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.entry(name, int64(len(text)), strings.NewReader(string(text)))
}

// flush writes the sums of what came since the last ones.
func (p *packer) flush() error {
	if p.lines == 0 {
		return nil
	}
	p.all.Write(p.sums)
	p.parts++
	_, err := p.plain(fmt.Sprintf("%s%06d.sha256", sumsDir, p.parts), int64(len(p.sums)), strings.NewReader(string(p.sums)))
	p.sums, p.lines = p.sums[:0], 0
	return err
}

// close writes the manifest and ends the file.
func (p *packer) close(m Manifest) error {
	if err := p.flush(); err != nil {
		return err
	}
	m.Sums = hex.EncodeToString(p.all.Sum(nil))
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := p.plain(manifestName, int64(len(text)), strings.NewReader(string(text))); err != nil {
		return err
	}
	return errors.Join(p.tar.Close(), p.zip.Close())
}

// unpacker reads the entries of a backup one after the other and compares their sums.
type unpacker struct {
	from  io.Reader
	tar   *tar.Reader
	lines []byte // sums of the entries since the last ones
	all   hash.Hash
	parts int

	name string
	size int64
	sum  hash.Hash
	body io.Reader
}

func newUnpacker(r io.Reader) (*unpacker, error) {
	z, err := gzip.NewReader(bufio.NewReaderSize(r, 1<<20))
	if err != nil {
		return nil, damaged("not a backup of Sluice: %w", err)
	}
	return &unpacker{from: z, tar: tar.NewReader(z), all: sha256.New()}, nil
}

// next finds the next entry that is not a list of sums.
func (u *unpacker) next() error {
	for {
		h, err := u.tar.Next()
		if errors.Is(err, io.EOF) {
			return damaged("it ends before its manifest")
		}
		if err != nil {
			return damaged("%w", err)
		}
		if h.Typeflag != tar.TypeReg {
			return damaged("%q is not a plain file", h.Name)
		}
		u.name, u.size, u.sum = h.Name, h.Size, sha256.New()
		u.body = io.TeeReader(u.tar, u.sum)
		if !strings.HasPrefix(u.name, sumsDir) {
			return nil
		}
		text, err := u.whole()
		if err != nil {
			return err
		}
		u.parts++
		if u.name != fmt.Sprintf("%s%06d.sha256", sumsDir, u.parts) || string(text) != string(u.lines) {
			return damaged("the sums of %s differ", u.name)
		}
		u.all.Write(text)
		u.lines = u.lines[:0]
	}
}

// done is called when the bytes of an entry have been read.
func (u *unpacker) done() error {
	if n, err := io.Copy(io.Discard, u.body); err != nil {
		return damaged("%s: %w", u.name, err)
	} else if n > 0 {
		return damaged("%s is longer than expected", u.name)
	}
	u.lines = fmt.Appendf(u.lines, "%x  %s\n", u.sum.Sum(nil), u.name)
	return nil
}

// whole reads an entry that fits into memory.
func (u *unpacker) whole() ([]byte, error) {
	if u.size > mostPart {
		return nil, damaged("%s has %d bytes", u.name, u.size)
	}
	text := make([]byte, u.size)
	if _, err := io.ReadFull(u.body, text); err != nil {
		return nil, damaged("%s: %w", u.name, err)
	}
	return text, nil
}

// manifest reads the last entry, which is the present one, and looks that nothing follows.
func (u *unpacker) manifest() (m Manifest, err error) {
	if len(u.lines) > 0 {
		return m, damaged("entries have no sums")
	}
	text, err := u.whole()
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, damaged("the manifest: %w", err)
	}
	if m.Sums != hex.EncodeToString(u.all.Sum(nil)) {
		return m, damaged("the sums do not fit the manifest")
	}
	if _, err := u.tar.Next(); !errors.Is(err, io.EOF) {
		return m, damaged("something follows the manifest")
	}
	if n, err := io.Copy(io.Discard, u.from); err != nil { // to the sum of the whole, which gzip has at its end
		return m, damaged("%w", err)
	} else if n > 1<<20 {
		return m, damaged("something follows the manifest")
	}
	return m, nil
}
