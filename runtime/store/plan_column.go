package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// columnSteps lists what changes about one column: a step for each change that an author made.
func (x *storageDiff) columnSteps(t tableDiff, c columnDiff, d dialect, rename Class) ([]Step, error) {
	step := func(a Action, class Class, of *plan.Column, broken string) Step {
		s := Step{Action: a, Class: class, Table: t.want.Name, Model: t.want.Model, Column: of.Name, Property: of.Property, At: cmp.Or(of.At, t.want.At)}
		if broken != "" {
			s.counts.text = countRows(t.have.Name, broken)
		}
		return s
	}
	switch {
	case c.want == nil:
		s := step(DropColumn, Destructive, c.have, x.lostValues(t, c))
		if i := slices.IndexFunc(t.columns, func(o columnDiff) bool { return o.stays() && o.have.Name == c.have.Property }); i >= 0 {
			s.part, s.At = true, t.columns[i].want.At
		}
		if slices.Contains(t.want.Live, c.have.Property) {
			s.To = live
			switch {
			case c.have.Computed: // its formula says what it holds
				s.Class = Safe
			case !x.have.Marks: // nobody knows whether people wrote the values
				s.Class = Confirm
			}
		}
		return []Step{s}, nil
	case c.have == nil:
		broken := ""
		if (c.want.NotNull || c.want.Required) && !(own(*t.want) && c.want.Default != nil) {
			broken = everyRow
		}
		return []Step{step(AddColumn, Safe, c.want, broken)}, nil
	}
	var out []Step
	col := Ident(c.have.Name)
	if c.renamed() {
		s := step(RenameColumn, rename, c.want, "")
		s.From, s.To = c.have.Name, c.want.Name
		out = append(out, s)
	}
	if c.retyped(x) {
		s := step(Retype, Destructive, c.want, x.lostValues(t, c))
		s.From, s.To = typeWord(x.have, *c.have), typeWord(x.want, *c.want)
		return append(out, s), nil
	}
	cv, moves := c.moves(x)
	kept := col // the value after the apply
	if moves {
		kept = asItIs(d, cv, t, c)
		s := step(Convert, Safe, c.want, col+" IS NOT NULL")
		if cv.Trial {
			s.trial(d, t, c, kept)
		}
		s.From, s.To = typeWord(x.have, *c.have), typeWord(x.want, *c.want)
		if cv.Words != nil && !cv.Split {
			s.From, s.To = choiceWord(*c.have), choiceWord(*c.want)
		}
		out = append(out, s)
	}
	if c.want.Computed && !c.have.Computed && x.have.Marks {
		out = append(out, step(Compute, Safe, c.want, col+" IS NOT NULL"))
	}
	if moves := c.optionMoves(x, t); len(moves.all()) > 0 {
		out = append(out, optionStep(d, c, t.have.Name, moves, step, rename))
	}
	limits, err := x.columnLimits(d, t, c)
	if err != nil {
		return nil, err
	}
	if len(limits) > 0 {
		s := step(Widen, Safe, c.want, "")
		if broken := brokenBy(limits); broken != "" {
			s = step(Narrow, Confirm, c.want, broken)
			s.quiet = (cv.Words != nil || cv.Names != "") && len(limits) == 1 && limits[0].word == "maxLength"
			if (c.want.Kind == plan.Text || cv.Split) && len(c.have.Choices) == 0 && len(c.want.Choices) > 0 {
				s.finds.text = mostFrequent(d, t, c, broken)
			}
		}
		s.limit(limits)
		out = append(out, s)
	}
	has, had := c.want.NotNull || c.want.Required, c.have.NotNull || c.have.Required
	switch {
	case has && !had:
		out = append(out, step(Required, Safe, c.want, kept+" IS NULL"))
	case had && !has:
		out = append(out, step(Optional, Safe, c.want, ""))
	}
	if changesDefault(t, c) {
		s := step(Default, Safe, c.want, "")
		s.From, s.To = defaultWord(c.have), defaultWord(c.want)
		out = append(out, s)
	}
	if moves { // its keys come with it
		return out, nil
	}
	return append(out, x.referenceStep(t, c, step)...), nil
}

// live is where the values of a column go that is computed when it is read.
const live = "live"

// everyRow is the condition of all rows.
const everyRow = "1 = 1"

func countRows(table, where string) string {
	return "SELECT count(*) FROM " + Ident(table) + " WHERE " + where
}

// lostValues is the condition of rows that lose a value with a column, or with another one of its property that goes too.
func (x *storageDiff) lostValues(t tableDiff, c columnDiff) string {
	var of []string
	for _, o := range t.columns {
		if o.have != nil && (o.want == nil || o.retyped(x)) && (o.have.Name == c.have.Name || o.have.Property == c.have.Property && o.have.Property != "") {
			of = append(of, Ident(o.have.Name)+" IS NOT NULL")
		}
	}
	return strings.Join(of, " OR ")
}

