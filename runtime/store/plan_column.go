package store

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/sluice-platform/sluice/engine/plan"
)

// columnSteps lists what changes about one column.
func (x *storageDiff) columnSteps(t tableDiff, c columnDiff, d dialect, rename Class) []Step {
	from := "SELECT count(*) FROM " + Ident(t.have.Name)
	step := func(a Action, class Class, of *plan.Column, count string) Step {
		return Step{Action: a, Class: class, Table: t.want.Name, Model: t.want.Model, Column: of.Name, Property: of.Property, At: cmp.Or(of.At, t.want.At), counts: statement{text: count}}
	}
	switch {
	case c.want == nil:
		return []Step{step(DropColumn, Destructive, c.have, from+" WHERE "+Ident(c.have.Name)+" IS NOT NULL")}
	case c.have == nil:
		count := ""
		if c.want.NotNull {
			count = from
		}
		return []Step{step(AddColumn, Safe, c.want, count)}
	}
	var out []Step
	col := Ident(c.have.Name)
	if c.renamed() {
		s := step(RenameColumn, rename, c.want, "")
		s.From, s.To = c.have.Name, c.want.Name
		out = append(out, s)
	}
	if c.retyped(x) {
		s := step(Retype, Destructive, c.want, from+" WHERE "+col+" IS NOT NULL")
		s.From, s.To = typeWord(x.have, *c.have), typeWord(x.want, *c.want)
		return append(out, s)
	}
	limit := func(have, want int, wider bool, count string) {
		if have == want {
			return
		}
		s := step(Widen, Safe, c.want, "")
		if !wider {
			s = step(Narrow, Confirm, c.want, from+" WHERE "+count)
		}
		s.From, s.To = strconv.Itoa(have), strconv.Itoa(want)
		out = append(out, s)
	}
	h, w := c.have, c.want
	limit(h.MaxLength, w.MaxLength, w.MaxLength == 0 || h.MaxLength != 0 && w.MaxLength > h.MaxLength, fmt.Sprintf("length(%s) > %d", col, w.MaxLength))
	if w.Kind == plan.Number {
		limit(h.Scale, w.Scale, w.Scale > h.Scale, d.finer(col, w.Scale))
	}
	switch {
	case w.NotNull && !h.NotNull:
		out = append(out, step(Required, Safe, w, from+" WHERE "+col+" IS NULL"))
	case h.NotNull && !w.NotNull:
		out = append(out, step(Optional, Safe, w, ""))
	}
	return append(out, x.referenceStep(t, c, step)...)
}

// referenceStep is a foreign key that comes, goes or does something else when its target goes. Values that refer to nothing
// are counted: they would be cleared.
func (x *storageDiff) referenceStep(t tableDiff, c columnDiff, step func(Action, Class, *plan.Column, string) Step) []Step {
	in, where := t.have.Name, c.have.Name
	if c.want.Kind == plan.Set {
		in, where = LinkTable(in, where), idColumn
	}
	h, had, w, has := x.keys(t, c)
	if had == has && (!has || h.action == w.action) {
		return nil
	}
	count := ""
	if target := x.oldName(w.target); has && !had && target != "" {
		count = "SELECT count(*) FROM " + Ident(in) + " WHERE " + Ident(where) + " NOT IN (SELECT " + quote(idColumn) + " FROM " + Ident(target) + ")"
	}
	s := step(Reference, Safe, c.want, count)
	s.From, s.To = string(h.action), string(w.action)
	return []Step{s}
}

// typeWord names a column's kind, and what it refers to.
func typeWord(s plan.Storage, c plan.Column) string {
	if to := referenced(s, c); to != "" {
		return c.Kind.String() + " → " + to
	}
	return c.Kind.String()
}

