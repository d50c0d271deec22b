package importer

import (
	"context"
	"strconv"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Second is a second import: corrected rows, which are imported with all others that were refused, or alone with Only.
type Second struct {
	ID   string   `json:"id"`
	Rows []Edit   `json:"secondImportData"`
	Only []string `json:"rows"` // ids of rows; none = all that were refused
}

// secondWait is how long a second import is waited for before the answer says that it is under way.
const secondWait = 8 * time.Second

// Second imports corrected rows. When some are refused again the error is ImportAgain, with the result.
func (s *Service) Second(ctx context.Context, view *authz.View, req Second) (Result, error) {
	imp, err := s.idle(ctx, view.User(), req.ID)
	if err != nil {
		return Result{}, err
	}
	if imp.Phase == checking {
		return Result{}, fault.New(fault.ImportNotFound)
	}
	if _, err := query.Offers(view, imp.Model, imp.List, Right); err != nil {
		return Result{}, err
	}
	imp.Phase = correcting
	err = s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if len(req.Rows) > 0 {
			if _, err := s.edit(ctx, tx, view, imp, req.Rows); err != nil {
				return err
			}
		}
		of := tx.System().Model(&keptRow{}).Where("import_id = ? AND kind = ?", imp.ID, rowFailed)
		if len(req.Only) > 0 {
			var numbers []int64
			for _, id := range req.Only {
				n, err := strconv.ParseInt(id, 10, 64)
				if err != nil {
					return fault.New(fault.BadParameter, "rows")
				}
				numbers = append(numbers, n)
			}
			of = of.Where("number IN ?", numbers)
		}
		if err := of.UpdateColumn("kind", rowPending).Error; err != nil {
			return err
		}
		return s.enqueue(ctx, tx, view.Catalog, imp)
	})
	if err != nil {
		return Result{}, err
	}
	out, err := s.wait(ctx, view, imp.ID, secondWait)
	if err == nil && out.ErrorType != nil && out.Errors > 0 {
		return out, &fault.Error{Code: fault.ImportAgain, Args: []any{out.Errors}, Data: &out}
	}
	return out, err
}

// wait waits for the end of an import, at most for some time.
func (s *Service) wait(ctx context.Context, view *authz.View, id string, most time.Duration) (Result, error) {
	for end := time.Now().Add(most); ; {
		out, err := s.Result(ctx, view, id)
		if err != nil || out.ErrorType != nil || time.Now().After(end) {
			return out, err
		}
		select {
		case <-ctx.Done():
			return out, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
