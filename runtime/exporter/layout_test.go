package exporter

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Columns that would be headed alike have their codes, in worksheets and in text files; others have their labels.
func TestHeadedAlike(t *testing.T) {
	t.Parallel()
	own := func(key, label string) place { return place{key: key, heading: label, single: label, sheet: -1} }
	line := func(key, label string) place {
		return place{key: key, group: "测点", heading: label, single: "测点." + label, sheet: 0}
	}
	layout := []place{own("id", "ID"), own("number", "编号"), own("site.title", "名称"), own("owner.title", "名称 "), line("points.id", "ID"), line("points.place", "位置"), line("points.where", "位置"), line("points.number", "编号")}
	tellApart(layout)
	var single, headings []string
	for _, p := range layout {
		single, headings = append(single, p.single), append(headings, p.heading)
	}
	require.Equal(t, []string{"ID", "编号", "名称（site.title）", "名称 （owner.title）", "测点.ID", "测点.位置（place）", "测点.位置（where）", "测点.编号"}, single)
	require.Equal(t, []string{"ID", "编号", "名称（site.title）", "名称 （owner.title）", "ID", "位置（place）", "位置（where）", "编号"}, headings)
}
