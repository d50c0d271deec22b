package diag

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed messages.json
var messagesJSON []byte

// Message is a row of the catalogue, or of a kind of definition of a pack. {0}, {1} ... stand for the arguments of New.
type Message struct {
	Severity Severity `json:"severity"`
	Cause    bool     `json:"cause"` // of other diagnostics: a file or a pack that is not there as a whole
	Zh       string   `json:"zh"`
	En       string   `json:"en"`
	RepairZh string   `json:"repairZh"`
	RepairEn string   `json:"repairEn"`
}

var messages = parseMessages()

func parseMessages() map[string]Message {
	m := map[string]Message{}
	if err := json.Unmarshal(messagesJSON, &m); err != nil {
		panic("engine/diag/messages.json: " + err.Error())
	}
	return m
}

// Codes returns every code of the catalogue, sorted.
func Codes() []string { return slices.Sorted(maps.Keys(messages)) }

// New makes the diagnostic of a code. Args fill the text's {0}, {1} ...; a Localized fills each language with its own. A code that the catalogue lacks is a programming
// error that a test catches; it is reported as itself so that nothing is lost.
func New(code string, at Position, args ...any) Diagnostic {
	m, ok := messages[code]
	if !ok {
		m = Message{Severity: Error, Zh: code, En: code}
	}
	return m.New(code, at, args...)
}

// New makes a diagnostic of the message; without a severity it is an error.
func (m Message) New(code string, at Position, args ...any) Diagnostic {
	if m.Severity == "" {
		m.Severity = Error
	}
	return Diagnostic{Position: at, Code: code, Severity: m.Severity, Zh: Fill(m.Zh, args, "zh"), En: Fill(m.En, args, "en"),
		Repair: Repair{Zh: Fill(m.RepairZh, args, "zh"), En: Fill(m.RepairEn, args, "en")}}
}

// At returns d with the JSON Pointer of the node that it speaks of.
func (d Diagnostic) At(pointer string) Diagnostic { d.Pointer = pointer; return d }

// Suggest returns d with "did you mean" added to its texts, when word is near one of the candidates.
func (d Diagnostic) Suggest(word string, candidates []string) Diagnostic {
	near := Nearest(word, candidates)
	if near == "" {
		return d
	}
	d.Zh += fmt.Sprintf("（是否想写 %q？）", near)
	d.En += fmt.Sprintf(" (did you mean %q?)", near)
	d.Repair = Repair{Zh: fmt.Sprintf("改为 %q", near), En: fmt.Sprintf("write %q", near)}
	return d
}

// few is how many words Few names.
const few = 10

// Few names words that somebody can choose from, and of many the first and their number.
func Few(words []string) string {
	if len(words) <= few {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s … (%d)", strings.Join(words[:few], ", "), len(words))
}

// Nearest returns the candidate with the smallest edit distance to word, or "" when none is within a third of its length
// (at least one edit, two from five letters on, at most three; case counts nothing). A single letter is near nothing but its other
// case.
func Nearest(word string, candidates []string) string {
	length := len([]rune(word))
	limit := min(max(length/3, 1), 3, length-1)
	if length >= 5 {
		limit = max(limit, 2)
	}
	best, out := limit+1, ""
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c), best); d < best {
			best, out = d, c
		}
	}
	return out
}

// distance is the optimal string alignment distance (a swap of neighbours is one edit); limit when the lengths alone differ
// by so much.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d >= limit || -d >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, cur := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(last[j]+1, cur[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(x)+1)%3][len(y)]
}
