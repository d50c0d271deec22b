package importer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// choice is what a person said last of columns in files for a list, where that is not what their headings say.
type choice struct {
	Owner     string `gorm:"primaryKey;size:36"`
	List      string `gorm:"primaryKey;size:63"` // lower case
	Columns   string `gorm:"not null"`           // JSON array of saying
	Epoch     int64  `gorm:"not null;default:0"` // of the codes in Columns
	UpdatedAt time.Time
}

func (choice) TableName() string { return "sl_import_choice" }

// saying is a heading and what it is; the latest come first.
type saying struct {
	Heading string `json:"heading"`
	Code    string `json:"propertyCode"` // "" = left out
}

// mostSaid is how many headings of a list are remembered of a person.
const mostSaid = 300

// remembered is what a person said last: heading -> code of now.
func (s *Service) remembered(ctx context.Context, user string, l *catalog.List) (map[string]string, error) {
	var all []saying
	err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		all, err = sayings(tx, user, l)
		return err
	})
	out := make(map[string]string, len(all))
	for _, one := range all {
		out[one.Heading] = one.Code
	}
	return out, err
}

func sayings(tx *store.Tx, user string, l *catalog.List) ([]saying, error) {
	var c choice
	if err := tx.System().Where("owner = ? AND list = ?", user, strings.ToLower(l.Code)).Limit(1).Find(&c).Error; err != nil || c.Owner == "" {
		return nil, err
	}
	var all []saying
	if err := json.Unmarshal([]byte(c.Columns), &all); err != nil {
		return nil, fmt.Errorf("what %s said of columns for %s: %w", user, l.Code, err)
	}
	return saidNow(tx.NameLog().Since(c.Epoch, c.UpdatedAt), l.Model, all), nil
}

// saidNow gives what was said the codes of now. What is gone was said of nothing.
func saidNow(then names.Reading, m *catalog.Model, in []saying) (out []saying) {
	if then.Now() {
		return in
	}
	for _, one := range in {
		code := codeNow(then, m, one.Code)
		if code != "" || one.Code == "" {
			out = append(out, saying{one.Heading, code})
		}
	}
	return out
}

// learn takes from an import what the person said of its columns: plain is how its headings are read without them.
func learn(before []saying, plain headings, said []Assigned) []saying {
	var now []saying
	for _, c := range plain.columns {
		name := heading(c.text)
		if name == "" || len(name) > 400 || c.by == byCode || slices.ContainsFunc(now, func(s saying) bool { return s.Heading == name }) {
			continue
		}
		code := ""
		for _, a := range said {
			if a.Column == c.at {
				code = a.Code
			}
		}
		before = slices.DeleteFunc(before, func(s saying) bool { return s.Heading == name })
		if c.sure && c.codes[0] == code || !c.sure && len(c.codes) == 0 && code == "" {
			continue
		}
		now = append(now, saying{name, code})
	}
	all := append(now, before...)
	return all[:min(len(all), mostSaid)]
}

// remember keeps what a person said, for their next import into the list.
func (s *Service) remember(tx *store.Tx, imp *importRow, l *catalog.List, plain headings, said []Assigned) error {
	before, err := sayings(tx, imp.UserID, l)
	if err != nil {
		return err
	}
	all := learn(slices.Clone(before), plain, said)
	if slices.Equal(all, before) {
		return nil
	}
	text, err := json.Marshal(append([]saying{}, all...))
	if err != nil {
		return err
	}
	c := choice{Owner: imp.UserID, List: strings.ToLower(l.Code), Columns: string(text), Epoch: tx.NameLog().Epoch(), UpdatedAt: s.Clock().UTC()}
	return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&c).Error
}
