package quality

import (
	"context"
	"crypto/rand"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// bindComponents binds components to a node, takes them over from other nodes, or gives one another name.
func bindComponents(ctx context.Context, c action.Call, in struct {
	ID, QbsID, Mode, Name string
	MbsIDs                []string
	Ratio                 *decimal.Decimal
}) (*ComponentsBound, error) {
	out := &ComponentsBound{}
	if in.ID != "" {
		in.MbsIDs = append(in.MbsIDs, in.ID)
	}
	if len(in.MbsIDs) == 0 {
		return nil, fault.New(fault.EmptyParameter, "mbsIds")
	}
	if in.Mode == "rename" {
		if in.Name == "" {
			return nil, fault.New(fault.EmptyParameter, "name")
		}
		if len(unique(in.MbsIDs)) > 1 { // one name for several is a mistake
			return nil, fault.New(fault.BadParameter, "mbsIds")
		}
		out.Renamed = 1
		return out, update(ctx, c, component, in.MbsIDs[0], map[string]any{codes.ComponentName: in.Name})
	}
	if in.QbsID == "" {
		return nil, fault.New(fault.EmptyParameter, "qbsId")
	}
	if in.Ratio != nil && !sized(*in.Ratio) {
		return nil, fault.New(fault.BadParameter, "ratio")
	}
	for _, id := range in.MbsIDs {
		there, err := rows(ctx, c, "quality.boundTo", world.Args{"id": id})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(there, func(r world.Row) bool { return r.Text(codes.QbsID) == in.QbsID }) {
			out.Skipped++
			continue
		}
		if in.Mode == "replace" {
			for _, r := range there {
				if err := c.Delete(ctx, relation, r.ID); err != nil {
					return nil, err
				}
			}
		}
		values := map[string]any{codes.QbsID: in.QbsID, codes.MbsID: id}
		if in.Ratio != nil {
			values[codes.Ratio] = in.Ratio.String()
		}
		if _, err := c.Create(ctx, relation, values); err != nil {
			return nil, err
		}
		out.Bound++
	}
	return out, nil
}

func unbindComponents(ctx context.Context, c action.Call, in struct {
	QbsID  string
	MbsIDs []string
}) (map[string]int, error) {
	n := 0
	for _, id := range in.MbsIDs {
		there, err := rows(ctx, c, "quality.boundTo", world.Args{"id": id})
		if err != nil {
			return nil, err
		}
		for _, r := range there {
			if r.Text(codes.QbsID) != in.QbsID {
				continue
			}
			if err := c.Delete(ctx, relation, r.ID); err != nil {
				return nil, err
			}
			n++
		}
	}
	return map[string]int{"count": n}, nil
}

// Component is a component in the trees and lists of the pack.
type Component struct {
	ID         string       `json:"id"`
	ParentID   string       `json:"parentId"`
	Title      string       `json:"title"`
	Value      string       `json:"value"`
	Key        string       `json:"key"`
	Code       string       `json:"code"`
	Level      int          `json:"level"`
	Leaf       bool         `json:"leaf"`
	GUID       string       `json:"guid,omitempty"`
	IFCClass   string       `json:"ifcClass,omitempty"`
	ModelID    string       `json:"modelId,omitempty"`
	BoundFlag  bool         `json:"boundFlag"`
	Box        *box         `json:"bbox,omitempty"`
	EvalStatus string       `json:"evalStatus,omitempty"` // of the node that it is bound to
	WorkStatus string       `json:"workStatus,omitempty"` // the same
	QbsID      string       `json:"qbsId,omitempty"`      // "" of a bound one whose node the caller does not see
	Children   []*Component `json:"children,omitempty"`
}

func (n *Component) level() int         { return n.Level }
func (n *Component) adopt(c *Component) { n.Children = append(n.Children, c) }

// box is the space that a component takes: the lower and the upper corner, x y z each, in meters.
type box [6]float64

// boxOf reads a box; nil where the text is not six numbers.
func boxOf(s string) *box {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == ';' })
	var out box
	if len(parts) != len(out) {
		return nil
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		out[i] = v
	}
	for i := range 3 {
		out[i], out[i+3] = min(out[i], out[i+3]), max(out[i], out[i+3])
	}
	return &out
}

