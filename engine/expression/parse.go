package expression

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
)

// Limits of a text (docs/formats.md, Limits).
const (
	MaxText  = 4 << 10 // bytes
	MaxNodes = 500
	MaxDepth = 50
)

// stand is a function of expr that takes a row expression (".qty") as average, minimum and maximum do here. It has as many
// letters as each of those, so exchanging the word moves no offset; the checker reads the word from the source.
const stand = "groupBy"

// source is a text with the offset of every rune.
type source struct {
	text  string
	runes []rune
	bytes []int // offset of each rune, and the length
}

func newSource(text string) *source {
	s := &source{text: text, runes: []rune(text)}
	n := 0
	for _, r := range s.runes {
		s.bytes = append(s.bytes, n)
		n += max(utf8.RuneLen(r), 1)
	}
	s.bytes = append(s.bytes, n)
	return s
}

func (s *source) offset(l file.Location) int {
	return s.bytes[min(max(l.From, 0), len(s.runes))]
}

func (s *source) at(l file.Location) string {
	from := min(max(l.From, 0), len(s.runes))
	return string(s.runes[from:max(min(l.To, len(s.runes)), from)])
}

// parse makes the syntax tree. Number literals become zeros of the same length beforehand, since the checker takes them
// from the source and expr's own must not fail at large ones.
func (s *source) parse() (ast.Node, *Problem) {
	if !utf8.ValidString(s.text) {
		return nil, &Problem{Code: "EXPR001", Args: []any{"UTF-8"}}
	}
	tokens, err := lexer.Lex(file.NewSource(s.text))
	if err != nil {
		return nil, s.syntax(err)
	}
	prepared := append([]rune(nil), s.runes...)
	for i, t := range tokens {
		from := t.Location.From
		switch {
		case t.Kind == lexer.Number:
			for j := from; j < t.Location.To; j++ {
				prepared[j] = '0'
			}
		case t.Kind == lexer.Identifier && rowFunction(t.Value) && i+1 < len(tokens) && tokens[i+1].Is(lexer.Bracket, "(") &&
			(i == 0 || tokens[i-1].Value != "."):
			copy(prepared[from:], []rune(stand))
		}
	}
	tree, err := parser.Parse(string(prepared))
	if err != nil {
		if p := s.unknownFunction(tokens); p != nil {
			return nil, p
		}
		return nil, s.syntax(err)
	}
	if tree.Node == nil {
		return nil, &Problem{Code: "EXPR001", Args: []any{end}}
	}
	return tree.Node, nil
}

// unknownFunction explains a syntax error by a function that does not exist: expr reads ".qty" only in functions it knows.
func (s *source) unknownFunction(tokens []lexer.Token) *Problem {
	for i, t := range tokens[:max(len(tokens)-1, 0)] {
		if t.Kind == lexer.Identifier && tokens[i+1].Is(lexer.Bracket, "(") && functionByName[t.Value] == nil {
			return &Problem{Offset: s.offset(t.Location), Code: "EXPR005", Args: []any{t.Value}, Word: t.Value, Candidates: functionNames()}
		}
	}
	return nil
}

func rowFunction(word string) bool {
	return word == "average" || word == "minimum" || word == "maximum"
}

var end = label("结尾", "end")

func (s *source) syntax(err error) *Problem {
	var e *file.Error
	if !errors.As(err, &e) {
		return &Problem{Code: "EXPR001", Args: []any{s.text}}
	}
	if i := slices.IndexFunc(s.runes, func(r rune) bool { return strings.ContainsRune("‘’“”", r) }); i >= 0 && i <= e.Location.From {
		return &Problem{Code: "EXPR023", Offset: len(string(s.runes[:i])), Args: []any{string(s.runes[i])}}
	}
	word := strings.TrimSpace(s.at(e.Location))
	if word == "" || strings.Contains(e.Message, "EOF") {
		return &Problem{Code: "EXPR001", Offset: len(s.text), Args: []any{end}}
	}
	if word == "=" {
		return &Problem{Code: "EXPR017", Offset: s.offset(e.Location)}
	}
	return &Problem{Code: "EXPR001", Offset: s.offset(e.Location), Args: []any{`"` + word + `"`}}
}
