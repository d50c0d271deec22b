package notify

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Type is the number of a sort of message (specification 1-shell section 9).
type Type int

// The types that services of ours send by name.
const (
	Mention Type = 41
	Reply   Type = 42
)

// Kind is the tab that a message stands in.
type Kind string

// The kinds.
const (
	Station Kind = "STATION"
	Comment Kind = "COMMENT"
)

// Kind is where messages of the type stand.
func (t Type) Kind() Kind {
	if t == Mention || t == Reply {
		return Comment
	}
	return Station
}

// wording is a title in both languages. {sender} and {record} are filled in; plain is for a record without a name, or one
// that may no longer be seen.
type wording struct{ zh, en, plainZh, plainEn string }

// wordings are the titles of all types of the specification.
var wordings = map[Type]wording{
	1:       {"流程已发起：{record}", "Started: {record}", "流程已发起", "A process has started"},
	2:       {"流程已结束：{record}", "Ended: {record}", "流程已结束", "A process has ended"},
	3:       {"流程已取消：{record}", "Cancelled: {record}", "流程已取消", "A process was cancelled"},
	4:       {"流程已激活：{record}", "Activated: {record}", "流程已激活", "A process was activated"},
	11:      {"即将轮到您处理：{record}", "About to reach you: {record}", "有任务即将轮到您处理", "A task is about to reach you"},
	12:      {"节点已完成：{record}", "Step completed: {record}", "节点已完成", "A step was completed"},
	13:      {"任务已完成：{record}", "Task completed: {record}", "任务已完成", "A task was completed"},
	14:      {"任务已取消：{record}", "Task cancelled: {record}", "任务已取消", "A task was cancelled"},
	16:      {"已同意：{record}", "Approved: {record}", "审批已通过", "It was approved"},
	17:      {"已驳回：{record}", "Rejected: {record}", "审批已驳回", "It was rejected"},
	21:      {"即将超时：{record}", "Due soon: {record}", "任务即将超时", "A task is due soon"},
	23:      {"已超时：{record}", "Overdue: {record}", "任务已超时", "A task is overdue"},
	31:      {"{sender} 向您移交了工作", "{sender} handed work over to you", "有工作移交给您", "Work was handed over to you"},
	32:      {"{sender} 修改了“{record}”", "{sender} changed “{record}”", "{sender} 修改了数据", "{sender} changed a record"},
	Mention: {"{sender} 在“{record}”中提到了您", "{sender} mentioned you in “{record}”", "{sender} 在评论中提到了您", "{sender} mentioned you in a comment"},
	Reply:   {"{sender} 回复了您在“{record}”中的评论", "{sender} replied to your comment on “{record}”", "{sender} 回复了您的评论", "{sender} replied to your comment"},
	51:      {"{sender} 将流程委托给您", "{sender} delegated processes to you", "有流程委托给您", "Processes were delegated to you"},
	52:      {"{sender} 结束了对您的委托", "{sender} ended a delegation to you", "委托已结束", "A delegation has ended"},
	61:      {"角色待交接", "Roles await handover", "角色待交接", "Roles await handover"},
	62:      {"离职人员待交接", "Departed staff await handover", "离职人员待交接", "Departed staff await handover"},
	101:     {"待您处理：{record}", "Awaiting you: {record}", "有任务待您处理", "A task awaits you"},
	102:     {"流程已完成：{record}", "Completed: {record}", "流程已完成", "A process was completed"},
	103:     {"流程异常：{record}", "Stopped by a fault: {record}", "流程异常", "A process was stopped by a fault"},
	104:     {"流程已作废：{record}", "Voided: {record}", "流程已作废", "A process was voided"},
	105:     {"流程已删除：{record}", "Deleted: {record}", "流程已删除", "A process was deleted"},
	106:     {"{sender} 抄送给您：{record}", "{sender} copied you in: {record}", "{sender} 抄送给您", "{sender} copied you in"},
	107:     {"{sender} 催办：{record}", "{sender} urges you: {record}", "{sender} 催您处理任务", "{sender} urges you to handle a task"},
	108:     {"新的子流程任务：{record}", "New task of a sub-process: {record}", "新的子流程任务", "A new task of a sub-process"},
	201:     {"{record}", "{record}", "消息", "Message"},
}

// Custom is a message with a title of its own.
const Custom Type = 201

// unknown says who sent a message when nobody did, or somebody who is no longer known.
var unknown = map[string]string{"zh": "系统", "en": "The system"}

// title puts a message's title into words.
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
