package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// step does what a step says, with the rights that its person has at that moment.
func (w *world) step(ctx context.Context, s *Step) error {
	view, ok := w.view(ctx, s.Person)
	if !ok {
		w.report("SCENARIO001", s.Node.Get("person"), s.Person)
		return nil
	}
	switch {
	case s.Create != "", s.Change != "":
		return w.save(ctx, view, s)
	case s.Delete != "":
		return w.delete(ctx, view, s)
	}
	return w.check(ctx, view, s)
}

func (w *world) save(ctx context.Context, view *authz.View, s *Step) error {
	ch := record.Change{Model: s.SchemaCode}
	at := s.Node.Get("create")
	if s.Change != "" {
		at = s.Node.Get("change")
		of, ok := w.records[s.Change]
		if !ok {
			w.report("SCENARIO001", at, s.Change)
			return nil
		}
		version, err := w.version(ctx, of)
		if err != nil {
			return err
		}
		ch.Model, ch.ID, ch.Version = of.model, of.id, &version
	} else if w.State().Catalog.Model(s.SchemaCode) == nil {
		w.report("SCENARIO015", s.Node, s.SchemaCode)
		return nil
	}
	var ok bool
	if ch.Set, ok = w.wire(s.Values, s.Node); !ok {
		return nil
	}
	saved, err := w.Writer().Save(ctx, view, ch)
	if err == nil && s.Create != "" {
		w.know(s.Create, ch.Model, saved.ID)
	}
	return w.judge(s, at, err)
}

// version is that of a record now.
func (w *world) version(ctx context.Context, of made) (version int64, err error) {
	err = w.Store().Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := w.Reader().Record(ctx, tx, w.system(), of.model, of.id)
		if _, refused := w.refusal(err); refused {
			return nil // it was deleted, which the writer will say
		}
		if err == nil {
			version = r.Version
		}
		return err
	})
	return version, err
}

func (w *world) delete(ctx context.Context, view *authz.View, s *Step) error {
	of, ok := w.records[s.Delete]
	if !ok {
		w.report("SCENARIO001", s.Node.Get("delete"), s.Delete)
		return nil
	}
	done, err := w.Writer().Delete(ctx, view, of.model, []string{of.id})
	if err == nil && done.ErrorCount > 0 {
		first := done.Errors[0]
		err = &fault.Error{Code: fault.Code(first.ResultCode), MessageZh: first.ResultDesc, MessageEn: first.ResultDesc}
		if first.Code != 0 {
			err = fault.New(first.Code, first.Args...)
		}
	}
	return w.judge(s, s.Node.Get("delete"), err)
}

// codesOf are the number of a refusal, and those of the fields that it is about.
func codesOf(f *fault.Error) []string {
	out := []string{fmt.Sprint(int(f.Code))}
	if invalid, ok := f.Data.(fault.Invalid); ok {
		for _, e := range invalid.Errors {
			out = append(out, fmt.Sprint(int(e.Code)))
		}
	}
	return out
}

// judge compares how a write ended with what the step says.
func (w *world) judge(s *Step, at *source.Node, err error) error {
	text, ours := w.refusal(err)
	if err != nil && !ours {
		return err
	}
	refused := s.Refused != nil && s.Refused != false
	switch {
	case refused && err == nil:
		w.report("SCENARIO011", s.Node.Get("refused"))
	case !refused && err != nil:
		w.report("SCENARIO013", at, text)
	case refused && s.Refused != true:
		var f *fault.Error
		if want := fmt.Sprint(s.Refused); errors.As(err, &f) && !slices.Contains(codesOf(f), want) {
			w.report("SCENARIO012", s.Node.Get("refused"), want, text)
		}
	}
	return nil
}

// check compares what the person may with what the step says.
func (w *world) check(ctx context.Context, view *authz.View, s *Step) error {
	if len(s.Node.Members) == 1 {
		w.report("SCENARIO019", s.Node)
		return nil
	}
	w.checkApps(view, s)
	return w.Store().Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, key := range []string{"sees", "seesNot"} {
			for _, n := range items(s.Node.Get(key)) {
				if err := w.seen(ctx, tx, view, n, key == "sees"); err != nil {
					return err
				}
			}
		}
		if len(s.Can)+len(s.Cannot)+len(s.Fields) > 0 {
			if err := w.rights(ctx, tx, view, s); err != nil {
				return err
			}
		}
		if s.Values != nil {
			return w.values(ctx, tx, view, s)
		}
		return nil
	})
}

func (w *world) checkApps(view *authz.View, s *Step) {
	for _, key := range []string{"opens", "opensNot"} {
		for _, n := range items(s.Node.Get(key)) {
			switch opens := view.Opens(n.Text()); {
			case w.State().Catalog.App(n.Text()) == nil:
				w.report("SCENARIO017", n, n.Text())
			case opens && key == "opensNot":
				w.report("SCENARIO009", n, s.Person, n.Text())
			case !opens && key == "opens":
				w.report("SCENARIO008", n, s.Person, n.Text())
			}
		}
	}
	if n := s.Node.Get("permissions"); n != nil {
		want := slices.Sorted(slices.Values(s.Permissions))
		if got := view.Permissions(); !slices.Equal(want, got) {
			w.report("SCENARIO010", n, s.Person, names(want), names(got))
		}
	}
}

