package printing

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
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
	text, err := json.Marshal(snapshot{b.locale, data, texts})
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

// What a code can be.
const (
	Genuine Standing = "genuine"
	Forged  Standing = "forged"  // made without the key
	Unknown Standing = "unknown" // made with the key, and not on record
)

// Verified is what a code says of its paper (api.yaml PrintVerified). Of a genuine one whose record the caller does not see, or that is
// gone, only that is told.
type Verified struct {
	Status  Standing `json:"status"`
	Visible bool     `json:"visible"`
	*Proof
}

// Proof compares a record with the paper.
type Proof struct {
	SchemaCode  string            `json:"schemaCode"`
	ObjectID    string            `json:"objectId"`
	RecordName  string            `json:"recordName"`
	Template    string            `json:"templateName"`
	TemplateEn  map[string]string `json:"templateName_i18n"`
	Printed     time.Time         `json:"printedTime"`
	By          string            `json:"printedBy"`
	How         How               `json:"how"`
	Then        string            `json:"versionTime"` // when the record that was printed had last been changed, in words
	Now         string            `json:"currentTime"` // when it was last changed
	Differences []Difference      `json:"differences"`
	Gone        int               `json:"gone"` // how many properties that the paper showed are kept no more
}

// Difference is a property that has another value now.
type Difference struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Before   string            `json:"before"` // in the words of the paper
	After    string            `json:"after"`
	Rows     *RowChange        `json:"rows"` // of a sub-table; null = it is none
}

// RowChange is how the rows of a sub-table differ.
type RowChange struct {
	Before  int `json:"before"`
	After   int `json:"after"`
	Changed int `json:"changed"` // of those that both have, by their order
}

// Verify tells what a code says.
func (s *Service) Verify(ctx context.Context, view *authz.View, token string) (*Verified, error) {
	name, ok := s.opened(token)
	if !ok {
		return &Verified{Status: Forged}, nil
	}
	var p printing
	var r printed
	err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		// What was looked at, and saved within the same second, is one paper with one code: that it was saved says more.
		found := tx.System().Joins("JOIN sl_print ON sl_print.id = sl_print_record.print_id").Where("sl_print_record.code = ?", name).
			Order(clause.OrderBy{Expression: clause.Expr{SQL: "CASE WHEN sl_print.how = ? THEN 1 ELSE 0 END, sl_print.created_at, sl_print.id", Vars: []any{Previewed}}}).Limit(1).Find(&r)
		if found.Error != nil || found.RowsAffected == 0 {
			return found.Error
		}
		return tx.System().Where("id = ?", r.PrintID).Limit(1).Find(&p).Error
	})
	switch {
	case err != nil:
		return nil, err
	case p.ID == "":
		return &Verified{Status: Unknown}, nil
	}
	log := s.DB.NameLog()
	read := log.Since(p.Epoch, p.CreatedAt)
	p = p.now(log)
	now, err := s.seen(ctx, view, p.Model, "", r.Record)
	if code := fault.Of(err); code == fault.ModelNotFound || code == fault.RecordNotFound || code == fault.ListNotFound || code == fault.Forbidden {
		return &Verified{Status: Genuine}, nil
	}
	if err != nil {
		return nil, err
	}
	then, err := unpack(r.Shown)
	if err != nil {
		return nil, err
	}
	m := view.Catalog.Model(p.Model)
	label := s.nameOf(view, p.Template)
	out := &Verified{Status: Genuine, Visible: true, Proof: &Proof{SchemaCode: m.Code, ObjectID: r.Record, Template: label.Zh, TemplateEn: label.I18n, Printed: p.CreatedAt.UTC(), By: p.Name, How: p.How,
		RecordName: text(now.Texts[catalog.Name]), Then: text(then.Texts[catalog.ModifiedTime]), Now: text(now.Texts[catalog.ModifiedTime])}}
	out.Differences, out.Gone, err = differences(m, then, now, read)
	return out, err
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// differences compares what the caller sees now with what the paper showed, in the order of the model. What either does not have was hidden
// from the one who printed or is from the one who asks, and is not compared; what is kept no more is counted.
func differences(m *catalog.Model, then snapshot, now query.Printed, read names.Reading) (out []Difference, gone int, err error) {
	out = []Difference{}
	var before, after map[string]json.RawMessage
	if err := json.Unmarshal(then.Data, &before); err != nil {
		return nil, 0, err
	}
	if err := json.Unmarshal(now.Data, &after); err != nil {
		return nil, 0, err
	}
	before, gone = codes.Values(read, m, before)
	then.Texts = codes.Keys(read, m, then.Texts)
	for _, f := range m.Fields {
		a, was := before[f.Code]
		b, is := after[f.Code]
		if !was || !is || bytes.Equal(a, b) || slices.Contains(untold, f.Code) {
			continue
		}
		d := Difference{Code: f.Code, Name: f.Label.Zh, NameI18n: f.Label.I18n, Before: text(then.Texts[f.Code]), After: text(now.Texts[f.Code])}
		if f.Sheet != nil {
			if d.Rows, err = rowChange(f.Sheet, a, b); err != nil {
				return nil, 0, err
			}
			if d.Rows == nil {
				continue
			}
		} else if same, err := sameJSON(a, b); err != nil {
			return nil, 0, err
		} else if same {
			continue
		}
		out = append(out, d)
	}
	return out, gone, nil
}

// rowChange compares the rows of a sub-table by what they hold; nil = they are the same. Rows that are replaced have other ids.
func rowChange(sheet *catalog.Model, then, now []byte) (*RowChange, error) {
	var before, after []map[string]json.RawMessage
	if err := json.Unmarshal(then, &before); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &after); err != nil {
		return nil, err
	}
	out := RowChange{Before: len(before), After: len(after)}
	for i := range min(len(before), len(after)) {
		for _, f := range sheet.Fields {
			a, was := before[i][f.Code]
			b, is := after[i][f.Code]
			if f.System || !was || !is {
				continue
			}
			same, err := sameJSON(a, b)
			if err != nil {
				return nil, err
			}
			if !same {
				out.Changed++
				break
			}
		}
	}
	if out.Changed == 0 && out.Before == out.After {
		return nil, nil
	}
	return &out, nil
}

// untold are the properties that change whenever something else does.
var untold = []string{catalog.ModifiedTime, catalog.Modifier, catalog.Version}

func sameJSON(a, b []byte) (bool, error) {
	if bytes.Equal(a, b) {
		return true, nil
	}
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		return false, err
	}
	if err := json.Unmarshal(b, &y); err != nil {
		return false, err
	}
	return reflect.DeepEqual(x, y), nil
}
