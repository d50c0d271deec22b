package script

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

var (
	// conditions are the at-rules that hold rules and decide nothing beyond them. Keyframes, fonts, layers and properties
	// have names that count on the whole page.
	conditions = []string{"@media", "@supports", "@container"}
	// loaders are functions that fetch, or that name an address in a text.
	loaders = []string{"url(", "src(", "image(", "image-set(", "-webkit-image-set(", "cross-fade(", "-webkit-cross-fade(", "element(", "paint(", "-moz-element("}
)

const dataImage = "data:image/"

// Style checks a style sheet and returns it with every selector below scope, so that it reaches nothing outside of the
// element that scope names. Nesting, names that count on the whole page and addresses are refused.
func Style(name, data, scope string) (string, diag.List) {
	s := &sheet{text: text{file: name, data: data}, scope: scope}
	s.lex()
	if len(s.out) > 0 {
		return "", s.out
	}
	if s.rules(false); len(s.out) > 0 {
		return "", s.out
	}
	return s.css.String(), nil
}

// ScopeOf is the selector of a list's root element.
func ScopeOf(list string) string { return `[data-list="` + list + `"]` }

type lexeme struct {
	css.TokenType
	text string
	at   int
}

// sheet is the state of one Style.
type sheet struct {
	text
	scope  string
	tokens []lexeme
	next   int
	css    strings.Builder
}

