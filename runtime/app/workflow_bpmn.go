package app

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/bpmn"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// compileTries is how often a document that was imported is mended and compiled again.
const compileTries = 4

// BPMNImport says where a BPMN file goes.
type BPMNImport struct {
	File  string // its name, for the report
	Pack  string // code
	Model string // code; "" = that of a file that was exported here
	Code  string // of the workflow; "" = made of the process's id
	Pool  string // name or id of the pool to take of several; "" = the only one
}

// BPMNImported is what a BPMN file gives.
type BPMNImported struct {
	Code     string      `json:"code"`
	Path     string      `json:"path"`     // of the document in its pack
	Document *string     `json:"document"` // in canonical form; null = the file was refused
	Draft    bool        `json:"draft"`    // something is to be completed before it can start
	Report   bpmn.Report `json:"report"`
}

// ImportBPMN makes a document of a BPMN file and compiles it among the documents; nothing is written. The error is *Faulty where those have
// errors of their own, and a fault where the pack or the model is not there.
func (d Documents) ImportBPMN(r io.Reader, in BPMNImport) (*BPMNImported, error) {
	schemas, err := d.schemas()
	if err != nil {
		return nil, err
	}
	c, list, err := d.compile(schemas)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, &Faulty{List: list}
	}
	folders, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(folders, func(f Folder) bool { return strings.EqualFold(f.Code, in.Pack) })
	if i < 0 {
		return nil, fault.New(fault.BadParameter, "pack")
	}
	o := bpmn.Options{File: in.File, Code: in.Code, Pool: in.Pool, Model: in.Model, Roles: []string{}, Workflows: []string{}}
	if in.Model != "" {
		m := c.Model(in.Model)
		if m == nil {
			return nil, fault.New(fault.BadParameter, "model")
		}
		o.Model = m.Code
		for _, f := range m.Fields {
			o.Properties = append(o.Properties, f.Code)
		}
	}
	for _, role := range c.Roles {
		o.Roles = append(o.Roles, role.Code)
	}
	for _, w := range c.Workflows() {
		o.Workflows = append(o.Workflows, w.Template.Code)
	}
	got, err := bpmn.Import(r, o)
	if err != nil {
		return nil, err
	}
	out := &BPMNImported{Code: got.Code, Path: path.Join("workflows", got.Code+".json")}
	for range compileTries {
		if got.Document == nil {
			break
		}
		root, found := source.Parse(out.Path, got.Document)
		if found.HasErrors() {
			return nil, fmt.Errorf("import %s: %s", in.File, found[0].En)
		}
		text := string(source.Format(root, schemas.Layout(catalog.KindWorkflow)))
		out.Document = &text
		with := d
		with.Held = map[string]map[string]*string{folders[i].Code: {out.Path: &text}}
		_, list, err := with.compile(schemas)
		if err != nil {
			return nil, err
		}
		own := slices.DeleteFunc(slices.Clone(list), func(x diag.Diagnostic) bool { return x.File != path.Join(folders[i].Dir, out.Path) })
		if !got.Compiled(own) {
			break
		}
	}
	out.Report, out.Draft = got.Report, got.Report.Draft()
	if out.Report == nil {
		out.Report = bpmn.Report{}
	}
	return out, nil
}

// ExportBPMN writes the document of a workflow as a BPMN file.
func ExportBPMN(c *catalog.Catalog, code string, dialect bpmn.Dialect) (name string, file []byte, report bpmn.Report, err error) {
	w := c.Workflow(code)
	if w == nil {
		return "", nil, nil, fault.New(fault.DocumentNotFound)
	}
	file, report, err = bpmn.Export(w.Document, bpmn.ExportOptions{Code: w.Template.Code, For: dialect})
	return w.Template.Code + ".bpmn", file, report, err
}

// ImportBPMN is that of the documents which are served, for those who may publish. Nothing is published by it.
func (a *App) ImportBPMN(ctx context.Context, view *authz.View, r io.Reader, in BPMNImport) (*BPMNImported, error) {
	if err := a.MayImportBPMN(view); err != nil {
		return nil, err
	}
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	return d.ImportBPMN(r, in)
}

// MayImportBPMN refuses those who may not publish documents.
func (a *App) MayImportBPMN(view *authz.View) error {
	if !view.Has(authoring) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

// ExportBPMN is the file of a workflow that is served, for those who may publish.
func (a *App) ExportBPMN(view *authz.View, c *catalog.Catalog, code string, dialect bpmn.Dialect) (name string, file []byte, err error) {
	if err := a.MayImportBPMN(view); err != nil {
		return "", nil, err
	}
	name, file, _, err = ExportBPMN(c, code, dialect)
	return name, file, err
}
