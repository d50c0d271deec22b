package publish

import (
	"context"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/store"
)

// UnpublishedOf are the documents that a person has changed and not published. A person to whom they are given keeps their own draft of a document.
func UnpublishedOf() belonging.Things {
	own := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&draftRow{}).Where("owner = ?", person)
	}
	return belonging.Things{Count: belonging.Counted(own), End: belonging.Removed(own, &draftRow{}),
		Give: func(_ context.Context, tx *store.Tx, from, to string) (int, error) {
			done := own(tx, from).Where("NOT EXISTS (SELECT 1 FROM sl_document_draft o WHERE o.owner = ? AND o.pack = sl_document_draft.pack AND o.path = sl_document_draft.path)", to).
				UpdateColumn("owner", to)
			return int(done.RowsAffected), done.Error
		}}
}
