package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestFileRights: the right to a file is the right to a row and a field that hold it, seen through one role at a time.
func TestFileRights(t *testing.T) {
	c := catalogOf(t, "testdata/files.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		var files []blob.File
		for _, name := range []string{"1 own photo", "2 own paper", "3 own scan..", "4 other's photo", "5 other's paper..", "6 both", "7 nobody's now.", "8 fresh"} {
			files = append(files, blob.File{ID: id(name), Name: name, Mime: "image/png", CreatedBy: id("boss"), Held: name != "8 fresh", Model: "lot", Field: "photos"})
		}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&files).Error }))
		at := func(names ...string) []string {
			for i, name := range names {
				names[i] = id(name)
			}
			return names
		}
		w.put("lot", map[string]values{
			"mine": {"result": "BAD", "photos": at("1 own photo", "6 both"), "papers": at("2 own paper"), "items": []values{{}, {"scans": at("3 own scan..")}}},
			"good": {"result": "OK", "owner": "boss", "photos": at("4 other's photo", "6 both"), "papers": at("5 other's paper..")}})
		for _, x := range []struct {
			user, role, file string
			seen             bool
		}{
			{"clerk", "clerk", "1 own photo", true},
			{"clerk", "clerk", "2 own paper", false}, // a field that the role hides
			{"clerk", "clerk", "3 own scan..", true},
			{"clerk", "clerk", "4 other's photo", false}, // a row that it does not show
			{"clerk", "clerk", "5 other's paper..", false},
			{"clerk", "clerk", "6 both", true},
			{"clerk", "clerk", "8 fresh", false},
			{"clerk", "clerk", "9 no such file", false},
			{"clerk", "inspector", "1 own photo", false},
			{"clerk", "inspector", "3 own scan..", false}, // in a sub-table that it hides
			{"clerk", "inspector", "4 other's photo", false},
			{"clerk", "inspector", "5 other's paper..", true},
			{"clerk", "inspector", "6 both", false},
			{"clerk", "adder", "1 own photo", false},
			{"clerk", "none", "1 own photo", false},
			{"boss", "none", "8 fresh", true},           // brought, and held by nothing yet
			{"boss", "none", "1 own photo", false},      // brought, but a record's now
			{"boss", "clerk", "7 nobody's now.", false}, // taken off its record
		} {
			f, err := w.File(t.Context(), w.rights(x.user, x.role), id(x.file))
			var why *fault.Error
			switch {
			case x.seen && (err != nil || f.Name != x.file):
				t.Errorf("%s as %s: %q: %v, %q", x.user, x.role, x.file, err, f.Name)
			case !x.seen && (!errors.As(err, &why) || why.Code != fault.FileNotFound):
				t.Errorf("%s as %s sees %q: %v", x.user, x.role, x.file, err)
			}
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { // in a field of a record, not fresh ones
				held := x.seen && x.file != "8 fresh"
				reads, err := w.ReadsFile(t.Context(), tx, w.rights(x.user, x.role), id(x.file))
				refs, err2 := w.Holders(t.Context(), tx, w.rights(x.user, x.role), id(x.file))
				if reads != held || len(refs) > 0 != held || held && refs[0].SchemaCode != "lot" {
					t.Errorf("%s as %s reads %q: %t, held by %v", x.user, x.role, x.file, reads, refs)
				}
				return errors.Join(err, err2)
			}))
			kept, err := w.Kept(t.Context(), id(x.file))
			if there := x.file != "9 no such file"; there != (kept.Name == x.file) || there != (err == nil) {
				t.Errorf("kept %q: %q %v", x.file, kept.Name, err)
			}
		}
		// What else holds files: something that names records, something that judges itself, and tasks, which are asked last.
		clerk, file := w.rights("clerk", "clerk"), id("5 other's paper..")
		asked := ""
		sees := func(want bool) {
			t.Helper()
			if _, err := w.File(t.Context(), clerk, file); (err == nil) != want {
				t.Errorf("after %s: %v", asked, err)
			}
		}
		var refs []query.Ref
		w.HoldFiles(func(*store.Tx, string) ([]query.Ref, error) { asked += "beside "; return refs, nil })
		sees(false)
		refs = []query.Ref{{SchemaCode: "lot", ID: id("good")}}
		sees(false)
		refs = append(refs, query.Ref{SchemaCode: "lot", ID: id("mine")})
		sees(true)
		judged, shown := false, false
		refs = nil
		w.LetReadFiles(func(context.Context, *store.Tx, *authz.View, string) (bool, error) {
			asked += "judge "
			return judged, nil
		})
		w.LetReadThroughTasks(func(context.Context, *store.Tx, *authz.View, string) (bool, error) {
			asked += "tasks "
			return shown, nil
		})
		sees(false)
		shown = true
		sees(true)
		judged = true
		sees(true)
		if asked != "beside beside beside judge beside tasks judge beside tasks judge " {
			t.Errorf("asked %s", asked)
		}
	})
}

