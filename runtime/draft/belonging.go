package draft

import (
	"context"
	"regexp"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// fileID is how the values of a draft name uploads, among other ids.
var fileID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// Of are the drafts of a person. Who gets them gets the uploads in them, and sees of their values what they may see (Open).
func Of() belonging.Things {
	own := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&row{}).Where("user_id = ?", person)
	}
	give := belonging.Given(own, "user_id")
	return belonging.Things{Count: belonging.Counted(own), End: belonging.Removed(own, &row{}),
		Give: func(ctx context.Context, tx *store.Tx, from, to string) (int, error) {
			var values []string
			if err := own(tx, from).Pluck("data", &values).Error; err != nil {
				return 0, err
			}
			for _, text := range values {
				if err := blob.Give(tx, fileID.FindAllString(text, -1), from, to); err != nil {
					return 0, err
				}
			}
			return give(ctx, tx, from, to)
		}}
}
