package app

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/store"
)

// settle is how long the files must be quiet before they are read: editors write in several steps.
const settle = 80 * time.Millisecond

// Watch follows the packs' folders until ctx ends: a saved definition is checked, its safe changes applied, and the open
// pages told. report is called after each turn with what was found.
func (a *App) Watch(ctx context.Context, report func(diag.List, error)) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	for _, dir := range a.cfg.Dirs {
		if err := watchTree(w, dir); err != nil {
			return err
		}
	}
	turn := func() (diag.List, error) {
		list, err := a.Reload(ctx)
		if err != nil {
			a.announce("diagnostics", diag.List{blockedAsDiagnostic(err)})
		}
		return list, err
	}
	// What was saved since the start and before its folder was watched is read now. Mostly that is nothing, and nothing is said.
	before := a.State().Catalog.Digest
	if list, err := turn(); ctx.Err() == nil && (err != nil || before != a.State().Catalog.Digest || list.HasErrors()) {
		report(list, err)
	}
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-w.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return err
			}
			quiet.Reset(settle) // more changes than were told: read everything
		case e := <-w.Events:
			if e.Has(fsnotify.Create) {
				_ = watchTree(w, e.Name) // a file, or gone again: nothing to follow
			}
			if relevant(e.Name) {
				quiet.Reset(settle)
			}
		case <-quiet.C:
			report(turn())
		}
	}
}

func watchTree(w *fsnotify.Watcher, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return w.Add(path)
		}
		return nil
	})
}

// relevant leaves out the temporary files of editors.
func relevant(name string) bool {
	base := filepath.Base(name)
	return !strings.HasPrefix(base, ".") && !strings.HasSuffix(base, "~") && slices.Contains([]string{".json", ".csv", ".js", ".css", ""}, filepath.Ext(base))
}

// blockedAsDiagnostic shows a plan that needs a person, or a failed database, like a fault of the documents.
func blockedAsDiagnostic(err error) diag.Diagnostic {
	var blocked *Blocked
	if errors.As(err, &blocked) {
		for _, s := range blocked.Plan.Steps {
			switch s.Class {
			case store.Impossible:
				return diag.New("PLAN003", position(s.At), s.Text)
			case store.Confirm, store.Destructive:
				return diag.New("PLAN001", position(s.At), s.Text)
			}
		}
	}
	return diag.New("PLAN001", diag.Position{}, err)
}

// position reads file:line:col back.
func position(at string) diag.Position {
	parts := strings.Split(at, ":")
	if len(parts) < 3 {
		return diag.Position{File: at}
	}
	line, _ := strconv.Atoi(parts[len(parts)-2])
	col, _ := strconv.Atoi(parts[len(parts)-1])
	return diag.Position{File: strings.Join(parts[:len(parts)-2], ":"), Line: line, Col: col}
}
