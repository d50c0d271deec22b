package importer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
)

// OfJob returns the id of the import that a job of a person belongs to, also when other jobs of the import came after it.
func (s *Service) OfJob(ctx context.Context, user, jobID string) (id string, err error) {
	text, err := s.jobs.Payload(ctx, user, jobID)
	if fault.Of(err) == fault.JobNotFound {
		return "", fault.New(fault.ImportNotFound)
	}
	var p payload
	if err == nil && (json.Unmarshal(text, &p) != nil || p.Import == "") {
		return "", fault.New(fault.ImportNotFound)
	}
	return p.Import, err
}

// Unresolved counts the refused cells of people and departments. Until they are mended an import is not confirmed.
func (s *Service) Unresolved(ctx context.Context, view *authz.View, id string) (n int64, err error) {
	imp, err := s.find(ctx, view.User(), id)
	if err != nil {
		return 0, err
	}
	m := view.Model(imp.Model)
	if m == nil {
		return 0, fault.New(fault.ModelNotFound, imp.Model)
	}
	parties := map[string]bool{}
	for _, c := range columnsOf(view, m) {
		if kinds, _ := refers(c.Field); len(kinds) > 0 {
			parties[c.Code()] = true
		}
	}
	if len(parties) == 0 {
		return 0, nil
	}
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		n = 0
		rows, err := tx.System().Model(&keptRow{}).Where("import_id = ? AND kind = ?", imp.ID, rowFailed).Select("errors").Rows()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			var errs []struct {
				PropertyCode string `json:"propertyCode"`
				Row          *int   `json:"row"`
			}
			if err := json.Unmarshal([]byte(text), &errs); err != nil {
				return err
			}
			seen := map[cellAt]bool{}
			for _, e := range errs {
				at := placed(e.PropertyCode, e.Row)
				if at.row < 0 && strings.Contains(at.column, ".") {
					continue // of the sub-table as a whole
				}
				if parties[at.column] && !seen[at] {
					seen[at] = true
					n++
				}
			}
		}
		return rows.Err()
	})
	return n, err
}

// cellAt is a cell of a row that was refused.
type cellAt struct {
	column string
	row    int // of the sub-table; -1 = it is not in one
}

func placed(column string, row *int) cellAt {
	if row == nil {
		return cellAt{column, -1}
	}
	return cellAt{column, *row}
}

// again is how to begin the import that a dry run has checked; nil when its file is gone, or when it did not get to its end.
func (s *Service) again(ctx context.Context, imp *importRow, state job.State) (*Request, error) {
	if imp.Phase != checking || state != job.Done || imp.Reason != 0 {
		return nil, nil
	}
	f, err := s.upload(ctx, imp.UserID, imp.FileID)
	switch {
	case fault.Of(err) == fault.ImportFileGone, errors.Is(err, gorm.ErrRecordNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	sheets, err := imp.sheets()
	return &Request{FileName: f.ID, Original: imp.FileName, SchemaCode: imp.Model, QueryCode: imp.List, QueryField: imp.KeyField, Language: imp.Locale,
		Mode: imp.Mode, Sheet: sheets, ClearEmpty: imp.Clear, ReplaceLines: imp.Replace, Encoding: imp.Encoding}, err
}
