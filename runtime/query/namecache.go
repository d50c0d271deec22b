package query

import (
	"maps"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// keptNames bounds the names that are remembered of one model and shown field; keptKinds bounds those, as the ones of a
// catalog that was replaced are asked for no more.
const (
	keptNames = 50_000
	keptKinds = 500
)

// nameCache remembers the names of records that everybody with the model sees: what pages refer to repeats from page to
// page. A change of the model's table makes its names be read again.
type nameCache struct {
	mu    sync.Mutex
	known map[nameKey]*knownNames
}

type nameKey struct {
	want
	locale string
}

type knownNames struct {
	version uint64
	names   map[string]property.Named
}

func newNameCache() *nameCache { return &nameCache{known: map[nameKey]*knownNames{}} }

// common reports whether a batch of names is the same for everybody who may read them: no rights bind it to some rows, and the
// shown field is text of the record alone.
func common(rows plan.Expr, shown node, display *catalog.Field) bool {
	_, refers := display.Property.(property.Referrer)
	return plan.IsTrue(rows) && plan.IsTrue(shown.guard) && !refers
}

// find moves the known ones of ids into out and returns the others.
func (c *nameCache) find(key nameKey, version uint64, ids []string, out map[string]property.Named) (missing []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.known[key]
	if k == nil || k.version != version {
		return ids
	}
	for _, id := range ids {
		named, ok := k.names[id]
		if !ok {
			missing = append(missing, id)
			continue
		}
		out[id] = named
	}
	return missing
}

// keep remembers names that were read for a version. Records that are not there are not remembered.
func (c *nameCache) keep(tx *store.Tx, key nameKey, version uint64, read map[string]property.Named) {
	if !tx.Remembers(version) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.known[key]
	if k == nil || k.version != version || len(k.names)+len(read) > keptNames {
		if len(c.known) >= keptKinds {
			clear(c.known)
		}
		k = &knownNames{version: version, names: map[string]property.Named{}}
		c.known[key] = k
	}
	maps.Copy(k.names, read)
}
