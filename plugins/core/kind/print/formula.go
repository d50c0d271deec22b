package print

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// A displayFormula of other systems is a text: conditions joined by && or ||, each a property, the label of an operator and a value. It is
// read here and becomes a condition of the expression language (docs/authoring.md). Properties are written as code or name, perhaps as {code} or
// ${code}; values with or without quotation marks, several of them with commas or 、.

// operator is what a condition asks.
type operator string

const (
	isNull      operator = "null"
	notNull     operator = "not null"
	equal       operator = "="
	notEqual    operator = "!="
	greater     operator = ">"
	greaterSame operator = ">="
	less        operator = "<"
	lessSame    operator = "<="
	contains    operator = "contains"
	notContains operator = "not contains"
	within      operator = "in"
	notWithin   operator = "not in"
)

// labels are what operators are called, in both languages. Old ones alone are no operators of the expression language.
var labels = []struct {
	text string
	op   operator
}{
	{"为空", isNull}, {"空", isNull}, {"is null", isNull}, {"is empty", isNull}, {"null", isNull},
	{"不为空", notNull}, {"非空", notNull}, {"is not null", notNull}, {"is not empty", notNull}, {"not null", notNull},
	{"等于", equal}, {"==", equal}, {"=", equal}, {"＝", equal}, {"equals", equal}, {"equal to", equal}, {"equal", equal}, {"is", equal}, {"是", equal},
	{"不等于", notEqual}, {"!=", notEqual}, {"≠", notEqual}, {"<>", notEqual}, {"not equals", notEqual}, {"not equal to", notEqual}, {"not equal", notEqual}, {"is not", notEqual},
	{"大于等于", greaterSame}, {"大于或等于", greaterSame}, {">=", greaterSame}, {"≥", greaterSame}, {"greater than or equal to", greaterSame}, {"greater than or equal", greaterSame},
	{"小于等于", lessSame}, {"小于或等于", lessSame}, {"<=", lessSame}, {"≤", lessSame}, {"less than or equal to", lessSame}, {"less than or equal", lessSame},
	{"大于", greater}, {"晚于", greater}, {">", greater}, {"greater than", greater}, {"小于", less}, {"早于", less}, {"<", less}, {"less than", less},
	{"不包含", notContains}, {"不含", notContains}, {"not contains", notContains}, {"does not contain", notContains}, {"not contain", notContains}, {"not have", notContains}, {"does not have", notContains},
	{"包含", contains}, {"含有", contains}, {"contains", contains}, {"contain", contains}, {"have", contains}, {"has", contains},
	{"不属于", notWithin}, {"不在", notWithin}, {"not in", notWithin}, {"not of", notWithin}, {"属于", within}, {"在", within}, {"in", within}, {"of", within},
}

// operators by what the property holds.
var (
	ordered  = []operator{isNull, notNull, equal, notEqual, greater, greaterSame, less, lessSame}
	logical  = []operator{equal}
	textual  = []operator{isNull, notNull, equal, notEqual, contains, within, notWithin}
	states   = []operator{isNull, notNull, equal, notEqual}
	people   = []operator{isNull, notNull, contains, notContains, within, notWithin}
	anything = []operator{isNull, notNull}
)

// condition is one of them. Offsets are bytes in the text.
type condition struct {
	text   string
	at     int
	path   string // "" = no property of the model begins it
	pathAt int    // where its code is written
	named  bool   // by its name, not its code
	op     operator
	label  string
	opAt   int
	value  string
	valAt  int
	quoted bool
}

// formula is a text of the old form.
type formula struct {
	of    []condition
	any   bool // joined by ||
	mixed int  // where the other sign is; -1 = nowhere
}

var (
	pathForm   = regexp.MustCompile(`^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*`)
	bracedForm = regexp.MustCompile(`^\$?\{\s*([^{}]+?)\s*\}`)
	plainForm  = regexp.MustCompile(`^(?:-?\d+(?:\.\d+)?|true|false)$`)
	idForm     = regexp.MustCompile(`(?i)^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	dayForm    = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	timeForm   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?$`)
)

