package query_test

import (
	"errors"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
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
		must(t, w.db.Write(t.Context(), func(tx *store.Tx) error { return tx.System().Create(&files).Error }))
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
			f, err := w.File(t.Context(), w.c, w.rights(x.user, x.role), id(x.file))
			var why *fault.Error
			switch {
			case x.seen && (err != nil || f.Name != x.file):
				t.Errorf("%s as %s: %q: %v, %q", x.user, x.role, x.file, err, f.Name)
			case !x.seen && (!errors.As(err, &why) || why.Code != fault.FileNotFound):
				t.Errorf("%s as %s sees %q: %v", x.user, x.role, x.file, err)
			}
		}
	})
}
