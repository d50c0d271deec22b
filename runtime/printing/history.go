package printing

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Print lays records out as Lay does, and notes who put them on paper. id is that of the printing; a batch notes itself in the audit log.
func (s *Service) Print(ctx context.Context, view *authz.View, req Request, how How, id string) (*Printout, error) {
	out, err := s.Lay(ctx, view, req)
	if err != nil || how == Previewed && len(out.codes) == 0 {
		return out, err
	}
	p := s.printing(view, req, out, how, id)
	rows := make([]printed, len(out.Records))
	for i, record := range out.Records {
		rows[i] = printed{PrintID: id, Record: record}
		if c, has := out.codes[record]; has {
			rows[i].Code, rows[i].Shown = &c.code, c.shown
		}
	}
	return out, s.note(ctx, p, rows, out.Name)
}

// printing is a printing of the caller. When it happened is what the paper says, unless they told it that.
func (s *Service) printing(view *authz.View, req Request, out *Printout, how How, id string) printing {
	p := printing{ID: id, Actor: view.User(), Name: view.Principal().Name, How: how, Model: view.Catalog.Model(req.SchemaCode).Code, Template: out.template, CreatedAt: out.Time.UTC()}
	if req.Told != nil {
		told := p.CreatedAt
		p.Told, p.CreatedAt = &told, s.Clock().UTC().Truncate(time.Second)
	}
	return p
}

// Printed notes that a browser printed what it had been shown. A printing that was noted when it was shown belongs to the caller.
func (s *Service) Printed(ctx context.Context, view *authz.View, req Request, id string) error {
	known := false
	err := s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var p printing
		found := tx.System().Where("id = ?", id).Limit(1).Find(&p)
		if known = found.RowsAffected > 0; found.Error != nil || !known {
			return found.Error
		}
		if p.Actor != view.User() {
			return fault.New(fault.PrintTemplateNotFound)
		}
		if p.How != Previewed {
			return nil // told twice
		}
		if err := tx.System().Model(&p).Update("how", Paper).Error; err != nil {
			return err
		}
		return s.audited(ctx, tx, p, s.nameOf(view, p.Template))
	})
	if known || err != nil {
		return err
	}
	out, err := s.Lay(ctx, view, req)
	if err != nil {
		return err
	}
	p := s.printing(view, req, out, Paper, id)
	rows := make([]printed, len(out.Records))
	for i, record := range out.Records {
		rows[i] = printed{PrintID: id, Record: record}
	}
	return s.note(ctx, p, rows, out.Name)
}

func (s *Service) nameOf(view *authz.View, template string) plan.Label {
	if t := view.Catalog.Print(template); t != nil {
		return t.Label
	}
	return labelsName
}

var labelsName = plan.Label{Zh: "二维码标签", I18n: map[string]string{"en": "QR code labels"}}

// noteAtOnce is how many records are inserted by one statement.
const noteAtOnce = 100

func (s *Service) note(ctx context.Context, p printing, rows []printed, name plan.Label) error {
	return s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		p.Epoch = tx.Epoch()
		if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&p).Error; err != nil {
			return err
		}
		if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(rows, noteAtOnce).Error; err != nil {
			return err
		}
		if p.How == Previewed || p.How == Batch {
			return nil
		}
		return s.audited(ctx, tx, p, name)
	})
}

func (s *Service) audited(ctx context.Context, tx *store.Tx, p printing, name plan.Label) error {
	var n int64
	if err := tx.System().Model(&printed{}).Where("print_id = ?", p.ID).Count(&n).Error; err != nil {
		return err
	}
	return audit.Write(ctx, tx, audit.Entry{Kind: audit.Printed, Actor: p.Actor, Subject: p.Model, About: name.In("zh"), Detail: map[string]string{"label": fmt.Sprintf("%s × %d", name.In("zh"), n)}})
}

// snapshot is what paper showed of a record.
type snapshot struct {
	Locale string          `json:"locale"`
	Data   json.RawMessage `json:"data"`
	Texts  map[string]any  `json:"texts"`
	Shown  []string        `json:"shown,omitempty"` // the properties that the paper shows, of sub-tables as "lines.count"; nil = paper of before they were kept
}

func pack(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func unpack(b []byte) (out snapshot, err error) {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(text, &out)
}

// Past is a time at which a record was put on paper (api.yaml PrintPast).
type Past struct {
	At       time.Time         `json:"time"`
	By       string            `json:"name"` // then
	How      How               `json:"how"`
	Template string            `json:"code"` // "" = labels
	Name     string            `json:"templateName"`
	NameI18n map[string]string `json:"templateName_i18n"`
}

// mostPast is how many times History tells.
const mostPast = 100

// History are the times at which a record was put on paper, latest first, for those who see it.
func (s *Service) History(ctx context.Context, view *authz.View, schemaCode, queryCode, record string) ([]Past, error) {
	if _, err := s.seen(ctx, view, query.PrintRequest{SchemaCode: schemaCode, QueryCode: queryCode, ObjectIDs: []string{record}}); err != nil {
		return nil, err
	}
	var all []printing
	err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		of := tx.System().Model(&printed{}).Select("print_id").Where("record = ?", record)
		return tx.System().Where("id IN (?) AND how <> ?", of, Previewed).Where(tx.Called("model", names.Model, view.Catalog.Model(schemaCode).Code)).Order("created_at DESC, id DESC").Limit(mostPast).Find(&all).Error
	})
	out := []Past{}
	for _, p := range all {
		p = p.now(s.DB.NameLog())
		name := s.nameOf(view, p.Template)
		if p.Template != "" && view.Catalog.Print(p.Template) == nil {
			name = plan.Label{Zh: p.Template}
		}
		out = append(out, Past{At: p.CreatedAt.UTC(), By: p.Name, How: p.How, Template: p.Template, Name: name.Zh, NameI18n: name.I18n})
	}
	return out, err
}

// now is a printing with the codes of now. A template that is gone keeps the code that it had.
func (p printing) now(log *names.Log) printing {
	then := log.Since(p.Epoch, p.CreatedAt)
	p.Model, _ = then.Document(names.Model, p.Model)
	p.Template, _ = then.Document(names.Print, p.Template)
	return p
}

// seen reads a record that the caller sees.
func (s *Service) seen(ctx context.Context, view *authz.View, req query.PrintRequest) (query.Printed, error) {
	var one query.Printed
	m := view.Catalog.Model(req.SchemaCode)
	if m == nil || !view.Can(m, "view") {
		return one, fault.New(fault.ModelNotFound)
	}
	req.SchemaCode, req.Seen = m.Code, true
	err := s.Reader.Print(ctx, view, req, func(_ *store.Tx, records []query.Printed) error {
		if len(records) == 0 {
			return fault.New(fault.RecordNotFound)
		}
		one = records[0]
		return nil
	})
	return one, err
}
