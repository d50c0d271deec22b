// Package pack is the Set that packs with code register into: every registry and hook point of the product.
package pack

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/registry"
	"github.com/sluice-platform/sluice/engine/widget"
	"github.com/sluice-platform/sluice/engine/world"
)

// Set is filled by Register functions at start and frozen before the first document is compiled.
type Set struct {
	Properties registry.Registry[property.Type]
	Actions    registry.Registry[action.Action]
	Words      registry.Registry[action.Word]   // of buttons and rights, besides the names of Actions
	Rules      registry.Registry[hook.Rule]     // data rules of checkType hook
	Functions  registry.Registry[plan.Function] // of expressions
	Queries    registry.Registry[world.Query]   // that code of packs reads rows with
	Errors     registry.Registry[fault.Definition]
	Jobs       registry.Registry[world.Job]
	Schedules  registry.Registry[world.Schedule]
	Services   registry.Registry[world.Service] // of workflows
	Kinds      registry.Registry[kind.Kind]     // kinds of definitions besides those of the engine
	Widgets    registry.Registry[widget.Type]   // of portal pages
	// Participants say who is in a group or works on a project, for workflows.
	Participants registry.Registry[world.ParticipantSource]
	// BeforeWrite runs inside the write's transaction before SQL, AfterWrite behind it and before the commit.
	BeforeWrite hook.Point[*hook.Record]
	AfterWrite  hook.Point[*hook.Record]
	// AfterMove runs when a workflow has moved a record into another state, in the transaction that stores both.
	AfterMove hook.Point[*hook.Move]
	hooks     map[string]*hook.Hooks
	hookedAt  map[string][]Code // where the code of packs asked for the hooks of a model
	codes     []Code            // that packs declare
	declares  map[string]bool   // packs that do, in small letters
	folders   []Folder
	offered   []string // codes of packs that the program has and that do not take part
	taken     []string // codes of offered packs that do, because somebody asked for them
}

// On returns the hooks of one model, to add to. They run behind BeforeWrite and AfterWrite, which stand at every model. A model that no document
// defines is an error of the documents, unless those of the pack whose folder has the call are left out.
func (s *Set) On(model string) *hook.Hooks {
	code := strings.ToLower(model)
	if s.hooks == nil {
		s.hooks, s.hookedAt = map[string]*hook.Hooks{}, map[string][]Code{}
	}
	if s.hooks[code] == nil {
		s.hooks[code] = &hook.Hooks{}
	}
	at := Code{Kind: names.Model, Path: model}
	at.File, at.Line = caller(2)
	at.File, at.Pack = s.within(at.File)
	if !slices.Contains(s.hookedAt[code], at) {
		s.hookedAt[code] = append(s.hookedAt[code], at)
	}
	return s.hooks[code]
}

// Refused is the code in which a model's pack refuses what the engine refuses with code; the same one when it has no own.
func (s *Set) Refused(model, property string, code fault.Code) fault.Code {
	if own := s.hooks[strings.ToLower(model)]; own != nil {
		if named, ok := own.Codes[hook.Refusal{Property: property, Code: code}]; ok {
			return named
		}
	}
	return code
}

// Held is the code in which a model's pack says that records of another keep one from being deleted; 0 when it has none.
func (s *Set) Held(model, holder string) fault.Code {
	if own := s.hooks[strings.ToLower(model)]; own != nil {
		return own.Holders[holder]
	}
	return 0
}

// Hooks are all that run around a write of the model.
func (s *Set) Hooks(model string) (before, after *hook.Point[*hook.Record]) {
	own := s.hooks[strings.ToLower(model)]
	if own == nil {
		return &s.BeforeWrite, &s.AfterWrite
	}
	return s.BeforeWrite.Then(&own.BeforeWrite), s.AfterWrite.Then(&own.AfterWrite)
}

// Hooked are the models that have hooks of their own, in small letters, sorted.
func (s *Set) Hooked() []string { return slices.Sorted(maps.Keys(s.hooks)) }

// Undeclared reports whether a model has hooks of a pack that does not say which codes its code names.
func (s *Set) Undeclared(model string) bool {
	return slices.ContainsFunc(s.hookedAt[strings.ToLower(model)], func(at Code) bool { return !s.Declares(at.Pack) })
}

// Registrar adds a pack's folder and its code to a set: the Register function that every pack with code exports.
type Registrar = func(*Set) error

// Folder is an embedded pack folder: its pack.json is at the root of FS.
type Folder struct {
	Path string // for diagnostics: plugins/organisation
	FS   fs.FS
	code string // of the pack, as its pack.json has it
}

// AddFolder adds the documents of a pack that is compiled into the binary.
func (s *Set) AddFolder(path string, fsys fs.FS) {
	s.folders = append(s.folders, Folder{path, fsys, ReadManifest(fsys).Code})
}

// Folders returns the embedded packs in the order of their adding.
func (s *Set) Folders() []Folder { return s.folders }

// Freeze ends registration.
func (s *Set) Freeze() {
	s.Properties.Freeze()
	s.Actions.Freeze()
	s.Words.Freeze()
	s.Rules.Freeze()
	s.Functions.Freeze()
	s.Queries.Freeze()
	s.Errors.Freeze()
	s.Jobs.Freeze()
	s.Schedules.Freeze()
	s.Services.Freeze()
	s.Kinds.Freeze()
	s.Widgets.Freeze()
	s.Participants.Freeze()
}
