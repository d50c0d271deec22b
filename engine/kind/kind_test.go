package kind_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/stretchr/testify/require"
)

func good() kind.Kind {
	return kind.Kind{Code: "checklist", Label: plan.Label{Zh: "检查表", I18n: map[string]string{"en": "checklist"}}, Folder: "checklists", Schema: []byte(`{}`),
		Messages: map[string]diag.Message{"CHECK001": {Zh: "错", En: "wrong", RepairZh: "改", RepairEn: "mend"}}}
}

// A kind that an author of extensions got wrong is refused with the reason, before any document is read.
func TestCheck(t *testing.T) {
	k := good()
	k.Messages["WF400001"] = k.Messages["CHECK001"]
	require.NoError(t, k.Check())
	for name, c := range map[string]struct {
		spoil func(*kind.Kind)
		want  string
	}{
		"code":            {func(k *kind.Kind) { k.Code = "Check list" }, "small letter"},
		"folder":          {func(k *kind.Kind) { k.Folder = "../checklists" }, "no name of a folder"},
		"no english name": {func(k *kind.Kind) { k.Label.I18n = nil }, "label"},
		"no schema":       {func(k *kind.Kind) { k.Schema = nil }, "schema"},
		"code of message": {func(k *kind.Kind) { k.Messages["check"] = k.Messages["CHECK001"] }, "capitals"},
		"long code":       {func(k *kind.Kind) { k.Messages["WF4000001"] = k.Messages["CHECK001"] }, "three to six"},
		"engine's code":   {func(k *kind.Kind) { k.Messages["MODEL001"] = k.Messages["CHECK001"] }, "engine"},
		"half a message":  {func(k *kind.Kind) { k.Messages["CHECK001"] = diag.Message{Zh: "错", En: "wrong"} }, "both languages"},
	} {
		t.Run(name, func(t *testing.T) {
			k := good()
			c.spoil(&k)
			err := k.Check()
			require.Error(t, err)
			require.True(t, strings.Contains(err.Error(), c.want), err)
		})
	}
}

func TestOfFile(t *testing.T) {
	table := good()
	table.Code, table.Folder, table.CSV = "rows", "rows", true
	kinds := kind.List{{Code: "pack"}, good(), table}
	for file, want := range map[string]string{"a/pack.json": "pack", "checklists/a.json": "checklist", "x/y/checklists/a.json": "checklist", "rows/a.csv": "rows",
		"checklists/a.csv": "", "checklists/a.go": "", "other/a.json": "", "a.json": ""} {
		k, ok := kinds.OfFile(file)
		require.Equal(t, want != "", ok, file)
		if ok {
			require.Equal(t, want, string(k.Code), file)
		}
	}
	require.Equal(t, []string{"checklists", "rows"}, kinds.Folders())
}
