package print

import "github.com/sluice-platform/sluice/engine/diag"

// messages are what authors of print templates are told.
var messages = map[string]diag.Message{
	"PRINT001": {Severity: diag.Warning, Zh: "元素超出右边距 {0} 毫米", En: "the element ends {0} mm beyond the right margin",
		RepairZh: "减小 left 或 widthValue", RepairEn: "make left or widthValue smaller"},
	"PRINT002": {Severity: diag.Error, Zh: "文字中的花括号不成对：{0}", En: "a brace in the text has no partner: {0}",
		RepairZh: "写 {数据项}", RepairEn: "write {property}"},
	"PRINT003": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）没有显示格式 \"{2}\"", En: "property \"{0}\" ({1}) has no displayFormat \"{2}\"",
		RepairZh: "可用：{3}", RepairEn: "available: {3}"},
	"PRINT004": {Severity: diag.Error, Zh: "\"{0}\" 不是图片，或像素太多", En: "\"{0}\" is no picture, or has too many pixels",
		RepairZh: "把 PNG 或 JPEG 文件放在模板旁边，不大于 1 MB，这里写文件名", RepairEn: "put a PNG or JPEG file of at most 1 MB next to the template, and write its name"},
	"PRINT005": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）不能合计 {2}", En: "property \"{0}\" ({1}) has no {2}",
		RepairZh: "删去 sumType，或换成可以合计的数据项", RepairEn: "remove sumType, or use a property that has it"},
	"PRINT006": {Severity: diag.Error, Zh: "数据项 \"{0}\" 不是指向 {1} 的关联", En: "property \"{0}\" is no relation to {1}",
		RepairZh: "写列表 {2} 的模型中指向 {1} 的关联", RepairEn: "use a relation of the model of list {2} that points to {1}"},
	"PRINT007": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）不能用在这里，要用{2}", En: "property \"{0}\" ({1}) can't be used here; use {2}",
		RepairZh: "换一个数据项，或换一种元素", RepairEn: "use another property, or another element"},
	"PRINT008": {Severity: diag.Error, Zh: "边距之间没有地方了", En: "there is no room between the margins",
		RepairZh: "减小边距，或换大一些的纸", RepairEn: "make the margins smaller, or the paper larger"},
	"PRINT009": {Severity: diag.Error, Zh: "表单 \"{0}\" 不属于模型 {1}", En: "form \"{0}\" does not belong to model {1}",
		RepairZh: "写此模型的表单，或删去 sheetCode", RepairEn: "use a form of the model, or remove sheetCode"},
	"PRINT010": {Severity: diag.Warning, Zh: "合计要结转，却没有列有 sumType", En: "figures are carried, but no column has a sumType",
		RepairZh: "给某列写 sumType，或删去 carried", RepairEn: "set sumType on a column, or remove carried"},
	"PRINT011": {Severity: diag.Error, Zh: "各列共宽 {0} 毫米，表格只有 {1} 毫米", En: "the columns are {0} mm wide, the table only {1} mm",
		RepairZh: "减小列的 widthValue，或加大表格的", RepairEn: "make the columns' widthValue smaller, or the table's larger"},
	"PRINT012": {Severity: diag.Error, Zh: "模型 {1} 的流程没有节点 \"{0}\"", En: "no workflow of model {1} has a node \"{0}\"",
		RepairZh: "写某个节点的 id", RepairEn: "use the id of a node"},
	"PRINT013": {Severity: diag.Error, Zh: "无法读取条件“{0}”", En: "can't read the condition \"{0}\"",
		RepairZh: "写“数据项 操作符 值”，如 金额 大于 100；或写表达式，如 amount > 100", RepairEn: "write property, operator and value, like amount greater than 100; or an expression, like amount > 100"},
	"PRINT014": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）没有操作符“{2}”", En: "property \"{0}\" ({1}) has no operator \"{2}\"",
		RepairZh: "可用：{3}", RepairEn: "available: {3}"},
	"PRINT015": {Severity: diag.Error, Zh: "“{2}”不是数据项 \"{0}\"（{1}）的值", En: "\"{2}\" is no value of property \"{0}\" ({1})",
		RepairZh: "写{3}", RepairEn: "use {3}"},
	"PRINT016": {Severity: diag.Error, Zh: "条件中同时有 && 和 ||", En: "the conditions are joined by both && and ||",
		RepairZh: "全部用 &&（都满足）或全部用 ||（满足其一）；或写表达式，以括号分组", RepairEn: "join all by && (each holds) or all by || (one holds), or write an expression with parentheses"},
}
