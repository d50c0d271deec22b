package quality

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// The order of work is asked of processes by the processes before them, and of due sheets by the process that their set names (after).
// A process that the contractor added has its place by its order number behind those that the library or the employer asks for:
// without a number it is the last one. Nothing leaves the order by being bound elsewhere.

// span is the first and the last day on which something was done.
type span struct{ from, to string }

func (s *span) add(b world.Row) {
	begin := b.Text(codes.FirstDay)
	if begin == "" {
		return
	}
	if s.from == "" || begin < s.from {
		s.from = begin
	}
	s.to = max(s.to, b.Text(codes.LastDay))
}

// late are the processes and due sheets that were worked on before a process before them had ended, by the dates of their sheets, as
// far as nobody accepted it.
func (f *facts) late(accepted map[string]bool, sheets []rule.DueSheet) (out []rule.Late) {
	days := map[string]*span{}
	for _, p := range f.processes {
		days[p.ID] = &span{}
	}
	for _, b := range f.bindings {
		if s := days[b.Text(codes.JbsID)]; s != nil {
			s.add(b)
		}
	}
	titles := map[string]string{}
	for _, p := range f.processes {
		titles[p.ID] = p.Text(codes.Title)
	}
	for _, p := range f.processes {
		from := days[p.ID].from
		if accepted[p.ID] || from == "" {
			continue
		}
		for _, before := range f.before(p) {
			if s := days[before]; s != nil && s.to > from {
				out = append(out, rule.Late{ID: p.ID, Title: p.Text(codes.Title), Before: titles[before]})
				break
			}
		}
	}
	for _, s := range sheets {
		before, asked := f.after(s)
		if !asked || accepted[s.Model] {
			continue
		}
		var own span
		title := s.Title
		for _, b := range f.bindings {
			if s.Of(b.Text(codes.SchemaCode), b.Text(codes.BizKind)) && b.Text(codes.JbsID) != before.ID {
				own.add(b)
				if title == "" {
					title = b.Text(codes.SheetTitle)
				}
			}
		}
		if own.from != "" && days[before.ID].to > own.from {
			out = append(out, rule.Late{ID: s.Model, Title: title, Before: before.Text(codes.Title), Sheet: true})
		}
	}
	return out
}

// before are the processes that come before one: those that it names, and for one that the contractor added those that are asked for,
// up to its order number.
func (f *facts) before(p world.Row) []string {
	out := p.Set(codes.PrevIDs)
	if !p.Is(codes.ByContractor) {
		return out
	}
	out = slices.Clone(out)
	for _, o := range f.processes {
		first := p.Empty(codes.SortKey) || orderNumber(o).LessThan(orderNumber(p))
		if first && !o.Is(codes.ByContractor) && o.Is(codes.Required) && o.ID != p.ID && !slices.Contains(out, o.ID) {
			out = append(out, o.ID)
		}
	}
	return out
}

func orderNumber(p world.Row) decimal.Decimal {
	if n := number(p.Values[codes.SortKey]); n != nil {
		return *n
	}
	return decimal.Zero
}

// after is the process of a node that has to end before a due sheet; false where the set names none, or the node has none of that code.
func (f *facts) after(s rule.DueSheet) (world.Row, bool) {
	i := slices.IndexFunc(f.processes, func(p world.Row) bool { return s.After != "" && p.Text(codes.Code) == s.After })
	if i < 0 {
		return world.Row{}, false
	}
	return f.processes[i], true
}

// sheetWaits refuses a due sheet outside of the process that has to end before it, while that one is not done.
func (r *roller) sheetWaits(ctx context.Context, n world.Row, bound map[string]any, processes []world.Row) error {
	due, err := r.dueAt(ctx, n)
	if err != nil {
		return err
	}
	f := facts{processes: processes}
	for _, s := range due.due.Sheets {
		if !s.Of(text(bound[codes.SchemaCode]), text(bound[codes.BizKind])) {
			continue
		}
		before, asked := f.after(s)
		if asked && before.ID != text(bound[codes.JbsID]) && before.Is(codes.Required) && before.Text(codes.Status) != codes.OptionDone {
			return fault.New(ProcessLocked, text(bound[codes.SheetTitle]), before.Text(codes.Title))
		}
	}
	return nil
}
