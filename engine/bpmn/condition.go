package bpmn

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/expression"
)

// bare takes ${...}, #{...} and the = of FEEL from a text; dynamic reports whether there was one, feel whether it was the latter.
func bare(text string) (out string, dynamic, feel bool) {
	text = strings.TrimSpace(text)
	if (strings.HasPrefix(text, "${") || strings.HasPrefix(text, "#{")) && strings.HasSuffix(text, "}") {
		inner := text[2 : len(text)-1]
		if !strings.Contains(inner, "${") && !strings.Contains(inner, "#{") {
			return strings.TrimSpace(inner), true, false
		}
		return text, true, false
	}
	if strings.HasPrefix(text, "=") && !strings.HasPrefix(text, "==") {
		return strings.TrimSpace(text[1:]), true, true
	}
	return text, false, false
}

var (
	word     = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)
	getter   = regexp.MustCompile(`\b(?:execution|task|variables|vars)\.(?:getVariable|getVariableLocal|get|getOrDefault)\(\s*["']([A-Za-z_]\w*)["']\s*\)`)
	equals   = regexp.MustCompile(`\.equals(?:IgnoreCase)?\(\s*("[^"]*"|'[^']*')\s*\)`)
	turned   = regexp.MustCompile(`("[^"]*"|'[^']*')\.equals(?:IgnoreCase)?\(\s*([A-Za-z_][\w.]*)\s*\)`)
	nothing  = regexp.MustCompile(`([A-Za-z_][\w.]*)\s*(==|!=)\s*null\b`)
	emptied  = regexp.MustCompile(`\bempty\s+([A-Za-z_][\w.]*)`)
	feelDate = regexp.MustCompile(`\bdate\(\s*("[^"]*"|'[^']*')\s*\)`)
	negation = regexp.MustCompile(`!\s*([^=\s])`)
	single   = regexp.MustCompile(`(^|[^=!<>])=([^=]|$)`)
)

// words of other languages for our operators.
var operators = map[string]string{"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "div": "/"}

// condition turns an expression of another engine into one of ours; not ok where that can't be read.
func condition(text, language string) (string, bool) {
	out, _, feel := bare(text)
	feel = feel || strings.Contains(strings.ToLower(language), "feel")
	if out == "" {
		return "", false
	}
	out = getter.ReplaceAllString(out, "$1")
	out = turned.ReplaceAllString(out, "$2 == $1")
	out = equals.ReplaceAllString(out, " == $1")
	out = feelDate.ReplaceAllString(out, "$1")
	out = outsideQuotes(out, func(s string) string {
		s = strings.NewReplacer("&&", " and ", "||", " or ").Replace(s)
		if feel {
			s = single.ReplaceAllString(s, "$1==$2")
		}
		s = word.ReplaceAllStringFunc(s, func(w string) string {
			if o, ok := operators[w]; ok {
				return o
			}
			return w
		})
		s = nothing.ReplaceAllStringFunc(s, func(found string) string {
			m := nothing.FindStringSubmatch(found)
			if m[2] == "==" {
				return "empty(" + m[1] + ")"
			}
			return "not empty(" + m[1] + ")"
		})
		s = emptied.ReplaceAllString(s, "empty($1)")
		return negation.ReplaceAllString(s, "not $1")
	})
	out = strings.Join(strings.Fields(out), " ")
	if language != "" && strings.Contains(strings.ToLower(language), "script") || strings.ContainsAny(out, ";\\") {
		return "", false
	}
	return out, expression.Syntax(out)
}

// outsideQuotes changes the parts of a text that are in no quotes.
func outsideQuotes(text string, change func(string) string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, `"'`)
		if i < 0 {
			break
		}
		end := strings.IndexByte(text[i+1:], text[i])
		if end < 0 {
			break
		}
		b.WriteString(change(text[:i]))
		b.WriteString(text[i : i+end+2])
		text = text[i+end+2:]
	}
	b.WriteString(change(text))
	return b.String()
}

