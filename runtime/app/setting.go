package app

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm/clause"
)

// setting is a small value that the installation keeps in its database.
type setting struct {
	Name  string `gorm:"primaryKey;size:60"`
	Value string
}

func (setting) TableName() string { return "sl_setting" }

const packsSetting = "packs"

// RememberPacks keeps the pack folders that a database is served with, so that `sluice explain` need not be told again.
func RememberPacks(ctx context.Context, db *store.DB, dirs []string) error {
	whole := make([]string, len(dirs)) // a later command may stand in another folder
	for i, dir := range dirs {
		path, err := filepath.Abs(dir)
		if err != nil {
			return fmt.Errorf("packs: %w", err)
		}
		whole[i] = path
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	return keepSetting(ctx, db, packsSetting, string(text))
}

// RememberedPacks returns the pack folders that the database was last served with.
func RememberedPacks(ctx context.Context, db *store.DB) ([]string, error) {
	text, err := readSetting(ctx, db, packsSetting)
	if err != nil || text == "" {
		return nil, err
	}
	var dirs []string
	if err := json.Unmarshal([]byte(text), &dirs); err != nil {
		return nil, fmt.Errorf("the setting %s: %w", packsSetting, err)
	}
	return dirs, nil
}

// withSetting keeps the offered packs that were switched on by name.
const withSetting = "with"

// RememberWith keeps the offered packs that a database is served with, as RememberPacks keeps folders.
func RememberWith(ctx context.Context, db *store.DB, with []string) error {
	return keepSetting(ctx, db, withSetting, strings.Join(with, ","))
}

// RememberedWith returns the offered packs that were switched on by name when the database was last served.
func RememberedWith(ctx context.Context, db *store.DB) ([]string, error) {
	text, err := readSetting(ctx, db, withSetting)
	if err != nil || text == "" {
		return nil, err
	}
	return strings.Split(text, ","), nil
}

// readSetting returns a setting; "" when it was never kept.
func readSetting(ctx context.Context, db *store.DB, name string) (string, error) {
	var row setting
	err := db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("name = ?", name).Limit(1).Find(&row).Error
	})
	return row.Value, err
}

// keepSetting writes a setting that is not kept like that already.
func keepSetting(ctx context.Context, db *store.DB, name, value string) error {
	if old, err := readSetting(ctx, db, name); err != nil || old == value {
		return err
	}
	return db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		row := setting{Name: name, Value: value}
		return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
}
