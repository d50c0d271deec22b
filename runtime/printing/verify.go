package printing

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A code on paper is the name of one record on one printing, and a signature of that name with a key of the installation: 16 and 8 bytes, as
// 32 letters of base64url.
const (
	nameLength = 16
	markLength = 8
)

// coded is the code of a record on a printout.
type coded struct {
	token string // the code itself
	code  string // its name, in hexadecimal digits
	shown []byte // snapshot, packed
}

// mac is a keyed digest; what tells its uses apart.
func (s *Service) mac(what string, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, s.Key)
	h.Write([]byte(what))
	for _, p := range parts {
		sum := sha256.Sum256(p)
		h.Write(sum[:])
	}
	return h.Sum(nil)
}

// code names a record on a printout. It depends on nothing but what is printed, when, by whom and in which language, so that the same paper has
// the same bytes.
func (b *binder) code() (token string, err error) {
	if b.draft { // a code of the same size that nobody signed: what a designer tries out is no paper of the installation
		return base64.RawURLEncoding.EncodeToString(make([]byte, nameLength+markLength)), nil
	}
	data, texts := b.r.Whole()
	text, err := json.Marshal(snapshot{b.locale, data, texts, b.shows()})
	if err != nil {
		return "", err
	}
	shown, err := pack(text)
	if err != nil {
		return "", err
	}
	name := b.s.mac("name", []byte(b.t.Code), []byte(b.r.ID), []byte(b.out.Time.UTC().Format(time.RFC3339)), []byte(b.view.User()), text)[:nameLength]
	token = base64.RawURLEncoding.EncodeToString(slices.Concat(name, b.s.mac("mark", name)[:markLength]))
	b.out.codes[b.r.ID] = coded{token, hex.EncodeToString(name), shown}
	return token, nil
}

// opened is the name in a code; false when nobody with the key made it.
func (s *Service) opened(token string) (string, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != nameLength+markLength {
		return "", false
	}
	name := raw[:nameLength]
	return hex.EncodeToString(name), hmac.Equal(raw[nameLength:], s.mac("mark", name)[:markLength])
}

// verifyAddress is the page of a code; "" = the installation does not know its own address.
func verifyAddress(base, token string) string {
	if base == "" {
		return ""
	}
	return base + "/print/verify?" + url.Values{"code": {token}}.Encode()
}

// Standing of a code.
type Standing string

// What a code can be. One that was made without the key, one that is not on record and one that is cut off answer alike: what tells
// them apart would help only those who try codes.
const (
	Genuine Standing = "genuine" // the record still says what the paper says
	Changed Standing = "changed" // what the paper shows has changed since, or its record is gone
	Unknown Standing = "unknown" // not a paper of this installation
)

// Verified is what a code says of its paper (api.yaml PrintVerified): to everybody whether the paper is genuine and what is on
// it, to those who see the record how it differs.
type Verified struct {
	Status  Standing `json:"status"`
	Visible bool     `json:"visible"` // the caller sees the record: there is a Proof
	*Paperwork
	*Proof
}

// Paperwork is what everybody is told who holds a genuine paper: never more than it shows.
type Paperwork struct {
	Template   string            `json:"templateName"`
	TemplateEn map[string]string `json:"templateName_i18n"`
	Printed    time.Time         `json:"printedTime"` // as the paper says
	Made       time.Time         `json:"madeTime"`    // when it was printed: another time where that was told
	Shown      []ShownValue      `json:"shown"`
}

// ShownValue is a property that the paper shows, in the words of the paper.
type ShownValue struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Text     string            `json:"text"`
}

// Proof compares a record with the paper.
type Proof struct {
	SchemaCode  string       `json:"schemaCode"`
	ObjectID    string       `json:"objectId"`
	RecordName  string       `json:"recordName"`
	By          string       `json:"printedBy"`
	How         How          `json:"how"`
	Then        *time.Time   `json:"versionTime"` // when the record that was printed had last been changed
	Now         *time.Time   `json:"currentTime"` // when it was last changed
	Differences []Difference `json:"differences"`
	Gone        int          `json:"gone"` // how many properties that were kept of the record are kept no more
}

// Figures of what is told of a paper.
const (
	mostShown    = 12  // values
	longestShown = 200 // characters of one
)

// found is a paper on record.
type found struct {
	printing
	printed
	snapshot
	read  names.Reading
	model *catalog.Model
	shown []string // paths of now
}