// components reads the components of a project, a model or below one, in the order of a tree.
func components(ctx context.Context, w world.World, key, model, parent string) (flat []*Component, err error) {
	query, args := "quality.componentsBelow", world.Args{"root": parent}
	switch {
	case parent != "":
	case model != "":
		query, args = "quality.componentsOfModel", world.Args{"id": model}
	default:
		id, err := projectOf(ctx, w, key)
		if err != nil {
			return nil, err
		}
		query, args = "quality.components", world.Args{"id": id}
	}
	all, err := rows(ctx, w, query, args)
	if err != nil {
		return nil, err
	}
	for _, row := range ordered(all) {
		flat = append(flat, &Component{ID: row.ID, ParentID: row.Text(codes.ParentID), Title: row.Text(codes.ComponentName), Value: row.ID, Key: row.ID, Code: row.Text(codes.Code), Level: len(row.Path) + 1,
			GUID: row.Text(codes.GUID), IFCClass: row.Text(codes.IfcClass), ModelID: row.Text(codes.ModelID), Box: boxOf(row.Text(codes.Bbox))})
	}
	for i, n := range flat {
		n.Leaf = i+1 >= len(flat) || flat[i+1].Level <= n.Level
	}
	return flat, nil
}

// bound tells components whether they are bound, and to which node as far as the caller sees it.
func bound(ctx context.Context, w world.World, flat []*Component) error {
	byID := make(map[string]*Component, len(flat))
	for _, n := range flat {
		byID[n.ID] = n
	}
	own, err := w.As(engine)
	if err != nil {
		return err
	}
	for row, err := range own.Rows(ctx, "quality.boundComponents", nil) {
		if err != nil {
			return err
		}
		if n := byID[row.Text(codes.MbsID)]; n != nil {
			n.BoundFlag = true
		}
	}
	for row, err := range w.Rows(ctx, "quality.boundStates", nil) {
		if err != nil {
			return err
		}
		if n := byID[row.Text(codes.MbsID)]; n != nil && row.Text(codes.QbsID) != "" {
			n.QbsID, n.EvalStatus, n.WorkStatus = row.Text(codes.QbsID), row.Text(codes.QbsIDEvalStatus), row.Text(codes.QbsIDWorkStatus)
		}
	}
	return nil
}

func componentTree(ctx context.Context, c action.Call, in struct{ ProjectKey, ModelID, ParentID string }) ([]*Component, error) {
	flat, err := components(ctx, c, in.ProjectKey, in.ModelID, in.ParentID)
	if err != nil {
		return nil, err
	}
	if err := bound(ctx, c, flat); err != nil {
		return nil, err
	}
	roots := nested(flat, 0)
	if in.ParentID != "" && len(roots) == 1 { // of a parent its children are asked for
		return append([]*Component{}, roots[0].Children...), nil
	}
	return roots, nil
}

// BoundComponent is a component of a node.
type BoundComponent struct {
	ID        string  `json:"id"` // of the component
	BindID    string  `json:"bindId"`
	Code      string  `json:"code"`
	GUID      string  `json:"guid"`
	Name      string  `json:"name"`
	IFCClass  string  `json:"ifcClass"`
	Volume    *string `json:"volume"`
	QbsID     string  `json:"qbsId"`
	QbsName   string  `json:"qbsName"`
	QbsCode   string  `json:"qbsCode"`
	Ratio     *string `json:"ratio"`
	Measured  bool    `json:"measured"`
	BoundBy   string  `json:"boundBy"`
	BoundTime *string `json:"boundTime"`
}

