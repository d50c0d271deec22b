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

// Operation is what a person does to give the verdict.
func (v Verdict) Operation() Operation { return Operation(v) }
