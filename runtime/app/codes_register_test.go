package app

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"github.com/sluice-platform/sluice/runtime/codes"
)

// textColumns are the columns of the engine's tables that can hold a code: texts and bytes that are no ids.
func textColumns(t *testing.T, tables []any) (out []string) {
	t.Helper()
	var cache sync.Map
	for _, model := range tables {
		s, err := schema.Parse(model, &cache, schema.NamingStrategy{})
		require.NoError(t, err)
		for _, f := range s.Fields {
			if f.DBName != "" && (f.DataType == schema.String && f.Size != 36 || f.DataType == schema.Bytes) {
				out = append(out, s.Table+"."+f.DBName)
			}
		}
	}
	return out
}

// TestEachColumnWithCodesIsRegistered: a new column that can hold a code fails here until the register says what becomes of it when codes change.
func TestEachColumnWithCodesIsRegistered(t *testing.T) {
	t.Parallel()
	var known []string
	for _, h := range codes.Holders() {
		require.Contains(t, []codes.Way{codes.AsOf, codes.Rewritten, codes.Kept, codes.None}, h.Way)
		require.Equal(t, h.Way == codes.Kept || h.Way == codes.None, h.Why != "", "%s %v: a reason, or none", h.Table, h.Columns)
		for _, c := range h.Columns {
			column := h.Table + "." + c
			require.NotContains(t, known, column, "registered twice")
			known = append(known, column)
		}
	}
	columns := textColumns(t, Config{}.store().System)
	var missing, extra []string
	for _, c := range columns {
		if !slices.Contains(known, c) {
			missing = append(missing, c)
		}
	}
	for _, c := range known {
		if !slices.Contains(columns, c) {
			extra = append(extra, c)
		}
	}
	require.Empty(t, missing, "say in runtime/codes what becomes of them")
	require.Empty(t, extra, "nothing is registered that is not there")
	require.Equal(t, []string{"sl_forgotten.created_by"}, slices.DeleteFunc(textColumns(t, []any{&forgotten{}}), func(c string) bool { return slices.Contains(known, c) }))
}
