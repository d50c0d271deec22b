package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins/base"
)

// TestWidgetSizes: the columns of the platform's widgets in the grid of 12, and the rows of the line of entries.
func TestWidgetSizes(t *testing.T) {
	t.Parallel()
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	for code, columns := range map[string]int{"RowMenu": 12, "ColMenu": 3, "ShortcutList": 6, "GridNavigation": 6, "TextList": 6, "Chart": 6, "MyUnfinished": 6, "TabTextList": 6, "Carousel": 6,
		"MyApplication": 6, "Layout": 12, "LayoutPanel": 9, "LayoutSider": 3} {
		one, ok := set.Widgets.Get(code)
		require.True(t, ok, code)
		require.Equal(t, columns, one.Width, code)
	}
	line, _ := set.Widgets.Get("RowMenu")
	require.Equal(t, 9, line.Height)
}
