package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// callable makes the button "count" one that runs an action of a program, as packs with code have them.
func callable(l *catalog.List) {
	for i := range l.Actions {
		if a := &l.Actions[i]; a.Code == "count" {
			a.Association, a.Call = 3, &catalog.Route{}
			a.Attributes = map[string]any{"icon": "sum", "input": map[string]any{"fixed": 7, "part": "", "over": "list"}}
			a.Input = map[string]*catalog.Template{"part": {Parts: []catalog.TemplatePart{{Text: "of "}, {Path: &catalog.Path{Code: "part", Field: l.Model.Field("part")}}}}}
		}
	}
}

func (w *world) gives() {
	var files []blob.File
	for name, by := range map[string]string{"1 photo": "clerk", "2 scan": "boss", "3 photo": "boss"} {
		files = append(files, blob.File{ID: id(name), Name: name, Mime: "image/png", Size: 9, CreatedBy: id(by), Held: true, Model: "lot", Field: "photos"})
	}
	must(w.t, w.db.Write(w.t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&files).Error }))
	w.put("division", map[string]values{"11": {"code": "11", "name": "北京市", "nameEn": "Beijing"}, "1101": {"code": "1101", "name": "市辖区"}, "110101": {"code": "110101", "name": "东城区", "nameEn": "Dongcheng"},
		"12": {"code": "12", "name": "天津市", "nameEn": "Tianjin"}})
	w.put("contract", map[string]values{"open": {"title": "open", "budget": 7}, "secret": {"title": "secret", "budget": 9}})
	w.put("site", map[string]values{"S1": {"title": "S1"}})
	w.put("site", map[string]values{"S2": {"title": "S2", "above": "S1"}, "T2": {"title": "T2", "above": "S1", "secret": true}})
	w.put("site", map[string]values{"S3": {"title": "S3", "above": "S2"}, "T3": {"title": "T3", "above": "T2"}})
	w.put("site", map[string]values{"S4": {"title": "S4", "above": "S3"}})
	at := func(text string) time.Time {
		moment, err := time.Parse(time.DateTime, text)
		must(w.t, err)
		return moment
	}
	w.put("lot", map[string]values{
		"a": {"part": "A / 1", "price": 5, "twice": 10, "total": 6, "many": false, "ok": true, "day": "2026-03-31", "at": at("2026-03-31 15:30:00"), "clock": "08:30:00", "result": "OK", "tags": []string{"a", "b"}, "person": "clerk", "unit": "branch",
			"mixed": []string{id("boss"), id("head")}, "place": "110101", "place__detail": "9", "photos": []string{id("1 photo")}, "site": "S4", "contract": "open", "others": []string{"open", "secret"},
			"items": []values{{"item": "one", "rate": 2, "much": 10, "source": "secret"}, {"item": "two", "rate": 4, "much": 20, "source": "open", "scans": []string{id("2 scan")}}}},
		"b": {"part": "B", "price": 3, "twice": 6, "total": 9, "many": true, "ok": false, "day": "2026-04-01", "until": "2026-04-03", "at": at("2026-03-31 16:00:00"), "result": "OK", "tags": []string{"b"}, "person": "boss", "place": "1101", "photos": []string{id("1 photo")},
			"site": "S3", "contract": "secret", "others": []string{"secret"}, "items": []values{{"item": "one", "rate": 9, "much": 27, "source": "open", "at": "S4"}}},
		"c": {"part": "C", "price": 2, "ok": true, "day": "2026-12-31", "at": at("2026-12-31 16:00:00"), "result": "BAD", "person": "boss", "mixed": []string{id("gone")}, "place": "12", "photos": []string{id("3 photo")}, "site": "T3", "contract": "open",
			"items": []values{{"item": "three", "rate": 1, "source": "secret", "at": "T3"}}},
		"d": {"part": "..", "result": "OK", "ok": true, "sequenceStatus": "PROCESSING", "workflowInstanceId": id("w"), "site": "T3"},
		"e": {"part": "\"\\\n\t\r\x01\u2028\u2029<é中>", "price": 5, "ok": true, "day": "2027-01-01", "at": at("2026-03-31 15:45:00"), "result": "BAD", "contract": "secret", "site": "S2", "place": "110101"},
		"f": {"part": "F", "price": -1, "result": "OK", "ok": true, "site": "S1", "place": "11", "day": "2026-03-30"},
		"z": {"part": "Z", "price": 8, "result": "OK", "ok": true, "items": []values{{"item": "z", "rate": 3}}}})
	said := w.c.Model("lot").Field("said")
	must(w.t, w.db.Write(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		for i, o := range []property.Opinion{{Node: plan.Label{Zh: "审"}, User: id("boss"), Result: "AGREE", Text: "fine", Time: now}, {Node: plan.Label{Zh: "批"}, User: id("clerk"), Text: "well", Time: now.Add(time.Hour)}} {
			row := values{"id": id(fmt.Sprint(i, "said")), "parentId": id("a"), "sortKey": int64(i)}
			for k, cell := range said.Property.(property.OpinionKeeper).Keep(o) {
				row[said.Sheet.Own[k].Name] = cell
			}
			if err := tx.Insert(w.t.Context(), said.Sheet, row); err != nil {
				return err
			}
		}
		if err := tx.System().Table(catalog.CommentsTable).Create(map[string]any{"id": id("1 comment"), "model": "lot", "record": id("b"), "author": id("clerk"), "text": "hm", "mentions": "[]", "reply_to": "", "revision": 1, "created_at": now,
			"deleted": false, "request": ""}).Error; err != nil {
			return err
		}
		if err := tx.System().Table(catalog.InstancesTable).Create(map[string]any{"id": id("w"), "code": "approval", "version": 1, "model": "lot", "record": id("d"), "name": "d", "search": "d", "initiator": id("clerk"), "status": "RUNNING", "result": "",
			"started": now, "events": 1, "parent": "", "parent_activity": 0, "parent_number": 0, "state": []byte("{}")}).Error; err != nil {
			return err
		}
		if err := tx.System().Table(catalog.TasksTable).Create(map[string]any{"id": id("1 task"), "instance": id("w"), "number": 1, "code": "approval", "node": "start", "person": id("clerk"), "list": "unfinished", "type": "", "state": "", "result": "",
			"delegate_from": "", "opinion": "", "urged": 0}).Error; err != nil {
			return err
		}
		return tx.System().Create(w.written()).Error
	}))
}

