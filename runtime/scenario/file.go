// Package scenario runs the scenario files of packs: people with roles, records, and steps that somebody does or checks, on a system of its
// own with the real tables, readers and writer (docs/authoring.md, Tests of a pack).
package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/schemas"
)

// folder of a pack that holds scenarios, and how the names of their files end.
const folder = "tests"

var endings = []string{".access.json", ".test.json", workflowEnding}

// workflowEnding is that of scenarios that play a workflow.
const workflowEnding = ".workflow.json"

// File is a scenario.
type File struct {
	Stage
	Steps []Step `json:"steps"`

	course *Course // of a scenario that plays a workflow, in place of Steps
	node   *source.Node
}

// Stage is what is there before a scenario begins.
type Stage struct {
	Name        string                `json:"name"`
	Now         string                `json:"now"`
	Departments map[string]Department `json:"departments"`
	People      map[string]Person     `json:"people"`
	Records     map[string]Record     `json:"records"`
}

// Department of a scenario.
type Department struct {
	Parent string       `json:"parent"`
	Node   *source.Node `json:"@"`
}

// Person of a scenario.
type Person struct {
	Roles       []string     `json:"roles"`
	Departments []string     `json:"departments"`
	Node        *source.Node `json:"@"`
}

// Record that is there before the steps.
type Record struct {
	SchemaCode string         `json:"schemaCode"`
	Owner      string         `json:"owner"`
	Values     map[string]any `json:"values"`
	Find       map[string]any `json:"find"`
	Node       *source.Node   `json:"@"`
}

// Step is a write or a check of one person.
type Step struct {
	Person     string         `json:"person"`
	SchemaCode string         `json:"schemaCode"`
	Create     string         `json:"create"`
	Change     string         `json:"change"`
	Delete     string         `json:"delete"`
	Values     map[string]any `json:"values"`
	Refused    any            `json:"refused"`

	Record      string            `json:"record"`
	Sees        []string          `json:"sees"`
	SeesNot     []string          `json:"seesNot"`
	Can         []string          `json:"can"`
	Cannot      []string          `json:"cannot"`
	Fields      map[string]string `json:"fields"`
	Opens       []string          `json:"opens"`
	OpensNot    []string          `json:"opensNot"`
	Permissions []string          `json:"permissions"`

	Node *source.Node `json:"@"`
}

// Codes of the kinds of files.
const (
	kindScenario def.Kind = "scenario"
	kindWorkflow def.Kind = "workflow-scenario"
)

// Kinds of the files, for the schemas that editors get.
func Kinds() kind.List {
	var out kind.List
	for _, code := range []def.Kind{kindScenario, kindWorkflow} {
		text, err := schemas.FS.ReadFile(string(code) + ".schema.json")
		if err != nil {
			panic(err) // it is embedded
		}
		out = append(out, kind.Kind{Code: code, Folder: folder, Schema: text})
	}
	return out
}

// KindOf is the kind of a file by its name.
func KindOf(name string) def.Kind {
	if strings.HasSuffix(name, workflowEnding) {
		return kindWorkflow
	}
	return kindScenario
}

// Find reads the scenarios of a pack. Dir is the pack's folder as its author wrote it. What is wrong with the files is in the list.
func Find(set *pack.Set, fsys fs.FS, dir string) ([]*File, diag.List, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	checks, err := schema.Compose(set, Kinds())
	if err != nil {
		return nil, nil, fmt.Errorf("schema of scenarios: %w", err)
	}
	var out []*File
	var found diag.List
	for _, e := range entries {
		if e.IsDir() || !slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(e.Name(), end) }) {
			continue
		}
		name := path.Join(folder, e.Name())
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, nil, err
		}
		node, list := source.Parse(path.Join(dir, name), text)
		found = append(found, list...)
		if node == nil || list.HasErrors() {
			continue
		}
		if list := checks.Validate(KindOf(name), node); list.HasErrors() {
			found = append(found, list...)
			continue
		}
		f := &File{node: node}
		if KindOf(name) == kindWorkflow {
			f.course = &Course{}
			source.Decode(node, &f.Stage)
			source.Decode(node, f.course)
		} else {
			source.Decode(node, f)
		}
		out = append(out, f)
	}
	return out, found, nil
}

// clock is the scenario's time: the one that it names, which then does not go on, or the real one.
func (f *File) clock() func() time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if at, err := time.Parse(layout, f.Now); err == nil {
			return func() time.Time { return at }
		}
	}
	return time.Now
}

// Path is the file's name as its author wrote it.
func (f *File) Path() string { return f.node.File() }
