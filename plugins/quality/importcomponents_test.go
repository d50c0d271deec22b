package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// oneIdentity: a component is what its GlobalId says within the project. A code that changes, a component that moves and an id that a new
// export gave it make no second one, its bindings stay, and the import lists what came, changed and is missing.
func oneIdentity(t *testing.T, s *site) {
	n := s.small()
	bim := s.Person("bim-identity", "R_BIM")
	type list struct {
		Inserted, Updated int
		Errors            []struct {
			Row      int
			Col, Msg string
		}
		Compared quality.Compared
	}
	load := func(text string) (out list) {
		t.Helper()
		got, err := s.upload(bim, "/api/code_mbs/data_import", "m.csv", "code,guid,name,parentCode,volume\n"+text, in{"projectKey": s.key})
		require.NoError(t, err, told(err))
		require.NoError(t, json.Unmarshal([]byte(got), &out))
		return out
	}
	parts := func(of []quality.Part) (out []string) {
		for _, p := range of {
			changes := ""
			for _, c := range p.Changes {
				changes += " " + c.Col + "=" + c.Was + ">" + c.Is
			}
			out = append(out, p.Code+changes)
		}
		slices.Sort(out)
		return out
	}
	first := "A,g-a,闸室,,\nA-1,g-1,底板,A,12.5\nA-2,g-2,墙,A,\nA-3,,柱,A,\nB,g-b,闸首,,\n"
	require.Equal(t, []int{5, 0}, []int{load(first).Inserted, load(first).Updated})
	ids := map[string]string{}
	s.do(bim, func(ctx context.Context, w world.World) {
		for _, code := range []string{"A-1", "A-2", "A-3"} {
			found, err := w.Find(ctx, "b_mbs", in{"projectId": s.project, "code": code}, 2)
			require.NoError(t, err)
			require.Len(t, found, 1)
			ids[code] = found[0]
		}
	})
	s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.item, "mbsIds": []string{ids["A-1"], ids["A-2"], ids["A-3"]}, "mode": "bind"}, nil)
	same := load(first)
	require.Equal(t, []int{0, 0, 5}, []int{same.Inserted, same.Updated, same.Compared.Counts["same"]}, "what does not change is not written")

	moved := load("A,g-a,闸室,,\nX-1,g-1,底板,B,12.50\nA-2,g-new,墙,A,\nA-3,g-3,柱,A,\nC,g-c,新的,,\n")
	require.Equal(t, []int{1, 3, 0}, []int{moved.Inserted, moved.Updated, len(moved.Errors)}, moved)
	require.Equal(t, []string{"C"}, parts(moved.Compared.Added))
	require.Equal(t, []string{"A-2 guid=g-2>g-new", "A-3 guid=>g-3", "X-1 code=A-1>X-1 parentCode=>B"}, parts(moved.Compared.Changed))
	require.Equal(t, []string{"B"}, parts(moved.Compared.Removed))
	var bound []quality.BoundComponent
	s.must(s.owner, "GET", v2+"/mbs/list", in{"qbsId": n.item}, &bound)
	var now []string
	for _, b := range bound {
		now = append(now, b.Code+" "+b.GUID)
	}
	slices.Sort(now)
	require.Equal(t, []string{"A-2 g-new", "A-3 g-3", "X-1 g-1"}, now, "bindings stay with the component")

	swapped := load("A-2,g-1,底板,,\nX-1,g-new,墙,,\n")
	require.Equal(t, []int{0, 2}, []int{swapped.Inserted, swapped.Updated}, "two codes change places")
	twins := load("T,g-t1,一,,\nT,g-t2,二,,\n")
	require.Equal(t, []int{2, 0}, []int{twins.Inserted, twins.Updated}, "two components may have one code")
	unclear := load("T,,一,,\nT,g-t3,三,,\nA,g-a,闸室,,\nA,g-a,又一,,\n")
	var wrong []string
	for _, e := range unclear.Errors {
		wrong = append(wrong, fmt.Sprint(e.Row, e.Col))
	}
	require.Equal(t, "2code 3code 5code", strings.Join(wrong, " "), unclear)
	refused(t, s.Do(bim, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "b_mbs", in{"projectId": s.project, "code": "Z", "guid": "g-a", "componentName": "x"})
		return err
	}), fault.FieldDuplicate)
	pre, err := s.upload(bim, v2+"/excel/preImport", "m.csv", "code,guid,name\nQ,g-q,新\nA,g-a,闸室二\n", in{"kind": "MBS", "projectKey": s.key, "overwrite": true})
	require.NoError(t, err, told(err))
	require.Contains(t, pre, `"added":[{"row":2,"code":"Q"`, "a check tells it before")
	require.Contains(t, pre, `"changes":[{"col":"name","was":"闸室","is":"闸室二"}]`)
}
