package quality_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// dueModel is what a lot has, kept by the test itself: what is missing and whether the lot passes follows from the text of docs/quality.md alone.
type dueModel struct {
	records          []dueRecord
	open             int  // corrective actions that are not closed
	unrepaired       bool // one of them, of the round that counts, waits for the repair
	papers, released bool
	changes          []string // "ITEM GEN LEAVE_OUT"
}

type dueRecord struct {
	kind    string
	counts  bool // of the party whose inspection it is
	round   int
	answers map[string]string // OK, NOT_OK, NA by item
}

// leftOut reports what changes leave out: those of the item first, then those of the lot, in the order of time.
func leftOut(what string, changes ...[]string) (out bool) {
	for _, list := range changes {
		for _, c := range list {
			switch c {
			case what + " LEAVE_OUT":
				out = true
			case what + " RESTORE":
				out = false
			}
		}
	}
	return out
}

// round is the one that counts, and the latest one.
func (m *dueModel) round() (counts, latest int) {
	for _, r := range m.records {
		latest = max(latest, r.round)
	}
	for _, before := range m.records {
		for item, answer := range before.answers {
			again := slices.ContainsFunc(m.records, func(r dueRecord) bool { a := r.answers[item]; return r.round == latest && (a == "OK" || a == "NOT_OK") })
			if before.round == latest-1 && answer == "NOT_OK" && !again {
				return latest - 1, latest
			}
		}
	}
	return latest, latest
}

func (m *dueModel) failed(round int) bool {
	return slices.ContainsFunc(m.records, func(r dueRecord) bool {
		for _, a := range r.answers {
			if a == "NOT_OK" && r.round == round {
				return true
			}
		}
		return false
	})
}

// judged reports whether a record of a kind that counts judged an item; with "" whether there is one at all.
func (m *dueModel) judged(kind, item string) bool {
	counts, _ := m.round()
	return slices.ContainsFunc(m.records, func(r dueRecord) bool {
		a := r.answers[item]
		return r.kind == kind && r.counts && r.round <= counts && (item == "" || a == "OK" || a == "NOT_OK")
	})
}

