package flow_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// TestReason: an error is kept with its number, its arguments and its own words, without its cause.
func TestReason(t *testing.T) {
	kept := flow.Reason(fault.Wrap(errors.New("password of the database"), fault.TooManyParticipants, "check", 200))
	require.NotContains(t, kept, "password")
	read := flow.ReadReason(kept)
	require.Equal(t, fault.TooManyParticipants, read.Code)
	require.Equal(t, []any{"check", json.Number("200")}, read.Args)

	read = flow.ReadReason(flow.Reason(fault.Refuse("合同已关闭", "The contract is closed")))
	require.Equal(t, []string{"合同已关闭", "The contract is closed"}, []string{read.MessageZh, read.MessageEn})

	long := flow.Reason(fault.New(fault.TooManyParticipants, strings.Repeat("x", 2000)))
	require.Empty(t, flow.ReadReason(long).Args)
	require.Less(t, len(long), 40)

	old := flow.ReadReason("fault 402014 [a b]: why")
	require.EqualValues(t, 402014, old.Code)
	require.Nil(t, old.Args)
	for _, text := range []string{flow.StuckNobody, flow.StuckChild, "fault", "fault x", ""} {
		require.Nil(t, flow.ReadReason(text), text)
	}
}
