package scenario

import (
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/access"
)

// messages are what a scenario can fail with.
var messages = map[string]diag.Message{
	"SCENARIO001": {Zh: "{0} 未在本场景中定义，包中也没有", En: "{0} is neither in this scenario nor in the packs"},
	"SCENARIO002": {Zh: "无法建立场景：{0}", En: "the scenario cannot be set up: {0}"},
	"SCENARIO003": {Zh: "{0} 应看得到 {1}，实际看不到。{2}", En: "{0} should see {1} and does not. {2}"},
	"SCENARIO004": {Zh: "{0} 不应看到 {1}，实际看得到。{2}", En: "{0} should not see {1} and does. {2}"},
	"SCENARIO005": {Zh: "{0} 应能执行 {1}，实际不能。{2}", En: "{0} should be able to do {1} and is not. {2}"},
	"SCENARIO006": {Zh: "{0} 不应能执行 {1}，实际能。{2}", En: "{0} should not be able to do {1} and is. {2}"},
	"SCENARIO007": {Zh: "{0} 对字段 {1} 的权限应为 {2}，实际为 {3}", En: "{0} should have the right {2} to the field {1} and has {3}"},
	"SCENARIO008": {Zh: "{0} 应能打开应用 {1}，实际不能", En: "{0} should be able to open the application {1} and is not"},
	"SCENARIO009": {Zh: "{0} 不应能打开应用 {1}，实际能", En: "{0} should not be able to open the application {1} and is"},
	"SCENARIO010": {Zh: "{0} 的管理权限应为 {1}，实际为 {2}", En: "{0} should have the permissions {1} and has {2}"},
	"SCENARIO011": {Zh: "应被拒绝，实际成功", En: "it should be refused and succeeded"},
	"SCENARIO012": {Zh: "应以 {0} 拒绝，实际为：{1}", En: "it should be refused with {0} and was with: {1}"},
	"SCENARIO013": {Zh: "被拒绝：{0}", En: "it was refused: {0}"},
	"SCENARIO014": {Zh: "{0} 应为 {1}，实际为 {2}", En: "{0} should be {1} and is {2}"},
	"SCENARIO015": {Zh: "没有模型 {0}", En: "there is no model {0}"},
	"SCENARIO016": {Zh: "模型 {0} 没有字段 {1}", En: "the model {0} has no field {1}"},
	"SCENARIO017": {Zh: "没有应用 {0}", En: "there is no application {0}"},
	"SCENARIO018": {Zh: "模型 {0} 没有任何文档提到操作 {1}", En: "no document names an action {1} of the model {0}"},
	"SCENARIO019": {Zh: "这一步什么也没有做，也没有检查", En: "this step does nothing and checks nothing"},
	"SCENARIO020": {Zh: "没有流程 {0}", En: "there is no workflow {0}"},
	"SCENARIO021": {Zh: "流程 {0} 没有节点 {1}", En: "the workflow {0} has no node {1}"},
	"SCENARIO022": {Zh: "此处应到达节点 {0}，实际为：{1}", En: "the run should come to {0} here; it goes: {1}"},
	"SCENARIO023": {Zh: "{0} 应由 {1} 处理，实际为 {2}。{3}", En: "{0} should be for {1} and is for {2}. {3}"},
	"SCENARIO024": {Zh: "{0} 应走向 {1}，实际走向 {2}。{3}", En: "{0} should lead to {1} and leads to {2}. {3}"},
	"SCENARIO025": {Zh: "应以 {0} 结束，实际为 {1}：{2}", En: "it should be over as {0} and is {1}: {2}"},
	"SCENARIO026": {Zh: "流程结果应为 {0}，实际为 {1}", En: "the result should be {0} and is {1}"},
	"SCENARIO027": {Zh: "不应到达节点 {0}，实际到达", En: "the run should not come to {0} and does"},
	"SCENARIO028": {Zh: "没有人处理的节点应为 {0}，实际为 {1}", En: "the nodes that nobody has should be {0} and are {1}"},
	"SCENARIO029": {Zh: "这项决定没有用到：流程没有到达，或没有轮到此人", En: "this decision was not used: the run does not come there, or it is not this person's turn"},
	"SCENARIO030": {Zh: "实际发起时：{0}", En: "in earnest: {0}"},
	"SCENARIO031": {Zh: "未得到任务的人应为 {0}，实际为 {1}", En: "{0} should be found without a task, and it is {1}"},
}

func problem(code string, at *source.Node, args ...any) diag.Diagnostic {
	return messages[code].New(code, at.Pos(), args...).At(at.Pointer())
}

// because says which grants are behind a right, or that there are none.
func because(e *access.Explanation, action string) diag.Text {
	giving := e.Giving(action)
	if len(giving) == 0 {
		return diag.Text{Zh: "没有角色授予 " + action, En: "No role gives " + action + "."}
	}
	var zh, en []string
	for _, g := range giving {
		rows, holds := g.Rows, g.Holds
		if action != "view" && g.EditRows != "" {
			rows, holds = g.EditRows, g.Edits
		}
		words := [2]string{"记录符合", "holds"}
		if holds != nil && !*holds {
			words = [2]string{"记录不符合", "does not hold"}
		}
		if rows == "" {
			rows = "none"
		}
		zh = append(zh, fmt.Sprintf("%s 角色 %s：%s（%s）", g.At, g.Role, rows, words[0]))
		en = append(en, fmt.Sprintf("%s role %s: %s (%s)", g.At, g.Role, rows, words[1]))
	}
	return diag.Text{Zh: strings.Join(zh, "；"), En: strings.Join(en, "; ")}
}
