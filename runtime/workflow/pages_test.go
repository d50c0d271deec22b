package workflow_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// placeOf is the page that the newest message of a type opens for somebody.
func (w *world) placeOf(who string, is notify.Type) notify.Place {
	w.Helper()
	page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Type: strconv.Itoa(int(is)), Size: 1})
	require.NoError(w, err)
	require.Len(w, page.Content, 1)
	m := page.Content[0]
	require.Equal(w, is, m.Type)
	target, err := w.app.Messages().Target(w.Context(), w.as(who), m.ID)
	require.NoError(w, err)
	require.Equal(w, target.Place != "", m.Opens, "what a message tells of itself is true")
	return target.Place
}

// TestPlacesOfMessages: messages without a record open the page that they are about, for whom there is one.
func TestPlacesOfMessages(t *testing.T) {
	each(t, func(w *world) {
		at := w.app.Now()
		d, err := w.flows().Delegate(w.Context(), w.as("sue"), workflow.DelegationOrder{To: w.ids["kim"], Starts: at.Add(-time.Minute), Ends: at.Add(time.Hour), Enabled: true})
		require.NoError(w, err)
		require.Equal(w, notify.PlaceDelegations, w.placeOf("kim", 51))
		require.NoError(w, w.flows().Undelegate(w.Context(), w.as("sue"), d.ID))
		require.Equal(w, notify.PlaceDelegations, w.placeOf("kim", 52))
		w.branches()
		_, _, err = w.flows().HandOver(w.Context(), w.as("eve"), workflow.HandOver{From: w.ids["sue"], To: w.ids["kim"]})
		require.NoError(w, err)
		require.Equal(w, notify.PlaceTasks, w.placeOf("kim", 31))
		_, err = w.flows().Delegate(w.Context(), w.as("sue"), workflow.DelegationOrder{To: w.ids["root"], Starts: at.Add(-time.Minute), Ends: at.Add(time.Hour), Enabled: true})
		require.NoError(w, err)
		require.Empty(w, w.placeOf("root", 51), "a root administrator has no page of delegations")
	})
}