func (m *dueModel) missing(above []string) (out []string) {
	out = []string{}
	lack := func(yes bool, what string) {
		if yes {
			out = append(out, what)
		}
	}
	out = append(out, []string{"KIND SELF"}[:btoi(!m.judged("SELF", ""))]...)
	if len(out) == 0 {
		lack(!m.judged("SELF", "MAIN"), "ITEM 顶面高程 SELF")
		lack(!leftOut("ITEM GEN", above, m.changes) && !m.judged("SELF", "GEN"), "ITEM 表面平整度 SELF")
	}
	lack(!m.judged("TEST", ""), "KIND TEST")
	if leftOut("KIND TEST", above, m.changes) && m.judged("TEST", "") { // the item of the laboratory is due all the same
		lack(!m.judged("TEST", "LAB"), "ITEM 强度 TEST")
	}
	lack(!leftOut("SHEET q_doccheck", above, m.changes) && !m.papers, "SHEET 资料")
	lack(!leftOut("CONSENT POUR", above, m.changes) && !m.released, "CONSENT 浇筑许可")
	slices.Sort(out)
	return out
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// dueAtRandom: whatever the parties do in whatever order, what is missing and what passes is what a model says that knows none of the pack's code.
func dueAtRandom(t *testing.T, s *site) {
	const steps = 200
	r := rand.New(rand.NewPCG(19, 34))
	var strength string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		strength = s.make(ctx, w, "q_check_item", in{"code": "RAND", "itemName": "强度", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-10", "devHigh": "10"})
	})
	p := s.parties("random", 3, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}, {"itemId": strength, "recordKind": "TEST"}},
		"kinds":    []in{{"recordKind": "SELF", "judges": "ALL"}, {"recordKind": "TEST", "judges": "ANY"}, {"recordKind": "SUP", "judges": "ANY", "share": "0.5"}},
		"sheets":   []in{{"schemaCode": "q_doccheck", "title": "资料"}},
		"consents": []in{{"code": "POUR", "title": "浇筑许可", "roles": []string{"R_SUP"}}}})
	of := map[string]string{"MAIN": s.items["MAIN"], "GEN": s.items["GEN"], "LAB": strength}
	lots, sheets, above := map[string]*dueModel{}, map[string]string{}, []string{}
	for _, id := range p.lots {
		lots[id] = &dueModel{}
		s.do(s.owner, func(ctx context.Context, w world.World) {
			sheets[id] = s.make(ctx, w, "q_biz", in{"qbsId": id, "schemaCode": "q_doccheck", "sheetTitle": "资料"})
		})
	}
	inspect := func(m *dueModel, lot string) {
		kind := []string{"SELF", "SELF", "TEST", "SUP", "OWNER"}[r.IntN(5)]
		who := map[string]principal.Principal{"SELF": p.builder, "TEST": p.lab, "SUP": p.supervisor, "OWNER": s.owner}[kind]
		rec := dueRecord{kind: kind, counts: kind != "OWNER", answers: map[string]string{}}
		if kind == "OWNER" {
			rec.kind = "SELF"
		}
		var rows []in
		for _, item := range []string{"MAIN", "GEN", "LAB"} {
			id := of[item]
			if r.IntN(3) == 0 || item == "GEN" && leftOut("ITEM GEN", above, m.changes) {
				continue
			}
			answer, values := "OK", in{"itemId": id, "values": "1; 2"}
			switch n := r.IntN(8); {
			case n == 0:
				answer, values["values"] = "NOT_OK", "50"
			case n == 1 && item == "GEN" && kind == "SELF" && len(rows) > 0:
				answer, values["conclusion"], values["remark"], values["values"] = "NA", "NA", "没有", ""
			}
			rec.answers[item] = answer
			rows = append(rows, values)
		}
		if len(rows) == 0 {
			return
		}
		counts, latest := m.round()
		rec.round = max(1, latest)
		if counts == latest && m.failed(latest) {
			rec.round++
		}
		_, err := s.record(who, lot, rec.kind, rows...)
		if rec.round > max(1, latest) && m.unrepaired {
			refused(t, err, quality.RepairFirst)
			return
		}
		require.NoError(t, err, told(err))
		m.records = append(m.records, rec)
		for _, a := range rec.answers {
			if a == "NOT_OK" {
				m.open++
				m.unrepaired = true
				break
			}
		}
	}
	repair := func(m *dueModel, lot string) {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			found, err := w.Find(ctx, "q_ncr", in{"qbsId": lot}, 99)
			require.NoError(t, err)
			for _, id := range found {
				now, err := w.Get(ctx, "q_ncr", id)
				require.NoError(t, err)
				for _, next := range map[string][]string{"OPEN": {"FIXED"}, "FIXED": {"REVIEWED"}}[now.Values["status"].(string)] {
					require.NoError(t, edit(ctx, w, "q_ncr", id, in{"status": next}))
					m.open -= btoi(next == "REVIEWED")
				}
			}
			m.unrepaired = false
		})
	}
	change := func(m *dueModel, lot string) {
		c := []in{{"what": "ITEM", "itemId": of["GEN"]}, {"what": "KIND", "recordKind": "TEST"}, {"what": "SHEET", "schemaCode": "q_doccheck"}, {"what": "CONSENT", "dueCode": "POUR"}}[r.IntN(4)]
		effect := []string{"LEAVE_OUT", "RESTORE"}[r.IntN(2)]
		told := map[any]string{"ITEM": "ITEM GEN", "KIND": "KIND TEST", "SHEET": "SHEET q_doccheck", "CONSENT": "CONSENT POUR"}[c["what"]] + " " + effect
		c["effect"], c["reason"], c["qbsId"] = effect, "变更", lot
		if r.IntN(3) == 0 {
			c["qbsId"], above = p.item, append(above, told)
		} else {
			m.changes = append(m.changes, told)
		}
		s.do(p.supervisor, func(ctx context.Context, w world.World) { s.make(ctx, w, "q_due_change", c) })
	}
	passed := 0
	for step := range steps {
		lot := p.lots[r.IntN(len(p.lots))]
		m := lots[lot]
		switch r.IntN(8) {
		case 0, 1, 2:
			inspect(m, lot)
		case 3, 4:
			repair(m, lot)
		case 5:
			change(m, lot)
		case 6:
			if !m.released {
				m.released = true
				s.do(p.supervisor, func(ctx context.Context, w world.World) {
					s.make(ctx, w, "q_consent", in{"qbsId": lot, "dueCode": "POUR"})
				})
			}
		case 7:
			if !m.papers {
				m.papers = true
				s.do(p.builder, func(ctx context.Context, w world.World) {
					s.make(ctx, w, "q_doccheck", in{"bizId": sheets[lot], "qbsId": lot, "items": []in{{"document": "试验报告", "due": "1", "found": "1", "ok": true}}, "complete": true})
				})
			}
		}
		checked := 0
		for _, id := range p.lots {
			m := lots[id]
			checked += btoi(m.judged("SUP", ""))
			if id != lot && step%10 != 0 && step != steps-1 { // each after its own step, and all of them now and then
				continue
			}
			lacks := s.lacks(s.owner, id)
			slices.Sort(lacks)
			require.Equal(t, m.missing(above), lacks, "step %d, %+v", step, m)
			counts, _ := m.round()
			want := counts > 0 && len(lacks) == 0 && m.open == 0 && m.papers && !m.failed(counts)
			require.Equal(t, want, s.eval(id) == "QUALIFIED", "step %d: %s, %+v", step, s.eval(id), m)
			passed += btoi(want)
		}
		require.Equal(t, checked < 2, slices.Contains(s.lacks(s.owner, p.item), "SHARE SUP"), "step %d", step)
	}
	require.Positive(t, passed, "no lot ever passed: the program shows nothing")
	t.Logf("%d verdicts passed", passed)
	changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
	require.NoError(t, err)
	require.Zero(t, changed)
}
