// Package registry is the named set of one sort of extension: filled at start, then frozen (docs/architecture.md, Words). It
// imports nothing of ours.
package registry

import (
	"fmt"
	"slices"
)

// Entry is anything that a definition can name.
type Entry interface {
	Name() string    // the discriminator, as authors write it
	Options() []byte // JSON Schema (draft 2020-12) of this entry's own options; nil when it has none
}

// Registry holds the entries of one sort in the order of their registration. The zero value is ready to use.
type Registry[T Entry] struct {
	byName map[string]T
	order  []string
	frozen bool
}

// Add registers an entry. A second entry of the same name, or an Add after Freeze, is an error.
func (r *Registry[T]) Add(e T) error {
	name := e.Name()
	if r.frozen {
		return fmt.Errorf("registry is frozen: cannot add %q", name)
	}
	if _, dup := r.byName[name]; dup {
		return fmt.Errorf("%q is registered twice", name)
	}
	if r.byName == nil {
		r.byName = map[string]T{}
	}
	r.byName[name] = e
	r.order = append(r.order, name)
	return nil
}

// Get returns the entry of that name.
func (r *Registry[T]) Get(name string) (T, bool) {
	e, ok := r.byName[name]
	return e, ok
}

// Names returns all names in the order of registration.
func (r *Registry[T]) Names() []string { return slices.Clone(r.order) }

// Freeze ends registration; reading is safe for concurrent use from then on.
func (r *Registry[T]) Freeze() { r.frozen = true }
