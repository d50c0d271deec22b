package quality

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// TreeNode is a node in the trees of the pack.
type TreeNode struct {
	ID       string      `json:"id"`
	ParentID string      `json:"parentId"`
	Title    string      `json:"title"`
	Value    string      `json:"value"`
	Key      string      `json:"key"`
	Code     string      `json:"code"`
	Level    int         `json:"level"` // 1 at the top
	Leaf     bool        `json:"leaf"`
	NodeType string      `json:"nodeType,omitempty"`
	Status   *NodeStatus `json:"status,omitempty"` // missing where the caller does not see it: what is hidden is not 0
	Children []*TreeNode `json:"children,omitempty"`
}

// NodeStatus is what a tree shows of a node besides its name.
type NodeStatus struct {
	Eval        string  `json:"evalStatus"`
	Work        string  `json:"workStatus"`
	PassRate    *string `json:"passRate"` // a share as a decimal text; null without points
	Points      int64   `json:"points"`
	OKPoints    int64   `json:"okPoints"`
	DocComplete bool    `json:"docComplete"`
	NCROpen     int64   `json:"ncrOpen"`
	Missing     *int64  `json:"missing"`        // how many things that are due it lacks, as it was evaluated; null where nobody compared
	Rule        string  `json:"rule,omitempty"` // the revision that it was evaluated by: JTS257_2008@1
	Sheets      Done    `json:"bizCount"`
	Items       struct {
		Main    Passed `json:"main"`
		General Passed `json:"general"`
	} `json:"items"`
	Components int64 `json:"mbsCount"`
}

// Done counts what is done of a total, Passed what passed of n.
type (
	Done struct {
		Total int64 `json:"total"`
		Done  int64 `json:"done"`
	}
	Passed struct {
		N  int64 `json:"n"`
		OK int64 `json:"ok"`
	}
)

func treeNode(r world.Row, status bool) *TreeNode {
	out := &TreeNode{ID: r.ID, ParentID: r.Text(codes.ParentID), Title: r.Text(codes.Name), Value: r.ID, Key: r.ID, Code: r.Text(codes.Code), Level: len(r.Path) + 1, Leaf: true, NodeType: r.Text(codes.NodeType)}
	if !status || r.Text(codes.EvalStatus) == "" {
		return out
	}
	v := func(code string) int64 { return whole(r.Values[code]) }
	s := &NodeStatus{Eval: r.Text(codes.EvalStatus), Work: r.Text(codes.WorkStatus), Points: v(codes.Points), OKPoints: v(codes.OkPoints), DocComplete: r.Is(codes.DocComplete), NCROpen: v(codes.NcrOpen),
		Sheets: Done{v(codes.SheetTotal), v(codes.SheetDone)}}
	s.PassRate = share(r.Values[codes.PassRate])
	if r.Values[codes.Missing] != nil {
		missing := v(codes.Missing)
		s.Missing = &missing
	}
	if code := r.Text(codes.RuleCode); code != "" {
		s.Rule = code + "@" + itoa(v(codes.RuleRevision))
	}
	s.Items.Main, s.Items.General = Passed{v(codes.MainItems), v(codes.MainOk)}, Passed{v(codes.GeneralItems), v(codes.GeneralOk)}
	out.Status = s
	return out
}

// forest reads the nodes of a project, or those below a root, in the order of a tree, with the caller's rights.
func forest(ctx context.Context, w world.World, key, root string, status bool) (flat []*TreeNode, err error) {
	query, args := "quality.named", world.Args{"root": root}
	if status {
		query = "quality.shown"
	}
	if root != "" {
		if flat, few, err := branch(ctx, w, key, root, status, downTo{}); few || err != nil {
			return flat, err
		}
		query += "Below"
	} else {
		id, err := projectOf(ctx, w, key)
		if err != nil {
			return nil, err
		}
		args = world.Args{"project": id}
	}
	all, err := rows(ctx, w, query, args)
	if err != nil {
		return nil, err
	}
	for _, row := range ordered(all) {
		flat = append(flat, treeNode(row, status))
	}
	for i, n := range flat {
		n.Leaf = i+1 >= len(flat) || flat[i+1].Level <= n.Level
	}
	return flat, nil
}

func (n *TreeNode) level() int        { return n.Level }
func (n *TreeNode) adopt(c *TreeNode) { n.Children = append(n.Children, c) }

// nested hangs a flat tree, which is in the order of a tree, together; nodes deeper than depth (0 = none) are left out.
func nested[T interface {
	level() int
	adopt(T)
}](flat []T, depth int) []T {
	roots, above := []T{}, []T(nil)
	for _, n := range flat {
		above = above[:min(len(above), n.level()-1)]
		switch {
		case depth != 0 && n.level() > depth:
		case len(above) == 0:
			roots = append(roots, n)
		default:
			above[len(above)-1].adopt(n)
		}
		above = append(above, n)
	}
	return roots
}

// fewNodes is how many nodes are read level by level; of more the whole tree is read at once. manyAbove are asked for together.
const (
	fewNodes  = 4_000
	manyAbove = 400
)

// downTo bounds what is read of a tree: so many levels (0 = all), and nothing below nodes of a type ("" = all).
type downTo struct {
	depth    int
	nodeType string
}

