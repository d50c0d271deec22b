package packtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// Outcome counts what a person did to a file, and what an import made of it.
type Outcome struct{ Edited, Arrived, Refused int } // records

// Rearranged exports all columns of all records of a list, rearranges the file as people do (columns moved and dropped, rows sorted, left out and
// removed), gives some cells what another record has there, and imports it: a check first. It fails where the records hold anything else
// afterwards than before with what the person changed. A record may be refused only when the person changed it, and holds then what it held. Of
// models whose records code of packs works on when they are saved, records hold what they hold when forms save the same changes.
func (s *System) Rearranged(t testing.TB, r *rand.Rand, who principal.Principal, trip RoundTrip, f Spreadsheet) Outcome {
	t.Helper()
	rows, content := s.exported(t, who, trip.List, f)
	if rows == 0 {
		return Outcome{}
	}
	a := &arrangement{Rand: r, m: trip.Into.Model, clear: f.ClearEmpty, replace: r.IntN(2) == 0}
	a.before = s.held(t, who, a.m)
	a.edited, a.lacking, a.unfound = map[string]bool{}, map[string]bool{}, map[string]bool{}
	a.want = a.before.clone()
	a.self, a.hooked = who.UserID, slices.Contains(s.set.Hooked(), strings.ToLower(a.m.Code))
	a.read(t, f.Type, content, func() []byte {
		_, book := s.exported(t, who, trip.List, Spreadsheet{Type: "xlsx", Locale: f.Locale})
		return book
	})
	a.rearrange()
	if len(a.rows) == 0 {
		return Outcome{}
	}
	req := importer.Request{SchemaCode: a.m.Code, QueryCode: trip.Into.Code, Mode: importer.Update, ClearEmpty: a.clear, ReplaceLines: a.replace, Language: f.Locale}
	what := func() string {
		return fmt.Sprintf("list %s, %+v, lines replaced %v: %s", trip.List.Code, f, a.replace, strings.Join(a.said, ", "))
	}
	var out Outcome
	refusedInForm := map[string]bool{}
	if a.hooked {
		s.formed(t, who, a)
		a.restore()
		a.want, refusedInForm = s.formed(t, who, a)
	}
	content = a.written(t, f.Type)
	for _, check := range []bool{true, false} {
		got := s.imported(t, who, req, "a."+f.Type, content, check)
		if got.ErrorType != nil && (*got.ErrorType == importer.ErrorSystem || *got.ErrorType == importer.ErrorColumns) {
			t.Errorf("%s: fault %d %v", what(), got.ErrorCode, got.ErrorArgs)
			return out
		}
		want := a.want.clone()
		refused := s.refusedOf(t, who, a, got, what())
		for id := range refused { // forms take people who are disabled, where code names them
			if a.hooked && a.unfound[id] {
				refusedInForm[id] = true
			}
		}
		if a.hooked && !maps.Equal(refused, refusedInForm) {
			t.Errorf("%s: %v refused, in forms %v\n%s", what(), refused, refusedInForm, strings.Join(s.differences(t, who, got), "\n"))
			return out
		}
		for id := range refused {
			want[id] = a.before[id]
		}
		changed := want.differing(a.before)
		if a.hooked { // their code changes further records, and takes some changes back
			changed = changed[:min(len(changed), int(got.Changed))]
		}
		same := int64(a.records()) - got.Changed - int64(len(refused))
		if int64(len(changed)) != got.Changed || got.Added > 0 || got.Same != same {
			t.Errorf("%s: %d records changed instead of %d, %d added, %d of %d unchanged\n%s", what(), got.Changed, len(changed), got.Added, got.Same,
				a.records(), strings.Join(s.differences(t, who, got), "\n"))
			return out
		}
		if check {
			want = a.before
		}
		if wrong := a.compare(want, s.held(t, who, a.m)); len(wrong) > 0 {
			t.Errorf("%s, check %v:\n%s", what(), check, strings.Join(wrong[:min(len(wrong), 10)], "\n"))
			return out
		}
		out = Outcome{Edited: len(a.edited), Arrived: len(changed), Refused: len(refused)}
	}
	return out
}

// refusedOf are the records of refused rows, each of which the person changed, with a reason that people understand.
func (s *System) refusedOf(t testing.TB, who principal.Principal, a *arrangement, got importer.Result, what string) map[string]bool {
	t.Helper()
	rows, _, err := s.Importer().Rows(context.Background(), s.View(who), got.ID, "failed", 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, row := range rows {
		id := a.idAt(int(row.Number) - len(a.head) - 1)
		out[id] = true
		a.unfound[id] = slices.ContainsFunc(row.Errors, func(v importer.Verdict) bool { return v.Code == fault.CellNotFound || v.Code == fault.CellDisabled })
		for _, v := range row.Errors {
			if !a.edited[id] || v.Code == fault.Internal || v.Code == 0 {
				t.Errorf("%s: row %d refused, %s: %v in %s", what, row.Number, v.PropertyCode, fault.New(v.Code, v.Args...), row.Data)
			}
		}
	}
	return out
}

// errTaken ends a transaction that is only to be looked at.
var errTaken = errors.New("taken back")

// formed is what records would hold if the person saved the changes of the file in forms, and which of them would be refused. Nothing is stored.
func (s *System) formed(t testing.TB, who principal.Principal, a *arrangement) (holdings, map[string]bool) {
	t.Helper()
	out, refused, done := a.before.clone(), map[string]bool{}, map[string]bool{}
	err := s.Do(who, func(ctx context.Context, w world.World) error {
		for i := range a.rows {
			id := a.idAt(i)
			if !a.edited[id] || done[id] {
				continue
			}
			done[id] = true
			values := map[string]any{}
			for _, g := range a.given {
				if g.id == id {
					values[g.code] = json.RawMessage(g.value)
				}
			}
			if err := w.Try(ctx, func(w world.World) error { return a.save(ctx, w, id, values) }); err != nil {
				if len(w.Refusals(err)) == 0 {
					return err
				}
				refused[id] = true
				a.lacking[id] = !slices.ContainsFunc(w.Refusals(err), func(r world.Refusal) bool {
					return r.Property == "" || values[r.Property] != nil
				})
				a.say("form of %s: %v", id, w.Refusals(err))
			}
		}
		for _, id := range a.before.ids() {
			held, err := w.Get(ctx, a.m.Code, id)
			if err != nil {
				return err
			}
			for k := range out[id] {
				if v, given := held.Values[k.code]; given && k.sheet == "" {
					if out[id][k], err = a.json(k.code, v); err != nil {
						return err
					}
				}
			}
		}
		return errTaken
	})
	if !errors.Is(err, errTaken) {
		t.Fatal(err)
	}
	return out, refused
}

// save is what a form does: values that the record has already are no change.
func (a *arrangement) save(ctx context.Context, w world.World, id string, values map[string]any) error {
	held, err := w.Get(ctx, a.m.Code, id)
	if err != nil {
		return err
	}
	for code, v := range values {
		if a.before[id][lineKey{code: code}] == string(v.(json.RawMessage)) {
			delete(values, code)
			continue
		}
		var plain any
		if err := json.Unmarshal(v.(json.RawMessage), &plain); err != nil {
			return err
		}
		values[code] = plain
	}
	if len(values) == 0 {
		return nil
	}
	_, err = w.Update(ctx, a.m.Code, id, held.Version, values)
	return err
}

// json is a value of a record as the holdings have it.
func (a *arrangement) json(code string, v any) (string, error) {
	p := a.m.Field(code).Property
	parsed, err := p.Parse(v)
	return string(p.AppendJSON(nil, parsed, anyName{})), err
}