// Verify tells what a code says: view is that of the caller; nil = nobody who is signed in.
func (s *Service) Verify(ctx context.Context, everything, view *authz.View, token string) (*Verified, error) {
	p, err := s.paper(ctx, everything, token)
	if err != nil || p == nil {
		return &Verified{Status: Unknown}, err
	}
	record := query.PrintRequest{SchemaCode: p.Model, ObjectIDs: []string{p.Record}, Unlisted: true}
	now, err := s.seen(ctx, everything, record)
	gone := unseen(err)
	if err != nil && !gone {
		return nil, err
	}
	label := s.nameOf(everything, p.Template)
	out := &Verified{Status: Changed, Paperwork: &Paperwork{Template: label.Zh, TemplateEn: label.I18n, Printed: p.says(), Made: p.CreatedAt.UTC(), Shown: p.values()}}
	if gone {
		return out, nil
	}
	all, _, err := p.differences(now)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, func(d Difference) bool { return d.OnPaper }) {
		out.Status = Genuine
	}
	if view == nil {
		return out, nil
	}
	now, err = s.seen(ctx, view, record)
	if unseen(err) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	out.Visible = true
	out.Proof = &Proof{SchemaCode: p.model.Code, ObjectID: p.Record, By: p.printing.Name, How: p.How, RecordName: text(now.Texts[catalog.Name]), Then: changedAt(p.Data), Now: changedAt(now.Data)}
	out.Differences, out.Gone, err = p.differences(now)
	return out, err
}

// unseen reports whether an error says that somebody does not see a record, or that it is gone.
func unseen(err error) bool {
	code := fault.Of(err)
	return code == fault.ModelNotFound || code == fault.RecordNotFound || code == fault.ListNotFound || code == fault.Forbidden
}

// paper finds the paper of a code; nil = it is none of this installation. What is forged is looked for too, so that both take the
// same time.
func (s *Service) paper(ctx context.Context, view *authz.View, token string) (*found, error) {
	name, ok := s.opened(token)
	var p found
	err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		// What was looked at, and saved within the same second, is one paper with one code: that it was saved says more.
		found := tx.System().Joins("JOIN sl_print ON sl_print.id = sl_print_record.print_id").Where("sl_print_record.code = ?", name).
			Order(clause.OrderBy{Expression: clause.Expr{SQL: "CASE WHEN sl_print.how = ? THEN 1 ELSE 0 END, sl_print.created_at, sl_print.id", Vars: []any{Previewed}}}).Limit(1).Find(&p.printed)
		if found.Error != nil || found.RowsAffected == 0 {
			return found.Error
		}
		return tx.System().Where("id = ?", p.PrintID).Limit(1).Find(&p.printing).Error
	})
	if err != nil || !ok || p.ID == "" {
		return nil, err
	}
	log := s.DB.NameLog()
	p.read = log.Since(p.Epoch, p.CreatedAt)
	p.printing = p.now(log)
	if p.snapshot, err = unpack(p.printed.Shown); err != nil {
		return nil, err
	}
	if p.model = view.Catalog.Model(p.Model); p.model == nil {
		return &p, nil
	}
	if p.snapshot.Shown == nil { // of before: what the template shows now
		if t := view.Catalog.Print(p.Template); t != nil {
			p.shown = showsOf(t, nil, "")
		}
		return &p, nil
	}
	for _, path := range p.snapshot.Shown {
		if now, ok := codes.Path(p.read, p.model, strings.Split(path, ".")); ok {
			p.shown = append(p.shown, strings.Join(now, "."))
		}
	}
	return &p, nil
}

// shows reports whether the paper shows a property, or one of a sub-table; column "" = any of it.
func (p *found) shows(code, column string) bool {
	return slices.ContainsFunc(p.shown, func(path string) bool {
		return path == code || column != "" && path == code+"."+column || column == "" && strings.HasPrefix(path, code+".")
	})
}

// values are the first properties that the paper shows, in the order of the paper.
func (p *found) values() []ShownValue {
	out := []ShownValue{}
	if p.model == nil {
		return out
	}
	texts := codes.Keys(p.read, p.model, p.Texts)
	for _, path := range p.shown {
		f := p.model.Field(path)
		if f == nil || f.Sheet != nil || text(texts[f.Code]) == "" || len(out) == mostShown {
			continue
		}
		words := []rune(text(texts[f.Code]))
		if len(words) > longestShown {
			words = append(words[:longestShown], '…')
		}
		out = append(out, ShownValue{f.Code, f.Label.Zh, f.Label.I18n, string(words)})
	}
	return out
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// changedAt is when a record was last changed, by its values; nil when that is hidden.
func changedAt(data json.RawMessage) *time.Time {
	var of map[string]json.RawMessage
	var at time.Time
	if json.Unmarshal(data, &of) != nil || json.Unmarshal(of[catalog.ModifiedTime], &at) != nil {
		return nil
	}
	at = at.UTC()
	return &at
}
