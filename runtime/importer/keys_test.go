package importer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// A key finds the record that has it as it is spelled, else the one that has it in other case, width or spaces. Such a key is not a change, and two
// rows with alike keys are one record twice.
func TestKeysAlike(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, number := range []string{"NU1", "Pump-2", "X", "x"} {
			w.save(w.boss, "part", map[string]any{"number": number})
		}
		req := importer.Request{QueryField: "number", Mode: importer.AddOrUpdate}
		rows := [][]string{{"编号", "名称"}, {"nu1", "a"}, {"ＰＵＭＰ－２", "b"}, {"Ｘ", "c"}, {"X", "d"}, {"x", "e"}, {"new 1", "f"}, {"NEW1", "g"}, {"nu 1", "h"}, {"NU1", "i"}}
		twice, several := fmt.Sprint("number REPEAT ", fault.KeyTwice), fmt.Sprint("number AMBIGUOUS ", fault.KeyAmbiguous)
		for _, dry := range []bool{true, false} {
			out := w.run(w.boss, req, dry, rows...)
			require.ElementsMatch(t, []string{"4 " + several, "8 " + twice, "9 " + twice, "10 " + twice}, refusedAs(out), "%v", dry)
			require.Equal(t, []int64{1, 4}, []int64{out.Added, out.Changed})
		}
		require.Equal(t, []string{"NU1 a", "Pump-2 b", "X d", "new 1 f", "x e"}, sorted(w.list(w.boss, "part", "number", "title")))
		out := w.run(w.boss, importer.Request{QueryField: "number", Mode: importer.Add}, false, []string{"编号"}, []string{"pump-2"}, []string{"pump-3"})
		require.Equal(t, []string{fmt.Sprint("2 number REPEAT ", fault.KeyExists)}, refusedAs(out))
		out = w.run(w.boss, importer.Request{QueryField: "number", Mode: importer.Update}, false, []string{"编号", "名称"}, []string{"PUMP-3", "j"}, []string{"pump-4", "k"})
		require.Equal(t, []string{fmt.Sprint("3 number NOEXIT ", fault.KeyNotFound)}, refusedAs(out))
		require.Contains(t, w.list(w.boss, "part", "number", "title"), "pump-3 j")
	})
}

// Keys that differ in their form are told across the transactions of one import.
func TestKeysAlikeFarApart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := [][]string{{"编号"}, {"key"}}
		for n := range 250 {
			rows = append(rows, []string{fmt.Sprint("k-", n)})
		}
		rows = append(rows, []string{"KEY"})
		for _, dry := range []bool{true, false} {
			out := w.run(w.boss, importer.Request{QueryField: "number", Mode: importer.AddOrUpdate}, dry, rows...)
			require.Equal(t, []string{fmt.Sprint("253 number REPEAT ", fault.KeyTwice)}, refusedAs(out), "%v", dry)
		}
	})
}

func sorted(all []string) []string {
	slices.Sort(all)
	return all
}
