// Package plugintest registers the packs that are in every program for tests that open an application and have no use
// for the whole country: most of the time of a first start is that of the 3,763 administrative divisions. Tests of the
// pack core, of backups and of the program itself load all of them.
package plugintest

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing/fstest"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/base"
)

const divisions = "data/division.csv"

// Register is base.Register with few divisions.
func Register(s *pack.Set) error {
	if err := base.Register(s); err != nil {
		return err
	}
	return Few(s)
}

// Measuring registers the services that the workflows in the tests of their documents name. They do nothing.
func Measuring(s *pack.Set) error {
	var all []error
	for _, name := range []string{"measure.post", "measure.begun", "measure.onApproved"} {
		all = append(all, s.Services.Add(world.Service{Code: name, Run: func(context.Context, world.World, world.ServiceCall) (map[string]any, error) { return nil, nil }}))
	}
	return errors.Join(all...)
}

// Few leaves a set that has the pack core the provinces, and what lies in Beijing, Jiangsu and Yichang.
func Few(s *pack.Set) error {
	for i, f := range s.Folders() {
		if f.Path != "plugins/core" {
			continue
		}
		text, err := fs.ReadFile(f.FS, divisions)
		if err != nil {
			return err
		}
		s.Folders()[i].FS = &core{f.FS, fstest.MapFS{divisions: {Data: some(text)}}}
	}
	return nil
}

// core are the documents of the pack, with other divisions.
type core struct {
	fs.FS
	instead fstest.MapFS
}

func (c *core) Open(name string) (fs.File, error) {
	if name == divisions {
		return c.instead.Open(name)
	}
	return c.FS.Open(name)
}

// some keeps the head of the file, and the lines whose code is that of a province or begins with that of a kept place.
func some(text []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		code, _, _ := strings.Cut(line, ",")
		if out.Len() == 0 || len(code) == 2 || strings.HasPrefix(code, "11") || strings.HasPrefix(code, "32") || strings.HasPrefix(code, "4205") {
			out.WriteString(line)
		}
	}
	return out.Bytes()
}
