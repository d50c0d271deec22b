package record_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	packs "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/record"
)

// withRules adds rules of code and rules of sub-table columns to the documents.
func withRules(docs map[string]string, s *pack.Set) {
	rules := `"dataRules": [
			{"propertyCode": "title", "checkType": "hook", "hook": "polite", "message": "请客气一点", "message_i18n": {"en": "Be polite"}},
			{"propertyCode": "lines.item", "checkType": "hook", "hook": "polite", "message": "明细也要客气"},
			{"checkType": "hook", "hook": "never_reopened", "message": "不能重新打开"},
			{"propertyCode": "lines.qty", "checkType": "formula", "formula": "qty <= 10 or price < 5", "message": "贵的最多十件"},`
	docs["models/order.json"] = strings.Replace(docs["models/order.json"], `"dataRules": [`, rules, 1)
	_ = s.Rules.Add(hook.NewRule("polite", func(_ context.Context, c hook.Checked) (bool, error) {
		if c.Value == "broken" {
			return false, errors.New("the dictionary of manners is lost")
		}
		words, _ := c.Value.(string)
		if c.Row != nil && c.Row["item"] != c.Value || c.Row == nil && c.Record["title"] != c.Value {
			return false, errors.New("the value is not the record's")
		}
		return !strings.Contains(words, "damn"), nil
	}))
	_ = s.Rules.Add(hook.NewRule("never_reopened", func(_ context.Context, c hook.Checked) (bool, error) {
		return c.Create || c.Old["state"] != "CLOSED" || c.Record["state"] == "CLOSED", nil
	}))
}

// TestRulesOfPacks: rules in code and rules of sub-table columns hold on every write, name their field, and say what the
// author wrote.
func TestRulesOfPacks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for text, want := range map[string]string{
			`{"title": "please"}`: "ok",
			`{"title": "damn"}`:   "title 302011; ",
			`{"title": "damn", "lines": [{"item": "nut"}, {"item": "damn"}]}`:       "lines.item 302011; title 302011; ",
			`{"title": "x", "price": "9", "lines": [{"item": "nut", "qty": "11"}]}`: "lines.qty 302011; ",
			`{"title": "x", "price": "2", "lines": [{"item": "nut", "qty": "11"}]}`: "ok",
		} {
			if _, err := w.try(w.boss, "order", "", 0, text); explain(err) != want {
				t.Errorf("%s: %s, not %s", text, explain(err), want)
			}
		}
		_, err := w.try(w.boss, "order", "", 0, `{"title": "damn"}`)
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Fatal(err)
		}
		if e := f.Data.(fault.Invalid).Errors[0]; e.MessageZh != "请客气一点" || e.MessageEn != "Be polite" {
			t.Errorf("says %q, %q", e.MessageZh, e.MessageEn)
		}
		if _, err := w.try(w.boss, "order", "", 0, `{"title": "broken"}`); fault.Of(err) != fault.Internal || !strings.Contains(err.Error(), "manners") {
			t.Errorf("a rule that fails: %v", err)
		}
		o := w.save(w.boss, "order", "", 0, `{"title": "x", "state": "CLOSED", "reason": "r", "price": "1", "lines": [{"item": "nut", "qty": "20"}]}`)
		if _, err := w.try(w.boss, "order", o.ID, o.Version, `{"state": "OPEN"}`); explain(err) != " 302011; " {
			t.Errorf("reopened: %s", explain(err))
		}
		if _, err := w.try(w.boss, "order", o.ID, o.Version, `{"price": "9"}`); explain(err) != "lines.qty 302011; " {
			t.Errorf("rows that were not sent break a rule about the record's price: %s", explain(err))
		}
		asked := 0
		w.w.Worlds(func(_ *record.Batch, reads bool) packs.World {
			if asked++; !reads {
				t.Error("a rule is given a world that it can write to")
			}
			return nil
		})
		if w.save(w.boss, "order", "", 0, `{"title": "please"}`); asked == 0 {
			t.Error("a rule is given no world")
		}
	}, withRules)
}
