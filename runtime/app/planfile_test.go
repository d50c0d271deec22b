package app_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A plan file is the same plan until the documents, the database or the classes of the steps are others.
func TestPlanFile(t *testing.T) {
	required := site + `"name": "保管人" -> "name": "保管人", "required": true`
	eachDesk(t, func(d *planDesk) {
		file := func(documents, installation string, edits ...string) *app.PlanFile {
			return app.NewPlanFile(d.plan(edits...), &catalog.Catalog{Digest: documents}, installation, time.Now())
		}
		text, err := json.Marshal(file("a", "here", required))
		require.NoError(t, err)
		read, err := app.ReadPlanFile(strings.NewReader(string(text)))
		require.NoError(t, err)
		require.Equal(t, store.Confirm, read.Class)
		require.Len(t, read.Steps, 1)
		require.NoError(t, read.Same(file("a", "here", required)))
		require.ErrorIs(t, read.Same(file("a", "there", required)), app.ErrOtherInstallation)
		require.ErrorIs(t, read.Same(file("b", "here", required)), app.ErrDocumentsMoved)

		d.sql(`INSERT INTO d_site (id, version, title, number) VALUES ('@s3', 1, 'three', '3')`)
		require.NoError(t, read.Same(file("a", "here", required)), "one more record of the same kind")
		d.sql(`UPDATE d_site SET keeper = '@u1'`)
		require.ErrorIs(t, read.Same(file("a", "here", required)), app.ErrStepsMoved, "the step is safe by now")
		d.apply(d.plan(ticket+`"maxLength": 20 -> "maxLength": 30`), store.ApplyOptions{})
		require.ErrorIs(t, read.Same(file("a", "here", required)), app.ErrDatabaseMoved)
	})
	for _, text := range []string{"", "{}", "[]", `{"format": "sluice-plan-0"}`, "plan"} {
		_, err := app.ReadPlanFile(strings.NewReader(text))
		require.ErrorIs(t, err, app.ErrNoPlanFile, text)
	}
}
