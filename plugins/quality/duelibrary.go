package quality

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// A due set holds what the library asked of its items when they were written. What the library says later reaches it by a decision:
// the set tells how many of its items differ (outdated), and somebody who may change it takes the values over (takeLibrary), which
// makes a revision. A row keeps a digest of what the library said when it was written, so what somebody set otherwise on purpose does
// not count until the library changes.

// libraryDigest is what the library says of an item, in a few characters.
func libraryDigest(item map[string]any) string {
	sum := sha256.New()
	for _, code := range asked {
		v := ""
		if n := number(item[code]); n != nil {
			v = n.String()
		} else if item[code] != nil && item[code] != false {
			v = written(item[code])
		}
		sum.Write([]byte(code + "=" + v + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// outdated reports whether the library says something else of an item than a row of a set holds, which nobody has decided on yet.
func outdated(row, item map[string]any) bool {
	return text(row[codes.LibraryDigest]) != libraryDigest(item) &&
		slices.ContainsFunc(asked, func(code string) bool { return !equalValue(row[code], item[code]) })
}

// equalValue compares values of two records: no is nothing.
func equalValue(a, b any) bool {
	empty := func(v any) bool { return v == nil || v == false || v == "" }
	return empty(a) && empty(b) || same(a, b)
}

// digestRows gives rows of a set that are new, or that somebody changed, the digest of what the library says now.
func digestRows(ctx context.Context, e *hook.Record, list []map[string]any) error {
	stored := map[string]map[string]any{}
	if !e.Create && e.Stored != nil {
		rows, err := e.Stored(codes.Items)
		if err != nil {
			return err
		}
		for _, row := range rows {
			stored[text(row["id"])] = row
		}
	}
	for _, row := range list {
		was := stored[text(row["id"])]
		if was != nil && !slices.ContainsFunc(append([]string{codes.ItemID}, asked...), func(code string) bool {
			v, given := row[code]
			return given && !equalValue(was[code], v)
		}) {
			delete(row, codes.LibraryDigest)
			continue
		}
		id := text(either(row[codes.ItemID], was[codes.ItemID]))
		if found, err := e.World.Get(ctx, checkItem, id); err == nil {
			row[codes.LibraryDigest] = libraryDigest(found.Values)
		}
	}
	return nil
}

// countOutdated stores how many items of a set differ from the library.
func (r *roller) countOutdated(ctx context.Context, id string) error {
	set, err := r.w.Get(ctx, dueSets, id)
	if err != nil {
		return err
	}
	var n int64
	if is(set.Values[codes.Current]) {
		for _, row := range rowsIn(set.Values[codes.Items]) {
			found, err := r.w.Get(ctx, checkItem, text(row[codes.ItemID]))
			if err != nil {
				return err
			}
			n += count(outdated(row, found.Values))
		}
	}
	if whole(set.Values[codes.Outdated]) == n {
		return nil
	}
	_, err = r.w.Update(ctx, dueSets, id, set.Version, map[string]any{codes.Outdated: decimal.NewFromInt(n)})
	return err
}

// afterCheckItem tells the current sets that hold an item.
func afterCheckItem(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) || e.Create || e.Delete || e.World == nil {
		return err
	}
	if !slices.ContainsFunc(asked, func(code string) bool { return changes(e, code) }) {
		return nil
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if r.holders == nil {
		if r.holders, err = r.setsByItem(ctx); err != nil {
			return err
		}
	}
	for _, id := range r.holders[e.ID] {
		if err := r.countOutdated(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// setsByItem are the current sets that hold items, by item.
func (r *roller) setsByItem(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	all, err := r.w.Find(ctx, dueSets, map[string]any{codes.Current: true}, world.All)
	if err != nil {
		return nil, err
	}
	for _, id := range all {
		set, err := r.w.Get(ctx, dueSets, id)
		if err != nil {
			return nil, err
		}
		for _, row := range rowsIn(set.Values[codes.Items]) {
			item := text(row[codes.ItemID])
			out[item] = append(out[item], id)
		}
	}
	return out, nil
}

// afterDueSet counts the items of a set that was written.
func afterDueSet(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) || e.Delete || e.World == nil {
		return err
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	r.holders = nil
	return r.countOutdated(ctx, e.ID)
}

// Taken tells what a set takes over from the library.
type Taken struct {
	Revision int64       `json:"revision"` // of the set, after it
	Items    []TakenItem `json:"items"`
}

// TakenItem is an item of a set that the library describes otherwise.
type TakenItem struct {
	ItemID  string       `json:"itemId"`
	Name    string       `json:"name"`
	Changes []TakenValue `json:"changes"`
}

// TakenValue is one value of an item, as texts.
type TakenValue struct {
	Property string `json:"propertyCode"`
	Was      string `json:"was"`
	Is       string `json:"is"`
}

// takeLibrary gives items of a set (all that differ, or some) the values of the library, in a new revision. A dryRun tells what would
// change.
func takeLibrary(ctx context.Context, c action.Call, in struct {
	DueSetID string
	ItemIDs  []string
	DryRun   bool
}) (*Taken, error) {
	set, err := c.Get(ctx, dueSets, in.DueSetID)
	if err != nil {
		return nil, err
	}
	if err := c.Allowed(ctx, "edit", dueSets, in.DueSetID); err != nil {
		return nil, err
	}
	out, list := &Taken{Items: []TakenItem{}}, []map[string]any{}
	for _, row := range rowsIn(set.Values[codes.Items]) {
		fresh := map[string]any{"id": row["id"]}
		list = append(list, fresh)
		id := text(row[codes.ItemID])
		found, err := c.Get(ctx, checkItem, id)
		if err != nil {
			return nil, err
		}
		if len(in.ItemIDs) > 0 && !slices.Contains(in.ItemIDs, id) || len(in.ItemIDs) == 0 && !outdated(row, found.Values) {
			continue
		}
		one := TakenItem{ItemID: id, Name: text(found.Values[codes.ItemName])}
		for _, code := range asked {
			if is := found.Values[code]; !equalValue(row[code], is) {
				fresh[code] = wire(is)
				one.Changes = append(one.Changes, TakenValue{code, plainText(row[code]), plainText(is)})
			}
		}
		if len(one.Changes) > 0 {
			out.Items = append(out.Items, one)
		}
	}
	if len(out.Items) > 0 {
		if _, err := c.Update(ctx, dueSets, in.DueSetID, set.Version, map[string]any{codes.Items: list}); err != nil {
			return nil, err
		}
	}
	now, err := c.Get(ctx, dueSets, in.DueSetID)
	if err != nil {
		return nil, err
	}
	out.Revision = whole(now.Values[codes.Revision])
	if in.DryRun {
		return out, action.ErrRehearsed
	}
	return out, nil
}

// outdatedFor is how many items of a set differ from the library; nil where the caller cannot edit the set.
func outdatedFor(ctx context.Context, c action.Call, id string) (*int64, error) {
	if c.Allowed(ctx, "edit", dueSets, id) != nil {
		return nil, nil
	}
	set, err := c.Get(ctx, dueSets, id)
	if err != nil {
		return nil, err
	}
	if set.Values[codes.Outdated] == nil {
		return nil, nil
	}
	n := whole(set.Values[codes.Outdated])
	return &n, nil
}

// plainText is a value as a text: numbers without zeros at the end.
func plainText(v any) string {
	if n := number(v); n != nil {
		return n.String()
	}
	if v == nil {
		return ""
	}
	return strings.TrimSpace(written(v))
}
