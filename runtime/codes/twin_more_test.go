package codes_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// imports adds or changes orders by a spreadsheet with some of their columns, headed by their labels.
func (s *shop) imports(w *twins, r *rand.Rand) (any, error) {
	s.Helper()
	var all []prop
	for _, p := range propertiesOf(w.trees, "order") {
		if slices.Contains([]string{"ShortText", "Number", "Logic"}, p.kind) && (p.name == "title" || r.IntN(2) == 0) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return "no columns", nil
	}
	var book bytes.Buffer
	out := workbook.NewWriter(&book, workbook.Options{})
	out.Sheet(workbook.SheetOptions{Name: "A"})
	line := func(texts []string) error {
		var cells []workbook.Out
		for _, text := range texts {
			cells = append(cells, workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: text}})
		}
		return out.Row(cells, 0)
	}
	var head []string
	for _, p := range all {
		head = append(head, s.spell(definition(w.trees, p.name)["name_i18n"].(map[string]any)["en"].(string)))
	}
	err := line(head)
	for range 1 + r.IntN(3) {
		var row []string
		for _, p := range all {
			row = append(row, strings.Trim(string(raw(p.draw(w.trees, r))), `"`))
		}
		err = errors.Join(err, line(row))
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, err
	}
	view := s.view()
	up, err := s.app.Importer().Upload(s.Context(), view, "orders.xlsx", &book, nil)
	if err != nil {
		return nil, err
	}
	id, err := s.app.Importer().Start(s.Context(), view, importer.Request{FileName: up.FileName, SchemaCode: s.now["order"],
		QueryCode: s.now["orders"], QueryField: s.now[all[0].name], Language: "en", Mode: []importer.Mode{importer.Add, importer.Update}[r.IntN(2)]}, false)
	if err != nil {
		return nil, err
	}
	is, err := s.app.Importer().Result(s.Context(), view, id)
	if err != nil {
		return nil, err
	}
	done := s.finished(is.JobID)
	is, err = s.app.Importer().Result(s.Context(), view, id)
	return []any{done.State == job.Done, is.Added, is.Changed, is.Same, is.Errors}, err
}

// publishes lays a list over the pack, with some columns, as an author in a browser does.
func (s *shop) publishes(w *twins, r *rand.Rand) (any, error) {
	s.Helper()
	var columns []string
	for _, p := range propertiesOf(w.trees, "order") {
		if p.kind != "Sheet" && r.IntN(2) == 0 {
			columns = append(columns, `"«`+p.name+`»"`)
		}
	}
	text := s.spell(`{"schemaCode": "«order»", "name": "自", "name_i18n": {"en": "Own"},
  "queryColumns": [` + strings.Join(columns, ", ") + `]}`)
	change := app.Change{Pack: s.pack(), Path: own, Text: &text}
	if is, err := s.app.DocumentText(s.Context(), s.admin(), s.pack(), own, 0); err == nil {
		change.Seen = is.Seen
	}
	_, err := s.app.Publish(s.Context(), s.admin(), app.Changeset{Files: []app.Change{change}}, app.Confirmation{})
	return nil, err
}

// designs keeps a draft of a print template, which is not published.
func (s *shop) designs(_ *twins, r *rand.Rand) (any, error) {
	s.Helper()
	paper, err := s.app.DocumentText(s.Context(), s.admin(), s.pack(), s.spell("prints/«paper».json"), 0)
	if err != nil || paper.Text == nil {
		return nil, err
	}
	text := strings.Replace(*paper.Text, "88", []string{"77", "66"}[r.IntN(2)], 1)
	return nil, s.keepPaper(text, paper.Seen)
}

// seesDocuments is what lies over the pack, and the list that people see of it.
func (s *shop) seesDocuments(add func(what string, v any, err error)) {
	s.Helper()
	is, err := s.app.DocumentText(s.Context(), s.admin(), s.pack(), own, 0)
	if err != nil {
		is = nil
	}
	add("own list", is != nil, nil)
	if is != nil && is.Text != nil {
		add("text of the own list", *is.Text, nil)
	}
}

// keeping are the types that a property may become so that its values stay, by the type that it has. Choices are none: documents compare them with codes of
// options, and with a text a code that is renamed is another text.
var keeping = map[string]string{"ShortText": "LongText", "Number": "ShortText", "Logic": "ShortText"}

// retyped gives some property of the orders another type that keeps its values; "" = none has such a type.
func retyped(trees map[string]any, r *rand.Rand) string {
	var may []string
	for _, p := range propertiesOf(trees, "order") {
		if keeping[p.kind] != "" {
			may = append(may, p.name)
		}
	}
	name := pick(r, may)
	if of := definition(trees, name); of != nil {
		of["propertyType"] = keeping[of["propertyType"].(string)]
		delete(of, "scale")
	}
	return name
}
