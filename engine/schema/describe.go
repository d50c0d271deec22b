package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// The weights order faults of one value: only the gravest is reported.
const (
	weightOther = iota
	weightForm
	weightChoice
	weightType
)

// describe puts one fault of a value into words.
func describe(n *source.Node, k jsonschema.ErrorKind, s *shape) (int, diag.Diagnostic) {
	at := n.Pos()
	switch k := k.(type) {
	case *kind.Type:
		return weightType, rewritten(n, k.Want, diag.New("SCHEMA004", at, subject(n), typeWords(k.Want), gotWord(n, k.Want)))
	case *kind.Enum:
		return weightChoice, choice(n, k.Want, s)
	case *kind.Const:
		return weightChoice, choice(n, []any{k.Want}, s)
	case *kind.Pattern:
		return weightForm, wrongForm(at, k.Got, k.Want, s.formOf(n, k.Want))
	case *kind.Format:
		return weightForm, diag.New("SCHEMA007", at, shorten(n.Text()), formWords(k.Want, ""))
	case *kind.MinLength:
		return weightForm, diag.New("SCHEMA011", at, subject(n), k.Got, k.Want)
	case *kind.MaxLength:
		return weightForm, diag.New("SCHEMA010", at, subject(n), k.Got, k.Want)
	case *kind.Minimum:
		return weightForm, diag.New("SCHEMA008", at, subject(n), number(k.Want))
	case *kind.Maximum:
		return weightForm, diag.New("SCHEMA009", at, subject(n), number(k.Want))
	case *kind.MinItems:
		return weightForm, diag.New("SCHEMA012", at, subject(n), k.Got, k.Want)
	case *kind.MaxItems:
		return weightForm, diag.New("SCHEMA013", at, subject(n), k.Got, k.Want)
	case *kind.UniqueItems:
		first, second := k.Duplicates[0], k.Duplicates[1]
		return weightOther, diag.New("SCHEMA014", n.At(strconv.Itoa(max(first, second))).Pos(), min(first, second)+1)
	}
	return weightOther, diag.New("SCHEMA017", at, subject(n), k.LocalizedString(message.NewPrinter(language.English)))
}

// wrongForm describes a text that does not match a pattern; codes have a message of their own.
func wrongForm(at diag.Position, text, pattern, words string) diag.Diagnostic {
	if strings.Contains(pattern, "[a-zA-Z][a-zA-Z0-9_]{0,62}") {
		return diag.New("SCHEMA006", at, shorten(text))
	}
	return diag.New("SCHEMA007", at, shorten(text), formWords(pattern, words))
}

// formWords says how a text has to look: in the schema's own words ("patternErrorMessage", Chinese / English, which editors show
// too), and by the pattern where it has none.
func formWords(pattern, words string) diag.Text {
	if zh, en, ok := strings.Cut(words, " / "); ok {
		return diag.Text{Zh: zh, En: en}
	}
	return diag.Text{Zh: "须匹配 " + pattern, En: "it must match " + pattern}
}

// rewritten puts the value as it has to stand into the repair, where only its quotes are wrong.
func rewritten(n *source.Node, want []string, d diag.Diagnostic) diag.Diagnostic {
	right := ""
	switch wants := func(t string) bool { return slices.Contains(want, t) }; {
	case wants("string") && (n.Kind == source.Number || n.Kind == source.Bool):
		right = strconv.Quote(n.Text())
	case n.Kind != source.String:
	case wants("boolean") && (n.Text() == "true" || n.Text() == "false"), wants("number") && decimal.MatchString(n.Text()),
		wants("integer") && whole.MatchString(n.Text()):
		right = n.Text()
	}
	if right != "" {
		d.Repair = diag.Repair{Zh: "改为 " + right, En: "write " + right}
	}
	return d
}

var (
	whole   = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)
	decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?$`)
)

// choice describes a value that is none of the words it may be; kinds of extensions have codes of their own.
func choice(n *source.Node, want []any, s *shape) diag.Diagnostic {
	words := make([]string, len(want))
	for i, w := range want {
		words[i] = fmt.Sprint(w)
	}
	action := n.Parent != nil && s.Short(n) == "actionCode"
	switch {
	case n.Kind == source.String && n.Key == "propertyType":
		return diag.New("SCHEMA002", n.Pos(), shorten(n.Text()), join(words)).Suggest(n.Text(), words)
	case n.Kind == source.String && (action || n.Key == "queryActionType" || n.Key == "actionCode"):
		return diag.New("SCHEMA016", n.Pos(), shorten(n.Text()), join(words)).Suggest(n.Text(), words)
	}
	return diag.New("SCHEMA005", n.Pos(), subject(n), shorten(string(n.Raw())), join(words)).Suggest(n.Text(), words)
}

// subject names a value in a sentence.
func subject(n *source.Node) diag.Text {
	switch {
	case n.Parent == nil:
		return diag.Text{Zh: "文档", En: "the document"}
	case n.Parent.Kind == source.Array:
		return diag.Text{Zh: "此项", En: "the entry"}
	}
	return diag.Text{Zh: strconv.Quote(n.Key) + " ", En: strconv.Quote(n.Key)}
}

var typeNames = map[string]diag.Text{
	"null":    {Zh: " null", En: "null"},
	"boolean": {Zh: " true 或 false", En: "true or false"},
	"integer": {Zh: "整数", En: "a whole number"},
	"number":  {Zh: "数字", En: "a number"},
	"string":  {Zh: "文本", En: "a text"},
	"array":   {Zh: "数组", En: "an array"},
	"object":  {Zh: "对象", En: "an object"},
}

func typeWords(types []string) diag.Text {
	types = slices.Sorted(slices.Values(types))
	slices.Reverse(types) // "a text or an object", as authors read it
	var out diag.Text
	for i, t := range types {
		if i > 0 {
			out.Zh, out.En = out.Zh+"或", out.En+" or "
		}
		out.Zh, out.En = out.Zh+typeNames[t].Zh, out.En+typeNames[t].En
	}
	return out
}

func gotWord(n *source.Node, want []string) diag.Text {
	if n.Kind == source.Number && slices.Contains(want, "integer") {
		return diag.Text{Zh: "小数", En: "a fraction"}
	}
	if n.Kind == source.Bool {
		return diag.Text{Zh: " " + n.Text(), En: n.Text()}
	}
	return typeNames[typeName(n)]
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	text, _ := r.Float64()
	b, _ := json.Marshal(text) // a finite number always marshals
	return string(b)
}

func join(words []string) string { return strings.Join(words, ", ") }

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}
