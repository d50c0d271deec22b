package compile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/source"
)

// The words of uiSchema that controls read, with what each must be.
var uiWords = map[string]source.Kind{"title": source.String, "description": source.String, "help": source.String, "placeholder": source.String,
	"autofocus": source.Bool, "readonly": source.Bool, "disabled": source.Bool, "label": source.Bool, "rows": source.Number, "options": source.Object}

// uiRefused are words of rjsf that would reach past the control: other code, other looks, the page around it.
var uiRefused = map[string]struct{ zh, en string }{
	"widget":                      {"控件由数据项类型决定", "the property's type decides the control"},
	"field":                       {"控件由数据项类型决定", "the property's type decides the control"},
	"order":                       {"次序由 items 决定", "items decide the order"},
	"submitButtonOptions":         {"按钮由 actions 决定", "actions decide the buttons"},
	"classNames":                  {"样式不归表单定义", "looks are not the form definition's"},
	"style":                       {"样式不归表单定义", "looks are not the form definition's"},
	"enableMarkdownInDescription": {"说明是纯文本", "help is plain text"},
	"rootFieldId":                 {"编号由页面决定", "the page decides about ids"},
	"globalOptions":               {"写在各个字段上", "write it at each field"},
	"duplicateKeySuffixSeparator": {"表单没有自由键", "forms have no free keys"},
	"fieldReplacesAnyOrOneOf":     {"控件由数据项类型决定", "the property's type decides the control"},
}

// uiRows are the most lines that a control may begin with.
const uiRows = 40

// uiSchema reports entries for what is not in the form, and words for the form as a whole: there are none that it reads.
func (w *formWalk) uiSchema() {
	for _, n := range members(w.ui) {
		switch {
		case strings.HasPrefix(n.Key, "ui:"):
			w.uiWord(n, strings.TrimPrefix(n.Key, "ui:"), false)
		case !w.written[fold(n.Key)]:
			p := problem("FORM003", n, n.Key).Suggest(n.Key, w.codes())
			p.Position = n.KeyPos()
			w.c.out = append(w.c.out, p)
		}
	}
}

// codes are the fields of the form itself.
func (w *formWalk) codes() (out []string) {
	for _, f := range w.m.Fields {
		if w.seen[name(f)] {
			out = append(out, f.Code)
		}
	}
	return out
}

// control folds what uiSchema says of a field into its item; keys of the item itself win. Columns of a sub-table stand
// in its "items", as rjsf has it.
func (w *formWalk) control(m *model, f *catalog.Field, it *catalog.FormItem) {
	n := w.ui
	if m != w.m {
		n = memberOf(memberOf(n, sheetCode(m)), "items")
	}
	if n = memberOf(n, f.Code); n != nil {
		w.c.noteField(f, n.Key, source.InKey(n))
	}
	for _, one := range members(n) {
		word, isUI := strings.CutPrefix(one.Key, "ui:")
		switch {
		case isUI && word == "options" && one.Kind == source.Object:
			for _, option := range members(one) {
				w.uiSet(option, option.Key, f, it)
			}
		case isUI:
			w.uiSet(one, word, f, it)
		case one.Key == "items" && f.Sheet != nil:
			w.uiColumns(one, f)
		default:
			w.uiUnknown(one)
		}
	}
}

// uiColumns reports entries for columns that the sub-table lacks.
func (w *formWalk) uiColumns(n *source.Node, f *catalog.Field) {
	for _, column := range members(n) {
		if f.Sheet.Field(column.Key) == nil {
			p := problem("FORM003", column, column.Key).Suggest(column.Key, record{c: w.c, m: w.c.of[f.Sheet]}.Codes())
			p.Position = column.KeyPos()
			w.c.out = append(w.c.out, p)
		}
	}
}

// sheetCode is the code of the property that holds a sub-table.
func sheetCode(m *model) string { return m.Code[strings.LastIndexByte(m.Code, '.')+1:] }

func isTrue(n *source.Node) bool { return n.Text() == "true" }

func memberOf(n *source.Node, code string) *source.Node {
	i := slices.IndexFunc(members(n), func(one *source.Node) bool { return strings.EqualFold(one.Key, code) })
	if i < 0 {
		return nil
	}
	return n.Members[i]
}

func (w *formWalk) uiUnknown(n *source.Node) {
	known := make([]string, 0, len(uiWords))
	for _, word := range sortedKeys(uiWords) {
		if word != "rows" && word != "label" {
			known = append(known, "ui:"+word)
		}
	}
	known = append(known, "ui:options.rows", "ui:options.label")
	p := problem("FORM019", n, n.Key, strings.Join(known, ", ")).Suggest(n.Key, known)
	p.Position = n.KeyPos()
	w.c.out = append(w.c.out, p)
}

// uiWord reports whether a word may stand at a field; others are reported.
func (w *formWalk) uiWord(n *source.Node, word string, field bool) bool {
	want, known := uiWords[word]
	why, refused := uiRefused[word]
	if !refused && strings.HasSuffix(word, "Template") {
		why, refused = uiRefused["widget"], true
	}
	switch {
	case refused:
		w.c.report("FORM020", n, n.Key, why.zh, why.en)
	case !known || !field:
		w.uiUnknown(n)
	case n.Kind != want:
		w.c.report("FORM021", n, n.Key, map[source.Kind]string{source.String: "text", source.Bool: "true | false", source.Number: "1 … 40", source.Object: "object"}[want])
	default:
		return true
	}
	return false
}

func (w *formWalk) uiSet(n *source.Node, word string, f *catalog.Field, it *catalog.FormItem) {
	if !w.uiWord(n, word, true) {
		return
	}
	switch word {
	case "title":
		if it.Label.Zh == f.Label.Zh {
			it.Label.Zh, it.Label.I18n = n.Text(), nil
		}
	case "description", "help":
		if it.Help.Zh == "" {
			it.Help.Zh = n.Text()
		}
	case "placeholder":
		if it.Placeholder.Zh == "" {
			it.Placeholder.Zh = n.Text()
		}
	case "autofocus":
		it.UI.Autofocus = isTrue(n)
	case "readonly", "disabled":
		it.UI.ReadOnly = it.UI.ReadOnly || isTrue(n)
	case "label":
		it.UI.NoLabel = !isTrue(n)
	case "rows":
		rows, err := strconv.Atoi(n.Text())
		switch {
		case f.Type.Name() != "LongText":
			w.c.report("FORM028", n, n.Key, f.Code, f.Type.Name())
		case err != nil || rows < 1 || rows > uiRows:
			w.c.report("FORM021", n, n.Key, "1 … 40")
		default:
			it.UI.Rows = rows
		}
	case "options":
		w.uiUnknown(n)
	}
}
