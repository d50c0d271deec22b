package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// componentInfo is what a click on a component in a model shows.
func componentInfo(ctx context.Context, c action.Call, in struct{ ProjectKey, GUID, MbsID string }) (map[string]any, error) {
	if in.MbsID == "" {
		if in.GUID == "" {
			return nil, fault.New(fault.EmptyParameter, "guid")
		}
		of := map[string]any{codes.GUID: in.GUID}
		if in.ProjectKey != "" {
			id, err := projectOf(ctx, c, in.ProjectKey)
			if err != nil {
				return nil, err
			}
			of[codes.ProjectID] = id
		}
		found, err := c.Find(ctx, component, of, 2)
		switch {
		case err != nil:
			return nil, err
		case len(found) == 0:
			return nil, fault.New(fault.RecordNotFound)
		case len(found) > 1: // a model that was copied has its ids in several projects
			return nil, fault.New(fault.BadParameter, "projectKey")
		}
		in.MbsID = found[0]
	}
	one, err := c.Get(ctx, component, in.MbsID)
	if err != nil {
		return nil, err
	}
	v := one.Values
	out := map[string]any{"component": map[string]any{"id": one.ID, "code": v[codes.Code], "guid": v[codes.GUID], "name": v[codes.ComponentName], "ifcClass": v[codes.IfcClass], "tag": v[codes.Tag], "layer": v[codes.Layer],
		"storey": v[codes.Storey], "volume": v[codes.Volume], "area": v[codes.Area], "length": v[codes.Length], "modelId": orNil(text(v[codes.ModelID])), "version": one.Version},
		"qbs": nil, "shares": []any{}, "sheets": []Sheet{}, "processes": []Process{}, "records": []map[string]any{}, "measure": map[string]any{"limit": nil, "done": nil}}
	if out["sheets"], err = listSheets(ctx, c, sheetsInput{OwnerType: codes.OptionMbs, OwnerID: one.ID}); err != nil {
		return nil, err
	}
	there, err := rows(ctx, c, "quality.boundTo", world.Args{"id": one.ID})
	if err != nil {
		return nil, err
	}
	there = slices.DeleteFunc(there, func(r world.Row) bool { return r.Text(codes.QbsID) == "" })
	if len(there) == 0 {
		return out, nil
	}
	shares := []any{}
	for _, r := range there {
		shares = append(shares, map[string]any{"qbsId": r.Text(codes.QbsID), "name": r.Text(codes.QbsIDName), "code": r.Text(codes.QbsIDCode), "ratio": plainNumber(r.Values[codes.Ratio])})
	}
	out["shares"] = shares
	id := there[0].Text(codes.QbsID)
	n, ok, err := first(c.Rows(ctx, "quality.node", world.Args{"id": id}))
	if err != nil || !ok {
		return out, err
	}
	out["qbs"] = treeNode(n, true)
	out["measure"] = map[string]any{"limit": plainNumber(n.Values[codes.DesignQty]), "done": nil} // what is measured is another system's
	if out["processes"], err = processesOf(ctx, c, []string{id}); err != nil {
		return nil, err
	}
	out["records"], err = records(ctx, c, "quality.recordList", world.Args{"id": id})
	return out, err
}
