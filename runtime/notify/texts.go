package notify

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Type is the number of a kind of notification; the numbers are part of the HTTP contract.
type Type int

// Types that this program sends.
const (
	Mention Type = 41
	Reply   Type = 42
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

// wording is a title in both languages. {sender} and {record} are filled in; plain is for a record without a name, or one
// that the recipient can no longer see.
type wording struct{ zh, en, plainZh, plainEn string }

// wordings are the titles of all types of the specification.
var wordings = map[Type]wording{
	1:       {"流程已发起：{record}", "Started: {record}", "流程已发起", "A workflow was started"},
	2:       {"流程已结束：{record}", "Ended: {record}", "流程已结束", "A workflow has ended"},
	3:       {"流程已取消：{record}", "Canceled: {record}", "流程已取消", "A workflow was canceled"},
	4:       {"流程已激活：{record}", "Activated: {record}", "流程已激活", "A workflow was activated"},
	11:      {"即将轮到您处理：{record}", "Coming to you soon: {record}", "有任务即将轮到您处理", "A task is coming to you soon"},
	12:      {"节点已完成：{record}", "Step completed: {record}", "节点已完成", "A step was completed"},
	13:      {"任务已完成：{record}", "Task completed: {record}", "任务已完成", "A task was completed"},
	14:      {"任务已取消：{record}", "Task canceled: {record}", "任务已取消", "A task was canceled"},
	16:      {"已同意：{record}", "Approved: {record}", "审批已通过", "Approved"},
	17:      {"已驳回：{record}", "Rejected: {record}", "审批已驳回", "Rejected"},
	21:      {"即将超时：{record}", "Due soon: {record}", "任务即将超时", "A task is due soon"},
	23:      {"已超时：{record}", "Overdue: {record}", "任务已超时", "A task is overdue"},
	31:      {"{sender} 向您移交了工作", "{sender} transferred work to you", "有工作移交给您", "Work was transferred to you"},
	32:      {"{sender} 修改了“{record}”", "{sender} changed “{record}”", "{sender} 修改了一条记录", "{sender} changed a record"},
	Mention: {"{sender} 在“{record}”中提到了您", "{sender} mentioned you in “{record}”", "{sender} 在评论中提到了您", "{sender} mentioned you in a comment"},
	Reply:   {"{sender} 回复了您在“{record}”中的评论", "{sender} replied to your comment on “{record}”", "{sender} 回复了您的评论", "{sender} replied to your comment"},
	51:      {"{sender} 将流程委托给您", "{sender} delegated workflows to you", "有流程委托给您", "Workflows were delegated to you"},
	52:      {"{sender} 结束了对您的委托", "{sender} ended a delegation to you", "委托已结束", "A delegation has ended"},
	61:      {"角色待交接", "Roles waiting for handover", "角色待交接", "Roles waiting for handover"},
	62:      {"离职人员待交接", "Departed employees waiting for handover", "离职人员待交接", "Departed employees waiting for handover"},
	101:     {"待您处理：{record}", "Your action is needed: {record}", "有任务待您处理", "A task needs your action"},
	102:     {"流程已完成：{record}", "Completed: {record}", "流程已完成", "A workflow was completed"},
	103:     {"流程异常：{record}", "Workflow error: {record}", "流程异常", "A workflow stopped with an error"},
	104:     {"流程已作废：{record}", "Void: {record}", "流程已作废", "A workflow was voided"},
	105:     {"流程已删除：{record}", "Deleted: {record}", "流程已删除", "A workflow was deleted"},
	106:     {"{sender} 抄送给您：{record}", "{sender} copied you on {record}", "{sender} 抄送了一条记录给您", "{sender} copied you on a record"},
	107:     {"{sender} 催办：{record}", "Reminder from {sender}: {record}", "{sender} 催您处理任务", "{sender} reminds you about a task"},
	108:     {"新的子流程任务：{record}", "New subworkflow task: {record}", "新的子流程任务", "A new subworkflow task"},
	201:     {"{record}", "{record}", "消息", "Message"},
}

// Custom is a message with a title of its own.
const Custom Type = 201

// unknown is the sender shown when there is none or the sender no longer exists.
var unknown = map[string]string{"zh": "系统", "en": "System"}

// title returns the title of a notification in a locale.
func (t Type) title(locale, sender, record string) string {
	w := wordings[t]
	text := w.zh
	switch {
	case record == "" && locale == "en":
		text = w.plainEn
	case record == "":
		text = w.plainZh
	case locale == "en":
		text = w.en
	}
	if sender == "" {
		if sender = unknown["zh"]; locale == "en" {
			sender = unknown["en"]
		}
	}
	return strings.NewReplacer("{sender}", sender, "{record}", record).Replace(text)
}

// asKind reads a messageType of a call: a kind, a type's number, or nothing for all.
func asKind(word string) (Kind, error) {
	switch k := Kind(word); k {
	case "", Station, Comment:
		return k, nil
	}
	return "", fault.New(fault.BadParameter, "messageType")
}
