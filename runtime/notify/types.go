package notify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Type is the number of a kind of notification; the numbers are part of the HTTP contract.
type Type int

// Types that this program sends.
const (
	WorkHandover Type = 31  // the work of somebody was handed over to the recipient
	Mention      Type = 41  // in a comment
	Reply        Type = 42  // to a comment
	RolesWaiting Type = 61  // roles of people who left have to be handed over
	PeopleGone   Type = 62  // the work of people who left has to be handed over
	Custom       Type = 201 // a message with a title of its own
)

// Kind is the tab that shows a notification.
type Kind string

// The kinds.
const (
	Station Kind = "STATION"
	Comment Kind = "COMMENT"
)

// Kind returns the tab that shows notifications of the type.
func (t Type) Kind() Kind {
	if t == Mention || t == Reply {
		return Comment
	}
	return Station
}

// Group is what people choose channels for: types that mean the same to them.
type Group string

// The groups, in the order in which they are offered.
const (
	Tasks       Group = "task"       // something waits for the recipient
	Progress    Group = "progress"   // of workflows that the recipient takes part in
	Copies      Group = "copy"       // records that others pass on
	Comments    Group = "comment"    // mentions and replies
	Delegations Group = "delegation" // of workflows
	Handovers   Group = "handover"   // of work and roles
	Others      Group = "other"      // changed data, and what packs send
)

// Groups are all groups, in the order in which they are offered.
func Groups() []Group {
	return []Group{Tasks, Progress, Copies, Comments, Delegations, Handovers, Others}
}

// Mailed reports whether messages of the group come by mail unless their recipient chose otherwise: those that wait for somebody.
func (g Group) Mailed() bool { return g == Tasks || g == Handovers }

// TargetKind is what notifications of a type open.
type TargetKind string

// The targets. Which one it is in a case follows from what the message names.
const (
	ToRecord      TargetKind = "record"      // the form of its record
	ToWorkItem    TargetKind = "workItem"    // that form, with the task of the recipient
	ToModel       TargetKind = "model"       // the list of a model, or its form for a new record about one person
	ToDelegations TargetKind = "delegations" // the page of delegations
	ToNothing     TargetKind = "none"
)

// wording is a text in both languages. What is in braces is filled in:
//
//	{sender}      who caused it, or the system
//	{record}      the name of the record, as the reader may see it
//	{originator}  who started the workflow
//	{instance}    the name of the workflow
//	{people}      at most 2 names, then their number
//	{roles}       at most 5 names, then their number
//	{departments} at most 5 names, then their number
//	{records}     how many records
//	{tasks}       how many tasks of workflows
//	{step}        the step of the workflow
type wording struct{ zh, en string }

// definition is all that is known of a type.
type definition struct {
	name   wording // of the type itself, for those who choose channels
	group  Group
	target TargetKind
	fuller wording // the title where all of its values are there; empty = there is none beside title
	title  wording
	plain  wording   // the title where one of the values of title is missing, or the reader may no longer see it
	lines  []wording // the text below the title, each line when all of its values are there. A message with a text of its own has that instead.
}

// started is the line of messages about workflows.
var started = []wording{{"{originator} 发起的“{instance}”", "{instance}, started by {originator}"}}

