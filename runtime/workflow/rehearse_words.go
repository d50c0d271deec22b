package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/schemas"
)

// refusals are the texts of errors, by their codes.
var refusals = sync.OnceValue(func() map[fault.Code]Words {
	out := map[fault.Code]Words{}
	var rows []struct {
		Code   fault.Code
		Zh, En string
	}
	text, err := schemas.FS.ReadFile("errors.json")
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	if err != nil {
		panic(err) // it is embedded
	}
	for _, r := range rows {
		out[r.Code] = Words{Zh: r.Zh, En: r.En}
	}
	return out
})

// said is what people would read of a refusal.
func said(err error) Words {
	var f *fault.Error
	if !errors.As(err, &f) {
		return Words{Zh: "内部错误", En: "Internal error"}
	}
	out := wordsOf(f.Code, f.Args, f.MessageZh, f.MessageEn)
	if in, ok := f.Data.(fault.Invalid); ok {
		for _, e := range in.Errors {
			one := wordsOf(e.Code, e.Args, e.MessageZh, e.MessageEn)
			out.Zh, out.En = out.Zh+"；"+e.PropertyCode+"："+one.Zh, out.En+"; "+e.PropertyCode+": "+one.En
		}
	}
	return out
}

func wordsOf(code fault.Code, args []any, zh, en string) Words {
	of, known := refusals()[code]
	if !known {
		of = Words{Zh: fmt.Sprint(int(code)), En: fmt.Sprint(int(code))}
	}
	of.Zh, of.En = diag.Fill(of.Zh, args, "zh"), diag.Fill(of.En, args, "en")
	if zh != "" {
		of.Zh = zh
	}
	if en != "" {
		of.En = en
	}
	return of
}

// field is what is wrong with a field of a model.
func field(m *catalog.Model, e fault.FieldError) Words {
	out := wordsOf(e.Code, e.Args, e.MessageZh, e.MessageEn)
	head, column, _ := strings.Cut(e.PropertyCode, ".")
	zh, en := e.PropertyCode, e.PropertyCode
	if f := m.Field(head); f != nil {
		zh, en = f.Label.Zh, f.Label.In("en")
		if column != "" && f.Sheet != nil && f.Sheet.Field(column) != nil {
			zh, en = zh+" › "+f.Sheet.Field(column).Label.Zh, en+" › "+f.Sheet.Field(column).Label.In("en")
		}
	}
	return Words{Zh: zh + "：" + out.Zh, En: en + ": " + out.En}
}

