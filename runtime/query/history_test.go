package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// said is a page of histories in a line: who, when, of what, and each change with its trend.
func said(page *query.HistoryPage) string {
	var out []string
	word := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for _, e := range page.Content {
		line := fmt.Sprintf("%s %s %s", word(e.Title), word(e.Creator), word(e.Time))
		for _, c := range e.Changes {
			line += fmt.Sprintf(" [%s %s>%s %s>%s %s]", c.PropertyCode, word(c.BeforeText), word(c.AfterText), c.Before, c.After, word(c.Trend))
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// TestHistories: the histories of several records together, with the rights of the caller.
func TestHistories(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.organise()
		w.put("lot", map[string]values{"a": {"part": "A", "result": "OK"}, "b": {"part": "B", "result": "BAD"}})
		change := func(code, before, after string) string {
			side := func(s string) []json.RawMessage {
				if s == "" {
					return nil
				}
				return []json.RawMessage{json.RawMessage(s)}
			}
			text, err := json.Marshal(record.Changes{Fields: []record.FieldChange{{Code: code, Before: side(before), After: side(after)}}})
			must(t, err)
			return string(text)
		}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Create([]record.History{
				{ID: id("1"), Model: "lot", Record: id("a"), Version: 1, Kind: record.Created, UserID: id("boss"), Name: "李娜", At: now, Changes: "{}"},
				{ID: id("2"), Model: "lot", Record: id("a"), Version: 2, Kind: record.Updated, UserID: id("boss"), Name: "李娜", At: now.Add(1e9), Changes: change("price", `"1.50"`, `"0.50"`)},
				{ID: id("3"), Model: "lot", Record: id("b"), Version: 2, Kind: record.Updated, UserID: id("boss"), Name: "李娜", At: now.Add(2e9), Changes: change("part", `"X"`, `"Y"`)},
			}).Error
		}))
		both := []string{id("a"), id("b"), "none"}
		ask := func(role string, size int, ids ...string) (*query.HistoryPage, error) {
			return w.Histories(t.Context(), w.rights("clerk", role), query.HistoriesRequest{SchemaCode: "lot", BizObjectIDs: ids, Size: &size})
		}
		for role, want := range map[string]string{
			"boss":     "a 李娜 2026-11-21T03:00:01Z [price 1.50>0.50 \"1.5\">\"0.5\" down]\na 李娜 2026-11-21T03:00:00Z",
			"stranger": "- - - [part X>Y \"X\">\"Y\" -]\n- - -\n- 李娜 2026-11-21T03:00:00Z",
		} {
			page, err := ask(role, 10, both...)
			must(t, err)
			if got := said(page); got != want {
				t.Errorf("%s reads\n%s\nnot\n%s", role, got, want)
			}
			if _, told := page.Fields["price"]; told != (role == "boss") {
				t.Errorf("%s is told of price: %v", role, told)
			}
		}
		first, err := ask("boss", 1, both...)
		must(t, err)
		if len(first.Content) != 1 || first.Total != 2 {
			t.Errorf("a page of one has %d of %d", len(first.Content), first.Total)
		}
		if _, err := ask("nosy", 10, both...); fault.Of(err) != fault.Forbidden {
			t.Errorf("without the right: %v", err)
		}
		one := query.HistoryRequest{SchemaCode: "lot", BizObjectID: id("a")}
		if _, err := w.History(t.Context(), w.rights("clerk", "nosy"), one); fault.Of(err) != fault.Forbidden {
			t.Errorf("of one, without the right: %v", err)
		}
		for _, size := range []int{0, 101} {
			if _, err := ask("boss", size, both...); fault.Of(err) != fault.PageOutOfRange {
				t.Errorf("pages of %d: %v", size, err)
			}
		}
		if _, err := ask("boss", 10); fault.Of(err) != fault.BadParameter {
			t.Errorf("of no record: %v", err)
		}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			var more []record.History
			for i := range 20 {
				more = append(more, record.History{ID: fmt.Sprintf("01900000-0000-7000-8000-0000000000%02d", i), Model: "lot", Record: id("a"), Version: int64(3 + i), Kind: record.Updated, At: now, Changes: "{}"})
			}
			return tx.System().Create(more).Error
		}))
		page, err := w.History(t.Context(), w.rights("clerk", "boss"), one)
		if must(t, err); len(page.Content) != 10 || page.Total != 22 {
			t.Errorf("a page has %d of %d", len(page.Content), page.Total)
		}
	})
}