// read finds the property, the operator and the value of a condition.
func (c *condition) read(m *catalog.Model) {
	rest, at := c.text, c.at
	name := ""
	if b := bracedForm.FindStringSubmatch(rest); b != nil {
		c.pathAt = at + strings.Index(b[0], b[1])
		name, rest = b[1], rest[len(b[0]):]
		c.path = pathOf(m, name)
	} else {
		for _, f := range m.Fields {
			for _, candidate := range []string{f.Label.Zh, f.Label.I18n["en"]} {
				if len(candidate) > len(name) && strings.HasPrefix(strings.ToLower(rest), strings.ToLower(candidate)) && ends(rest, len(candidate)) {
					name, c.path = rest[:len(candidate)], f.Code
				}
			}
		}
		if code := pathForm.FindString(rest); len(code) > len(name) {
			name, c.pathAt = code, at
			c.path = pathOf(m, code)
		}
		rest = rest[len(name):]
	}
	if name == "" {
		return
	}
	c.named = c.path != "" && !strings.EqualFold(name, c.path)
	at += len(c.text) - len(rest)
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	at += len(rest) - len(trimmed)
	for _, l := range labels {
		if len(l.text) > len(c.label) && strings.HasPrefix(strings.ToLower(trimmed), l.text) && ends(trimmed, len(l.text)) {
			c.label, c.op = trimmed[:len(l.text)], l.op
		}
	}
	if c.op == "" {
		return
	}
	c.opAt = at
	value := strings.TrimSpace(trimmed[len(c.label):])
	c.valAt = at + strings.Index(trimmed[len(c.label):], value) + len(c.label)
	if c.op == isNull || c.op == notNull {
		if value != "" { // "空" begins a longer word
			c.op = ""
		}
		return
	}
	if c.value = value; value == "" {
		c.op = ""
		return
	}
	if q := value[0]; (q == '\'' || q == '"') && len(value) > 1 && value[len(value)-1] == q && strings.IndexByte(value[1:], q) == len(value)-2 {
		c.value, c.quoted = value[1:len(value)-1], true
	}
}

// ends reports whether a word ends at a place of a text: Latin letters do not go on.
func ends(text string, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:n])
	after, _ := utf8.DecodeRuneInString(text[n:])
	latin := func(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') }
	return n == len(text) || !latin(before) || !latin(after)
}

// statusCode is what other systems call the state of a workflow.
const statusCode = "F0000020"

func pathOf(m *catalog.Model, name string) string {
	if strings.EqualFold(name, statusCode) {
		return catalog.SequenceStatus
	}
	for _, f := range m.Fields {
		if strings.EqualFold(f.Code, name) || f.Label.Zh == name || strings.EqualFold(f.Label.I18n["en"], name) {
			return f.Code
		}
	}
	if first, _, dotted := strings.Cut(name, "."); dotted && m.Field(first) != nil {
		return name
	}
	return ""
}

// formula turns a text of the old form into a condition.
func (c *compiler) formula(m *catalog.Model, at *source.Node, f *formula) plan.Expr {
	if f.mixed >= 0 {
		c.ReportIn("PRINT016", at, f.mixed)
		return nil
	}
	var texts []string
	for _, one := range f.of {
		if text := c.one(m, at, one); text != "" {
			texts = append(texts, "("+text+")")
		}
	}
	if len(texts) < len(f.of) {
		return nil
	}
	join := " and "
	if f.any {
		join = " or "
	}
	e := c.ConditionIn(m, at, strings.Join(texts, join))
	c.faulty = c.faulty || e == nil
	return e
}

// one is a condition in the expression language; "" after a report.
func (c *compiler) one(m *catalog.Model, at *source.Node, one condition) string {
	if one.path == "" || one.op == "" {
		c.ReportIn("PRINT013", at, one.at, one.text)
		return ""
	}
	where := source.Place{Node: at, Offset: one.pathAt}
	if one.named { // by its name, which stays as it is when the code changes
		where = source.Nowhere(at)
	}
	p, ok := c.PathOf(m, one.path, where, "KIND004")
	if !ok {
		c.faulty = true
		return ""
	}
	legal, kind := operatorsOf(p)
	if !slices.Contains(legal, one.op) {
		names := make([]string, len(legal))
		for i, op := range legal {
			names[i] = string(op)
		}
		c.ReportIn("PRINT014", at, one.opAt, p.Code, p.Field.Type.Name(), one.label, strings.Join(names, ", "))
		return ""
	}
	x := "record." + p.Code
	switch one.op {
	case isNull:
		return "empty(" + x + ")"
	case notNull:
		return "not empty(" + x + ")"
	}
	given := []string{one.value}
	if kind == plan.ID || kind == plan.Set || one.op == within || one.op == notWithin {
		given = listOf(one.value)
	}
	values := make([]string, len(given))
	for i, v := range given {
		text, ok := value(p, kind, v)
		if !ok {
			wanted := wants[kind]
			if _, chooses := p.Field.Property.(property.Chooser); chooses {
				wanted = wants[plan.None]
			}
			c.ReportIn("PRINT015", at, one.valAt, p.Code, p.Field.Type.Name(), v, wanted)
			return ""
		}
		values[i] = text
	}
	return compose(x, kind, one.op, values)
}

// wants are the values that properties of a kind take.
var wants = map[plan.Kind]plan.Label{
	plan.None:    {Zh: "一个选项的编码或名称", I18n: map[string]string{"en": "the code or the name of an option"}},
	plan.Number:  {Zh: "数字，如 12.5", I18n: map[string]string{"en": "a number, like 12.5"}},
	plan.Date:    {Zh: "日期，如 2026-11-26", I18n: map[string]string{"en": "a date, like 2026-11-26"}},
	plan.Instant: {Zh: "日期时间，如 2026-11-26 08:30", I18n: map[string]string{"en": "a date and time, like 2026-11-26 08:30"}},
	plan.Bool:    {Zh: "是或否", I18n: map[string]string{"en": "yes or no"}},
	plan.Set:     {Zh: "人员或部门的 id", I18n: map[string]string{"en": "the ids of people or departments"}},
	plan.Text:    {Zh: "文字", I18n: map[string]string{"en": "a text"}},
}