// definitions are all types of the specification.
var definitions = map[Type]definition{
	1: {wording{"流程已发起", "Workflow started"}, Progress, ToWorkItem, wording{}, wording{"流程已发起：{record}", "Started: {record}"}, wording{"流程已发起", "A workflow was started"}, started},
	2: {wording{"流程已结束", "Workflow ended"}, Progress, ToWorkItem, wording{}, wording{"流程已结束：{record}", "Ended: {record}"}, wording{"流程已结束", "A workflow has ended"}, started},
	3: {wording{"流程已取消", "Workflow canceled"}, Progress, ToWorkItem, wording{}, wording{"流程已取消：{record}", "Canceled: {record}"}, wording{"流程已取消", "A workflow was canceled"}, started},
	4: {wording{"流程已激活", "Workflow activated"}, Progress, ToWorkItem, wording{}, wording{"流程已激活：{record}", "Activated: {record}"}, wording{"流程已激活", "A workflow was activated"}, started},
	11: {wording{"任务即将开始", "Task about to start"}, Tasks, ToWorkItem, wording{}, wording{"即将轮到您处理：{record}", "Coming to you soon: {record}"},
		wording{"有任务即将轮到您处理", "A task is coming to you soon"}, started},
	12: {wording{"节点已完成", "Step completed"}, Progress, ToWorkItem, wording{"“{step}”已完成：{record}", "Completed “{step}”: {record}"}, wording{"节点已完成：{record}", "Step completed: {record}"}, wording{"节点已完成", "A step was completed"}, started},
	13: {wording{"任务已完成", "Task completed"}, Progress, ToWorkItem, wording{}, wording{"任务已完成：{record}", "Task completed: {record}"}, wording{"任务已完成", "A task was completed"}, started},
	14: {wording{"任务已取消", "Task canceled"}, Progress, ToWorkItem, wording{}, wording{"任务已取消：{record}", "Task canceled: {record}"}, wording{"任务已取消", "A task was canceled"}, started},
	16: {wording{"审批通过", "Approved"}, Progress, ToWorkItem, wording{"“{step}”已同意：{record}", "Approved at “{step}”: {record}"}, wording{"已同意：{record}", "Approved: {record}"}, wording{"审批已通过", "Approved"}, started},
	17: {wording{"审批驳回", "Rejected"}, Progress, ToWorkItem, wording{"“{step}”已驳回：{record}", "Rejected at “{step}”: {record}"}, wording{"已驳回：{record}", "Rejected: {record}"}, wording{"审批已驳回", "Rejected"}, started},
	21: {wording{"任务即将超时", "Task due soon"}, Tasks, ToWorkItem, wording{}, wording{"即将超时：{record}", "Due soon: {record}"}, wording{"任务即将超时", "A task is due soon"}, started},
	23: {wording{"任务已超时", "Task overdue"}, Tasks, ToWorkItem, wording{}, wording{"已超时：{record}", "Overdue: {record}"}, wording{"任务已超时", "A task is overdue"}, started},
	WorkHandover: {wording{"工作交接", "Work handover"}, Handovers, ToModel, wording{}, wording{"{people} 的工作已移交给您", "The work of {people} was handed over to you"},
		wording{"有工作移交给您", "Work was handed over to you"},
		[]wording{{"操作人：{sender}", "Done by {sender}"}, {"数据：{records} 条", "Records: {records}"}, {"流程任务：{tasks} 项", "Workflow tasks: {tasks}"}, {"链接和草稿：{things} 项", "Links and drafts: {things}"}, {"负责的部门：{departments}", "Departments to lead: {departments}"}, {"角色：{roles}", "Roles: {roles}"}}},
	32: {wording{"数据修改", "Data modified"}, Others, ToRecord, wording{}, wording{"{sender} 修改了“{record}”", "{sender} changed “{record}”"},
		wording{"{sender} 修改了一条记录", "{sender} changed a record"}, nil},
	Mention: {wording{"评论中提及您", "Mention in a comment"}, Comments, ToRecord, wording{}, wording{"{sender} 在“{record}”中提到了您", "{sender} mentioned you in “{record}”"},
		wording{"{sender} 在评论中提到了您", "{sender} mentioned you in a comment"}, nil},
	Reply: {wording{"评论得到回复", "Reply to a comment"}, Comments, ToRecord, wording{}, wording{"{sender} 回复了您在“{record}”中的评论", "{sender} replied to your comment on “{record}”"},
		wording{"{sender} 回复了您的评论", "{sender} replied to your comment"}, nil},
	51: {wording{"流程委托", "Workflows delegated"}, Delegations, ToDelegations, wording{"{sender} 的 {tasks} 项任务已转给您", "Tasks of {sender} that came to you: {tasks}"}, wording{"{sender} 将流程委托给您", "{sender} delegated workflows to you"},
		wording{"有流程委托给您", "Workflows were delegated to you"}, nil},
	52: {wording{"委托结束", "Delegation ended"}, Delegations, ToDelegations, wording{"您对 {people} 的委托已结束", "Your delegation to {people} has ended"}, wording{"{sender} 对您的委托已结束", "The delegation of {sender} to you has ended"},
		wording{"委托已结束", "A delegation has ended"}, []wording{{"退回的任务：{tasks} 项", "Tasks that came back: {tasks}"}}},
	RolesWaiting: {wording{"角色待交接", "Roles to hand over"}, Handovers, ToModel, wording{}, wording{"角色待交接：{roles}", "Roles to hand over: {roles}"},
		wording{"角色待交接", "Roles to hand over"}, []wording{{"原持有人：{people}", "Held by {people}"}}},
	PeopleGone: {wording{"离职人员待交接", "Work of departed people to hand over"}, Handovers, ToModel, wording{}, wording{"离职人员待交接：{people}", "Departed, work to hand over: {people}"},
		wording{"离职人员待交接", "Departed people, work to hand over"}, nil},
	101: {wording{"待办任务", "Task to handle"}, Tasks, ToWorkItem, wording{}, wording{"待您处理：{record}", "Your action is needed: {record}"}, wording{"有任务待您处理", "A task needs your action"}, started},
	102: {wording{"流程已完成", "Workflow completed"}, Progress, ToWorkItem, wording{}, wording{"流程已完成：{record}", "Completed: {record}"}, wording{"流程已完成", "A workflow was completed"}, started},
	103: {wording{"流程异常", "Workflow error"}, Progress, ToWorkItem, wording{}, wording{"流程异常：{record}", "Workflow error: {record}"}, wording{"流程异常", "A workflow stopped with an error"}, started},
	104: {wording{"流程已作废", "Workflow voided"}, Progress, ToWorkItem, wording{}, wording{"流程已作废：{record}", "Void: {record}"}, wording{"流程已作废", "A workflow was voided"}, started},
	105: {wording{"流程已删除", "Workflow deleted"}, Progress, ToNothing, wording{}, wording{"流程已删除：{instance}", "Deleted: {instance}"}, wording{"流程已删除", "A workflow was deleted"}, nil},
	106: {wording{"抄送", "Copy"}, Copies, ToWorkItem, wording{}, wording{"{sender} 抄送给您：{record}", "{sender} copied you on {record}"},
		wording{"{sender} 抄送了一条记录给您", "{sender} copied you on a record"}, started},
	107: {wording{"催办", "Reminder"}, Tasks, ToWorkItem, wording{}, wording{"{sender} 催办：{record}", "Reminder from {sender}: {record}"},
		wording{"{sender} 催您处理任务", "{sender} reminds you about a task"}, started},
	108: {wording{"子流程任务", "Subworkflow task"}, Tasks, ToWorkItem, wording{}, wording{"新的子流程任务：{record}", "New subworkflow task: {record}"},
		wording{"新的子流程任务", "A new subworkflow task"}, started},
	Custom: {wording{"自定义消息", "Custom message"}, Others, ToRecord, wording{}, wording{"{record}", "{record}"}, wording{"消息", "Message"}, nil},
}

