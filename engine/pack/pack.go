// Package pack is the Set that packs with code register into: every registry and hook point of the product.
package pack

import (
	"io/fs"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/registry"
)

// Set is filled by Register functions at start and frozen before the first document is compiled.
type Set struct {
	Properties registry.Registry[property.Type]
	Actions    registry.Registry[action.Action]
	Rules      registry.Registry[hook.Rule] // data rules of checkType hook
	Kinds      registry.Registry[kind.Kind] // kinds of definitions besides those of the engine
	// BeforeWrite runs inside the write's transaction before SQL, AfterWrite behind it and before the commit.
	BeforeWrite hook.Point[*hook.Record]
	AfterWrite  hook.Point[*hook.Record]
	folders     []Folder
}

// Registrar adds a pack's folder and its code to a set: the Register function that every pack with code exports.
type Registrar = func(*Set) error

// Folder is an embedded pack folder: its pack.json stands at the root of FS.
type Folder struct {
	Path string // for diagnostics: plugins/organisation
	FS   fs.FS
}

// AddFolder adds the documents of a pack that is compiled into the binary.
func (s *Set) AddFolder(path string, fsys fs.FS) { s.folders = append(s.folders, Folder{path, fsys}) }

// Folders returns the embedded packs in the order of their adding.
func (s *Set) Folders() []Folder { return s.folders }

// Freeze ends registration.
func (s *Set) Freeze() { s.Properties.Freeze(); s.Actions.Freeze(); s.Rules.Freeze(); s.Kinds.Freeze() }
