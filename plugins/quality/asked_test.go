package quality_test

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/store"
)

// demands: what is asked of an item comes from the library and from nobody who is inspected; who may deviate gives a reason and leaves a mark; each
// party records its own kind of inspection; the log is written by the pack.
func demands(t *testing.T, s *site) {
	builder, builders := s.firm("asked-builder", "R_CQC")
	supervisor, supervisors := s.firm("asked-supervisor", "R_SUP")
	lab, _ := s.firm("asked-lab", "R_LAB")
	contract := s.contract("asked", builders, supervisors)
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "asked", "name": "闸首", "nodeType": "UNIT", "contractId": contract})
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "底板", "nodeType": "ITEM"})
	})
	record := func(who principal.Principal, kind string, more in) (id string, err error) {
		row := in{"itemId": s.items["MAIN"], "values": "30; 31"}
		maps.Copy(row, more)
		err = s.Do(who, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, "q_record", in{"qbsId": item, "recordKind": kind, "items": []in{row}})
			return err
		})
		return id, err
	}
	rowOf := func(id string) map[string]any {
		return s.get(s.owner, "q_record", id)["items"].([]any)[0].(map[string]any)
	}

	for column, v := range (in{"devHigh": "1000", "devLow": "-1000", "itemClass": "GENERAL", "evalMethod": "YESNO", "minPoints": "1", "safetyFlag": true, "itemName": "别的", "tolerance": "±1000", "differs": false, "points": "9", "rate": "1"}) {
		_, err := record(builder, "SELF", in{column: v, "remark": "按设计"})
		refused(t, err, fault.FieldUnknown)
		_, err = record(lab, "TEST", in{column: v, "remark": "按设计"})
		refused(t, err, fault.FieldUnknown)
	}
	for _, remark := range []any{nil, "没有"} {
		_, err := record(builder, "SELF", in{"conclusion": "NA", "remark": remark})
		code := quality.MainItemNeeded
		if remark == nil {
			code = quality.ItemReason
		}
		refused(t, err, code)
	}
	for who, kind := range map[string]string{"builder": "SUP", "builder ": "TEST", "supervisor": "SELF", "supervisor ": "TEST", "lab": "SELF", "lab ": "SUP"} {
		_, err := record(map[byte]principal.Principal{'b': builder, 's': supervisor, 'l': lab}[who[0]], kind, nil)
		refused(t, err, fault.NoAddPermission)
	}

	failed, err := record(builder, "SELF", nil)
	require.NoError(t, err, told(err))
	require.Equal(t, []any{"NOT_OK", "-10", "10", "MAIN", false}, []any{rowOf(failed)["conclusion"], rowOf(failed)["devLow"], rowOf(failed)["devHigh"], rowOf(failed)["itemClass"], rowOf(failed)["differs"]})
	own := rowOf(failed)["id"]
	change := func(who principal.Principal, row in) error {
		row["id"] = own
		return s.Do(who, func(ctx context.Context, w world.World) error {
			return edit(ctx, w, "q_record", failed, in{"items": []in{row}})
		})
	}
	refused(t, change(supervisor, in{"values": "1; 1"}), fault.FieldUnknown)
	refused(t, change(supervisor, in{"devHigh": "40"}), quality.ItemReason)
	require.NoError(t, change(supervisor, in{"devHigh": "40", "remark": "设计变更 17 号"}))
	require.Equal(t, []any{"OK", "40", true, "-10 … +40"}, []any{rowOf(failed)["conclusion"], rowOf(failed)["devHigh"], rowOf(failed)["differs"], rowOf(failed)["tolerance"]})
	for _, none := range []any{nil, " "} {
		refused(t, change(supervisor, in{"remark": none}), quality.ItemReason)
	}
	require.NoError(t, change(supervisor, in{"devHigh": "10", "remark": nil}))
	require.Equal(t, []any{"NOT_OK", false}, []any{rowOf(failed)["conclusion"], rowOf(failed)["differs"]})
	require.NoError(t, change(supervisor, in{"conclusion": "NA", "remark": "没有这一项"}))
	require.Equal(t, "NA", rowOf(failed)["conclusion"])

	// The library changes; what was inspected keeps what it was asked, a new record is asked the new.
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_check_item", s.items["MAIN"], in{"devHigh": "35"}))
	})
	require.NoError(t, change(supervisor, in{"remark": "仍然没有"}))
	require.Equal(t, []any{"10", "NA", false}, []any{rowOf(failed)["devHigh"], rowOf(failed)["conclusion"], rowOf(failed)["differs"]})
	other, err := record(supervisor, "SUP", nil)
	require.NoError(t, err, told(err))
	require.Equal(t, "35", rowOf(other)["devHigh"])
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_check_item", s.items["MAIN"], in{"devHigh": "10"}))
	})

	tomorrow := s.Now().AddDate(0, 0, 2).Format(time.DateOnly)
	for model, date := range map[string]string{"q_record": "checkDate", "q_setout": "workDate", "q_hidden": "workDate", "q_work": "workDate", "q_doccheck": "workDate", "q_appearance": "workDate", "q_eval": "workDate"} {
		err := s.Do(builder, func(ctx context.Context, w world.World) error {
			values := in{"qbsId": item, date: tomorrow}
			if model == "q_hidden" || model == "q_work" {
				values["content"] = "没有做的"
			}
			_, err := w.Create(ctx, model, values)
			return err
		})
		require.ErrorContains(t, err, "302001", model)
		require.Contains(t, told(err), date, model)
	}

	for _, who := range []principal.Principal{builder, supervisor, lab, s.owner, s.Person("asked-bim", "R_BIM")} {
		err := s.Do(who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_log", in{"objectType": "q_qbs", "objectId": item, "qbsId": item, "action": "concession", "remark": "让步接收"})
			return err
		})
		refused(t, err, fault.NoAddPermission)
	}
	for _, role := range s.State().Catalog.Roles {
		for _, g := range role.Grants {
			if g.Model != nil && g.Model.Code == "q_log" && role.Code != "q_engine" {
				require.Equal(t, []string{"view", "export"}, g.Actions, role.Code)
			}
		}
	}
	s.must(builder, "PUT", v2+"/qbs/log", in{"qbsId": item, "action": "concession", "remark": "让步接收"}, nil)
	var log struct {
		Content []struct{ Action, Remark, UserName string }
	}
	s.must(s.owner, "GET", v2+"/qbs/log", in{"qbsId": item}, &log)
	require.Equal(t, []string{"remark", "concession: 让步接收", builder.Name}, []string{log.Content[0].Action, log.Content[0].Remark, log.Content[0].UserName})

	// Rules of a record that can't be read: it is not judged by others, and nobody is told of an internal fault.
	kept, err := record(builder, "SELF", nil)
	require.NoError(t, err)
	rules := func(as string) {
		require.NoError(t, s.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE d_q_record SET rules = " + as).Error
		}))
	}
	for _, wrong := range []string{"评", "{} "} {
		rules("'" + wrong + "' || rules")
		refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
			return edit(ctx, w, "q_record", kept, in{"remark": "x"})
		}), quality.RulesUnreadable)
		rules(fmt.Sprintf("substr(rules, %d)", utf8.RuneCountInString(wrong)+1))
	}
}