// Description is a type for those who choose its channels.
type Description struct {
	Type   Type
	Name   plan.Label
	Group  Group
	Target TargetKind
}

// Types describes all types, by number.
func Types() []Description {
	out := make([]Description, 0, len(definitions))
	for _, t := range slices.Sorted(maps.Keys(definitions)) {
		d := definitions[t]
		out = append(out, Description{t, plan.Label{Zh: d.name.zh, I18n: map[string]string{"en": d.name.en}}, d.group, d.target})
	}
	return out
}

// Known reports whether there is a type of that number.
func (t Type) Known() bool { _, known := definitions[t]; return known }

// Group is what people choose the channels of the type by.
func (t Type) Group() Group { return definitions[t].group }

// unknown is the sender shown when there is none or the sender no longer exists.
var unknown = wording{"系统", "System"}

func (w wording) in(locale string) string {
	if locale == "en" {
		return w.en
	}
	return w.zh
}

// How many names a text lists.
const (
	maxPeople = 2
	maxRoles  = 5
)

// values are what the places of texts are filled with; those without a value are missing.
type values map[string]string

// valuesOf reads what a message brings. Names of the workflow are told like the record's: not to readers who see it no longer.
func valuesOf(locale, sender, record string, shown bool, b Biz) values {
	if sender == "" {
		sender = unknown.in(locale)
	}
	v := values{"sender": sender, "record": record, "people": listed(locale, b.UserNameList, maxPeople, wording{" 等 %d 人", " and %d others"}),
		"roles": listed(locale, b.Roles, maxRoles, wording{" 等 %d 个", " and %d others"}), "departments": listed(locale, b.Departments, maxRoles, wording{" 等 %d 个", " and %d others"})}
	v["originator"], v["instance"], v["records"], v["tasks"], v["things"], v["step"] = "", "", "", "", "", ""
	if shown {
		v["originator"], v["instance"] = b.OriginatorName, b.InstanceName
		v["step"] = plan.Label{Zh: b.Step, I18n: b.StepI18n}.In(locale)
	}
	if b.Tasks > 0 {
		v["tasks"] = fmt.Sprint(b.Tasks)
	}
	if b.Things > 0 {
		v["things"] = fmt.Sprint(b.Things)
	}
	if b.Records > 0 {
		v["records"] = fmt.Sprint(b.Records)
	}
	return v
}