// lex splits the file and refuses what lexers may read differently.
func (s *sheet) lex() {
	if at := strings.IndexFunc(s.data, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f }); at >= 0 {
		s.report("STYLE001", at, "control character")
		return
	}
	l := css.NewLexer(parse.NewInputString(s.data))
	for at := 0; ; {
		kind, data := l.Next()
		if kind == css.ErrorToken {
			if at != len(s.data) {
				s.report("STYLE001", at, "unreadable")
			}
			return
		}
		t := lexeme{kind, string(data), at}
		at += len(data)
		switch {
		case kind == css.BadStringToken || kind == css.BadURLToken || kind == css.CDOToken || kind == css.CDCToken:
			s.report("STYLE001", t.at, t.text)
		case kind == css.CommentToken && !strings.HasSuffix(t.text, "*/") || kind == css.CommentToken && len(t.text) < 4:
			s.report("STYLE001", t.at, "/*")
		case kind == css.StringToken && (len(t.text) < 2 || t.text[0] != t.text[len(t.text)-1]):
			s.report("STYLE001", t.at, t.text)
		case kind != css.StringToken && kind != css.CommentToken && strings.Contains(t.text, `\`):
			s.report("STYLE001", t.at, `\`)
		case kind == css.CommentToken:
			t = lexeme{css.WhitespaceToken, " ", t.at}
		}
		if len(s.out) > 0 {
			return
		}
		s.tokens = append(s.tokens, t)
	}
}

func (s *sheet) peek() (lexeme, bool) {
	if s.next == len(s.tokens) {
		return lexeme{at: len(s.data)}, false
	}
	return s.tokens[s.next], true
}

// rules reads rules up to the end, or up to the brace that closes a condition.
func (s *sheet) rules(inner bool) {
	for {
		t, more := s.peek()
		switch {
		case !more && inner:
			s.report("STYLE001", t.at, "}")
			return
		case !more:
			return
		case t.TokenType == css.WhitespaceToken:
			s.next++
		case t.TokenType == css.RightBraceToken && inner:
			s.next++
			s.css.WriteString("}\n")
			return
		case t.TokenType == css.RightBraceToken || t.TokenType == css.SemicolonToken:
			s.report("STYLE001", t.at, t.text)
			return
		case t.TokenType == css.AtKeywordToken:
			s.condition(t)
		default:
			s.rule()
		}
		if len(s.out) > 0 {
			return
		}
	}
}

func (s *sheet) condition(t lexeme) {
	if !slices.Contains(conditions, strings.ToLower(t.text)) {
		s.report("STYLE002", t.at, t.text, strings.Join(conditions, " "))
		return
	}
	s.next++
	s.css.WriteString(strings.ToLower(t.text))
	for {
		p, more := s.peek()
		s.next++
		switch {
		case !more || p.TokenType == css.SemicolonToken || p.TokenType == css.RightBraceToken:
			s.report("STYLE001", p.at, "{")
			return
		case p.TokenType == css.LeftBraceToken:
			s.css.WriteString("{\n")
			s.rules(true)
			return
		}
		if !s.harmless(p) {
			return
		}
		s.css.WriteString(p.text)
	}
}

// rule reads one rule: its selectors, each put below the scope, and its declarations.
func (s *sheet) rule() {
	depth := 0
	var part []lexeme
	var parts []string
	for {
		t, more := s.peek()
		s.next++
		switch {
		case !more || t.TokenType == css.SemicolonToken || t.TokenType == css.RightBraceToken:
			s.report("STYLE001", t.at, "{")
			return
		case t.TokenType == css.FunctionToken || t.TokenType == css.LeftParenthesisToken || t.TokenType == css.LeftBracketToken:
			depth++
		case t.TokenType == css.RightParenthesisToken || t.TokenType == css.RightBracketToken:
			depth--
		}
		end := t.TokenType == css.LeftBraceToken
		if depth == 0 && (end || t.TokenType == css.CommaToken) {
			selector, ok := s.selector(part, t.at)
			if !ok {
				return
			}
			parts, part = append(parts, selector), nil
			if end {
				break
			}
			continue
		}
		if end || depth < 0 {
			s.report("STYLE001", t.at, t.text)
			return
		}
		part = append(part, t)
	}
	s.css.WriteString(strings.Join(parts, ", ") + " {")
	s.declarations()
}

// selector puts one complex selector below the scope. A leading sibling combinator would step out of it, and so would "&".
func (s *sheet) selector(tokens []lexeme, at int) (string, bool) {
	var b strings.Builder
	for _, t := range tokens {
		first := strings.TrimSpace(b.String()) == ""
		sibling := t.TokenType == css.DelimToken && (t.text == "+" || t.text == "~") || t.TokenType == css.ColumnToken
		if t.text == "&" || sibling && first || t.TokenType == css.AtKeywordToken {
			s.report("STYLE005", t.at, t.text)
			return "", false
		}
		b.WriteString(t.text)
	}
	selector := strings.TrimSpace(b.String())
	if selector == "" {
		s.report("STYLE005", at, "")
		return "", false
	}
	return s.scope + " " + selector, true
}

func (s *sheet) declarations() {
	depth, property, colon := 0, "", false
	for {
		t, more := s.peek()
		s.next++
		if !more {
			s.report("STYLE001", t.at, "}")
			return
		}
		switch t.TokenType {
		case css.LeftBraceToken:
			s.report("STYLE005", t.at, "{")
			return
		case css.AtKeywordToken:
			s.report("STYLE002", t.at, t.text, strings.Join(conditions, " "))
			return
		case css.FunctionToken, css.LeftParenthesisToken, css.LeftBracketToken:
			depth++
		case css.RightParenthesisToken, css.RightBracketToken:
			depth--
		case css.ColonToken:
			colon = colon || depth == 0
		case css.IdentToken, css.CustomPropertyNameToken:
			if !colon {
				property = strings.ToLower(t.text)
			} else if property == "position" && strings.EqualFold(t.text, "fixed") {
				s.report("STYLE004", t.at)
				return
			}
		case css.SemicolonToken, css.RightBraceToken:
			if depth != 0 {
				s.report("STYLE001", t.at, t.text)
				return
			}
			property, colon = "", false
			if t.TokenType == css.RightBraceToken {
				s.css.WriteString("}\n")
				return
			}
		}
		if depth < 0 || !s.harmless(t) {
			if depth < 0 {
				s.report("STYLE001", t.at, t.text)
			}
			return
		}
		s.css.WriteString(t.text)
	}
}

// harmless refuses addresses, besides pictures that stand in the file itself.
func (s *sheet) harmless(t lexeme) bool {
	lower := strings.ToLower(t.text)
	switch t.TokenType {
	case css.URLToken:
		address := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(lower, "url("), ")"), " \t\r\n'\"")
		if strings.HasPrefix(address, dataImage) {
			return true
		}
	case css.FunctionToken:
		if !slices.Contains(loaders, lower) {
			return true
		}
		if following, ok := s.peek(); ok && lower == "url(" && following.TokenType == css.StringToken &&
			strings.HasPrefix(strings.ToLower(following.text[1:]), dataImage) {
			return true
		}
	default:
		return true
	}
	s.report("STYLE003", t.at, t.text)
	return false
}
