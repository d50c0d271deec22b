package quality

import (
	"context"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// LibraryNode is a part of the library: a kind of work item, a template, group or process, a sheet or a check item.
type LibraryNode struct {
	ID           string         `json:"id"`
	ParentID     string         `json:"parentId"`
	Title        string         `json:"title"`
	Value        string         `json:"value"`
	Key          string         `json:"key"`
	Code         string         `json:"code"`
	Level        int            `json:"level"`
	Leaf         bool           `json:"leaf"`
	Kind         string         `json:"kind"` // TYPE, TEMPLATE, GROUP, PROCESS, SHEET, ITEM
	QbsType      string         `json:"qbsType,omitempty"`
	Professional string         `json:"professional,omitempty"`
	Required     bool           `json:"required"`
	Revision     int64          `json:"revision,omitempty"`
	PrevIDs      []string       `json:"prevIds,omitempty"`
	BizKind      string         `json:"bizKind,omitempty"`
	ItemClass    string         `json:"itemClass,omitempty"`
	EvalMethod   string         `json:"evalMethod,omitempty"`
	Children     []*LibraryNode `json:"children"`
}

func (n *LibraryNode) add(one *LibraryNode) {
	one.ParentID, one.Level, n.Leaf = n.ID, n.Level+1, false
	n.Children = append(n.Children, one)
}

func baseTree(ctx context.Context, c action.Call, in struct{ Professional string }) ([]*LibraryNode, error) {
	out, _, err := libraryTree(ctx, c, in.Professional)
	return out, err
}

// libraryTree is the library by kinds of work items.
func libraryTree(ctx context.Context, w world.World, professional string) (roots []*LibraryNode, byID map[string]*LibraryNode, err error) {
	roots, byID = []*LibraryNode{}, map[string]*LibraryNode{}
	types := map[string]*LibraryNode{}
	for row, err := range w.Rows(ctx, "quality.library", nil) {
		if err != nil {
			return nil, nil, err
		}
		one := &LibraryNode{ID: row.ID, Title: row.Text(codes.Title), Value: row.ID, Key: row.ID, Code: row.Text(codes.Code), Leaf: true, Kind: row.Text(codes.Kind), QbsType: row.Text(codes.QbsType),
			Professional: row.Text(codes.Professional), Required: row.Is(codes.Required), Revision: whole(row.Values[codes.Revision]), PrevIDs: row.Set(codes.PrevIDs), Children: []*LibraryNode{}}
		if parent := byID[row.Text(codes.ParentID)]; parent != nil {
			parent.add(one)
			byID[one.ID] = one
			continue
		}
		if len(row.Path) > 0 || professional != "" && one.Professional != professional {
			continue // of another discipline, with what is below it
		}
		of := types[one.QbsType]
		if of == nil {
			title := one.QbsType
			if title == "" {
				title = say(w, "未分类", "Not classified")
			}
			of = &LibraryNode{ID: "type:" + one.QbsType, Title: title, Value: "type:" + one.QbsType, Key: "type:" + one.QbsType, Level: 1, Kind: "TYPE", QbsType: one.QbsType, Children: []*LibraryNode{}}
			types[one.QbsType] = of
			roots = append(roots, of)
		}
		of.add(one)
		byID[one.ID] = one
	}
	return roots, byID, nil
}

// systemTree is the library with the sheets of its processes and the check items.
func systemTree(ctx context.Context, c action.Call, in struct{ Professional string }) ([]*LibraryNode, error) {
	roots, byID, err := libraryTree(ctx, c, in.Professional)
	if err != nil {
		return nil, err
	}
	for row, err := range c.Rows(ctx, "quality.librarySheets", nil) {
		if err != nil {
			return nil, err
		}
		if p := byID[row.Text(codes.JbsBaseID)]; p != nil {
			p.add(&LibraryNode{ID: row.ID, Title: row.Text(codes.SheetTitle), Value: row.ID, Key: row.ID, Code: row.Text(codes.SchemaCode), Leaf: true, Kind: "SHEET", Required: row.Is(codes.Required),
				BizKind: row.Text(codes.BizKind), Children: []*LibraryNode{}})
		}
	}
	byType := map[string]*LibraryNode{}
	for _, n := range roots {
		byType[n.QbsType] = n
	}
	for row, err := range c.Rows(ctx, "quality.checkItems", nil) {
		if err != nil {
			return nil, err
		}
		p := byID[row.Text(codes.JbsBaseID)]
		if p == nil && row.Empty(codes.JbsBaseID) && !row.Empty(codes.QbsType) {
			p = byType[row.Text(codes.QbsType)]
		}
		if p != nil {
			p.add(&LibraryNode{ID: row.ID, Title: row.Text(codes.ItemName), Value: row.ID, Key: row.ID, Code: row.Text(codes.Code), Leaf: true, Kind: "ITEM", ItemClass: row.Text(codes.ItemClass),
				EvalMethod: row.Text(codes.EvalMethod), Children: []*LibraryNode{}})
		}
	}
	return roots, nil
}
