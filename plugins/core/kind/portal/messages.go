package portal

import "github.com/sluice-platform/sluice/engine/diag"

// messages are what authors of portal pages are told.
var messages = map[string]diag.Message{
	"PORTAL001": {Severity: diag.Warning, Zh: "没有部件类型 \"{0}\"，页面在此显示占位", En: "there is no widget type \"{0}\"; the page shows a placeholder here",
		RepairZh: "可用：{1}；或装入带有它的包", RepairEn: "available: {1}; or load the pack that has it"},
	"PORTAL002": {Severity: diag.Error, Zh: "{0} 不能放在此处", En: "{0} can't stand here",
		RepairZh: "此处可放：{1}", RepairEn: "allowed here: {1}"},
	"PORTAL003": {Severity: diag.Error, Zh: "编码 \"{0}\" 重复", En: "the code \"{0}\" is used twice",
		RepairZh: "换一个编码", RepairEn: "use another code"},
	"PORTAL004": {Severity: diag.Error, Zh: "标题太长：{0} 个宽度单位，最多 {1}（汉字算 2）", En: "the title is too long: {0} units of width, at most {1}; a Han character counts 2",
		RepairZh: "缩短标题", RepairEn: "shorten the title"},
	"PORTAL005": {Severity: diag.Error, Zh: "地址 \"{0}\" 不能打开", En: "the address \"{0}\" can't be opened",
		RepairZh: "写 / 开头的本系统路径，或 http、https 地址", RepairEn: "write a path of this system that begins with /, or an http or https address"},
	"PORTAL006": {Severity: diag.Error, Zh: "没有门户页 \"{0}\"", En: "there is no portal page \"{0}\"",
		RepairZh: "写门户页的编码，或 {1}", RepairEn: "use the code of a portal page, or one of {1}"},
	"PORTAL007": {Severity: diag.Error, Zh: "报表 {1} 中没有 \"{0}\"", En: "report {1} has no \"{0}\"",
		RepairZh: "可用：{2}", RepairEn: "available: {2}"},
	"PORTAL008": {Severity: diag.Error, Zh: "数据项 \"{0}\"（{1}）不能用于 {2}", En: "property \"{0}\" ({1}) can't be used for {2}",
		RepairZh: "换一个数据项", RepairEn: "use another property"},
	"PORTAL009": {Severity: diag.Error, Zh: "\"{0}\" 不在任何包的 links 之下，不能嵌入", En: "\"{0}\" is below no address that links of a pack allow, so it can't be embedded",
		RepairZh: "在 pack.json 的 links 中加上该站点", RepairEn: "add its origin to links in pack.json"},
	"PORTAL010": {Severity: diag.Error, Zh: "列表 {0} 不是模型 {1} 的", En: "list {0} is of another model than {1}",
		RepairZh: "写此模型的列表", RepairEn: "use a list of this model"},
	"PORTAL011": {Severity: diag.Error, Zh: "部件伸出了 12 列的网格", En: "the widget reaches beyond the 12 columns of the grid",
		RepairZh: "x 与 width 之和至多 12", RepairEn: "keep the sum of x and width within 12"},
	"PORTAL012": {Severity: diag.Error, Zh: "公开页不能有 {0}", En: "a public page can't have {0}",
		RepairZh: "不写 public，或只用内容部件；列出数据须写 publicRole", RepairEn: "leave out public, or use widgets of content; lists of records need publicRole"},
	"PORTAL013": {Severity: diag.Error, Zh: "脚本没有函数 \"{0}\"", En: "the script has no function \"{0}\"",
		RepairZh: "写 hooks 中的函数；没有脚本时删去", RepairEn: "name a function of hooks; remove the key where there is no script"},
	"PORTAL014": {Severity: diag.Error, Zh: "默认工作台的入口不能用于别的页面", En: "the entry of the default workbench leads to no other page",
		RepairZh: "portalCode 写 defaultPortalDashboard", RepairEn: "let portalCode be defaultPortalDashboard"},
	"PORTAL015": {Severity: diag.Error, Zh: "最小宽度 {0} 大于最大宽度 {1}", En: "the least width {0} is more than the greatest, {1}",
		RepairZh: "改小 min 或改大 max", RepairEn: "make min smaller or max greater"},
	"PORTAL016": {Severity: diag.Error, Zh: "\"{0}\" 不是可用的图片", En: "\"{0}\" is no picture that can be used",
		RepairZh: "用 PNG、JPEG、GIF 或 WebP，至多 4000 万像素", RepairEn: "use a PNG, JPEG, GIF or WebP of at most 40 million pixels"},
}
