package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// holder is a model whose records keep another from being deleted.
type holder struct {
	model   *catalog.Model // may be nil
	pack    string         // that takes part no more, and whose kept rows refer to it
	visible int64          // how many of them the principal sees
	more    bool           // there are others
}

// holders are the models whose records refer to a record, those of one sub-table counted by the records that they belong to.
func (s *session) holders(m *catalog.Model, id string) ([]holder, error) {
	var order []*catalog.Model
	where := map[*catalog.Model][]plan.Expr{}
	for _, f := range referrers(s.view.Catalog, m) {
		of, refers := root(f.Model), refersTo(f, id)
		if f.Model != of {
			refers = &plan.AnyRow{Sheet: f.Model.Code, Where: refers}
		}
		if f.OnDelete == "clear" {
			held, err := s.approvedWith(f, id, refers)
			if err != nil {
				return nil, err
			}
			if len(held) == 0 {
				continue
			}
			refers = idIn(held)
		}
		if where[of] == nil {
			order = append(order, of)
		}
		where[of] = append(where[of], refers)
	}
	var out []holder
	for _, of := range order {
		refers := plan.AnyOf(where[of]...)
		if of == m && len(s.along) > 0 {
			refers = plan.AllOf(refers, &plan.Not{X: &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: catalog.ID, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: s.along}}})
		}
		all, err := s.tx.Count(s.ctx, s.view.Catalog, &plan.Query{Model: of.Code, Where: refers})
		if err != nil {
			return nil, err
		}
		if all == 0 {
			continue
		}
		h := holder{model: of}
		if rows := s.view.Rows(of); s.view.Can(of, "view") && !plan.IsFalse(rows) {
			seen := &plan.Query{Model: of.Code, Where: plan.AllOf(refers, &plan.Rule{X: rows})}
			if h.visible, err = s.tx.Count(s.ctx, s.view.Catalog, seen); err != nil {
				return nil, err
			}
		}
		h.more = h.visible < all
		out = append(out, h)
	}
	return out, nil
}

// approvedWith are the records other than the one that is to go that were approved with a relation which its end would empty.
func (s *session) approvedWith(f *catalog.Field, id string, refers plan.Expr) ([]string, error) {
	if s.w.seals == nil {
		return nil, nil
	}
	of := root(f.Model)
	ids, err := s.tx.Ids(s.ctx, s.view.Catalog, &plan.Query{Model: of.Code, Where: plan.AllOf(refers, &plan.Not{X: idIn([]string{id})})})
	if err != nil {
		return nil, err
	}
	return s.heldRefs(f, ids)
}

// reason is the code that the model's pack has for what blocks it, where the principal may know of it. Rows that they don't see are told as others, and not counted.
func (s *session) reason(m *catalog.Model, holders []holder) (fault.Code, []any) {
	for _, h := range holders {
		if h.model == nil {
			continue
		}
		if code := s.w.set.Held(m.Code, h.model.Code); code != 0 && h.visible > 0 {
			if h.more {
				n := strconv.FormatInt(h.visible, 10)
				return code, []any{plan.Label{Zh: n + "（及其他）", I18n: map[string]string{"en": n + " and other"}}}
			}
			return code, []any{h.visible}
		}
	}
	return 0, nil
}

// referred says what blocks it, as far as the principal may know of it.
func (d DeleteState) referred(view *authz.View, holders ...holder) DeleteState {
	d.ResultCode, d.ResultDesc = DeleteNotPossible, describe(view, referenced)
	var zh, en []string
	more := false
	for _, h := range holders {
		if h.pack != "" {
			d.ResultDesc = describe(view, outcome{"被未启用的包“" + h.pack + "”保留的数据引用，不能删除", "records of the pack " + h.pack + ", which is not in use, refer to it"})
		}
		if h.model != nil && d.RelativeModel == nil && view.Can(h.model, "view") {
			d.RelativeModel = &root(h.model).Code
		}
		if more = more || h.more; h.visible > 0 {
			zh = append(zh, fmt.Sprintf("%d 条“%s”", h.visible, h.model.Label.In("zh")))
			en = append(en, diag.Fill("{0} {0|record|records} of “{1}”", []any{h.visible, h.model.Label}, "en"))
		}
	}
	if len(en) == 0 {
		return d
	}
	if more {
		zh, en = append(zh, "其他数据"), append(en, "other records")
	}
	one := !more && len(holders) == 1 && holders[0].visible == 1
	refer := map[bool]string{true: " refers to it", false: " refer to it"}[one]
	d.ResultDesc = describe(view, outcome{"被 " + strings.Join(zh, "、") + "引用，不能删除", listed(en) + refer})
	return d
}

// listed joins words as a sentence does: "a, b and c".
func listed(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