// TestRecycledFiles: a file of a deleted record is read by those who see that record in the recycle bin, and the field there.
func TestRecycledFiles(t *testing.T) {
	c := catalogOf(t, "testdata/files.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		l := liveIn(t, w)
		var files []blob.File
		for _, name := range []string{"1 own photo", "2 own paper", "3 own scan..", "4 other's photo"} {
			files = append(files, blob.File{ID: id(name), Name: name, Mime: "image/png", Size: 7, Held: true, Model: "lot", Field: "photos"})
		}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&files).Error }))
		w.put("lot", map[string]values{
			"mine": {"result": "BAD", "photos": []string{id("1 own photo")}, "papers": []string{id("2 own paper")}, "items": []values{{"scans": []string{id("3 own scan..")}}}},
			"good": {"result": "OK", "owner": "boss", "photos": []string{id("4 other's photo")}}})
		res, err := l.w.Delete(t.Context(), w.rights("boss", "clearer"), "lot", []string{id("mine"), id("good")})
		must(t, err)
		if res.SuccessCount != 2 {
			t.Fatalf("%+v", res)
		}
		for role, want := range map[string]string{
			"clearer": "1 own photo, 2 own paper, 3 own scan.., 4 other's photo",
			"keeper":  "1 own photo, 3 own scan..", // not of another's record, and not a field that the role hides
			"clerk":   "",                          // may not delete, and so sees nothing of the bin
			"adder":   "",
		} {
			var got []string
			for _, f := range files {
				_, err := w.File(t.Context(), w.rights("clerk", role), f.ID)
				if err == nil {
					got = append(got, f.Name)
				} else if fault.Of(err) != fault.FileNotFound {
					t.Errorf("%s, %s: %v", role, f.Name, err)
				}
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s reads %q, want %q", role, got, want)
			}
		}
	})
}

// TestPastFiles: a history names the files that a record held; those that nothing holds any more, or nothing that the reader
// sees, are marked, and cannot be fetched.
func TestPastFiles(t *testing.T) {
	c := catalogOf(t, "testdata/files.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		var files []blob.File
		for _, name := range []string{"1 kept", "2 taken off..", "3 moved to another's"} {
			files = append(files, blob.File{ID: id(name), Name: name, Mime: "text/plain", Size: 7, Held: true, Model: "lot", Field: "photos"})
		}
		w.put("lot", map[string]values{"mine": {"photos": []string{id("1 kept")}}, "good": {"result": "OK", "owner": "boss", "photos": []string{id("3 moved to another's")}}})
		all, err := json.Marshal([]string{id("1 kept"), id("2 taken off.."), id("3 moved to another's")})
		must(t, err)
		changes, err := json.Marshal(record.Changes{Fields: []record.FieldChange{{Code: "photos", Before: []json.RawMessage{all}, After: nil}}})
		must(t, err)
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			if err := tx.System().Create(&files).Error; err != nil {
				return err
			}
			return tx.System().Create(&record.History{ID: id("h"), Model: "lot", Record: id("mine"), Version: 2, Kind: record.Updated, UserID: id("clerk"), At: now, Changes: string(changes)}).Error
		}))
		for role, want := range map[string]string{
			"tracker": "1 kept, 2 taken off.. gone, 3 moved to another's gone",
			"all":     "1 kept, 2 taken off.. gone, 3 moved to another's",
		} {
			view := w.rights("clerk", role)
			page, err := w.History(t.Context(), view, query.HistoryRequest{SchemaCode: "lot", BizObjectID: id("mine")})
			must(t, err)
			var told []struct {
				RefID, Name string
				Gone        bool
			}
			must(t, json.Unmarshal(page.Content[0].Changes[0].Before, &told))
			var got []string
			for _, f := range told {
				line := f.Name
				if f.Gone {
					line += " gone"
				}
				got = append(got, line)
				if _, err := w.File(t.Context(), view, f.RefID); (err != nil) != f.Gone {
					t.Errorf("%s: %s is told to be gone: %v, and fetching it says %v", role, f.Name, f.Gone, err)
				}
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s reads %v, want %s", role, got, want)
			}
		}
	})
}

// TestSeen: who may see a record learns who changed it last where they may read that field.
func TestSeen(t *testing.T) {
	c := catalogOf(t, "testdata/files.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		w.put("lot", map[string]values{"mine": {"modifier": "boss"}, "good": {"owner": "boss", "modifier": "boss"}})
		for role, want := range map[string]map[string]string{
			"all":   {id("mine"): id("boss"), id("good"): id("boss")},
			"clerk": {id("mine"): id("boss")},
			"quiet": {id("mine"): ""},
		} {
			got, err := w.Seen(t.Context(), w.rights("clerk", role), "lot", []string{id("mine"), id("good"), id("none")})
			must(t, err)
			if !maps.Equal(got, want) {
				t.Errorf("%s sees %v, want %v", role, got, want)
			}
		}
	})
}
