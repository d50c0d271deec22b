package workflow

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// mostQuick bounds the quick opinions of a person, and of the installation.
const mostQuick = 20

// everybody is the person whose quick opinions are the installation's.
const everybody = ""

// preference is what a person uses when they handle tasks.
type preference struct {
	Person    string  `gorm:"primaryKey;size:36"`
	Quick     *string // JSON array of texts; NULL = never chosen
	Signature string  `gorm:"not null;size:36;index"` // a file; "" = none
}

func (preference) TableName() string { return "sl_wf_preference" }

// Preferences are the quick opinions and the signature of a person (api.yaml OpinionPreferences).
type Preferences struct {
	Common    []string `json:"common"` // of the installation; nil = those of the product
	Own       []string `json:"own"`
	Signature *string  `json:"signature"`
	CanEdit   bool     `json:"canEditCommon"`
}

// PreferenceChange changes some preferences; nil leaves as it is.
type PreferenceChange struct {
	Common    *[]string `json:"common"`
	Own       *[]string `json:"own"`
	Signature *string   `json:"signature"` // an upload; "" = none any more
}

// Preferences answers those of the caller.
func (s *Service) Preferences(ctx context.Context, view *authz.View) (out *Preferences, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		out, err = preferencesOf(tx, view)
		return err
	})
	return out, err
}

func preferencesOf(tx *store.Tx, view *authz.View) (*Preferences, error) {
	out := &Preferences{Own: []string{}, CanEdit: administers(view)}
	all, err := preferenceOf(tx, everybody)
	if err != nil {
		return nil, err
	}
	if all.Quick != nil {
		out.Common = []string{}
		if err := json.Unmarshal([]byte(*all.Quick), &out.Common); err != nil {
			return nil, err
		}
	}
	if view.User() == "" {
		return out, nil
	}
	mine, err := preferenceOf(tx, view.User())
	if err != nil {
		return nil, err
	}
	if mine.Quick != nil {
		if err := json.Unmarshal([]byte(*mine.Quick), &out.Own); err != nil {
			return nil, err
		}
	}
	if mine.Signature != "" {
		out.Signature = &mine.Signature
	}
	return out, nil
}

// SetPreferences changes those of the caller, and those of the installation for those who administer workflows.
func (s *Service) SetPreferences(ctx context.Context, view *authz.View, c PreferenceChange) (out *Preferences, err error) {
	switch {
	case view.User() == "":
		return nil, fault.New(fault.Forbidden)
	case c.Common != nil && !administers(view):
		return nil, fault.New(fault.Forbidden)
	}
	err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for person, texts := range map[string]*[]string{everybody: c.Common, view.User(): c.Own} {
			if texts == nil {
				continue
			}
			kept, err := quick(*texts)
			if err != nil {
				return err
			}
			row := preference{Person: person, Quick: &kept}
			if err := tx.System().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "person"}}, DoUpdates: clause.AssignmentColumns([]string{"quick"})}).Create(&row).Error; err != nil {
				return err
			}
		}
		if c.Signature != nil {
			if err := saveSignature(ctx, tx, view.User(), *c.Signature); err != nil {
				return err
			}
		}
		out, err = preferencesOf(tx, view)
		return err
	})
	return out, err
}

// saveSignature keeps a signature of a person. Opinions that were signed with the one before keep it.
func saveSignature(ctx context.Context, tx *store.Tx, person, file string) error {
	if err := tx.Lock(ctx, "signature of "+person); err != nil {
		return err
	}
	old, err := preferenceOf(tx, person)
	if err != nil || old.Signature == file {
		return err
	}
	if file != "" {
		if err := takeSignature(tx, person, file); err != nil {
			return err
		}
	}
	row := preference{Person: person, Signature: file}
	if err := tx.System().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "person"}}, DoUpdates: clause.AssignmentColumns([]string{"signature"})}).Create(&row).Error; err != nil {
		return err
	}
	return dropSignature(tx, old.Signature)
}

// quick are texts as they are kept: none empty, none twice.
func quick(texts []string) (string, error) {
	kept := []string{}
	for _, text := range texts {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			kept = append(kept, text)
		}
		if utf8.RuneCountInString(text) > longest {
			return "", fault.New(fault.QuickOpinions, mostQuick, longest)
		}
	}
	if kept = once(kept); len(kept) > mostQuick {
		return "", fault.New(fault.QuickOpinions, mostQuick, longest)
	}
	out, err := json.Marshal(kept)
	return string(out), err
}
