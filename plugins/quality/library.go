package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// template is what nodes get from the library: processes in order, each with its sheets.
type template struct {
	world.Row
	steps  []world.Row
	sheets map[string][]world.Row // by the library process
}

func (t *template) revision() string { return itoa(whole(t.Values[codes.Revision])) }

// templates reads the templates of the library, by id.
func templates(ctx context.Context, w world.World) (map[string]*template, error) {
	all, err := rows(ctx, w, "quality.library", nil)
	if err != nil {
		return nil, err
	}
	out, inside := map[string]*template{}, map[string]*template{}
	for _, row := range all { // depth first
		if row.Text(codes.Kind) == codes.OptionTemplate {
			out[row.ID] = &template{Row: row, sheets: map[string][]world.Row{}}
			inside[row.ID] = out[row.ID]
		} else if t := inside[row.Text(codes.ParentID)]; t != nil {
			inside[row.ID] = t
			if row.Text(codes.Kind) == codes.OptionProcess {
				t.steps = append(t.steps, row)
			}
		}
	}
	sheets, err := rows(ctx, w, "quality.librarySheets", nil)
	if err != nil {
		return nil, err
	}
	for _, s := range sheets {
		if t := inside[s.Text(codes.JbsBaseID)]; t != nil {
			t.sheets[s.Text(codes.JbsBaseID)] = append(t.sheets[s.Text(codes.JbsBaseID)], s)
		}
	}
	return out, nil
}

// counted keeps the revision of a template: what is changed in it or below it makes a new one.
func counted(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	var ids []string
	for _, v := range []any{e.New()[codes.ParentID], e.Old[codes.ParentID], e.New()[codes.JbsBaseID], e.Old[codes.JbsBaseID]} {
		if id := text(v); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	done := map[string]bool{}
	for _, id := range ids {
		for at := id; at != "" && !done[at]; {
			done[at] = true
			found, err := r.w.Get(ctx, library, at)
			if err != nil {
				return nil //nolint:nilerr // it is being deleted with what is below it
			}
			if text(found.Values[codes.Kind]) == codes.OptionTemplate {
				_, err := r.w.Update(ctx, library, at, found.Version, map[string]any{codes.Revision: itoa(whole(found.Values[codes.Revision]) + 1)})
				if err != nil {
					return err
				}
				break
			}
			at = text(found.Values[codes.ParentID])
		}
	}
	return nil
}