// written are writes of the lots: of fields, of rows, for a reason, and by nobody whom the directory knows.
func (w *world) written() []record.History {
	one := func(code, before, after string) record.FieldChange {
		side := func(s string) []json.RawMessage {
			if s == "" {
				return nil
			}
			return []json.RawMessage{json.RawMessage(s)}
		}
		return record.FieldChange{Code: code, Before: side(before), After: side(after)}
	}
	text := func(c record.Changes) string {
		raw, err := json.Marshal(c)
		must(w.t, err)
		return string(raw)
	}
	first, second := id("A0a"), id("B1a")
	return []record.History{
		{ID: id("1"), Model: "lot", Record: id("a"), Version: 1, Kind: record.Created, UserID: id("boss"), Name: "李娜", Dept: id("head"), At: now, Changes: "{}"},
		{ID: id("2"), Model: "lot", Record: id("a"), Version: 2, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", At: now.Add(time.Second), Changes: text(record.Changes{Remark: "why", Reason: "other",
			Fields: []record.FieldChange{one("price", `"4.00"`, `"5.00"`), one("contract", `"`+id("secret")+`"`, `"`+id("open")+`"`), one("nothing", `1`, `2`)},
			Rows: []record.RowChange{{Sheet: "items", ID: first, Kind: record.Updated, Was: 1, Place: 1, Changes: []record.FieldChange{one("rate", `"1.00"`, `"2.00"`), one("source", "", `"`+id("secret")+`"`)}},
				{Sheet: "items", ID: second, Kind: record.Updated, Was: 2, Place: 2, Changes: []record.FieldChange{one("rate", `"9.00"`, `"4.00"`)}},
				{Sheet: "items", ID: id("gone"), Kind: record.Deleted, Was: 3, Changes: []record.FieldChange{one("item", `"three"`, "")}}, {Sheet: "nothing", ID: id("x"), Kind: record.Created}}})},
		{ID: id("3"), Model: "lot", Record: id("a"), Version: 3, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", At: now.Add(2 * time.Second), Changes: text(record.Changes{Reason: "machine",
			Rows: []record.RowChange{{Sheet: "items", ID: second, Kind: record.Updated, Was: 2, Place: 1}, {Sheet: "items", ID: first, Kind: record.Updated, Was: 1, Place: 2}}})},
		{ID: id("4"), Model: "lot", Record: id("a"), Version: 4, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", At: now.Add(3 * time.Second), Changes: text(record.Changes{
			Rows: []record.RowChange{{Sheet: "items", ID: second, Kind: record.Created, Place: 2, Changes: []record.FieldChange{one("item", "", `"two"`)}}, {Sheet: "items", ID: first, Kind: record.Updated, Was: 1, Place: 1}}})},
		{ID: id("5"), Model: "lot", Record: id("c"), Version: 2, Kind: record.Updated, UserID: id("gone"), Name: "王芳", At: now, Changes: text(record.Changes{Fields: []record.FieldChange{one("result", `"OK"`, `"BAD"`), one("price", `"3.00"`, `"2.00"`), one("part", `"B"`, `"C"`)}})},
	}
}
