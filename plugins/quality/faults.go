package quality

import (
	"github.com/sluice-platform/sluice/engine/fault"
)

// Errors of the pack. Their numbers are part of the HTTP contract.
const (
	DuplicateCode      fault.Code = 560001
	WrongLevel         fault.Code = 560002
	NodeReferenced     fault.Code = 560003
	ComponentBound     fault.Code = 560004
	ComponentMeasured  fault.Code = 560005
	ProcessLocked      fault.Code = 560006
	SheetUsed          fault.Code = 560007
	ProcessCycle       fault.Code = 560008
	StationOrder       fault.Code = 560009
	SheetUnknown       fault.Code = 560010
	RulesUnreadable    fault.Code = 560060
	NodeMeasured       fault.Code = 560012
	SheetSingle        fault.Code = 560014
	ConcessionUnsigned fault.Code = 560015
	NCRState           fault.Code = 560016
	GroupOverlap       fault.Code = 560020
	GroupUsed          fault.Code = 560021
	ProcessStarted     fault.Code = 560022
	NotLowest          fault.Code = 560023
	HasProcesses       fault.Code = 560024
	StationFormat      fault.Code = 560025
	ProcessElsewhere   fault.Code = 560026
	OtherProject       fault.Code = 560027
	WorkflowUnknown    fault.Code = 560028
	SheetElsewhere     fault.Code = 560029
	ImportGone         fault.Code = 560030
	ImportBad          fault.Code = 560031
	ComponentPlace     fault.Code = 560054
	ReadingNumber      fault.Code = 560050
	ReadingTwoWays     fault.Code = 560051
	ReadingUnit        fault.Code = 560052
	ReadingAnswer      fault.Code = 560053
	ReviewForbidden    fault.Code = 560032
	ConcessionIdle     fault.Code = 560033
	ConcessionOthers   fault.Code = 560034
	ItemReason         fault.Code = 560035
	MainItemNeeded     fault.Code = 560036
	RepairFirst        fault.Code = 560037
	ItemTwice          fault.Code = 560038
	ItemNotDue         fault.Code = 560039
	RecordIncomplete   fault.Code = 560040
	SecondKind         fault.Code = 560041
	SheetRole          fault.Code = 560042
	ChangesStay        fault.Code = 560043
	EffectUnfit        fault.Code = 560044
	EvaluationSigned   fault.Code = 560045
	ConsentUnknown     fault.Code = 560046
	ConsentForeign     fault.Code = 560047
	WorkflowOfOther    fault.Code = 560061
	PartsStay          fault.Code = 560062
	PlaceStays         fault.Code = 560063
	AskedStays         fault.Code = 560064
	FailureStays       fault.Code = 560065
	SheetOthers        fault.Code = 560066
	InspectorOthers    fault.Code = 560067
	PartDue            fault.Code = 560068
)

