package codes_test

import (
	"bytes"
	"compress/flate"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var update = flag.Bool("update", false, "write the table of names and holders")

// kindOf are the kinds of the shop's names. Each kind that there is has one.
var kindOf = map[string]names.Kind{"order": names.Model, "ware": names.Model, "title": names.Property, "total": names.Property, "place": names.Property,
	"lines": names.Property, "label": names.Property, "qty": names.Property, "kind": names.Property, "tags": names.Property, "size": names.Property,
	"hush": names.Property, "stamp": names.Property, "scan": names.Property, "mark": names.Property, "weight": names.Property,
	"orders": names.List, "orderForm": names.Form, "paper": names.Print, "home": names.Portal, "figures": names.Report, "approval": names.Workflow,
	"stocking": names.Workflow, "clerk": names.Role, "sizes": names.Dictionary, "big": names.Option, "small": names.Option, "tiny": names.Option,
	"red": names.Option, "blue": names.Option, "desk": names.Pack,
	"fill": names.Node, "check": names.Node, "large": names.Node, "chief": names.Node, "joined": names.Node, "over": names.Node, "again": names.Node}

// kinds are all that have names, in the order in which they are renamed. An application has the code of its pack.
func kinds() (out []names.Kind) {
	for _, word := range rename.Words() {
		if k := rename.KindOf(word); k != names.App { // its code is that of its pack
			out = append(out, k)
		}
	}
	return append(out, names.Pack)
}

// namesOf are the names of a kind.
func namesOf(k names.Kind) (out []string) {
	for _, name := range all {
		if kindOf[name] == k {
			out = append(out, name)
		}
	}
	return out
}

// column are the values of a column of the register, as texts.
func (s *shop) column(table, column string) (out []string) {
	s.Helper()
	require.NoError(s, s.app.Store().Read(s.Context(), func(_ context.Context, tx *store.Tx) error {
		rows, err := tx.System().Raw("SELECT " + store.Ident(column) + " FROM " + store.Ident(table) + " WHERE " + store.Ident(column) + " IS NOT NULL").Rows()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var v any
			if err := rows.Scan(&v); err != nil {
				return err
			}
			out = append(out, textOf(v))
		}
		return rows.Err()
	}))
	slices.Sort(out)
	return out
}

// textOf is a value as a text; some are deflated.
func textOf(v any) string {
	b, ok := v.([]byte)
	if !ok {
		return fmt.Sprint(v)
	}
	if plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(b))); err == nil && len(plain) > 0 {
		return string(plain)
	}
	return string(b)
}

// holding are the values that have a code in them.
func holding(values []string, code string) []string {
	word := regexp.MustCompile(`(?i)\b` + code + `\b`)
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !word.MatchString(v) })
}

// held are all values of the register's columns.
type held map[string][]string

func (s *shop) held() held {
	s.Helper()
	out := held{}
	for _, h := range codes.Holders() {
		for _, c := range h.Columns {
			out[h.Table+"."+c] = s.column(h.Table, c)
		}
	}
	return out
}