// operatorsOf are those of a property, and what kind of values it has here.
func operatorsOf(p catalog.Path) ([]operator, plan.Kind) {
	kind := p.Field.Property.Kind()
	_, chooses := p.Field.Property.(property.Chooser)
	switch {
	case p.Sheet || p.Field.Sheet != nil:
		return anything, kind
	case p.Code == catalog.SequenceStatus:
		return states, plan.Text
	case kind == plan.Number || kind == plan.Int || kind == plan.Date || kind == plan.Instant:
		return ordered, kind
	case kind == plan.Bool:
		return logical, kind
	case kind == plan.Text:
		return textual, kind
	case kind == plan.Set && chooses:
		return people, kind
	case (kind == plan.ID || kind == plan.Set) && isParty(p.Field):
		return people, kind
	}
	return anything, kind
}

// isParty reports whether a property holds people or departments.
func isParty(f *catalog.Field) bool {
	return strings.HasPrefix(f.Type.Name(), "Staff") || strings.HasPrefix(f.Type.Name(), "Dept") || f.Target != nil && (f.Target.Code == "user" || f.Target.Code == "department")
}

// listOf takes the values of a list apart.
func listOf(text string) []string {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "["), "]")
	var out []string
	for _, v := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，、;；", r) }) {
		if v = strings.Trim(strings.TrimSpace(v), `'"`); v != "" {
			out = append(out, v)
		}
	}
	return out
}

var (
	yes = []string{"true", "是", "yes", "1"}
	no  = []string{"false", "否", "no", "0"}
	// stateWords are the states of workflows as people and other systems write them.
	stateWords = map[string]string{"草稿": "DRAFT", "draft": "DRAFT", "进行中": "PROCESSING", "in progress": "PROCESSING", "running": "PROCESSING", "processing": "PROCESSING",
		"已完成": "COMPLETED", "completed": "COMPLETED", "finished": "COMPLETED", "已作废": "CANCELED", "voided": "CANCELED", "canceled": "CANCELED"}
)

// value is a value as expressions write it.
func value(p catalog.Path, kind plan.Kind, v string) (string, bool) {
	if p.Code == catalog.SequenceStatus {
		code, known := stateWords[strings.ToLower(v)]
		return quote(code), known
	}
	if c, chooses := p.Field.Property.(property.Chooser); chooses {
		for _, o := range c.Choices() {
			if o.Code == v || o.Label.Zh == v || strings.EqualFold(o.Label.I18n["en"], v) {
				return quote(o.Code), true
			}
		}
		return "", false
	}
	switch kind {
	case plan.Number, plan.Int:
		d, err := decimal.NewFromString(strings.ReplaceAll(v, ",", ""))
		if err != nil || len(v) > 40 {
			return "", false
		}
		return d.String(), true
	case plan.Date:
		return quote(v), dayForm.MatchString(v)
	case plan.Instant:
		if timeForm.MatchString(v) {
			v = strings.Replace(v, " ", "T", 1)
			return quote(v), true
		}
		return quote(v), dayForm.MatchString(v)
	case plan.Bool:
		if slices.Contains(yes, strings.ToLower(v)) {
			return "true", true
		}
		return "false", slices.Contains(no, strings.ToLower(v))
	case plan.Set:
		return quote(strings.ToLower(v)), idForm.MatchString(v)
	case plan.ID:
		if idForm.MatchString(v) {
			v = strings.ToLower(v)
		}
	}
	return quote(v), true
}

func quote(v string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(v) + "'"
}

// compose writes a condition on a property.
func compose(x string, kind plan.Kind, op operator, values []string) string {
	list := "[" + strings.Join(values, ", ") + "]"
	switch op {
	case contains, notContains:
		text := x + " contains " + values[0]
		switch kind {
		case plan.ID: // one person contains another where it is that one
			text = among(x, values)
		case plan.Set:
			text = each(values, " and ", func(v string) string { return "has(" + x + ", " + v + ")" })
		}
		if op == notContains {
			return "not (" + text + ")"
		}
		return text
	case within, notWithin:
		text := x + " in " + list
		switch kind {
		case plan.ID:
			text = among(x, values)
		case plan.Set:
			text = each(values, " or ", func(v string) string { return "has(" + x + ", " + v + ")" })
		}
		if op == notWithin {
			return "not (" + text + ")"
		}
		return text
	case equal:
		return x + " == " + values[0]
	}
	return x + " " + string(op) + " " + values[0]
}

// among are people by their ids or names.
func among(x string, values []string) string {
	return each(values, " or ", func(v string) string {
		if idForm.MatchString(strings.Trim(v, "'")) {
			return x + " == " + v
		}
		return x + ".name == " + v
	})
}

func each(values []string, join string, f func(v string) string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return strings.Join(out, join)
}
