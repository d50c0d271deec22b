package access

import (
	"fmt"
	"io"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// texts of a report on a terminal, in Chinese and English.
var texts = map[string]diag.Text{
	"head":       {Zh: "权限变化，涉及 {0} 人", En: "changes of rights, for {0} {0|person|people}"},
	"people":     {Zh: "{0} 人：{1}（角色 {2}）", En: "{0} {0|person|people}: {1} ({3|role|roles} {2})"},
	"nobody":     {Zh: "目前无人拥有的角色 {0}", En: "the {1|role|roles} {0}, which nobody has"},
	"gain":       {Zh: "增加{0}：{1}", En: "gains {0}: {1}"},
	"lose":       {Zh: "失去{0}：{1}", En: "loses {0}: {1}"},
	"permission": {Zh: "管理权限", En: "permission"},
	"app":        {Zh: "应用", En: "application"},
	"call":       {Zh: "包操作", En: "action of a pack"},
	"action":     {Zh: "操作", En: "action"},
	"rows":       {Zh: "操作 {0} 的记录：{1} → {2}", En: "records to {0}: {1} → {2}"},
	"none":       {Zh: "无", En: "none"},
	"all":        {Zh: "全部", En: "all"},
	"count":      {Zh: "增加 {0} 条，减少 {1} 条", En: "{0} more, {1} fewer"},
	"countOf":    {Zh: "{2}：增加 {0} 条，减少 {1} 条", En: "{2}: {0} more, {1} fewer"},
	"field":      {Zh: "字段 {0}：{1} → {2}", En: "field {0}: {1} → {2}"},
	"-":          {Zh: "隐藏", En: "hidden"},
	"r":          {Zh: "只读", En: "read"},
	"rw":         {Zh: "读写", En: "read and write"},
	"+":          {Zh: "可增行", En: "rows added"},
	"x":          {Zh: "可删行", En: "rows deleted"},
	"writes":     {Zh: "{0}，仅当 {1} 时可写", En: "{0}, written where {1}"},
	"ways":       {Zh: "角色之外的途径", En: "ways besides roles"},
	"workflow":   {Zh: "流程 {0} 的节点 {1} 让 {2} 看到或填写 {3}：{4}", En: "node {1} of workflow {0} shows {2} records of {3}: {4}"},
	"page":       {Zh: "公开页 {0} 以角色 {1} 的权限显示数据", En: "public page {0} shows data with the rights of role {1}"},
	"data":       {Zh: "包的数据（{0}）使 {1} 具有角色 {2}", En: "rows of packs ({0}) give {1} the {3|role|roles} {2}"},
	"where":      {Zh: "{0}，仅当 {1}", En: "{0}, where {1}"},
}

// writer writes a report as text.
type writer struct {
	strings.Builder
	locale string
}

func (w *writer) say(key string, args ...any) string {
	t := texts[key]
	if w.locale == "zh" {
		return diag.Fill(t.Zh, args, w.locale)
	}
	return diag.Fill(t.En, args, w.locale)
}

// WriteText writes a report for a terminal; nothing where no right changes.
func (r *Report) WriteText(to io.Writer, locale string) error {
	if len(r.Groups)+len(r.Ways) == 0 {
		return nil
	}
	w := &writer{locale: locale}
	if len(r.Groups) > 0 {
		fmt.Fprintln(w, w.say("head", r.People))
	}
	for _, g := range r.Groups {
		w.group(g)
	}
	if len(r.Ways) > 0 {
		fmt.Fprintln(w, w.say("ways"))
	}
	for _, way := range r.Ways {
		w.way(way)
	}
	_, err := io.WriteString(to, w.String())
	return err
}

func (w *writer) group(g Group) {
	roles, count := make([]string, len(g.Roles)), 0
	for i, of := range g.Roles {
		roles[i] = strings.Join(of, " + ")
		count += len(of)
	}
	if g.People == 0 {
		fmt.Fprintf(w, "  %s\n", w.say("nobody", strings.Join(roles, ", "), count))
	} else {
		names := strings.Join(g.Names, ", ")
		if g.People > len(g.Names) {
			names += ", …"
		}
		fmt.Fprintf(w, "  %s\n", w.say("people", g.People, names, strings.Join(roles, "; "), count))
	}
	w.gains("    ", "permission", g.Permissions)
	w.gains("    ", "app", g.Apps)
	w.gains("    ", "call", g.Actions)
	for _, m := range g.Models {
		fmt.Fprintf(w, "    %s %s\n", m.Code, w.label(m.Label))
		w.gains("      ", "action", m.Actions)
		for _, row := range m.Rows {
			fmt.Fprintf(w, "      %s\n", w.say("rows", strings.Join(row.Actions, ", "), w.condition(row.Before), w.condition(row.After)))
			for _, n := range row.Counts {
				key := "count"
				if n.Name != "" {
					key = "countOf"
				}
				fmt.Fprintf(w, "        %s\n", w.say(key, n.Gained, n.Lost, n.Name))
			}
		}
		for _, f := range m.Fields {
			fmt.Fprintf(w, "      %s\n", w.say("field", f.Code, w.right(f.Before, f.WhereBefore, f.WritesBefore), w.right(f.After, f.WhereAfter, f.WritesAfter)))
		}
	}
}

func (w *writer) way(of Way) {
	switch of.Kind {
	case ByWorkflow:
		var fields []string
		for _, f := range of.Fields {
			fields = append(fields, f.Code+" "+w.say(f.After))
		}
		fmt.Fprintf(w, "  %s\n", w.say("workflow", of.Code, of.Node.Code, Called(of.People, codeOf, ", "), of.Model.Code, strings.Join(fields, ", ")))
	case ByPage:
		fmt.Fprintf(w, "  %s\n", w.say("page", of.Code, codes(of.Roles)))
	case ByData:
		rows := of.People[0].Names
		fmt.Fprintf(w, "  %s\n", w.say("data", of.Code, codes(rows), codes(of.Roles), len(of.Roles)))
	}
}

func codes(of []Name) string {
	out := make([]string, len(of))
	for i, one := range of {
		out[i] = one.Code
	}
	return strings.Join(out, ", ")
}

func (w *writer) gains(indent, what string, of []authz.Gain) {
	for _, gained := range []bool{true, false} {
		var codes []string
		for _, g := range of {
			if g.Gained == gained {
				codes = append(codes, g.Code)
			}
		}
		if len(codes) > 0 {
			fmt.Fprintf(w, "%s%s\n", indent, w.say(map[bool]string{true: "gain", false: "lose"}[gained], w.say(what), strings.Join(codes, ", ")))
		}
	}
}

func (w *writer) label(l plan.Label) string { return l.In(w.locale) }

func (w *writer) condition(text string) string {
	switch text {
	case "":
		return w.say("none")
	case "all":
		return w.say("all")
	}
	return text
}

// RightName is a right as access documents write it, in words: "rw+x" is "read and write, rows added, rows deleted".
func RightName(right string) diag.Text {
	base := strings.TrimRight(right, "+x")
	out := texts[base]
	for _, letter := range right[len(base):] {
		of := texts[string(letter)]
		out.Zh, out.En = out.Zh+"、"+of.Zh, out.En+", "+of.En
	}
	return out
}

func (w *writer) right(right, where, writes string) string {
	out := RightName(right).In(w.locale)
	if where != "" {
		out = w.say("where", out, where)
	}
	if writes != "" {
		out = w.say("writes", out, writes)
	}
	return out
}