// foldColumns leaves one step for what an author did once to a property that has several columns: of the same steps the first
// column's, and of a change of type, which brings or takes a further column, the gravest.
func foldColumns(steps []Step) []Step {
	further := func(s Step) bool { return s.Property != "" && s.Column != s.Property }
	out := slices.Clone(steps)
	return slices.DeleteFunc(out, func(s Step) bool {
		return slices.ContainsFunc(steps, func(o Step) bool {
			if o.Property != s.Property || further(o) == further(s) {
				return false
			}
			if o.Action == s.Action {
				return further(s)
			}
			first, second := s, o
			if further(s) {
				first, second = o, s
			}
			typed := (first.Action == Widen || first.Action == Narrow) && (second.Action == AddColumn || second.Action == DropColumn)
			return typed && (gravity[s.Class] < gravity[o.Class] || gravity[s.Class] == gravity[o.Class] && further(s))
		})
	})
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
	s := step(Reference, Safe, c.want, "")
	if target := x.oldName(w.target); has && !had && target != "" {
		value, of := Ident(where), quote(idColumn)
		if c.want.Kind == plan.Set { // held as texts until now, maybe
			value, of = "CAST("+value+" AS text)", "CAST("+of+" AS text)"
		}
		s.counts.text = countRows(in, value+" NOT IN (SELECT "+of+" FROM "+Ident(target)+")")
	}
	s.From, s.To = string(h.action), string(w.action)
	return []Step{s}
}

// typeWord names a column's kind, and what it refers to.
func typeWord(s plan.Storage, c plan.Column) string {
	if to := referenced(s, c); to != "" {
		return c.Kind.String() + " → " + to
	}
	if c.Of != "" {
		return c.Kind.String() + " → " + c.Of
	}
	return c.Kind.String()
}

// choiceWord tells a choice from a text.
func choiceWord(c plan.Column) string {
	if len(c.Choices) > 0 {
		return names.FormOption
	}
	return names.FormText
}