func componentList(ctx context.Context, c action.Call, in struct {
	QbsID           string
	IncludeChildren bool
}) ([]BoundComponent, error) {
	query, args := "quality.boundIn", world.Args{"id": in.QbsID}
	inside := map[string]bool{in.QbsID: true}
	if in.IncludeChildren {
		below, err := rows(ctx, c, "quality.subtree", world.Args{"root": in.QbsID})
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return []BoundComponent{}, nil
		}
		for _, n := range below {
			inside[n.ID] = true
		}
		query, args = "quality.boundInProject", world.Args{"id": below[0].Text(codes.ProjectID)}
	}
	out := []BoundComponent{}
	for row, err := range c.Rows(ctx, query, args) {
		if err != nil {
			return nil, err
		}
		if inside[row.Text(codes.QbsID)] {
			out = append(out, BoundComponent{ID: row.Text(codes.MbsID), BindID: row.ID, Code: row.Text(codes.MbsIDCode), GUID: row.Text(codes.MbsIDGUID), Name: row.Text(codes.MbsIDComponentName),
				IFCClass: row.Text(codes.MbsIDIfcClass), Volume: share(row.Values[codes.MbsIDVolume]), QbsID: row.Text(codes.QbsID), QbsName: row.Text(codes.QbsIDName), QbsCode: row.Text(codes.QbsIDCode),
				Ratio: share(row.Values[codes.Ratio]), Measured: whole(row.Values[codes.Measures]) > 0, BoundBy: row.Text(codes.BoundByName), BoundTime: maybe(text(row.Values[codes.BoundTime]))})
		}
	}
	return out, nil
}

// plainNumber is a number as a decimal text; null when it is empty.
func plainNumber(v any) any {
	if d := number(v); d != nil {
		return d.String()
	}
	return nil
}

// Match is a component that a rule found no node for.
type Match struct {
	ID     string `json:"id"`
	Code   string `json:"code"`
	Name   string `json:"name"`
	Reason string `json:"reason"` // NOEXIT: no node, REPEAT: several nodes
}

// Pair is a component with the node that a run would bind it to. A dry run tells the first mostPairs.
type Pair struct {
	ID      string `json:"id"`
	Code    string `json:"code"`
	Name    string `json:"name"`
	QbsCode string `json:"qbsCode"`
	QbsName string `json:"qbsName"`
}

const mostPairs = 200

type importComponentsInput struct {
	ProjectKey, ModelID, Rule, QbsRootID, Undo string
	DryRun                                     bool
}

// importComponents binds the components of a model to nodes by a rule. A dry run counts only; undo takes the last bulk binding of the caller back.
func importComponents(ctx context.Context, c action.Call, in importComponentsInput) (map[string]any, error) {
	if in.Undo != "" {
		return undoBinding(ctx, c, in.Undo)
	}
	if in.Rule == "" {
		return nil, fault.New(fault.EmptyParameter, "rule")
	}
	flat, err := components(ctx, c, in.ProjectKey, in.ModelID, "")
	if err != nil {
		return nil, err
	}
	key := in.ProjectKey
	if in.ModelID != "" && key == "" && in.QbsRootID == "" {
		m, err := c.Get(ctx, codes.Model, in.ModelID)
		if err != nil {
			return nil, err
		}
		p, err := c.Get(ctx, project, text(m.Values[codes.ProjectID]))
		if err != nil {
			return nil, err
		}
		key = text(p.Values[codes.ProjectKey])
	}
	nodes, err := forest(ctx, c, key, in.QbsRootID, false)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for row, err := range c.Rows(ctx, "quality.boundStates", nil) {
		if err != nil {
			return nil, err
		}
		taken[row.Text(codes.MbsID)] = true
	}
	find, at := finder(in.Rule, nodes), map[string]*TreeNode{}
	for _, n := range nodes {
		at[n.ID] = n
	}
	unmatched, list, pairs := []Match{}, []map[string]any{}, []Pair{}
	batch, already := rand.Text(), 0
	for _, one := range flat {
		if !one.Leaf {
			continue
		}
		to, reason := find(one)
		switch {
		case to == "":
			unmatched = append(unmatched, Match{one.ID, one.Code, one.Title, reason})
		case taken[one.ID]:
			already++
		default:
			list = append(list, map[string]any{codes.QbsID: to, codes.MbsID: one.ID, codes.Batch: batch})
			if in.DryRun && len(pairs) < mostPairs {
				pairs = append(pairs, Pair{one.ID, one.Code, one.Title, at[to].Code, at[to].Title})
			}
		}
	}
	out := map[string]any{"matched": len(list) + already, "unmatched": unmatched, "bound": 0, "skipped": already, "dryRun": in.DryRun, "batch": nil, "pairs": pairs}
	if in.DryRun || len(list) == 0 {
		if in.DryRun {
			out["bound"] = len(list)
		}
		return out, nil
	}
	if _, err := c.CreateAll(ctx, relation, list); err != nil {
		return nil, err
	}
	out["bound"], out["batch"] = len(list), batch
	return out, nil
}