// text words a step for people.
func (s *Step) text() plan.Label {
	model, what := s.Model, s.Property
	if what == "" {
		what = s.Column
	}
	zh, en := "", ""
	switch s.Action {
	case CreateTable:
		zh, en = fmt.Sprintf("新建模型 %s 的表", model), fmt.Sprintf("create the table of %s", model)
	case RenameTable:
		zh, en = fmt.Sprintf("表 %s 改名为 %s，数据保留", s.From, s.To), fmt.Sprintf("rename table %s to %s, keeping its data", s.From, s.To)
	case DropTable:
		zh, en = fmt.Sprintf("删除模型 %s 的表及其 %d 条记录", model, s.Count), fmt.Sprintf("drop the table of %s with its %s", model, records(s.Count))
	case AddColumn:
		zh, en = fmt.Sprintf("%s 新增 %s", model, what), fmt.Sprintf("add %s to %s", what, model)
		if s.Count > 0 {
			zh += fmt.Sprintf("（必填，已有 %d 条记录需要补值）", s.Count)
			en += fmt.Sprintf(" (required; %s must be given a value)", records(s.Count))
		}
	case RenameColumn:
		zh, en = fmt.Sprintf("%s 的 %s 改名为 %s，数据保留", model, s.From, s.To), fmt.Sprintf("rename %s of %s to %s, keeping its data", s.From, model, s.To)
	case DropColumn:
		zh, en = fmt.Sprintf("删除 %s 的 %s，%d 条记录的值将丢失", model, what, s.Count), fmt.Sprintf("drop %s of %s; %s lose a value", what, model, records(s.Count))
	case Widen:
		zh, en = fmt.Sprintf("放宽 %s 的 %s：%s → %s", model, what, s.From, s.To), fmt.Sprintf("widen %s of %s: %s → %s", what, model, s.From, s.To)
	case Narrow:
		zh, en = fmt.Sprintf("收窄 %s 的 %s：%s → %s，%d 条记录超出", model, what, s.From, s.To, s.Count), fmt.Sprintf("narrow %s of %s: %s → %s; %s exceed it", what, model, s.From, s.To, records(s.Count))
	case Retype:
		zh, en = fmt.Sprintf("更换 %s 的 %s 的类型：%s → %s，%d 条记录的值将丢失", model, what, s.From, s.To, s.Count), fmt.Sprintf("change the type of %s of %s: %s → %s; %s lose a value", what, model, s.From, s.To, records(s.Count))
	case Required:
		zh, en = fmt.Sprintf("%s 的 %s 改为必填，%d 条记录没有值", model, what, s.Count), fmt.Sprintf("make %s of %s required; %s have no value", what, model, records(s.Count))
	case Optional:
		zh, en = fmt.Sprintf("%s 的 %s 不再必填", model, what), fmt.Sprintf("make %s of %s optional", what, model)
	case Reference:
		zh, en = fmt.Sprintf("更改 %s 的 %s 的引用约束", model, what), fmt.Sprintf("change the reference of %s of %s", what, model)
		if s.Count > 0 {
			zh += fmt.Sprintf("，%d 处引用不存在的记录，将被清空", s.Count)
			en += fmt.Sprintf("; %d refer to nothing and are cleared", s.Count)
		}
	case AddIndex:
		zh, en = fmt.Sprintf("%s 按 %s 建立索引", model, s.Column), fmt.Sprintf("index %s by %s", model, s.Column)
		if s.To == "unique" {
			zh, en = fmt.Sprintf("%s 的 %s 改为唯一", model, s.Column), fmt.Sprintf("make %s of %s unique", s.Column, model)
		}
		if s.Count > 0 {
			zh += fmt.Sprintf("，%d 条记录有重复", s.Count)
			en += fmt.Sprintf("; %s have duplicates", records(s.Count))
		}
	case DropIndex:
		zh, en = fmt.Sprintf("删除 %s 按 %s 的索引", model, s.Column), fmt.Sprintf("drop the index of %s by %s", model, s.Column)
	}
	return plan.Label{Zh: zh, I18n: map[string]string{"en": en}}
}

func records(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
