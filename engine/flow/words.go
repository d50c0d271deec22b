package flow

import "github.com/sluice-platform/sluice/engine/plan"

// operationWords are what people read of an operation in what an instance leaves behind: opinions of its record, logs on paper.
var operationWords = map[Operation][2]string{
	OpStart:     {"发起", "Started"},
	OpSave:      {"保存", "Saved"},
	OpSubmit:    {"提交", "Submitted"},
	OpAgree:     {"同意", "Agreed"},
	OpDisagree:  {"不同意", "Disagreed"},
	OpReject:    {"退回", "Sent back"},
	OpRevoke:    {"撤销", "Took back"},
	OpWithdraw:  {"取回", "Took back"},
	OpTransfer:  {"转办", "Transferred"},
	OpAddSign:   {"加签", "Added approvers"},
	OpAssist:    {"协办", "Asked for advice"},
	OpCirculate: {"传阅", "Sent a copy"},
	OpRead:      {"阅读", "Read"},
	OpClaim:     {"领取", "Claimed"},
	OpRelease:   {"放回", "Released"},
	OpUrge:      {"催办", "Reminded"},
	OpAdjust:    {"调整处理人", "Changed people"},
	OpJump:      {"跳转", "Moved"},
	OpVoid:      {"作废", "Voided"},
	OpRetry:     {"重试", "Tried again"},
	OpResume:    {"继续", "Continued"},
	OpActivate:  {"启动节点", "Started a step"},
	OpCancel:    {"取消节点", "Canceled a step"},
	OpHandOver:  {"移交任务", "Handed over"},
	OpDelegate:  {"委托", "Delegated"},
	OpReturn:    {"收回委托", "Delegation ended"},
	OpAmend:     {"更正", "Amended"},
	OpRemind:    {"到期提醒", "Reminded of the time"},
	OpAssign:    {"指定处理人", "Assigned"},
	OpStop:      {"停止", "Stopped"},
	OpCode:      {"程序修改", "Changed by the program"},
}

// Label is the operation in words; one that is not known stays as it is.
func (o Operation) Label() plan.Label {
	words, known := operationWords[o]
	if !known {
		return plan.Label{Zh: string(o)}
	}
	return plan.Label{Zh: words[0], I18n: map[string]string{"en": words[1]}}
}

// ruleWords are what people read of a rule behind what it did, or what somebody did by it.
var ruleWords = map[Rule][2]string{
	RuleExpect:     {"预计时间", "expected time"},
	RuleTimeout:    {"处理时限", "time limit"},
	RuleEscalation: {"逾期上报", "escalation"},
	RuleTimer:      {"等待时间到", "waiting time over"},
	RuleSignal:     {"收到信号", "signal"},
	RuleService:    {"系统活动", "service"},
	RuleSub:        {"子流程", "sub-workflow"},
	RuleParent:     {"父流程", "parent workflow"},
	RulePack:       {"程序", "program"},
	RuleDelegation: {"委托", "delegation"},
	RuleDirectory:  {"人员变动", "changes of people"},
	RuleDedupe:     {"前面已同意", "agreed before"},
	RuleSkip:       {"处理人是发起人", "is the initiator"},
	RuleAutoWhen:   {"满足条件", "condition met"},
	RuleAutoPass:   {"无人可处理时通过", "passes without people"},
	RuleEmpty:      {"无人可处理", "nobody can handle it"},
	RuleLeaver:     {"人员已离开", "person has left"},
	RuleAdmin:      {"管理员", "administrator"},
	RuleRecord:     {"删除记录", "record deleted"},
}

// Label is the rule in words; one that is not known stays as it is.
func (r Rule) Label() plan.Label {
	words, known := ruleWords[r]
	if !known {
		words = [2]string{string(r), string(r)}
	}
	return plan.Label{Zh: words[0], I18n: map[string]string{"en": words[1]}}
}

// Operation is what a person does to give the verdict.
func (v Verdict) Operation() Operation { return Operation(v) }
