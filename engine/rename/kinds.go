package rename

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// kindWord is the word for a kind.
type kindWord struct {
	word  string
	kind  names.Kind
	label plan.Label
}

// kinds are the words for what can be looked for, in the order in which help lists them. A sub-table is a property.
var kinds = []kindWord{
	{"model", names.Model, label("模型", "model")},
	{"property", names.Property, label("数据项", "property")},
	{"list", names.List, label("列表", "list")},
	{"form", names.Form, label("表单", "form")},
	{"role", names.Role, label("角色", "role")},
	{"workflow", names.Workflow, label("流程", "workflow")},
	{"node", names.Node, label("节点", "node")},
	{"print", names.Print, label("打印模板", "print template")},
	{"portal", names.Portal, label("门户页面", "portal page")},
	{"report", names.Report, label("报表", "report")},
	{"dictionary", names.Dictionary, label("字典", "dictionary")},
	{"option", names.Option, label("选项", "option")}, // model.property:code, or dictionary:code
	{"app", names.App, label("应用", "application")},  // by the code of its pack; also that of a pack without a menu
}

func label(zh, en string) plan.Label { return plan.Label{Zh: zh, I18n: map[string]string{"en": en}} }

// Words are those of all kinds.
func Words() (out []string) {
	for _, k := range kinds {
		out = append(out, k.word)
	}
	return out
}

// KindOf is the kind that a word means; "" = none.
func KindOf(word string) names.Kind {
	if i := slices.Index(Words(), word); i >= 0 {
		return kinds[i].kind
	}
	return ""
}

// WordOf is the word for a kind; "" = it is not one that can be looked for.
func WordOf(k names.Kind) string {
	if i := rank(k); i >= 0 {
		return kinds[i].word
	}
	return ""
}

// Label is what a kind is called.
func Label(k names.Kind) plan.Label {
	for _, one := range kinds {
		if one.kind == k {
			return one.label
		}
	}
	return label(string(k), string(k))
}