// participantWords says where a rule finds people.
func (f *facts) participantWords(p catalog.Participant) (out Words) {
	c := f.s.cfg.Policy().Catalog()
	switch p.Kind {
	case catalog.FromPerson:
		out = Words{Zh: "模板指定的人", En: "named in the template"}
	case catalog.FromRole:
		zh, en := rolesIn(c, p.Values)
		out = Words{Zh: "角色" + zh, En: "role " + en}
		switch p.Scope.Kind {
		case "byDept":
			zh, en := pathWords(p.Scope.Path)
			out.Zh, out.En = out.Zh+"，属于字段“"+zh+"”中的部门", out.En+" in the department of the field “"+en+"”"
		case "byField":
			zh, en := pathWords(p.Scope.Path)
			out.Zh, out.En = out.Zh+"，属于字段“"+zh+"”中记录的归属部门", out.En+" in the department that owns the record of the field “"+en+"”"
		}
	case catalog.FromDept:
		var names []string
		for _, id := range p.Values {
			names = append(names, f.nameOf(plan.Ref{Model: directory.Department, ID: id}))
		}
		list := strings.Join(names, ", ")
		out = Words{Zh: "部门“" + list + "”的成员", En: "member of the department “" + list + "”"}
		if p.Recursive {
			out.Zh, out.En = "部门“"+list+"”及下级部门的成员", out.En+" or of one below"
		}
	case catalog.FromDeptLeader:
		zh, en := whoseWords(p.Of)
		out = Words{Zh: zh + "所在部门的负责人", En: "leader of the department of " + en}
		if p.Of.Kind == "field" {
			out = Words{Zh: zh + "的部门负责人", En: "leader of the department in " + en}
		}
		if p.Level > 1 {
			out.Zh, out.En = fmt.Sprintf("%s（上 %d 级）", out.Zh, p.Level-1), fmt.Sprintf("%s, %d up", out.En, p.Level-1)
		}
		if p.WalkUp {
			out.Zh, out.En = out.Zh+"，没有则取上级部门的", out.En+", or of the nearest department above that has one"
		}
	case catalog.FromSuperiors:
		zh, en := whoseWords(p.Of)
		out = Words{Zh: zh + "的上级", En: "superior of " + en}
		if p.Levels > 0 {
			out.Zh, out.En = fmt.Sprintf("%s（最多 %d 级）", out.Zh, p.Levels), fmt.Sprintf("%s, up to %d levels", out.En, p.Levels)
		}
		if p.Until != "" {
			zh, en := rolesIn(c, []string{p.Until})
			out.Zh, out.En = out.Zh+"，直到角色"+zh, out.En+", up to the role "+en
		}
	case catalog.FromInitiator:
		out = Words{Zh: "发起人", En: "the initiator"}
	case catalog.FromPreviousHandler:
		zh, en := p.Node, p.Node
		if n := f.w.Nodes[p.Node]; n != nil {
			zh, en = n.Label.Zh, n.Label.In("en")
		}
		out = Words{Zh: "节点“" + zh + "”的处理人", En: "handled the node “" + en + "”"}
	case catalog.FromField:
		zh, en := pathWords(p.Path)
		out = Words{Zh: "字段“" + zh + "”", En: "field “" + en + "”"}
	case catalog.FromInitiatorChoice:
		out = Words{Zh: "由发起人选择，此处取全部候选人", En: "chosen by the initiator; all candidates are taken here"}
	case catalog.FromPreviousChoice:
		out = Words{Zh: "由上一处理人选择，此处取全部候选人", En: "chosen by the previous handler; all candidates are taken here"}
	case catalog.FromExpression:
		out = Words{Zh: "公式", En: "formula"}
	default:
		out = Words{Zh: string(p.Kind), En: string(p.Kind)}
	}
	if len(p.Exclude) > 0 {
		var zh, en []string
		for _, e := range p.Exclude {
			w := f.participantWords(e)
			zh, en = append(zh, w.Zh), append(en, w.En)
		}
		out.Zh, out.En = out.Zh+"，除了"+strings.Join(zh, "、"), out.En+", except "+strings.Join(en, ", ")
	}
	return out
}

func rolesIn(c *catalog.Catalog, codes []string) (string, string) {
	var zh, en []string
	for _, code := range codes {
		label := plan.Label{Zh: code}
		for _, r := range c.Roles {
			if strings.EqualFold(r.Code, code) {
				label = r.Label
			}
		}
		zh, en = append(zh, "“"+label.Zh+"”"), append(en, "“"+label.In("en")+"”")
	}
	return strings.Join(zh, "、"), strings.Join(en, " or ")
}

func pathWords(p catalog.Path) (string, string) {
	var zh, en []string
	for _, f := range p.Steps {
		zh, en = append(zh, f.Label.Zh), append(en, f.Label.In("en"))
	}
	if p.Field != nil {
		zh, en = append(zh, p.Field.Label.Zh), append(en, p.Field.Label.In("en"))
	}
	return strings.Join(zh, " › "), strings.Join(en, " › ")
}

func whoseWords(of catalog.Whose) (string, string) {
	switch of.Kind {
	case "field":
		zh, en := pathWords(of.Path)
		return "字段“" + zh + "”", "the field “" + en + "”"
	case "previous":
		return "上一处理人", "the previous handler"
	}
	return "发起人", "the initiator"
}

