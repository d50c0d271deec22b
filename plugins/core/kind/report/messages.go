package report

import "github.com/sluice-platform/sluice/engine/diag"

// messages are what authors of reports are told.
var messages = map[string]diag.Message{
	"REPORT001": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）不能这样筛选", En: "property \"{0}\" ({1}) can't be filtered like this",
		RepairZh: "换一个数据项或比较方式", RepairEn: "use another property or operator"},
	"REPORT002": {Severity: diag.Error, Zh: "不能按数据项 \"{0}\"（{1}）分组", En: "rows can't be grouped by property \"{0}\" ({1})",
		RepairZh: "换一个只有一个值的数据项；子表的数据项要写 sheet", RepairEn: "use a property with one value; properties of a sub-table need sheet"},
	"REPORT003": {Severity: diag.Error, Zh: "模型 {1} 没有子表 \"{0}\"", En: "model {1} has no sub-table \"{0}\"",
		RepairZh: "写子表的编码", RepairEn: "use the code of a sub-table"},
	"REPORT004": {Severity: diag.Error, Zh: "没有查询条件 \"{0}\"", En: "there is no filter \"{0}\"",
		RepairZh: "写 filters 中某一项的编码", RepairEn: "use the code of an entry of filters"},
	"REPORT005": {Severity: diag.Error, Zh: "查询条件 \"{0}\" 属于另一个模型，不是 {1}", En: "filter \"{0}\" is of another model than {1}",
		RepairZh: "用 propertyCode 写此处对应的数据项", RepairEn: "name the property here with propertyCode"},
	"REPORT006": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）不能这样分段", En: "property \"{0}\" ({1}) has no such time steps",
		RepairZh: "用日期类数据项；hour 要有时间", RepairEn: "use a date; hour needs one with a time"},
	"REPORT007": {Severity: diag.Error, Zh: "前面没有指标 \"{0}\"", En: "no measure before this one is called \"{0}\"",
		RepairZh: "写排在前面的某个指标的编码", RepairEn: "use the code of a measure that comes before"},
	"REPORT008": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）不能计算 {2}", En: "property \"{0}\" ({1}) has no {2}",
		RepairZh: "换一个数据项或 sumType；子表的数据项要写 sheet", RepairEn: "use another property or sumType; properties of a sub-table need sheet"},
	"REPORT009": {Severity: diag.Error, Zh: "数据集 {1} 没有 \"{0}\"", En: "data set {1} has no \"{0}\"",
		RepairZh: "可用：{2}", RepairEn: "available: {2}"},
	"REPORT010": {Severity: diag.Error, Zh: "没有分组或指标 \"{0}\"", En: "there is no group or measure \"{0}\"",
		RepairZh: "写此数据集的分组或指标的编码", RepairEn: "use the code of a group or measure of the data set"},
	"REPORT011": {Severity: diag.Error, Zh: "编码 \"{0}\" 重复", En: "the code \"{0}\" is used twice",
		RepairZh: "换一个编码", RepairEn: "use another code"},
	"REPORT012": {Severity: diag.Error, Zh: "{0} 不能在数据库中计算", En: "{0} can't be computed by the database",
		RepairZh: "只用 docs/functions.md 中可在 SQL 中计算的函数，或用模型的计算数据项", RepairEn: "use what docs/functions.md marks for SQL, or a computed property of the model"},
	"REPORT013": {Severity: diag.Warning, Zh: "level 目前不起作用，按值本身分组", En: "level has no effect yet; rows are grouped by the values themselves",
		RepairZh: "删去 level", RepairEn: "remove level"},
	"REPORT014": {Severity: diag.Error, Zh: "没有数据集 \"{0}\"", En: "there is no data set \"{0}\"",
		RepairZh: "写 dataSets 中某一项的编码", RepairEn: "use the code of an entry of dataSets"},
	"REPORT015": {Severity: diag.Error, Zh: "统计子表的行时，条件不能查找子表的行", En: "where rows of a sub-table are counted, a condition can't look for rows of a sub-table",
		RepairZh: "只写记录的数据项", RepairEn: "use properties of the record only"},
	"REPORT016": {Severity: diag.Error, Zh: "列表 {0} 不是模型 {1} 的", En: "list {0} is of another model than {1}",
		RepairZh: "写此数据集的模型的列表", RepairEn: "use a list of the data set's model"},
}