// text words a step for people.
func (s *Step) text() plan.Label {
	model, what := s.Model, s.Property
	if what == "" || s.part {
		what = s.Column
	}
	if what == "" && slices.Contains([]Action{Required, Optional, Widen, Narrow}, s.Action) { // of the rows of a sub-table
		i := max(strings.LastIndexByte(model, '.'), 0)
		model, what = model[:i], strings.TrimPrefix(model[i:], ".")
	}
	zh, en := "", ""
	switch s.Action {
	case CreateTable:
		zh, en = fmt.Sprintf("新建模型 %s 的表", model), fmt.Sprintf("create the table of %s", model)
		if s.Count > 0 {
			zh += fmt.Sprintf("（必填，已有 %d 条记录没有行）", s.Count)
			en += fmt.Sprintf(" (required; %s no row)", have(s.Count))
		}
	case RenameTable:
		zh, en = fmt.Sprintf("表 %s 改名为 %s，数据保留", s.From, s.To), fmt.Sprintf("rename table %s to %s, keeping its data", s.From, s.To)
	case DropTable:
		zh, en = fmt.Sprintf("删除模型 %s 的表及其 %d 条记录", model, s.Count), fmt.Sprintf("drop the table of %s with its %s", model, records(s.Count))
	case AddColumn:
		zh, en = fmt.Sprintf("%s 新增 %s", model, what), fmt.Sprintf("add %s to %s", what, model)
		if s.Count > 0 {
			zh += fmt.Sprintf("（必填，已有 %d 条记录没有值）", s.Count)
			en += fmt.Sprintf(" (required; %s no value)", have(s.Count))
		}
	case RenameColumn:
		zh, en = fmt.Sprintf("%s 的 %s 改名为 %s，数据保留", model, s.From, s.To), fmt.Sprintf("rename %s of %s to %s, keeping its data", s.From, model, s.To)
	case RenameOption:
		zh = fmt.Sprintf("%s 的 %s 的选项 %s 改为 %s，%d 条记录的值随之改写", model, what, s.From, s.To, s.Count)
		en = fmt.Sprintf("rename options of %s of %s: %s → %s; %s", what, model, s.From, s.To, follow(s.Count))
	case DropColumn:
		zh, en = fmt.Sprintf("删除 %s 的 %s，%d 条记录的值将丢失", model, what, s.Count), fmt.Sprintf("drop %s of %s; %s a value", what, model, lose(s.Count))
		if s.To == live {
			zh, en = fmt.Sprintf("%s 的 %s 改为读取时计算，%d 条记录中存储的值不再保留", model, what, s.Count), fmt.Sprintf("compute %s of %s when it is read; %s a stored value", what, model, lose(s.Count))
		}
	case Widen:
		zh, en = fmt.Sprintf("放宽 %s 的 %s：%s", model, what, inWords(s.limits, "zh")), fmt.Sprintf("widen %s of %s: %s", what, model, inWords(s.limits, "en"))
	case Narrow:
		zh = fmt.Sprintf("收窄 %s 的 %s：%s；%d 条记录不符合", model, what, inWords(s.limits, "zh"), s.Count)
		en = fmt.Sprintf("narrow %s of %s: %s; %s outside", what, model, inWords(s.limits, "en"), are(s.Count))
		if len(s.Examples) > 0 {
			zh += "：" + examples(s.Examples, true)
			en += ": " + examples(s.Examples, false)
		}
	case Retype:
		zh, en = fmt.Sprintf("更换 %s 的 %s 的类型：%s → %s，%d 条记录的值将丢失", model, what, s.From, s.To, s.Count), fmt.Sprintf("change the type of %s of %s: %s → %s; %s a value", what, model, s.From, s.To, lose(s.Count))
	case Convert:
		zh, en = fmt.Sprintf("转换 %s 的 %s 的类型：%s → %s", model, what, s.From, s.To), fmt.Sprintf("convert %s of %s: %s → %s", what, model, s.From, s.To)
		if fits := s.Count - s.Lost; fits > 0 && s.Lost == 0 {
			zh += fmt.Sprintf("，%d 条记录的值全部保留", s.Count)
			en += fmt.Sprintf("; %s in the new form", keep(s.Count))
		} else if s.Lost > 0 {
			zh += fmt.Sprintf("，%d 条记录的值保留，%d 条记录的值将丢失", fits, s.Lost)
			en += fmt.Sprintf("; %s in the new form, %s a value that doesn't fit", keep(fits), lose(s.Lost))
			if len(s.Examples) > 0 {
				zh += "：" + examples(s.Examples, true)
				en += ": " + examples(s.Examples, false)
			}
		}
	case Compute:
		zh, en = fmt.Sprintf("%s 的 %s 改由公式计算", model, what), fmt.Sprintf("compute %s of %s by a formula", what, model)
		if s.Count > 0 {
			zh += fmt.Sprintf("，%d 条记录中填写的值将被覆盖", s.Count)
			en += fmt.Sprintf("; it overwrites what people entered in %s", records(s.Count))
		}
	case Required:
		zh, en = fmt.Sprintf("%s 的 %s 改为必填", model, what), fmt.Sprintf("make %s of %s required", what, model)
		if s.Count > 0 {
			zh += fmt.Sprintf("，%d 条记录没有值", s.Count)
			en += fmt.Sprintf("; %s no value", have(s.Count))
		}
	case Optional:
		zh, en = fmt.Sprintf("%s 的 %s 不再必填", model, what), fmt.Sprintf("make %s of %s optional", what, model)
	case Default:
		zh, en = fmt.Sprintf("更改 %s 的 %s 的默认值：%s → %s", model, what, s.From, s.To), fmt.Sprintf("change the default of %s of %s: %s → %s", what, model, s.From, s.To)
	case Reference:
		zh, en = fmt.Sprintf("更改 %s 的 %s 的引用约束", model, what), fmt.Sprintf("change the reference of %s of %s", what, model)
		if s.Count > 0 {
			zh += fmt.Sprintf("，%d 处引用不存在的记录，将被清空", s.Count)
			en += fmt.Sprintf("; %s to missing records and will be cleared", number(s.Count, "reference is", "references are"))
		}
	case Repack:
		zh, en = "所有编号改用 16 字节存储（原为 36 个字符），各表将重写一遍，数据不变", "keep all ids in 16 bytes instead of 36 characters: every table is written anew, no data changes"
	case AddIndex:
		zh, en = fmt.Sprintf("%s 按 %s 建立索引", model, s.Column), fmt.Sprintf("index %s by %s", model, s.Column)
		if s.To == "unique" {
			zh, en = fmt.Sprintf("%s 的 %s 改为唯一", model, s.Column), fmt.Sprintf("make %s of %s unique", s.Column, model)
		}
		if s.Count > 0 {
			zh += fmt.Sprintf("，%d 条记录有重复", s.Count)
			en += fmt.Sprintf("; %s duplicates", have(s.Count))
			if len(s.Examples) > 0 {
				zh += "：" + examples(s.Examples, true)
				en += ": " + examples(s.Examples, false)
			}
		}
	case DropIndex:
		zh, en = fmt.Sprintf("删除 %s 按 %s 的索引", model, s.Column), fmt.Sprintf("drop the index of %s by %s", model, s.Column)
		if s.From == "unique" {
			zh, en = fmt.Sprintf("%s 的 %s 不再要求唯一", model, s.Column), fmt.Sprintf("make %s of %s no longer unique", s.Column, model)
		}
	}
	return plan.Label{Zh: zh, I18n: map[string]string{"en": en}}
}

func number(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func records(n int64) string { return number(n, "record", "records") }
func have(n int64) string    { return number(n, "record has", "records have") }
func lose(n int64) string    { return number(n, "record loses", "records lose") }
func keep(n int64) string    { return number(n, "record keeps its value", "records keep their values") }
func follow(n int64) string  { return number(n, "record follows", "records follow") }
func are(n int64) string     { return number(n, "record is", "records are") }