// emptyWords says what becomes of a node that nobody would have.
func emptyWords(w *catalog.Workflow, n *flow.Node) Words {
	policy := n.Empty
	if policy.Action == "" {
		policy = w.Template.Empty
	}
	switch policy.Action {
	case flow.EmptyAutoPass:
		return Words{Zh: "没有处理人：自动通过", En: "Nobody has it: it passes by itself"}
	case flow.EmptyToUser:
		return Words{Zh: "没有处理人：交给 " + policy.User, En: "Nobody has it: it goes to " + policy.User}
	case flow.EmptyToSuperior:
		return Words{Zh: "没有处理人：交给发起人的上级", En: "Nobody has it: it goes to the initiator's superior"}
	case flow.EmptyError:
		return Words{Zh: "没有处理人：流程异常，等待管理员", En: "Nobody has it: the workflow stops with an error and waits for an administrator"}
	}
	return Words{Zh: "没有处理人：交给流程管理员", En: "Nobody has it: it goes to the workflow administrators"}
}

// ruleWords says which rule decided in somebody's place.
func ruleWords(rule flow.Rule) Words {
	switch rule {
	case flow.RuleDedupe:
		return Words{Zh: "自动同意：此人在前面的节点已同意", En: "Agrees automatically: the same person agreed before"}
	case flow.RuleSkip:
		return Words{Zh: "自动同意：此人是发起人", En: "Agrees automatically: this is the initiator"}
	case flow.RuleAutoWhen:
		return Words{Zh: "自动同意：满足条件", En: "Agrees automatically: the condition holds"}
	case flow.RuleAutoPass:
		return Words{Zh: "没有处理人：自动通过", En: "Nobody has it: it passes by itself"}
	case flow.RuleTimeout:
		return Words{Zh: "超时后自动处理", En: "Decided automatically after the timeout"}
	}
	label := rule.Label()
	return Words{Zh: label.Zh, En: label.I18n["en"]}
}

func entryWords(a flow.Activity) Words {
	switch a.Entry {
	case flow.EntryReject:
		return Words{Zh: "被退回到这里", En: "Sent back to here"}
	case flow.EntryWithdraw:
		return Words{Zh: "取回到这里", En: "Taken back to here"}
	case flow.EntryJump:
		return Words{Zh: "直接跳到这里", En: "Came here directly"}
	}
	return Words{}
}

func stuckWords(why string) Words {
	known := map[string]Words{
		flow.StuckNobody:   {Zh: "没有处理人，等待管理员", En: "Nobody has it; it waits for an administrator"},
		flow.StuckFailed:   {Zh: "未能完成，等待管理员", En: "It failed; it waits for an administrator"},
		flow.StuckRejected: {Zh: "被否决，且没有可退回的节点，等待管理员", En: "It was rejected, and there is no step to send it back to; it waits for an administrator"},
		flow.StuckTimeout:  {Zh: "超时，等待管理员", En: "The time is over; it waits for an administrator"},
		flow.StuckWait:     {Zh: "等待的时间或信号为空，等待管理员", En: "The time or signal that it waits for is empty; it waits for an administrator"},
	}
	if w, ok := known[why]; ok {
		return w
	}
	if refused := flow.ReadReason(why); refused != nil && refused.Args != nil {
		text := wordsOf(refused.Code, refused.Args, refused.MessageZh, refused.MessageEn)
		return Words{Zh: "无法继续，等待管理员：" + text.Zh, En: "It cannot go on and waits for an administrator: " + text.En}
	}
	return Words{Zh: "无法继续，等待管理员：" + why, En: "It cannot go on and waits for an administrator: " + why}
}

