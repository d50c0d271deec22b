package bulk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// teller words refusals for the person of a request.
type teller struct {
	m      *catalog.Model
	view   *authz.View
	locale string
}

// refusal is why a record was refused, as its result keeps it: the first field's reason, and texts in the person's language.
func (t teller) refusal(u query.Chosen, f *fault.Error) job.Result {
	out := job.Result{Record: u.ID, Name: u.Name, Code: f.Code, Args: words(f.Args, t.locale)}
	in, ok := f.Data.(fault.Invalid)
	if !ok || len(in.Errors) == 0 {
		return out
	}
	e := in.Errors[0]
	out.Field = e.PropertyCode
	switch {
	case t.locale == "en" && e.MessageEn != "":
		out.Code, out.Args = fault.RowRefused, []any{e.MessageEn}
	case e.MessageZh != "":
		out.Code, out.Args = fault.RowRefused, []any{e.MessageZh}
	default:
		out.Code, out.Args = e.Code, words(e.Args, t.locale)
	}
	return out
}

// before is what is before the text of a refusal: the field, unless the author's own words say it.
func (t teller) before(r job.Result) string {
	if r.Code == fault.RowRefused || r.Field == "" {
		return ""
	}
	return t.label(r.Field)
}

// label names a property, "sub-table.column" too, that the person may know of.
func (t teller) label(code string) string {
	var out []string
	m := t.m
	for word := range strings.SplitSeq(code, ".") {
		if m == nil {
			return ""
		}
		f := m.Field(word)
		if f == nil {
			return ""
		}
		if right, _ := t.view.Field(f); right == catalog.Hidden {
			return ""
		}
		out = append(out, f.Label.In(t.locale))
		m = f.Sheet
	}
	return strings.Join(out, " / ")
}

func words(args []any, locale string) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if l, ok := a.(plan.Label); ok {
			a = l.In(locale)
		}
		out[i] = fmt.Sprint(a)
	}
	return out
}

// Tell gives the results of a job of this package as its owner may see them now: rights may have changed since. A record that is
// not seen any more is not named, a field that is hidden now is not spoken of; Field becomes the label.
func (s *Service) Tell(ctx context.Context, view *authz.View, j job.Job, results []job.Result) ([]job.Result, error) {
	if !s.ours(j.Kind) || len(results) == 0 {
		return results, nil
	}
	m := view.Model(j.Subject)
	seen := map[string]map[string]bool{} // field, catalog.Name for the name -> record -> readable
	if m != nil && view.Can(m, "view") {
		err := s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			seen, err = s.readable(ctx, tx, view, m, results)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	t := teller{m, view, view.Principal().Locale}
	out := slices.Clone(results)
	for i := range out {
		r := &out[i]
		named, there := seen[catalog.Name][r.Record]
		switch {
		case !there:
			r.Record, r.Name = "", ""
			if !r.OK {
				r.Field, r.Code, r.Args = "", fault.RecordNotFound, nil
			}
			continue
		case !named:
			r.Name = ""
		}
		if r.Field != "" && !seen[r.Field][r.Record] {
			r.Field, r.Code, r.Args = "", fault.Forbidden, nil
		}
		r.Field = t.before(*r)
	}
	return out, nil
}

func (s *Service) ours(kind string) bool { _, ok := titles[kind]; return ok }

// readable finds which of the records of some results are seen, and which of the fields that the results speak of.
func (s *Service) readable(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, results []job.Result) (map[string]map[string]bool, error) {
	out := map[string]map[string]bool{}
	of := map[string][]string{}
	for _, r := range results {
		of[catalog.Name] = append(of[catalog.Name], r.Record)
		if r.Field != "" && r.Field != catalog.Name {
			of[r.Field] = append(of[r.Field], r.Record)
		}
	}
	var err error
	for code, ids := range of {
		if out[code], err = s.Reader.Visible(ctx, tx, view, m, ids, code); err != nil {
			return nil, err
		}
	}
	gone := slices.DeleteFunc(of[catalog.Name], func(id string) bool { _, there := out[catalog.Name][id]; return there })
	return out, s.deleted(ctx, tx, view, m, gone, out[catalog.Name])
}

// deleted adds those records of the recycle bin that the person may see there.
func (s *Service) deleted(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string, into map[string]bool) error {
	if all, _ := query.SeesAll(view, m.Code); all {
		name := m.Field(catalog.Name)
		for _, id := range ids { // nothing is hidden from these people
			_, guard := view.Field(name)
			into[id] = plan.IsTrue(guard)
		}
		return nil
	}
	if len(ids) == 0 || !view.Can(m, "delete") {
		return nil
	}
	rows, err := record.RecycledOf(tx, m.Code, ids)
	if err != nil {
		return err
	}
	judge := record.NewJudge(ctx, tx, view)
	for _, row := range rows {
		state, err := row.State(tx, view.Catalog)
		if err != nil {
			return err
		}
		may, err := judge.May(state)
		if err != nil || !may {
			if err != nil {
				return err
			}
			continue
		}
		shown := false
		if name := m.Field(catalog.Name); name != nil {
			if shown, err = judge.Shows(state, name); err != nil {
				return err
			}
		}
		into[row.Record] = shown
	}
	return nil
}