// listed writes the first names of a list and how many there are (in Chinese), or how many more (in English).
func listed(locale string, names []string, most int, more wording) string {
	between, left := "、", len(names)
	if locale == "en" {
		between, left = ", ", len(names)-most
	}
	if len(names) <= most {
		return strings.Join(names, between)
	}
	rest := fmt.Sprintf(more.in(locale), left)
	if locale == "en" && left == 1 {
		rest = " and 1 other"
	}
	return strings.Join(names[:most], between) + rest
}

// fill puts the values into a text; false when one of them is missing.
func (v values) fill(text string) (string, bool) {
	var pairs []string
	whole := true
	for name, value := range v {
		place := "{" + name + "}"
		whole = whole && (value != "" || !strings.Contains(text, place))
		pairs = append(pairs, place, value)
	}
	text = strings.NewReplacer(pairs...).Replace(text)
	return text, whole
}

// title returns the title of a notification in a locale.
func (t Type) title(locale string, v values) string {
	d := definitions[t]
	for _, one := range []wording{d.fuller, d.title} {
		if text, whole := v.fill(one.in(locale)); whole && text != "" {
			return text
		}
	}
	text, _ := v.fill(d.plain.in(locale))
	return text
}

// content returns the text below the title of a message that has none of its own.
func (t Type) content(locale string, v values) string {
	var out []string
	for _, line := range definitions[t].lines {
		if text, whole := v.fill(line.in(locale)); whole {
			out = append(out, text)
		}
	}
	between := "；"
	if locale == "en" {
		between = "; "
	}
	return strings.Join(out, between)
}

// asKind reads a messageType of a call: a kind, a type's number, or nothing for all.
func asKind(word string) (Kind, error) {
	switch k := Kind(word); k {
	case "", Station, Comment:
		return k, nil
	}
	return "", fault.New(fault.BadParameter, "messageType")
}
