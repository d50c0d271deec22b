package schema

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"sync"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
)

// keptSchemas is how many composed schemas a process keeps: those of the kinds of a few sets.
const keptSchemas = 64

// kept are the schemas that this process has composed before. A program composes the same ones for every check, reload and
// publication, and compiling the larger ones takes tenths of a second.
var kept keeping

// keeping holds composed schemas by what they are made of; they never change. The zero value is ready for use.
type keeping struct {
	mu    sync.Mutex
	parts map[[sha256.Size]byte]*composed
	order [][sha256.Size]byte // the oldest first
}

// compose returns the composed schema of a kind.
func (c *keeping) compose(k kind.Kind, set *pack.Set) (*composed, error) {
	key := ingredients(k, set)
	c.mu.Lock()
	part := c.parts[key]
	c.mu.Unlock()
	if part != nil {
		return part, nil
	}
	text, err := bundle(k, set)
	if err != nil {
		return nil, err
	}
	if part, err = compileText(k.Code, text); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parts == nil {
		c.parts = map[[sha256.Size]byte]*composed{}
	}
	if c.parts[key] == nil {
		c.order = append(c.order, key)
		if len(c.order) > keptSchemas {
			delete(c.parts, c.order[0])
			c.order = c.order[1:]
		}
	}
	c.parts[key] = part
	return part, nil
}

// ingredients is a digest of everything that bundle reads of a kind and a set.
func ingredients(k kind.Kind, set *pack.Set) (sum [sha256.Size]byte) {
	h := sha256.New()
	add := func(part []byte) { // with its length: where one part ends is a part of the digest
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write(part)
	}
	section := func(names []string) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(names)))
		h.Write(size[:])
	}
	add([]byte(k.Code))
	add(k.Schema)
	if k.Readers {
		io.WriteString(h, "readers")
	}
	if k.Properties {
		io.WriteString(h, "properties")
		names := set.Properties.Names()
		section(names)
		for _, name := range names {
			entry, _ := set.Properties.Get(name)
			add([]byte(name))
			add(entry.Options())
		}
	}
	if k.Actions {
		io.WriteString(h, "actions")
		words := action.Words(&set.Words, action.Word.InLists)
		section(words)
		for _, word := range words {
			add([]byte(word))
		}
		names := set.Actions.Names()
		section(names)
		for _, name := range names {
			entry, _ := set.Actions.Get(name)
			add([]byte(name))
			add(entry.Options())
		}
	}
	if k.Widgets {
		io.WriteString(h, "widgets")
		names := set.Widgets.Names()
		section(names)
		for _, name := range names {
			entry, _ := set.Widgets.Get(name)
			add([]byte(name))
			add(entry.Options())
		}
	}
	h.Sum(sum[:0])
	return sum
}
