package bpmn

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
)

// Sort says what an item of a report means for the reader.
type Sort string

// The sorts of items.
const (
	Refused  Sort = "refused"  // the file cannot be taken because of it
	Complete Sort = "complete" // a placeholder was taken; somebody has to complete it
	Dropped  Sort = "dropped"  // it was not taken
	Changed  Sort = "changed"  // it was taken as something else
	Kept     Sort = "kept"     // it has no effect here and is written back by Export
)

// Item is a finding with the element that it is about.
type Item struct {
	diag.Diagnostic
	Sort    Sort   `json:"sort"`
	Element string `json:"element"` // id in the file
	Type    string `json:"type"`    // name of the element: userTask
	Name    string `json:"name"`
}

// Report lists findings in the order of the file.
type Report []Item

// Refused reports whether the file was not taken.
func (r Report) Refused() bool { return r.has(Refused) }

// Draft reports whether something is to be completed before the workflow can start.
func (r Report) Draft() bool { return r.has(Complete) }

func (r Report) has(s Sort) bool {
	for _, i := range r {
		if i.Sort == s {
			return true
		}
	}
	return false
}

// List is the report as diagnostics, whose texts name the elements.
func (r Report) List() diag.List {
	out := make(diag.List, len(r))
	for i, item := range r {
		d := item.Diagnostic
		if item.Element != "" {
			at := item.Type + " " + item.Element
			if item.Name != "" {
				at += " (" + item.Name + ")"
			}
			d.Zh, d.En = at+"："+d.Zh, at+": "+d.En
		}
		out[i] = d
	}
	return out
}

type message struct {
	sort Sort
	diag.Message
}

func say(sort Sort, zh, en, repairZh, repairEn string) message {
	severity := diag.Warning
	if sort == Refused {
		severity = diag.Error
	}
	return message{sort, diag.Message{Severity: severity, Zh: zh, En: en, RepairZh: repairZh, RepairEn: repairEn}}
}

var messages = map[string]message{
	"BPMN001": say(Refused, "不是完好的 XML：{0}", "this is not well-formed XML: {0}", "在原来的工具中重新导出文件", "export the file again from the tool that made it"),
	"BPMN002": say(Refused, "文件超出限制：{0}", "the file is over a limit: {0}", "拆成多个流程", "split it into several workflows"),
	"BPMN003": say(Refused, "文件含有 DOCTYPE，不予读取", "the file has a DOCTYPE, which is not read", "删去 DOCTYPE 和实体", "remove the DOCTYPE and its entities"),
	"BPMN004": say(Refused, "不是 BPMN 2.0 文件：{0}", "this is not a BPMN 2.0 file: {0}", "选择 .bpmn 或 BPMN 2.0 XML 文件", "choose a .bpmn file or another BPMN 2.0 XML"),
	"BPMN005": say(Refused, "文件中没有含节点的流程", "the file has no process with elements", "画好流程后再导入", "draw a process first"),
	"BPMN006": say(Refused, "有多个泳池或流程，只取入一个：{0}", "there are several pools or processes, and one is taken: {0}", "用 --pool（接口中为 pool）写出取入哪一个的名称或 id", "name the one to take, or its id, with --pool (pool in calls)"),
	"BPMN010": say(Refused, "不支持{0}", "not supported: {0}", "{1}", "{1}"),
	"BPMN011": say(Refused, "连线回到了前面的\"{0}\"", "the flow leads back to \"{0}\"", "删去这条线；退回由审批人用“驳回”完成", "remove the flow; approvers send back with reject"),
	"BPMN012": say(Refused, "并行分支未正确汇聚：{0}", "parallel branches are not joined properly: {0}", "每个并行或包容分支用同类网关汇聚，其中的连线不越过它", "end each parallel or inclusive split with a gateway of the same kind, and let no flow pass it"),
	"BPMN013": say(Refused, "{0} 引用了不存在的元素 \"{1}\"", "{0} refers to the missing element \"{1}\"", "改正引用或重新导出", "correct the reference or export the file again"),
	"BPMN014": say(Refused, "流程要有且只有一个开始，现有 {0} 个", "a workflow has exactly one start, this one has {0}", "留一个开始事件", "keep one start event"),
	"BPMN015": say(Refused, "id 重复", "the id is taken", "改为唯一的 id", "use a unique id"),
	"BPMN016": say(Refused, "网关有 {0} 条出线，最多 50 条", "the gateway has {0} flows, at most 50 are allowed", "分成多个网关", "use several gateways"),
	"BPMN020": say(Complete, "处理人未能识别：{0}", "who handles it was not recognized: {0}", "在 participants 中写由谁处理；目前会交给流程管理员", "name them in participants; until then workflow administrators get it"),
	"BPMN021": say(Complete, "条件未能取入：{0}", "the condition was not taken: {0}", "用表达式写出条件（when）", "write it as an expression (when)"),
	"BPMN022": say(Complete, "没有可用的服务名称：{0}", "no service is named: {0}", "在 service 中写服务名称", "name the service"),
	"BPMN023": say(Complete, "时间未能识别：{0}", "the time was not recognized: {0}", "写出时间", "write the time as an expression or in minutes"),
	"BPMN024": say(Complete, "信号 \"{0}\" 没有关联值，暂用流水号", "signal \"{0}\" has no correlation key; the sequence number is used", "在 key 中写出关联值", "write what it is recognized by in key"),
	"BPMN025": say(Complete, "完成条件未能识别：{0}", "the completion condition was not recognized: {0}", "设置 mode 和 agreeExit", "set mode and agreeExit"),
	"BPMN026": say(Complete, "子流程：{0}", "sub-workflow: {0}", "设置 workflowCode 和 each", "set workflowCode and each"),
	"BPMN027": say(Complete, "没有默认的路，最后一条作为默认", "there is no default flow; the last one is the default", "确认哪一条是默认的路", "check which one is the default"),
	"BPMN028": say(Complete, "触发方式未取入：{0}；由人发起", "the trigger was not taken: {0}; people start it", "需要时用服务发起", "start it by a service where needed"),
	"BPMN029": say(Complete, "编译未通过：{0}", "it does not compile: {0}", "{1}", "{1}"),
	"BPMN030": say(Dropped, "未取入：{0}", "not taken: {0}", "需要时在流程中另行设置", "set it up here where it is needed"),
	"BPMN031": say(Kept, "不起作用，导出时写回：{0}", "has no effect, written back by an export: {0}", "无需处理", "nothing to do"),
	"BPMN040": say(Changed, "{0}", "{0}", "确认含义不变", "check that it means the same"),
}

// Messages are the findings of this package by code.
func Messages() map[string]diag.Message {
	out := map[string]diag.Message{}
	for code, m := range messages {
		out[code] = m.Message
	}
	return out
}

// reason is a text of both languages.
func reason(zh, en string) diag.Text { return diag.Text{Zh: zh, En: en} }

// reporter collects items.
type reporter struct {
	file  string
	items Report
}

// add reports a finding about an element; nil is the whole file.
func (r *reporter) add(code string, e *element, args ...any) {
	m := messages[code]
	at := diag.Position{File: r.file}
	item := Item{Sort: m.sort}
	if e != nil {
		at.Line, at.Col = e.line, e.col
		item.Element, item.Type, item.Name = e.attr("", "id"), e.local, shorten(e.attr("", "name"))
	}
	item.Diagnostic = m.New(code, at, args...)
	if !slices.Contains(r.items, item) { // a document may be compiled several times
		r.items = append(r.items, item)
	}
}

// shorten makes a text of a file fit into a message.
func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return text
}