// seen reads a record as its page does.
func (w *world) seen(ctx context.Context, tx *store.Tx, view *authz.View, n *source.Node, want bool) error {
	of, ok := w.records[n.Text()]
	if !ok {
		w.report("SCENARIO001", n, n.Text())
		return nil
	}
	_, err := w.Reader().Record(ctx, tx, view, of.model, of.id)
	if _, refused := w.refusal(err); err != nil && !refused {
		return err
	}
	if sees := err == nil; sees == want {
		return nil
	}
	why, err := access.Explain(ctx, tx, view, view.Model(of.model), of.id)
	if err != nil {
		return err
	}
	code := map[bool]string{true: "SCENARIO003", false: "SCENARIO004"}[want]
	w.report(code, n, view.Principal().Name, n.Text(), because(why, "view"))
	return nil
}

// model is the one that a step is about, with the record, if there is one.
func (w *world) model(view *authz.View, s *Step) (*catalog.Model, string) {
	if n := s.Node.Get("record"); n != nil {
		of, ok := w.records[s.Record]
		if !ok {
			w.report("SCENARIO001", n, s.Record)
			return nil, ""
		}
		return view.Model(of.model), of.id
	}
	m := view.Model(s.SchemaCode)
	if m == nil {
		w.report("SCENARIO015", s.Node, s.SchemaCode)
	}
	return m, ""
}

func (w *world) rights(ctx context.Context, tx *store.Tx, view *authz.View, s *Step) error {
	m, id := w.model(view, s)
	if m == nil {
		return nil
	}
	why, err := access.Explain(ctx, tx, view, m, id)
	if err != nil {
		return err
	}
	for _, key := range []string{"can", "cannot"} {
		for _, n := range items(s.Node.Get(key)) {
			i := slices.IndexFunc(why.Actions, func(a access.Allowed) bool { return strings.EqualFold(a.Code, n.Text()) })
			switch {
			case i < 0:
				w.report("SCENARIO018", n, m.Code, n.Text())
			case key == "can" && !why.Actions[i].Allowed:
				w.report("SCENARIO005", n, s.Person, n.Text(), because(why, n.Text()))
			case key == "cannot" && why.Actions[i].Allowed:
				w.report("SCENARIO006", n, s.Person, n.Text(), because(why, n.Text()))
			}
		}
	}
	for _, n := range s.Node.Get("fields").Entries() {
		i := slices.IndexFunc(why.Fields, func(f access.Shown) bool { return strings.EqualFold(f.Code, n.Key) })
		if i < 0 {
			w.report("SCENARIO016", n, m.Code, n.Key)
		} else if got := why.Fields[i].Right; got != n.Text() {
			w.report("SCENARIO007", n, s.Person, n.Key, access.RightName(n.Text()), access.RightName(got))
		}
	}
	return nil
}

// values compares what the person reads of a record.
func (w *world) values(ctx context.Context, tx *store.Tx, view *authz.View, s *Step) error {
	n := s.Node.Get("values")
	of, ok := w.records[s.Record]
	if !ok {
		w.report("SCENARIO001", s.Node, s.Record)
		return nil
	}
	got, err := w.Reader().Record(ctx, tx, view, of.model, of.id)
	if text, refused := w.refusal(err); refused {
		w.report("SCENARIO013", n, text)
		return nil
	}
	if err != nil {
		return err
	}
	var data map[string]any
	if err := json.Unmarshal(got.Data, &data); err != nil {
		return err
	}
	w.compare(view.Model(of.model), data, s.Values, n)
	return nil
}

// compare reports values that are not as they should be; n is the object that says so.
func (w *world) compare(m *catalog.Model, data, values map[string]any, n *source.Node) {
	for _, code := range slices.Sorted(maps.Keys(values)) {
		want := values[code]
		if missing := w.named(&want); missing != "" {
			w.report("SCENARIO001", n.Get(code), "@"+missing)
			continue
		}
		if is := plain(data[code]); is != plain(want) && !sameNumber(m.Field(code), is, plain(want)) {
			w.report("SCENARIO014", n.Get(code), code, plain(want), is)
		}
	}
}

// plain writes a value as one compares it: numbers as their text, references as their ids.
func plain(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		if id, is := x["id"].(string); is {
			return id
		}
	case []any:
		parts := make([]string, len(x))
		for i, of := range x {
			parts[i] = plain(of)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string, float64, json.Number, bool:
		return fmt.Sprint(x)
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return string(text)
}

// sameNumber reports whether two texts are one value of a numeric property: 20 and 20.00.
func sameNumber(f *catalog.Field, a, b string) bool {
	if f == nil || len(f.Columns()) == 0 || f.Column().Kind() != plan.Number {
		return false
	}
	x, isNumber := new(big.Rat).SetString(a)
	y, too := new(big.Rat).SetString(b)
	return isNumber && too && x.Cmp(y) == 0
}

func items(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items()
}
