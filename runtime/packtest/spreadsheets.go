package packtest

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"testing/fstest"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// WithSpreadsheets is a registrar that comes last: each list of the packs before it offers exports and imports, whatever its author chose.
func WithSpreadsheets(s *pack.Set) error {
	for i, f := range s.Folders() {
		changed := fstest.MapFS{}
		files, err := fs.Glob(f.FS, "lists/*.json")
		if err != nil {
			return err
		}
		for _, name := range files {
			text, err := fs.ReadFile(f.FS, name)
			if err == nil {
				text, err = offering(text, exporter.Action, importer.Right)
			}
			if err != nil {
				return &fs.PathError{Op: "read", Path: path.Join(f.Path, name), Err: err}
			}
			changed[name] = &fstest.MapFile{Data: text}
		}
		s.Folders()[i].FS = &documents{f.FS, changed}
	}
	return nil
}

// offering adds actions to the document of a list.
func offering(text []byte, actions ...string) ([]byte, error) {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	var all []any // names, and objects with options
	if err := json.Unmarshal(list["queryActions"], &all); err != nil && list["queryActions"] != nil {
		return nil, err
	}
	for _, name := range actions {
		if !slices.ContainsFunc(all, func(a any) bool { return a == any(name) || codeOf(a) == name }) {
			all = append(all, name)
		}
	}
	var err error
	if list["queryActions"], err = json.Marshal(all); err != nil {
		return nil, err
	}
	return json.Marshal(list)
}

func codeOf(action any) string {
	options, _ := action.(map[string]any)
	code, _ := options["queryActionType"].(string)
	return code
}

// documents are those of a pack, some of them changed.
type documents struct {
	fs.FS
	changed fstest.MapFS
}

// Open implements fs.FS.
func (d *documents) Open(name string) (fs.File, error) {
	if _, ok := d.changed[name]; ok {
		return d.changed.Open(name)
	}
	return d.FS.Open(name)
}