// cells are what the holders of the register have of a shop's names: a line each, with the kinds, the way, and who reads it.
func (s *shop) cells(is held) string {
	s.Helper()
	var lines []string
	for _, h := range codes.Holders() {
		var found []names.Kind
		for _, k := range append(kinds(), names.App) {
			for _, c := range h.Columns {
				if slices.ContainsFunc(namesOf(k), func(name string) bool { return len(holding(is[h.Table+"."+c], s.now[name])) > 0 }) && !slices.Contains(found, k) {
					found = append(found, k)
				}
			}
		}
		at := h.Table + "." + strings.Join(h.Columns, ",")
		switch h.Way {
		case codes.None:
			require.Empty(s, found, "%s holds codes: say in the register what becomes of them", at)
			continue
		case codes.Kept:
		default:
			want := slices.Clone(h.Kinds())
			for i, k := range want {
				if k == names.App {
					want[i] = names.Pack // its code is the same
				}
			}
			slices.Sort(want)
			slices.Sort(found)
			require.Equal(s, slices.Compact(want), found, "%s: what the register says is in it, and what work left there", at)
			require.Contains(s, readBy, h.Table, "say who reads %s", at)
		}
		if len(found) > 0 {
			lines = append(lines, fmt.Sprintf("%-45s %-10s %-45s %s", at, h.Way, fmt.Sprint(found), readBy[h.Table]))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// kept looks at each holder after names of a kind got other codes: what is rewritten has the new ones, and everything else stays.
// Drafts of documents follow what packs rename; of what an author publishes they stay, for they began with what was published before.
func (s *shop) kept(before, now held, renamed []string, published bool) {
	s.Helper()
	for _, h := range codes.Holders() {
		if h.Way == codes.None {
			continue
		}
		for _, c := range h.Columns {
			at := h.Table + "." + c
			for _, name := range renamed {
				was := holding(before[at], s.was[name][0])
				if len(was) == 0 {
					continue
				}
				is := holding(now[at], s.now[name])
				switch {
				case h.Why == codes.Follows && !published:
					require.Len(s, is, len(was), "%s follows %s", at, name)
				case h.Way == codes.Rewritten:
					require.Empty(s, holding(now[at], s.was[name][0]), "%s has what %s was called", at, name)
					require.GreaterOrEqual(s, len(is), len(was), "%s follows %s", at, name)
				default:
					for _, v := range was {
						require.True(s, slices.Contains(now[at], v), "%s is never changed, also by %s", at, name)
					}
				}
			}
		}
	}
}

// TestEachNameInEachHolder is the table of what has a name and what holds names. Work leaves names in each holder, each kind of names gets other
// codes, and each holder is looked at, in the database and as people see it. A holder or a kind that is added to the engine fails here until work
// reaches it. testdata/cells.txt is the table.
func TestEachNameInEachHolder(t *testing.T) {
	ways := map[string]func(*shop, map[string]string){"publication": byPublication}
	if storetest.Everywhere() {
		ways["apply"], ways["dev"] = byApply, byDev
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			apptest.Of(plugintest.Register).Each(t, func(t *testing.T, o store.Options) {
				s := openedAs(t, o, true)
				s.more()
				is := s.held()
				golden(t, s.cells(is))
				seen := s.seenToo()
				for _, k := range kinds() {
					require.NotEmpty(t, namesOf(k), "the shop has no %s", k)
					if k == names.Pack && name == "publication" {
						s.packStays()
						continue
					}
					to := map[string]string{}
					for _, name := range namesOf(k) {
						to[name] = s.now[name] + "New"
					}
					s.renameBy(way, to)
					now := s.held()
					published := name == "publication"
					s.kept(is, now, namesOf(k), published)
					for what, after := range s.seenToo() {
						if published && what == "drafts of documents" {
							continue
						}
						require.Equal(t, seen[what], after, "%s after each %s has another code", what, k)
					}
					is = s.held()
				}
			})
		})
	}
}

// packStays requires that the code of a pack, which is that of its folder's rows, is not changed by a publication, and where that is told.
func (s *shop) packStays() {
	s.Helper()
	text := strings.Replace(s.texts()["pack.json"], s.now["desk"], "another", 1)
	was := s.texts()["pack.json"]
	_, err := s.app.Publish(s.Context(), s.admin(), app.Changeset{Files: []app.Change{{Pack: s.pack(), Path: "pack.json", Text: &text, Seen: app.DigestOf(&was)}}}, app.Confirmation{})
	var f *fault.Error
	require.ErrorAs(s, err, &f)
	p, ok := f.Data.(app.Publication)
	require.True(s, ok)
	first := p.Diagnostics[slices.IndexFunc(p.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })]
	require.Equal(s, []any{"PUB014", s.now["desk"] + "/pack.json"}, []any{first.Code, first.File})
}

// golden compares the table with the one that is kept.
func golden(t *testing.T, is string) {
	t.Helper()
	file := filepath.Join("testdata", "cells.txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(is), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), is)
}
