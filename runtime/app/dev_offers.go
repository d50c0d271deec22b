package app

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Offer is a step of the tables that dev does not take by itself, with what its author can do about it.
type Offer struct {
	ID      string   `json:"id"` // model.property, the model, or role:code
	Pack    string   `json:"pack"`
	Path    string   `json:"path"`
	Keeps   bool     `json:"keeps"`   // it can be put back into the file, or the file into its folder
	Loses   bool     `json:"loses"`   // the step loses data
	Renames []string `json:"renames"` // what may be the same under a new code: properties of the file, documents of the pack

	property string     // or sub-table
	document names.Kind // "" = a part of a model
	comes    []string   // files of documents that may be the same under a new code
}

// stepID names a step for its author.
func stepID(s store.Step) string {
	if s.Action == removeRole {
		return "role:" + s.Model
	}
	if s.Property == "" {
		return s.Model
	}
	return s.Model + "." + s.Property
}

// offer says what can be done about a step.
func (a *App) offer(dirs map[string]string, s store.Step, p *store.Plan, file string) Offer {
	o := Offer{ID: stepID(s), Renames: []string{}, property: s.Property, Loses: s.Class == store.Destructive}
	for code, dir := range dirs {
		if name, in := strings.CutPrefix(file, dir+"/"); in {
			o.Pack, o.Path = code, name
		}
	}
	if o.Pack == "" {
		return o
	}
	owner, table, nested := strings.Cut(s.Model, ".")
	switch {
	case s.Action == store.DropColumn:
		o.Keeps = true
		for _, other := range p.Steps {
			if other.Model == s.Model && other.Action == store.AddColumn && other.Property != "" {
				o.comesAs(other.Property, "")
			}
		}
	case s.Action == store.DropTable && nested:
		o.Keeps, o.property = true, table
		for _, other := range p.Steps {
			if of, code, is := strings.Cut(other.Model, "."); is && of == owner && other.Action == store.CreateTable {
				o.comesAs(code, "")
			}
		}
	case s.Action == store.DropTable, s.Action == removeRole:
		o.Keeps, o.document = true, names.Model
		if s.Action == removeRole {
			o.document = names.Role
		}
		_, come := p.Changed(o.document)
		for _, code := range come {
			if of := path.Join(dirs[o.Pack], path.Dir(o.Path), code+".json"); there(of) {
				o.comesAs(code, of)
			}
		}
	}
	return o
}

// comesAs notes what may be the same under a new code; the file is that of a document.
func (o *Offer) comesAs(code, file string) {
	if slices.Contains(o.Renames, code) {
		return
	}
	o.Renames = append(o.Renames, code)
	if file != "" {
		o.comes = append(o.comes, file)
	}
}

// there reports whether a file of a pack is there.
func there(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return err == nil
}

// rolesStay refuses, as *Blocked, a start of dev that would remove a role which was served before.
func (a *App) rolesStay(ctx context.Context, c *catalog.Catalog) error {
	if !a.cfg.Dev {
		return nil
	}
	p, err := a.db.Plan(ctx, c.Storage, store.PlanOptions{Dev: true, Version: c.Version})
	if err != nil {
		return err
	}
	if gone, _ := p.Changed(names.Role); len(gone) == 0 {
		return nil
	}
	if err := a.recallServed(ctx, a.cfg.Documents); err != nil {
		return err
	}
	_, dirs, err := a.cfg.texts()
	if err != nil {
		return err
	}
	if len(a.rolesGone(dirs, p, func(file string) bool { return !there(file) })) > 0 {
		return &Blocked{Plan: p}
	}
	return nil
}

// rolesGone are the roles of packs on disk that go, where what was served before is known, so that they can stay.
func (a *App) rolesGone(dirs map[string]string, p *store.Plan, hold func(file string) bool) (out []store.Step) {
	gone, _ := p.Changed(names.Role)
	for _, code := range gone {
		s := roleGone(code)
		file := ""
		for pack, files := range a.dev.served {
			if name := path.Join(accessFolder, code+".json"); files[name] != nil && dirs[pack] != "" {
				file = path.Join(dirs[pack], name)
			}
		}
		if s.At = file; file != "" && !a.dev.allowed[stepID(s)] && hold(file) {
			out = append(out, s)
		}
	}
	return out
}

// ways are the answers to an offer, as they are typed.
func (o Offer) ways(locale string) string {
	words := map[bool][]string{
		false: {"keep %s（保留，写回文件）", "drop %s（删除数据）", "rename %s %s（改名，在文件中写 renamedFrom）", "apply %s（执行此步骤）"},
		true:  {"keep %s (put it back into the file)", "drop %s (lose the data)", "rename %s %s (write renamedFrom into the file)", "apply %s (take the step)"},
	}[locale == "en"]
	var out []string
	if o.Keeps {
		out = append(out, fmt.Sprintf(words[0], o.ID))
	}
	for _, to := range o.Renames {
		out = append(out, fmt.Sprintf(words[2], o.ID, to))
	}
	if o.Loses {
		out = append(out, fmt.Sprintf(words[1], o.ID))
	} else {
		out = append(out, fmt.Sprintf(words[3], o.ID))
	}
	return strings.Join(out, map[bool]string{false: "；", true: "; "}[locale == "en"])
}