// finder finds the node of a component. By code: the node whose code it has, or the longest one that its code begins with; by name: the only node of
// its name. Components belong to items and lots.
func finder(by string, nodes []*TreeNode) func(*Component) (id, reason string) {
	at := map[string][]string{}
	for _, n := range nodes {
		if n.NodeType != codes.OptionItem && n.NodeType != codes.OptionLot {
			continue
		}
		key := n.Code
		if by == "byName" {
			key = n.Title
		}
		key = strings.ToUpper(strings.TrimSpace(key))
		at[key] = append(at[key], n.ID)
	}
	only := func(key string) (string, string) {
		switch found := at[strings.ToUpper(strings.TrimSpace(key))]; len(found) {
		case 0:
			return "", noExit
		case 1:
			return found[0], ""
		}
		return "", repeat
	}
	if by == "byName" {
		return func(c *Component) (string, string) { return only(c.Title) }
	}
	return func(c *Component) (string, string) {
		for key := c.Code; key != ""; {
			if id, reason := only(key); reason != noExit {
				return id, reason
			}
			key = aboveCode(key)
		}
		return "", noExit
	}
}

// undoBinding takes a bulk binding back: a named one, or with "last" the latest of the caller. Components that were measured since refuse it.
func undoBinding(ctx context.Context, c action.Call, batch string) (map[string]any, error) {
	if batch == "last" {
		last, ok, err := first(c.Rows(ctx, "quality.batches", world.Args{"id": c.Principal().UserID}))
		if err != nil || !ok {
			return map[string]any{"undone": 0}, err
		}
		batch = last.Text(codes.Batch)
	}
	there, err := rows(ctx, c, "quality.boundInBatch", world.Args{"batch": batch})
	if err != nil {
		return nil, err
	}
	if len(there) == 0 {
		return nil, fault.New(fault.BadParameter, "undo")
	}
	for _, r := range there {
		if err := c.Delete(ctx, relation, r.ID); err != nil {
			return nil, err
		}
	}
	return map[string]any{"undone": len(there), "batch": batch}, nil
}

// leafComponents are the components below one that have no parts.
func leafComponents(ctx context.Context, c action.Call, in struct{ ProjectKey, ParentCode string }) ([]map[string]any, error) {
	flat, err := components(ctx, c, in.ProjectKey, "", "")
	if err != nil {
		return nil, err
	}
	out := []map[string]any{}
	level := 0 // of the parent that is being read; 0 = none
	for _, n := range flat {
		if level > 0 && n.Level <= level {
			level = 0
		}
		if level == 0 && (in.ParentCode == "" || n.Code == in.ParentCode) {
			level = n.Level
		}
		if level > 0 && n.Leaf && n.Code != in.ParentCode {
			out = append(out, map[string]any{"id": n.ID, "code": n.Code, "guid": n.GUID, "name": n.Title})
		}
	}
	return out, nil
}