// routeWords says why routes were taken: the condition with its values.
func routeWords(routes []TriedRoute) Words {
	var zh, en []string
	for _, r := range routes {
		if !r.Taken {
			continue
		}
		switch {
		case r.Condition == "" && r.Default:
			zh, en = append(zh, "其他条件都不成立"), append(en, "no other condition holds")
		case r.Condition == "":
			zh, en = append(zh, "总是"), append(en, "always")
		default:
			a, b := r.Because()
			zh, en = append(zh, a), append(en, b)
		}
	}
	return Words{Zh: strings.Join(zh, "；"), En: strings.Join(en, "; ")}
}

// Because is the condition of a route with the values that it read, in Chinese and in English.
func (r TriedRoute) Because() (zh, en string) {
	var a, b []string
	for _, v := range r.Values {
		switch {
		case v.Hidden:
			a, b = append(a, v.Expression+" 不可见"), append(b, v.Expression+" is hidden")
		case v.Text == "":
			a, b = append(a, v.Expression+" 为空"), append(b, v.Expression+" is empty")
		default:
			a, b = append(a, v.Expression+" 为 "+v.Text), append(b, v.Expression+" is "+v.Text)
		}
	}
	if len(a) == 0 {
		return r.Condition, r.Condition
	}
	return r.Condition + "：" + strings.Join(a, "，"), r.Condition + ": " + strings.Join(b, ", ")
}

func endWords(n *catalog.WorkflowNode) Words {
	if n.Result == flow.Rejected {
		return Words{Zh: "结束：不同意", En: "Ends: rejected"}
	}
	return Words{Zh: "结束：同意", En: "Ends: agreed"}
}

func machineWords(n *catalog.WorkflowNode, failed bool) Words {
	out := Words{}
	switch n.Node.Type {
	case flow.Service:
		out = Words{Zh: "演练不调用服务，视为成功", En: "A rehearsal calls no services; it counts as done"}
	case flow.Sub:
		out = Words{Zh: "演练不启动子流程，视为完成", En: "A rehearsal starts no sub-workflows; it counts as done"}
	default:
		out = Words{Zh: "没有到期时间，视为已收到信号", En: "There is no time; the signal counts as received"}
	}
	if failed {
		out = Words{Zh: "按脚本视为失败", En: "It fails, as the script says"}
	}
	return out
}

// timerWords says what a timer did.
func timerWords(t timer, n *catalog.WorkflowNode, who string) Words {
	switch t.Kind {
	case string(flow.TimerWait):
		return Words{Zh: "等待的时间已到", En: "The time has come"}
	case string(flow.TimerExpect):
		return Words{Zh: "即将超时：提醒 " + who, En: "Due soon: " + who + " is reminded"}
	case string(flow.TimerTimeout):
		return Words{Zh: "已超时：提醒 " + who, En: "Overdue: " + who + " is reminded"}
	case timerRemind:
		return Words{Zh: "再次提醒 " + who, En: who + " is reminded again"}
	}
	if t.Step >= len(n.Time.OnTimeout) {
		return Words{}
	}
	switch what := n.Time.OnTimeout[t.Step]; what.Action {
	case "toSuperior":
		return Words{Zh: "超时后：转给 " + who + " 的上级（如果有）", En: "After the timeout: it is passed on to the superior of " + who + ", if there is one"}
	case "toUser":
		return Words{Zh: "超时后：转给 " + what.User, En: "After the timeout: it is passed on to " + what.User}
	case "autoAgree":
		return Words{Zh: "超时后：自动同意", En: "After the timeout: it is agreed to automatically"}
	case "autoReject":
		return Words{Zh: "超时后：自动不同意", En: "After the timeout: it is disagreed to automatically"}
	case "jump":
		return Words{Zh: "超时后：跳到“" + what.To + "”", En: "After the timeout: it jumps to “" + what.To + "”"}
	case "exception":
		return Words{Zh: "超时后：流程异常", En: "After the timeout: the workflow stops with an error"}
	}
	return Words{Zh: "超时后：提醒 " + who, En: "After the timeout: " + who + " is reminded"}
}
