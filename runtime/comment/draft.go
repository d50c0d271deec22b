package comment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
)

// Limits of a comment.
const (
	MaxText     = 2000 // characters
	maxMentions = 20
	maxFiles    = 9
	maxFileSize = 100 << 20 // bytes
)

// Draft is a comment as somebody wants it.
type Draft struct {
	At       query.Ref // the record; of a new comment only
	ReplyTo  string    // of a new comment only
	Text     string
	Mentions []string // user ids
	Files    []string // reference ids of uploads
	Token    string   // idempotency key of a new comment
}

// checked is the draft as it is kept: plain text without signs that nobody can see, each person and file once.
func (d Draft) checked() (Draft, error) {
	d.Text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ReplaceAll(d.Text, "\r\n", "\n")))
	d.Mentions, d.Files = once(d.Mentions), once(d.Files)
	switch {
	case d.Text == "" && len(d.Files) == 0:
		return d, fault.New(fault.CommentEmpty)
	case utf8.RuneCountInString(d.Text) > MaxText:
		return d, fault.New(fault.CommentTooLong, MaxText)
	case len(d.Mentions) > maxMentions:
		return d, fault.New(fault.CommentMentions, maxMentions)
	case len(d.Files) > maxFiles:
		return d, fault.New(fault.CommentFiles, maxFiles)
	}
	return d, nil
}

// once leaves out what was named before.
func once(ids []string) []string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// request is what the idempotency key represents.
func (d Draft) request(model string) string {
	return hash(append([]string{model, d.At.ID, d.ReplyTo, d.Text, strings.Join(d.Mentions, ",")}, d.Files...)...)
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func mentionsOf(r row) ([]mention, error) {
	out := []mention{}
	if r.Mentions == "" {
		return out, nil
	}
	return out, json.Unmarshal([]byte(r.Mentions), &out)
}

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}
