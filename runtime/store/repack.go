package store

import (
	"github.com/sluice-platform/sluice/engine/plan"
)

// outdated reports whether tables hold values in the form of an earlier version.
func outdated(s plan.Storage) bool { return len(s.Tables) > 0 && s.Format < format }

// repacked is the change of a storage that writes its tables again with ids in the present form, and changes nothing else.
func repacked(s plan.Storage) *storageDiff {
	x := diff(s, s)
	x.repack = true
	for i := range x.tables {
		t := &x.tables[i]
		t.keysGone, t.keysCome = foreignKeys(s, *t.have), foreignKeys(s, *t.want)
	}
	return x
}

// repackStep tells of it; where it is asked for, it is before all other steps and is done with them in one transaction.
func repackStep(s plan.Storage) (Step, bool) {
	return Step{Action: Repack, Class: Safe}, outdated(s)
}