var (
	boolTest    = regexp.MustCompile(`^(not\s+)?\(?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)?$`)
	compareTest = regexp.MustCompile(`^([\p{L}_][\p{L}\p{N}_.]*)\s*(==|!=)\s*["']?([\p{L}\p{N}_ -]+?)["']?$`)
	outcomeName = regexp.MustCompile(`(?i)approv|agree|accept|pass|outcome|decision|decid|result|reject|refus|denied|deny|audit|confirm|verdict|resend|resubmit|reapply|同意|通过|审批|审核|驳回|结果`)
	positive    = regexp.MustCompile(`(?i)^(true|yes|y|1|ok|agree|agreed|approve|approved|accept|accepted|pass|passed|confirm|confirmed|同意|通过|批准|是)$`)
	negative    = regexp.MustCompile(`(?i)^(false|no|n|0|-1|2|disagree|disagreed|reject|rejected|refuse|refused|deny|denied|decline|declined|return|back|fail|failed|rework|不同意|拒绝|驳回|退回|否)$`)
	negatedName = regexp.MustCompile(`(?i)reject|refus|denied|deny|declin|disagree|驳回|拒绝`)
)

// outcome says what a condition asks of the decision of the task before it: 1 agreement, -1 disagreement, 0 something else.
func outcome(when string, known func(string) bool) int {
	name, good := "", 0
	if m := boolTest.FindStringSubmatch(when); m != nil {
		name, good = m[2], 1
		if m[1] != "" {
			good = -1
		}
	} else if m := compareTest.FindStringSubmatch(when); m != nil {
		name = m[1]
		switch {
		case positive.MatchString(m[3]):
			good = 1
		case negative.MatchString(m[3]):
			good = -1
		}
		if m[2] == "!=" {
			good = -good
		}
		if m[3] != "true" && m[3] != "false" && !outcomeName.MatchString(name) {
			return 0
		}
	}
	if name == "" || !outcomeName.MatchString(name) || known(name) {
		return 0
	}
	if negatedName.MatchString(name) && !strings.Contains(when, `"`) && !strings.Contains(when, "'") {
		good = -good
	}
	return good
}

var duration = regexp.MustCompile(`^P(?:(\d+(?:\.\d+)?)Y)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)

const mostMinutes = 10_000_000

// minutes reads an ISO 8601 duration, also in quotes as FEEL writes it; 0 where it is none. What is below a minute is one.
func minutes(text string) int {
	text, _, _ = bare(text)
	if m := regexp.MustCompile(`^duration\((.*)\)$`).FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	m := duration.FindStringSubmatch(strings.Trim(strings.TrimSpace(text), `"'`))
	if m == nil {
		return 0
	}
	total := 0.0
	for i, factor := range []float64{525600, 43200, 10080, 1440, 60, 1, 1.0 / 60} {
		if n, err := strconv.ParseFloat(m[i+1], 64); err == nil {
			total += n * factor
		}
	}
	switch {
	case total <= 0 || total > mostMinutes:
		return 0
	case total < 1:
		return 1
	}
	return int(total + 0.5)
}

// isoMinutes writes minutes as a duration.
func isoMinutes(n int) string {
	switch {
	case n%1440 == 0:
		return "P" + strconv.Itoa(n/1440) + "D"
	case n%60 == 0:
		return "PT" + strconv.Itoa(n/60) + "H"
	}
	return "PT" + strconv.Itoa(n) + "M"
}

var (
	share  = regexp.MustCompile(`^\(?\s*(\w*)\s*/\s*nrOfInstances\s*\)?\s*(>=|>|==)\s*(\d+(?:\.\d+)?)$`)
	amount = regexp.MustCompile(`^(\w*)\s*(>=|>|==)\s*(nrOfInstances|\d+)$`)
	// feelShare is what Camunda 8 counts with.
	feelShare = regexp.MustCompile(`^(numberOf\w*Instances)\s*/\s*numberOfInstances\s*(>=|>|==)\s*(\d+(?:\.\d+)?)$`)
)

// completion reads a completion condition of a multi-instance task: mode and percentage that has to agree; not ok where it is another one.
func completion(text string) (mode string, exit float64, ok bool) {
	when, ok := condition(text, "")
	if !ok {
		return "", 0, false
	}
	if m := share.FindStringSubmatch(when); m != nil || feelShare.MatchString(when) {
		if m == nil {
			m = feelShare.FindStringSubmatch(when)
		}
		n, err := strconv.ParseFloat(m[3], 64)
		if err != nil || n < 0 || n > 1 || n == 0 && m[2] != ">" {
			return "", 0, false
		}
		if n == 0 {
			return "ANY", 0, true
		}
		return "ALL", n * 100, true
	}
	if m := amount.FindStringSubmatch(when); m != nil && m[1] != "nrOfInstances" {
		switch {
		case m[3] == "nrOfInstances" && m[2] != ">":
			return "ALL", 100, true
		case m[3] == "1" && m[2] != ">", m[3] == "0" && m[2] == ">":
			return "ANY", 0, true
		}
	}
	return "", 0, false
}
