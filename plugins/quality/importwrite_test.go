package quality_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// foretold: what the writes of an import refuse is told by the check before it, with row and column, and the import names the same rows and
// leaves them out, or all.
func foretold(t *testing.T, s *site) {
	n := s.small()
	c := s.components("F", "F-1", "F-2", "F-3", "F-4")
	var full string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		full = s.node(ctx, w, n.division, "ITEM", "有工序")
		s.make(ctx, w, "q_jbs", in{"qbsId": full, "code": "1", "title": "测量"})
		s.make(ctx, w, "q_qbs_mbs", in{"qbsId": n.item, "mbsId": c["F-1"], "ratio": "0.6"})
	})
	code := func(id string) string { return s.get(s.owner, "q_qbs", id)["code"].(string) }
	bim := s.Person("bim-forecast", "R_BIM")
	for name, one := range map[string]struct {
		kind, head, text, bad string
		good                  int
	}{
		"shares beyond one":             {"REL", "划分编码,构件编码,比例", code(n.other) + ",F-1,0.5\n" + code(n.other) + ",F-2,1\n", "2:mbsCode:REPEAT", 1},
		"a component twice in the file": {"REL", "划分编码,构件编码", code(n.item) + ",F-3\n" + code(n.other) + ",F-3\n" + code(n.other) + ",F-4\n", "3:mbsCode:REPEAT", 2},
		"a circle": {"JBS", "编码,名称,紧前工序", "K1,一,K3\nK2,二,K1\nK3,三,K2\nK4,四,\nK5,五,K4\n",
			"2:prevCodes:NOEXIT 3:prevCodes:NOEXIT 4:prevCodes:FORBIDDEN", 2},
		"a process before itself":      {"JBS", "编码,名称,紧前工序,类别", "L1,一,L1,\n", "2:prevCodes:NOEXIT", 0},
		"below a node with processes":  {"QBS", "层级,编码,名称", "检验批," + code(full) + "-01,一\n检验批," + code(n.item) + "-01,二\n", "2:parentCode:FORBIDDEN", 1},
		"too long, no option, too big": {"QBS", "层级,编码,名称,图号,专业,数量", "检验批," + code(n.item) + "-02,一," + strings.Repeat("图", 200) + ",,\n检验批," + code(n.item) + "-03,二,,没有这个专业,\n检验批," + code(n.item) + "-04,三,,,9223372036854775808\n", "2:drawingNo:FORBIDDEN 3:professional:NOEXIT 4:designQty:FORBIDDEN", 0},
		"below a row that is refused":  {"QBS", "层级,编码,名称,图号", "分项工程," + code(n.division) + "-08,一," + strings.Repeat("图", 200) + "\n检验批," + code(n.division) + "-08-01,二,\n", "2:drawingNo:FORBIDDEN 3:parentCode:NOEXIT", 0},
		"a name beyond its length":     {"MBS", "编码,名称", "F-8," + strings.Repeat("长", 201) + "\nF-9,墙\n", "2:name:FORBIDDEN", 1},
	} {
		who := s.owner
		if one.kind == "MBS" {
			one.head, who = "构件编码,名称", bim
		}
		pre := func() (out struct {
			Token   string
			OK, Bad int
			Rows    []quality.ImportRow
		}) {
			got, err := s.upload(who, v2+"/excel/preImport", "a.csv", one.head+"\n"+one.text, in{"kind": one.kind, "projectKey": s.key})
			require.NoError(t, err, "%s: %s", name, told(err))
			require.NoError(t, json.Unmarshal([]byte(got), &out))
			return out
		}
		check := pre()
		var bad []string
		for _, r := range check.Rows {
			for _, e := range r.Errors {
				require.NotEmpty(t, e.Msg)
				bad = append(bad, fmt.Sprintf("%d:%s:%s", r.Row, e.Col, e.Kind))
			}
		}
		require.Equal(t, one.bad, strings.Join(bad, " "), name)
		require.Equal(t, one.good, check.OK, name)
		again := pre()
		require.Equal(t, check.Bad, again.Bad, "%s: a check leaves nothing behind", name)

		err := s.fails(who, "POST", v2+"/excel/import", in{"token": check.Token, "mode": "allOrNothing"})
		refused(t, err, quality.ImportBad)
		var f *fault.Error
		require.True(t, errors.As(err, &f))
		var named []string
		for _, e := range f.Data.(fault.Invalid).Errors {
			named = append(named, e.Row+":"+e.PropertyCode)
		}
		want := strings.NewReplacer(":REPEAT", "", ":NOEXIT", "", ":FORBIDDEN", "").Replace(one.bad)
		require.Equal(t, want, strings.Join(named, " "), name)
		var done struct {
			Inserted, Skipped int
			Errors            []struct{ Row int }
		}
		s.must(who, "POST", v2+"/excel/import", in{"token": again.Token, "mode": "skipBad"}, &done)
		require.Equal(t, []int{one.good, check.Bad, len(bad)}, []int{done.Inserted, done.Skipped, len(done.Errors)}, name)
	}
}