var faults = []fault.Definition{
	{Code: DuplicateCode, Status: 409, Zh: "划分编码在本项目中已被使用", En: "This code is already used in the project"},
	{Code: WrongLevel, Status: 422, Zh: "{1}不能放在{0}下面", En: "{1} can't be part of {0}"},
	{Code: NodeReferenced, Status: 409, Zh: "还不能删除：有 {0} 条数据引用它", En: "It can't be deleted yet: {0} records refer to it"},
	{Code: ComponentBound, Status: 409, Zh: "构件 {0} 已挂接到 {1}", En: "Component {0} is already bound to {1}"},
	{Code: ComponentMeasured, Status: 409, Zh: "构件 {0} 已有计量记录，不能解除挂接", En: "Component {0} has measure records and stays bound"},
	{Code: ProcessLocked, Status: 422, Zh: "工序“{0}”还不能开始：前面的“{1}”没有完成", En: "The process “{0}” can't begin yet: “{1}” before it is not done"},
	{Code: SheetUsed, Status: 409, Zh: "表单已有 {0} 份记录，请先作废", En: "The sheet has {0} records; void them first"},
	{Code: ProcessCycle, Status: 422, Zh: "紧前工序形成了循环：{0}", En: "The processes before each other form a circle: {0}"},
	{Code: StationOrder, Status: 422, Zh: "起桩号 {0} 在止桩号 {1} 之后", En: "Station {0} comes after {1}"},
	{Code: SheetUnknown, Status: 422, Zh: "模型 {0} 不是可以挂接的业务表单", En: "The model {0} can't be used as a business sheet"},
	{Code: NodeMeasured, Status: 409, Zh: "“{0}”已有审批的计量，检查记录不能作废或更改", En: "“{0}” has approved measures: its inspection records can't be voided or changed"},
	{Code: RulesUnreadable, Status: 422, Zh: "此记录保存的评定标准无法读取，不能再修改：请删除后重新填写",
		En: "The rules that this record keeps can't be read, so it can't be changed. Delete it and enter it again."},
	{Code: SheetSingle, Status: 409, Zh: "表单“{0}”只填一份，已经有了", En: "The sheet “{0}” is filled in once, and it has been"},
	{Code: ConcessionUnsigned, Status: 422, Zh: "让步接收还缺签认：{0}", En: "The concession still lacks the signature of {0}"},
	{Code: ConcessionIdle, Status: 409, Zh: "最近一轮检查没有不合格，不需要让步接收", En: "The latest round did not fail: there is nothing to accept by concession"},
	{Code: ConcessionOthers, Status: 403, Zh: "让步接收由总监理工程师、设计代表和建设单位各自签认，不能代签", En: "The chief supervisor, the designer and the employer sign a concession, each for themselves"},
	{Code: NCRState, Status: 409, Zh: "整改单不能从“{0}”变为“{1}”", En: "A corrective action can't go from “{0}” to “{1}”"},
	{Code: ReviewForbidden, Status: 403, Zh: "整改由监理或业主复查，整改方不能复查", En: "The supervisor or the employer reviews corrective actions, not who carries them out"},
	{Code: GroupOverlap, Status: 409, Zh: "检查组“{0}”已负责“{1}”的“{2}”", En: "The group “{0}” already checks “{2}” of “{1}”"},
	{Code: GroupUsed, Status: 409, Zh: "检查组已有 {0} 份检查记录，不能删除", En: "The group has {0} inspection records and can't be deleted"},
	{Code: ProcessStarted, Status: 409, Zh: "工序“{0}”已开始，不能删除", En: "The process “{0}” has begun and can't be deleted"},
	{Code: ImportGone, Status: 410, Zh: "导入已过期，或已经导入，请重新选择文件", En: "The import is over or has run already; choose the file again"},
	{Code: ImportBad, Status: 422, Zh: "有 {0} 行不能导入，没有导入任何数据", En: "{0} rows can't be imported, so nothing was"},
	{Code: ComponentPlace, Status: 422, Zh: "构件 {0} 没有挂接到部位，或挂接了几个部位，请先挂接或指明部位", En: "Component {0} is bound to no node, or to several: bind it first, or say which node"},
	{Code: ReadingNumber, Status: 422, Zh: "“{0}”不是数，实测值写成 12; 15; -3", En: "“{0}” is not a number: readings are written as 12; 15; -3"},
	{Code: ReadingTwoWays, Status: 422, Zh: "“{0}”可以是 {1}，也可以是 {2}，请写清楚", En: "“{0}” could be {1} or {2}: write which"},
	{Code: ReadingUnit, Status: 422, Zh: "“{0}”的单位不是检查项的单位（{1}）", En: "The unit of “{0}” is not that of the item ({1})"},
	{Code: ReadingAnswer, Status: 422, Zh: "“{0}”看不出符合还是不符合，请写“符合要求”或“不符合要求”", En: "“{0}” says neither yes nor no: write “yes” or “no”"},
	{Code: HasProcesses, Status: 422, Zh: "“{0}”已有工序，不能再有下级；请先删除工序", En: "“{0}” has processes and can't have parts; delete the processes first"},
	{Code: StationFormat, Status: 422, Zh: "桩号“{0}”写法不对，应如 K12+345.678", En: "The station “{0}” isn't written as K12+345.678"},
	{Code: ProcessElsewhere, Status: 422, Zh: "紧前工序须是同一部位的工序", En: "A process before it must be one of the same node"},
	{Code: OtherProject, Status: 422, Zh: "不能移到另一个项目", En: "It can't go to another project"},
	{Code: WorkflowUnknown, Status: 422, Zh: "没有流程“{0}”", En: "There is no workflow “{0}”"},
	{Code: WorkflowOfOther, Status: 422, Zh: "流程“{0}”不是表单“{1}”的流程", En: "The workflow “{0}” is not one of the sheet “{1}”"},
	{Code: SheetElsewhere, Status: 422, Zh: "表单挂接在另一个部位“{0}”", En: "The sheet is bound to another node, “{0}”"},
	{Code: ItemReason, Status: 422, Zh: "与标准库不同或不适用的检查项，要在备注中写明依据", En: "An item that differs from the library, or does not apply, needs its reason in the remark"},
	{Code: MainItemNeeded, Status: 403, Zh: "主要项目“{0}”是否不适用，由监理或业主决定", En: "Whether the main item “{0}” applies is for the supervisor or the employer to say"},
	{Code: RepairFirst, Status: 409, Zh: "“{0}”上一轮检查不合格，整改完成后才能开始下一轮", En: "The last round of “{0}” failed: the next one begins when its corrective action has been carried out"},
	{Code: ItemTwice, Status: 422, Zh: "检查项“{0}”已经有了，只能有一次", En: "The item “{0}” is there already, and counts once"},
	{Code: ItemNotDue, Status: 422, Zh: "“{0}”不是这类工程应检查的项目，增加由监理或业主决定", En: "“{0}” is not due of this kind of work; the supervisor or the employer may add it"},
	{Code: RecordIncomplete, Status: 422, Zh: "还不能送审：{0} 的测点不够", En: "It can't be submitted yet: {0} need more readings"},
	{Code: SecondKind, Status: 403, Zh: "您已记录了“{0}”的另一类检查，这一类须由别人检查", En: "You have recorded the other inspection of “{0}”: this one is somebody else's"},
	{Code: SheetRole, Status: 403, Zh: "表单“{0}”由指定的角色填写", En: "The sheet “{0}” is filled in by people with certain roles"},
	{Code: ChangesStay, Status: 409, Zh: "要求变更不能修改或删除，可以另行恢复", En: "A change of what is due stays; another one can restore what the set says"},
	{Code: EffectUnfit, Status: 422, Zh: "这一项不能这样变更", En: "This can't be changed that way"},
	{Code: EvaluationSigned, Status: 409, Zh: "“{0}”的评定已签认，应有项不能再变更", En: "The evaluation of “{0}” was signed: what is due of it does not change any more"},
	{Code: ConsentUnknown, Status: 422, Zh: "这个部位没有停止点“{0}”", En: "The node has no hold point “{0}”"},
	{Code: ConsentForeign, Status: 403, Zh: "停止点“{0}”由指定的角色放行，施工单位不能放行", En: "The hold point “{0}” is released by certain roles, and never by the contractor"},
	{Code: PartsStay, Status: 403, Zh: "“{0}”已开始评定：施工单位不能移走、删除它的部分，也不能改变级别", En: "The evaluation of “{0}” has begun: the contractor neither moves nor deletes parts of it, nor changes their level"},
	{Code: PlaceStays, Status: 409, Zh: "记录留在填写时的部位和表单上；请在正确的部位另填一份", En: "A record stays with the part and sheet that it was made for; make another one at the right place"},
	{Code: AskedStays, Status: 403, Zh: "“{0}”是标准库或他人要求的，施工单位不能改变或去掉", En: "“{0}” is asked by the library or by somebody else: the contractor neither changes nor removes it"},
	{Code: FailureStays, Status: 409, Zh: "“{0}”检查不合格，结论已定：不能再送审或作废，整改后开始下一轮", En: "The inspection of “{0}” failed: it isn't submitted again nor voided; the next round begins after the repair"},
	{Code: SheetOthers, Status: 403, Zh: "表单“{0}”是试验或监理检查用的，不由施工单位填写", En: "The sheet “{0}” is for tests or for checks of the supervisor: the contractor doesn't fill it in"},
	{Code: InspectorOthers, Status: 422, Zh: "检查人须是填写单位自己的人，而且没有做过“{0}”的另一类检查", En: "The inspector belongs to the party that records, and hasn't made the other inspection of “{0}”"},
	{Code: PartDue, Status: 403, Zh: "“{0}”有应有项：施工单位不能删除它，也不能改变级别或移走", En: "Something is due of “{0}”: the contractor neither deletes nor moves it, nor changes its level"},
	{Code: NotLowest, Status: 422, Zh: "“{0}”还有下级，工序只能挂在最低一级", En: "“{0}” has parts; processes belong to the lowest level"},
}
