package bpmn

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var (
	serviceName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)*$`)
	deciding    = regexp.MustCompile(`(?i)审批|审核|批准|核准|会签|复核|审定|审查|审议|\bapprov|\breview|\bsign[ -]?off|\bauthori[sz]|\bvote\b|Genehmig|Prüf|freigeb`)
	refusing    = regexp.MustCompile(`(?i)拒绝|驳回|不同意|未通过|不通过|否决|\breject|\brefus|\bdeclin|\bdenied|not approved|disapprov`)
)

// node makes a node of an element of the flow; nil where it cannot be taken, which is reported.
func (im *importer) node(e *element) *node {
	refuse := func(zh, en, doZh, doEn string) *node {
		im.add("BPMN010", e, reason(zh, en), reason(doZh, doEn))
		return nil
	}
	if n := im.ownNode(e); n != nil {
		return n
	}
	if e.attr("", "isForCompensation") == "true" {
		return refuse("补偿活动", "an activity for compensation", "删去它，撤销和作废由流程操作完成", "remove it; voiding and revoking are operations of workflows")
	}
	var n *node
	switch e.local {
	case "startEvent":
		n = im.start(e)
	case "endEvent":
		return im.end(e)
	case "userTask":
		n = im.userTask(e)
	case "task", "manualTask":
		n = im.make(e, "FILL")
		n.decides = e.local == "task" && deciding.MatchString(n.name)
		n.props["participants"] = im.participants(e, im.starter)
	case "sendTask", "serviceTask", "scriptTask", "businessRuleTask":
		n = im.service(e)
	case "receiveTask":
		n = im.make(e, "WAIT")
		im.signal(n, e)
	case "intermediateCatchEvent":
		n = im.wait(e)
	case "intermediateThrowEvent":
		n = im.throw(e)
	case "callActivity":
		n = im.call(e)
	case "exclusiveGateway", "inclusiveGateway", "parallelGateway":
		n = im.make(e, "")
		n.gate = map[string]string{"exclusiveGateway": "XOR", "inclusiveGateway": "OR", "parallelGateway": "AND"}[e.local]
	case "eventBasedGateway":
		return refuse("事件网关", "an event-based gateway", "改用等待节点，或给任务设置时限", "use a node that waits, or a time limit of a task")
	case "complexGateway":
		return refuse("复杂网关", "a complex gateway", "改用包容网关，汇聚条件用 JOIN 的 policy", "use an inclusive gateway; a JOIN has a policy")
	case "adHocSubProcess", "transaction":
		return refuse("此类子流程（"+e.local+"）", "this kind of sub-process ("+e.local+")", "改为普通子流程或调用活动", "use a plain sub-process or a call activity")
	default:
		return refuse(e.local, e.local, "删去它", "remove it")
	}
	if n == nil {
		return nil
	}
	if l := loopOf(e); l != nil && !isOneOf(e.local, "userTask", "callActivity") {
		return refuse("此类节点的循环或多实例", "a loop or several instances of this element", "改为调用活动，按子表逐行发起", "make it a call activity that starts a workflow for each row")
	}
	if d := e.model("documentation").body(); d != "" {
		n.props["description"] = d
	}
	im.localized(n)
	return n
}

// ownNode makes a node as a file of ours says; nil where it says nothing.
func (im *importer) ownNode(e *element) *node {
	if e.extension(Namespace, "outcome") != nil && e.local == "exclusiveGateway" {
		n := im.make(e, "")
		n.gate, n.outcome = "XOR", true
		return n
	}
	x := e.extension(Namespace, "node")
	if x == nil || im.head == nil {
		return nil
	}
	typ := x.attr("", "type")
	if e.local != elementOf(typ, x.attr("", "kind"), "") && e.local != elementOf(typ, x.attr("", "kind"), "rule") {
		return nil
	}
	props := im.own(x)
	if props == nil {
		return nil
	}
	n := im.make(e, typ)
	n.own, n.props, n.ofID, n.ownCode = true, props, x.attr("", "of"), x.attr("", "id")
	n.name = e.attr("", "name")
	if name := textOf(props["name"]); name != "" && sanitized(name) == n.name {
		n.name = name
	}
	delete(props, "name")
	if typ == "SPLIT" || typ == "JOIN" {
		n.gate = x.attr("", "kind")
	}
	if typ == "END" {
		n.terminate = string(rawOf(props["terminate"])) == "true"
	}
	if e.local == "userTask" {
		im.changedPeople(n)
	}
	return n
}

// localized reads names in other languages, as Flowable writes them.
func (im *importer) localized(n *node) {
	for _, x := range n.e.extensions() {
		if l := x.attr("", "locale"); x.local == "localization" && l != "" && x.attr("", "name") != "" {
			l, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(l, "_", "-")), "-")
			if l == "zh" {
				n.name = x.attr("", "name")
				continue
			}
			if n.labels == nil {
				n.labels = map[string]string{}
			}
			n.labels[l] = x.attr("", "name")
		}
	}
}

func (im *importer) start(e *element) *node {
	n := im.make(e, "START")
	if kind := eventOf(e); kind != "none" {
		im.add("BPMN028", e, kind)
	}
	return n
}

func (im *importer) end(e *element) *node {
	n := im.make(e, "END")
	im.localized(n)
	switch kind := eventOf(e); kind {
	case "none":
	case "terminate":
		n.terminate = true
		n.props["terminate"] = true
	case "error":
		n.terminate = true
		n.props["terminate"], n.props["result"] = true, "REJECTED"
		im.add("BPMN040", e, reason("错误结束事件改为终止，结果为不同意", "the error end event ends all branches with the result REJECTED"))
	case "compensate", "cancel":
		im.add("BPMN010", e, reason("结束事件 "+kind, "end event "+kind), reason("改为普通的结束事件", "use a plain end event"))
	default:
		im.add("BPMN030", e, reason("结束时发出的事件（"+kind+"）", "the event that is thrown at the end ("+kind+")"))
	}
	if n.props["result"] == nil && refusing.MatchString(n.name) {
		n.props["result"] = "REJECTED"
	}
	return n
}

func (im *importer) userTask(e *element) *node {
	n := im.make(e, "FILL")
	n.decides = deciding.MatchString(n.name)
	people := e
	if l := loopOf(e); l != nil {
		n.decides, n.approve = true, true
		people = im.several(n, l)
	}
	if people != nil {
		n.props["participants"] = im.participants(people, im.starter)
	}
	for _, text := range []string{engine(e, "dueDate"), e.extension(nsZeebe, "taskSchedule").attr("", "dueDate")} {
		if m := minutes(text); m > 0 {
			n.props["time"] = object{"timeoutMinutes": m}
		} else if text != "" {
			im.add("BPMN030", e, reason("到期时间 "+shorten(text), "due date "+shorten(text)))
		}
	}
	form := cmp.Or(engine(e, "formKey"), engine(e, "formRef"), e.extension(nsZeebe, "formDefinition").attr("", "formId"), e.extension(nsZeebe, "formDefinition").attr("", "formKey"))
	for _, x := range e.extensions() {
		if isOneOf(x.local, "formData", "formProperty") {
			form = cmp.Or(form, x.local)
			for _, f := range append(x.children, x) {
				if outcomeName.MatchString(f.attr("", "id")) && isOneOf(f.attr("", "type"), "boolean", "enum") {
					n.decides = true
				}
			}
		}
	}
	if form != "" {
		im.add("BPMN030", e, reason("表单 "+shorten(form), "form "+shorten(form)))
	}
	return n
}

// several reads the loop of a user task: how many have to agree. It returns what names the people; nil where the loop did.
func (im *importer) several(n *node, l *element) *element {
	if l.local == "standardLoopCharacteristics" {
		im.add("BPMN010", n.e, reason("循环的任务", "a task that loops"), reason("删去循环，退回由“驳回”完成", "remove the loop; approvers send back with reject"))
		return nil
	}
	n.props["mode"] = "ALL"
	if l.attr("", "isSequential") == "true" {
		n.props["mode"] = "SEQ"
	}
	if text := l.model("completionCondition").body(); text != "" {
		mode, exit, ok := completion(text)
		switch {
		case !ok:
			im.add("BPMN025", n.e, shorten(text))
		case n.props["mode"] == "SEQ" && (mode == "ANY" || exit < 100):
			n.props["vote"] = true
			if mode != "ANY" {
				n.props["agreeExit"] = exit
			} else {
				im.add("BPMN025", n.e, shorten(text))
			}
		case mode == "ANY":
			n.props["mode"] = "ANY"
		case exit < 100 && n.props["mode"] == "ALL":
			n.props["agreeExit"] = exit
		}
	}
	z := l.extension(nsZeebe, "loopCharacteristics")
	list := cmp.Or(engine(l, "collection"), z.attr("", "inputCollection"), l.model("loopDataInputRef").body())
	each := cmp.Or(engine(l, "elementVariable"), z.attr("", "inputElement"), l.model("inputDataItem").attr("", "name"))
	if list == "" {
		if c := l.model("loopCardinality").body(); c != "" {
			im.add("BPMN030", n.e, reason("实例数 "+shorten(c), "number of instances "+shorten(c)))
		}
		return n.e
	}
	single := peopleOf(n.e)
	if len(single) == 1 || len(single) == 0 {
		if len(single) == 1 {
			if inner, dynamic, _ := bare(single[0].text); !dynamic || inner != each {
				return n.e
			}
		}
		inner, _, _ := bare(list)
		if im.property(inner) && simpleName.MatchString(inner) {
			n.props["participants"] = []any{object{"type": "field", "propertyCode": inner}}
			return nil
		}
		if strings.HasPrefix(n.id, "participants_") || inner == "participants_"+n.id {
			return n.e
		}
		n.props["participants"] = []any{im.nobody(n.e, list)}
		return nil
	}
	return n.e
}

// service finds the name of a service in the ways of all dialects.
func (im *importer) service(e *element) *node {
	n := im.make(e, "SERVICE")
	key := "service"
	var text string
	zeebe := e.extension(nsZeebe, "taskDefinition").attr("", "type")
	switch {
	case e.local == "businessRuleTask" && cmp.Or(engine(e, "decisionRef"), engine(e, "rules"), e.extension(nsZeebe, "calledDecision").attr("", "decisionId")) != "":
		key, text = "rule", cmp.Or(engine(e, "decisionRef"), engine(e, "rules"), e.extension(nsZeebe, "calledDecision").attr("", "decisionId"))
	default:
		text = cmp.Or(engine(e, "topic"), engine(e, "delegateExpression"), engine(e, "expression"), engine(e, "class"), zeebe)
		if op := e.attr("", "operationRef"); text == "" && op != "" {
			text = op
		}
		if i := e.attr("", "implementation"); text == "" && !strings.HasPrefix(i, "#") {
			text = i
		}
	}
	name, _, _ := bare(text)
	name, _, _ = strings.Cut(name, "(")
	name = strings.NewReplacer("-", "_", ":", ".", "/", ".", "#", ".").Replace(strings.TrimSpace(name))
	if name != "" && len(name) <= 200 && serviceName.MatchString(name) {
		n.props[key] = name
	} else {
		why := shorten(cmp.Or(text, e.model("script").body(), e.attr("", "scriptFormat"), engine(e, "type"), e.extension(nsZeebe, "script").attr("", "expression")))
		im.add("BPMN022", e, cmpText(why))
		n.props["service"] = "todo." + codeOf(n.id)
	}
	if s := e.model("script"); s != nil {
		im.keep(n, s)
	}
	if engine(e, "async") == "true" || engine(e, "asyncBefore") == "true" || engine(e, "type") == "external" {
		n.props["async"] = true
	}
	if r, err := strconv.Atoi(e.extension(nsZeebe, "taskDefinition").attr("", "retries")); err == nil && r >= 0 && r <= 20 {
		n.props["retry"] = object{"times": r}
	}
	if e.local == "sendTask" && text == "" {
		im.add("BPMN040", e, reason("发送任务改为系统活动", "the send task became a SERVICE"))
	}
	return n
}

// messageOf is the name of the message or signal that an element refers to, and the element that declares it.
func (im *importer) messageOf(e *element) (name string, declared *element) {
	id := cmp.Or(e.attr("", "messageRef"), e.attr("", "signalRef"))
	if declared = im.ids[id]; declared == nil {
		declared = declaredLater(im.root, id)
	}
	return cmp.Or(declared.attr("", "name"), id), declared
}

// declaredLater finds a root element that is behind the process.
func declaredLater(root *element, id string) *element {
	for _, c := range root.children {
		if id != "" && c.attr("", "id") == id {
			return c
		}
	}
	return nil
}

// signal makes a node wait for what the element e refers to.
func (im *importer) signal(n *node, e *element) {
	name, declared := im.messageOf(e)
	n.props["signal"] = codeOf(n.id)
	for _, text := range []string{name, declared.attr("", "id"), n.name} {
		if strings.ContainsFunc(text, func(r rune) bool { return r <= 'z' && unicode.IsLetter(r) }) {
			n.props["signal"] = codeOf(text)
			break
		}
	}
	key := declared.extension(nsZeebe, "subscription").attr("", "correlationKey")
	if when, ok := condition(key, "feel"); ok {
		n.props["key"] = when
		return
	}
	n.props["key"] = "sequenceNo"
	im.add("BPMN024", n.e, shorten(cmp.Or(name, n.name, n.id)))
}

var wholeDays = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

func (im *importer) wait(e *element) *node {
	kind := eventOf(e)
	switch kind {
	case "timer":
		n := im.make(e, "WAIT")
		timer := e.model("timerEventDefinition")
		text := timerText(timer)
		until, dynamic, _ := bare(text)
		switch m := minutes(text); {
		case m > 0 && m%1440 == 0:
			n.props["until"] = "addDays(today(), " + strconv.Itoa(m/1440) + ")"
		case m > 0:
			n.props["until"] = "addDays(today(), " + strconv.Itoa(m/1440+1) + ")"
			im.add("BPMN023", e, reason(shorten(text)+"：现在按整天等待", shorten(text)+": it waits for whole days now"))
		case timer.model("timeDate") != nil && wholeDays.MatchString(text):
			n.props["until"] = "'" + text[:10] + "'"
		default:
			if when, ok := condition(until, ""); ok && dynamic {
				n.props["until"] = when
				break
			}
			n.props["until"] = "addDays(today(), 1)"
			im.add("BPMN023", e, cmpText(text))
		}
		return n
	case "message", "signal":
		n := im.make(e, "WAIT")
		im.signal(n, e.model(kind+"EventDefinition"))
		return n
	case "link":
		n := im.make(e, "")
		n.gate = "PASS"
		return n
	}
	im.add("BPMN010", e, reason("捕获事件 "+kind, "catch event "+kind), reason("改为等待时间或信号", "wait for a time or a signal"))
	return nil
}

func (im *importer) throw(e *element) *node {
	switch kind := eventOf(e); kind {
	case "none", "link":
		n := im.make(e, "")
		n.gate = "PASS"
		return n
	case "message", "signal":
		n := im.make(e, "SERVICE")
		d := e.model(kind + "EventDefinition")
		text := cmp.Or(engine(d, "topic"), engine(d, "delegateExpression"), engine(d, "class"), e.extension(nsZeebe, "taskDefinition").attr("", "type"))
		name, _, _ := bare(text)
		if name = strings.ReplaceAll(name, "-", "_"); serviceName.MatchString(name) {
			n.props["service"] = name
			return n
		}
		message, _ := im.messageOf(d)
		im.add("BPMN022", e, reason("发出 "+shorten(message), "it throws "+shorten(message)))
		n.props["service"] = "todo." + codeOf(n.id)
		return n
	default:
		im.add("BPMN010", e, reason("抛出事件 "+kind, "throw event "+kind), reason("改为系统活动或删去", "make it a service task, or remove it"))
		return nil
	}
}

func (im *importer) call(e *element) *node {
	n := im.make(e, "SUB")
	text := cmp.Or(e.attr("", "calledElement"), engine(e, "calledElement"), e.extension(nsZeebe, "calledElement").attr("", "processId"))
	if _, local, ok := strings.Cut(text, ":"); ok {
		text = local
	}
	inner, dynamic, _ := bare(text)
	n.props["workflowCode"] = codeOf(cmp.Or(inner, n.id))
	switch {
	case text == "" || dynamic:
		im.add("BPMN026", e, cmpText(text))
	case im.o.Workflows != nil && !slices.ContainsFunc(im.o.Workflows, func(c string) bool { return strings.EqualFold(c, codeOf(inner)) }):
		im.add("BPMN026", e, reason("没有流程 "+codeOf(inner), "there is no workflow "+codeOf(inner)))
	}
	if l := loopOf(e); l != nil {
		list, _, _ := bare(cmp.Or(engine(l, "collection"), l.extension(nsZeebe, "loopCharacteristics").attr("", "inputCollection"), l.model("loopDataInputRef").body()))
		switch {
		case l.local == "standardLoopCharacteristics":
			im.add("BPMN010", e, reason("循环的调用活动", "a call activity that loops"), reason("改为多实例，按子表逐行发起", "use several instances, one for each row"))
		case im.property(list) && simpleName.MatchString(list):
			n.props["each"] = list
		default:
			im.add("BPMN026", e, reason("逐个发起的列表 "+shorten(list)+" 不是数据项", "the list "+shorten(list)+" is not a property"))
		}
	}
	for _, x := range e.extensions() {
		if isOneOf(x.local, "in", "out", "ioMapping") {
			im.add("BPMN030", e, reason("变量映射（"+x.local+"）；请设置 input、output", "variable mapping ("+x.local+"); use input and output"))
			break
		}
	}
	return n
}

var notCode = regexp.MustCompile(`[^a-zA-Z0-9_]+`)

// code is how the codes of documents and the ids of nodes are written.
var code = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,62}$`)

// codeOf makes a code of any text.
func codeOf(text string) string {
	text = strings.Trim(notCode.ReplaceAllString(text, "_"), "_")
	if text == "" {
		text = "node"
	}
	if c := text[0]; c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
		text = "n" + text
	}
	return text[:min(len(text), maxCode)]
}
