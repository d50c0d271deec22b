package workflow

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/flow"
)

// impactTexts are those of `sluice plan` about workflows.
var impactTexts = map[string]diag.Text{
	"removed": {Zh: "流程 {0} 已不在定义中：{1} 个进行中的实例按各自的版本继续", En: "workflow {0} is gone: {1} running {1|instance goes on by its version|instances go on by their versions}"},
	"old":     {Zh: "流程 {0}：{1} 个实例仍按版本 {2} 运行，其中 {3} 个可以迁移到新版本", En: "workflow {0}: {1} {1|instance runs|instances run} by version {2}; {3} of them can move to the new one"},
	"some": {Zh: "流程 {0}：{1} 个实例仍按版本 {2} 运行；时限内只检查了最早的 {4} 个，其中 {3} 个可以迁移到新版本",
		En: "workflow {0}: {1} {1|instance runs|instances run} by version {2}; in the time there was, only the oldest {4} {4|was|were} looked at, of which {3} can move to the new one"},
	string(flow.MisfitGone):    {Zh: "    {0}：新版本中没有所在的节点“{1}”", En: "    {0}: the new version has no step “{1}”, where it is"},
	string(flow.MisfitBlock):   {Zh: "    {0}：节点“{1}”在新版本中位于另一分支", En: "    {0}: the step “{1}” lies in another split in the new version"},
	string(flow.MisfitSkipped): {Zh: "    {0}：到“{1}”之前未经过“{2}”", En: "    {0}: it has not passed “{2}”, which comes before “{1}”"},
	"broken":                   {Zh: "    版本 {0} 的实例到节点“{1}”时停止：{2}", En: "    instances of version {0} stop at the step “{1}”: {2}"},
	"unreadable":               {Zh: "    版本 {0} 无法读取：其实例只能作废、迁移或删除", En: "    version {0} can't be read: its instances can only be voided, moved or deleted"},
	"unsealed":                 {Zh: "流程 {0} 的版本 {1} 由旧版程序保存，通过后不锁定记录；修改该流程（如写 \"final\": true）即可锁定", En: "workflow {0}: version {1} was kept by an older program, and what it approves isn’t locked; change the workflow, such as by writing \"final\": true, to lock it"},
	"more":                     {Zh: "    另有 {0} 个", En: "    and {0} more"},
}

// mostNamed bounds the instances that a plan names for each version.
const mostNamed = 10

// ImpactText is what `sluice plan` prints.
func ImpactText(of []Impact, locale string) string {
	var out strings.Builder
	line := func(key string, args ...any) {
		out.WriteString(diag.Fill(impactTexts[key].In(locale), args, locale) + "\n")
	}
	for _, i := range of {
		if i.Gone {
			line("removed", i.Workflow, i.Count)
		}
		if i.Unsealed > 0 {
			line("unsealed", i.Workflow, i.Unsealed)
		}
		for _, v := range i.Versions {
			switch {
			case i.Gone:
			case v.Looked < v.Count:
				line("some", i.Workflow, v.Count, v.Version, v.Movable, v.Looked)
			default:
				line("old", i.Workflow, v.Count, v.Version, v.Movable)
			}
			if v.Unreadable {
				line("unreadable", v.Version)
			}
			for _, b := range v.Broken {
				line("broken", v.Version, b.Node.in(locale), b.Why.In(locale))
			}
			for _, one := range v.named {
				m := one.Misfits[0]
				line(string(m.Kind), one.Name, m.Node.in(locale), m.Before.in(locale))
			}
			if v.Misfits > mostNamed {
				line("more", v.Misfits-mostNamed)
			}
		}
	}
	return out.String()
}