// branch reads a node and what is below it, or with root "" the roots of a project, in the order of a tree. few = false: there are many, and
// they are better read at once.
func branch(ctx context.Context, w world.World, key, root string, status bool, to downTo) (flat []*TreeNode, few bool, err error) {
	query, args, columns := "quality.roots", world.Args{"id": root}, "quality.named"
	if status {
		columns = "quality.shown"
	}
	if root != "" {
		query = columns + "One"
	} else if args["id"], err = projectOf(ctx, w, key); err != nil {
		return nil, false, err
	}
	tops, err := rows(ctx, w, query, args)
	if err != nil {
		return nil, false, err
	}
	below, above, read := map[string][]world.Row{"": tops}, []string{}, 0
	for _, row := range tops {
		above = append(above, row.ID)
	}
	last := len(levelOrder)
	if to.nodeType != "" {
		last = slices.Index(levelOrder, to.nodeType)
	}
	for level := 1; len(above) > 0 && (to.depth == 0 || level <= to.depth); level++ { // one more than is given: a leaf has none
		next := []string{}
		for chunk := range slices.Chunk(above, manyAbove) {
			for row, err := range w.Rows(ctx, columns+"In", world.Args{"ids": chunk}) {
				if err != nil {
					return nil, false, err
				}
				below[row.Text(codes.ParentID)] = append(below[row.Text(codes.ParentID)], row)
				if at := slices.Index(levelOrder, row.Text(codes.NodeType)); at <= last && at < len(levelOrder)-1 { // nothing is below a lot
					next = append(next, row.ID)
				}
				if read++; read > fewNodes {
					return nil, false, nil
				}
			}
		}
		above = next
	}
	var give func(parent string, level int)
	give = func(parent string, level int) {
		if to.depth > 0 && level > to.depth {
			return
		}
		for _, row := range ordered(below[parent]) {
			n := treeNode(row, status)
			n.Level, n.Leaf = level, len(below[n.ID]) == 0
			flat = append(flat, n)
			give(n.ID, level+1)
		}
	}
	give("", 1)
	return flat, true, nil
}

type treeInput struct {
	ProjectKey, ParentID, Keyword, NodeType, MaxNodeType, RootID, QbsID string
	WithStatus                                                          bool
	Depth                                                               int
}

func treeList(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	out := []*TreeNode{}
	if in.Keyword == "" && in.NodeType == "" {
		query, counts, args := "quality.children", "quality.childCounts", world.Args{"id": in.ParentID}
		if in.ParentID == "" {
			id, err := projectOf(ctx, c, in.ProjectKey)
			if err != nil {
				return nil, err
			}
			query, counts, args = "quality.roots", "quality.rootCounts", world.Args{"id": id}
		}
		parts := map[string]bool{}
		for row, err := range c.Rows(ctx, counts, args) {
			if err != nil {
				return nil, err
			}
			parts[row.Text(codes.ParentID)] = true
		}
		found, err := rows(ctx, c, query, args)
		if err != nil {
			return nil, err
		}
		for _, row := range ordered(found) {
			n := treeNode(row, in.WithStatus)
			n.Leaf = !parts[row.ID]
			out = append(out, n)
		}
		return out, nil
	}
	var flat []*TreeNode
	var few bool
	var err error
	if in.NodeType != "" && slices.Contains(levelOrder, in.NodeType) {
		flat, few, err = branch(ctx, c, in.ProjectKey, in.ParentID, in.WithStatus, downTo{nodeType: in.NodeType})
	}
	if !few && err == nil {
		flat, err = forest(ctx, c, in.ProjectKey, in.ParentID, in.WithStatus)
	}
	for _, n := range flat {
		if (in.NodeType == "" || n.NodeType == in.NodeType) && (in.Keyword == "" || strings.Contains(strings.ToLower(n.Code+" "+n.Title), strings.ToLower(in.Keyword))) {
			out = append(out, n)
		}
	}
	return out, err
}

func simplifiedTree(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	flat, err := forest(ctx, c, in.ProjectKey, "", false)
	if err != nil {
		return nil, err
	}
	order := levelOrder
	at := func(nodeType string) int {
		for i, one := range order {
			if one == nodeType {
				return i
			}
		}
		return len(order)
	}
	kept := []*TreeNode{}
	for _, n := range flat {
		if in.MaxNodeType == "" || at(n.NodeType) <= at(in.MaxNodeType) {
			kept = append(kept, n)
		}
	}
	return nested(kept, 0), nil
}

func completeTree(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	flat, err := forest(ctx, c, in.ProjectKey, in.RootID, true)
	if err != nil {
		return nil, err
	}
	byID := map[string]*TreeNode{}
	for _, n := range flat {
		byID[n.ID] = n
	}
	for row, err := range c.Rows(ctx, "quality.componentCounts", nil) {
		if err != nil {
			return nil, err
		}
		if n := byID[row.Text(codes.QbsID)]; n != nil && n.Status != nil {
			n.Status.Components = whole(row.Values["rows"])
		}
	}
	return nested(flat, 0), nil
}

func evaluationTree(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	if in.RootID != "" && in.Depth > 0 {
		if flat, few, err := branch(ctx, c, in.ProjectKey, in.RootID, true, downTo{depth: in.Depth}); few || err != nil {
			return nested(flat, 0), err
		}
	}
	flat, err := forest(ctx, c, in.ProjectKey, in.RootID, true)
	return nested(flat, in.Depth), err
}
