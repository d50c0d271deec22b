package quality

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// fields is an input that holds properties of a record beside the call's own: {"id": …, "version": …, "required": true}.
type fields map[string]any

// UnmarshalJSON keeps numbers as they are written.
func (f *fields) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out map[string]any
	err := d.Decode(&out)
	*f = out
	return err
}

func (f fields) text(name string) string { return text(f[name]) }

// values are the properties of the record: those in "values", and everything else that is not the call's.
func (f fields) values(own ...string) map[string]any {
	out := map[string]any{}
	inner, _ := f["values"].(map[string]any)
	for _, of := range []map[string]any{f, inner} {
		for code, v := range of {
			if !slices.Contains(own, code) && !slices.Contains([]string{"appCode", "projectKey", "clientToken", "values", "id", "version"}, code) {
				out[code] = v
			}
		}
	}
	return out
}

// write changes a record by the version of the input, or as it is now.
func (f fields) write(ctx context.Context, w world.World, model string, values map[string]any) (out Written, err error) {
	id, version := f.text("id"), int64(0)
	if given := f["version"]; given != nil {
		if v := number(given); v == nil || !v.Equal(decimal.NewFromInt(whole(given))) {
			return out, fault.New(fault.BadParameter, "version")
		}
		version = whole(given)
	} else {
		now, err := w.Get(ctx, model, id)
		if err != nil {
			return out, err
		}
		version = now.Version
	}
	out.Version, err = w.Update(ctx, model, id, version, values)
	return out, err
}

func editSheet(ctx context.Context, c action.Call, in fields) (Written, error) {
	values := in.values("title")
	if t, named := in["title"]; named {
		values[codes.SheetTitle] = t
	}
	return in.write(ctx, c, binding, values)
}

func editProcess(ctx context.Context, c action.Call, in fields) (Written, error) {
	values := in.values("name")
	if name, named := in["name"]; named {
		values[codes.Title] = name
	}
	return in.write(ctx, c, process, values)
}

// Instance is a record of a business sheet.
type Instance struct {
	BizObjectID        string  `json:"bizObjectId"`
	WorkflowInstanceID string  `json:"workflowInstanceId,omitempty"`
	Status             string  `json:"status"`
	Creator            string  `json:"creator"`
	Time               *string `json:"time"`
}

// SheetInstances is a binding with the records that were filled in for it.
type SheetInstances struct {
	Sheet
	Records []Instance `json:"records"`
}

// mostInstances is how many records of one sheet a call tells of.
const mostInstances = 200

func processSheets(ctx context.Context, c action.Call, in struct{ JbsID string }) ([]SheetInstances, error) {
	if _, err := c.Get(ctx, process, in.JbsID); err != nil {
		return nil, err
	}
	out := []SheetInstances{}
	bound, err := rows(ctx, c, "quality.bindingsOfProcess", world.Args{"id": in.JbsID})
	if err != nil {
		return nil, err
	}
	for _, b := range bound {
		if !b.Is(codes.Active) {
			continue
		}
		one := SheetInstances{sheetOf(b), []Instance{}}
		ids, err := c.Find(ctx, b.Text(codes.SchemaCode), map[string]any{codes.BizID: b.ID}, mostInstances)
		if isFault(err, fault.ModelNotFound) || isFault(err, fault.Forbidden) { // of models that the caller may not see
			out = append(out, one)
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			r, err := c.Get(ctx, b.Text(codes.SchemaCode), id)
			if err != nil {
				return nil, err
			}
			state := text(r.Values["sequenceStatus"])
			if state == "" {
				state = one.Status
			}
			creator, _ := r.Values["creator"].(map[string]any)
			name, _ := creator["name"].(string)
			one.Records = append(one.Records, Instance{BizObjectID: id, WorkflowInstanceID: text(r.Values["workflowInstanceId"]), Status: state, Creator: name, Time: maybe(text(r.Values["createdTime"]))})
		}
		out = append(out, one)
	}
	return out, nil
}

// usableSheets are the models that records can be begun of: of a process, or by the library for a kind of work item.
func usableSheets(ctx context.Context, c action.Call, in struct{ JbsID, QbsType string }) ([]Usable, error) {
	var list []world.Row
	switch {
	case in.JbsID != "":
		bound, err := rows(ctx, c, "quality.bindingsOfProcess", world.Args{"id": in.JbsID})
		if err != nil {
			return nil, err
		}
		list = bound
	case in.QbsType != "":
		library, err := rows(ctx, c, "quality.library", nil)
		if err != nil {
			return nil, err
		}
		of := map[string]bool{}
		for _, r := range library { // depth first: what has no kind of its own has that of what is above it
			if t := r.Text(codes.QbsType); t == in.QbsType || t == "" && of[r.Text(codes.ParentID)] {
				of[r.ID] = true
			}
		}
		if len(of) == 0 {
			return nil, fault.New(fault.BadParameter, "qbsType")
		}
		sheets, err := rows(ctx, c, "quality.librarySheets", nil)
		if err != nil {
			return nil, err
		}
		for _, s := range sheets {
			if of[s.Text(codes.JbsBaseID)] {
				list = append(list, s)
			}
		}
	default:
		return nil, fault.New(fault.EmptyParameter, "jbsId")
	}
	out, seen := []Usable{}, map[string]bool{}
	for _, s := range list {
		code := s.Text(codes.SchemaCode)
		if seen[code] || c.Allowed(ctx, "add", code, "") != nil {
			continue
		}
		seen[code] = true
		one := Usable{SchemaCode: code, Title: s.Text(codes.SheetTitle), SheetCode: s.Text(codes.SheetCode), WorkflowCode: s.Text(codes.WorkflowCode)}
		if in.JbsID != "" {
			one.BizID = s.ID
		}
		out = append(out, one)
	}
	return out, nil
}

// deleteProcesses deletes processes that have not begun, with their sheets.
func deleteProcesses(ctx context.Context, c action.Call, in struct{ IDs []string }) (out Deleted, err error) {
	for _, id := range unique(in.IDs) {
		if err := deleteProcess(ctx, c, id); err != nil {
			return out, err
		}
		out.Deleted++
	}
	return out, nil
}

func deleteProcess(ctx context.Context, c action.Call, id string) error {
	p, err := c.Get(ctx, process, id)
	if err != nil {
		return err
	}
	if begun(text(p.Values[codes.Status])) {
		return fault.New(ProcessStarted, text(p.Values[codes.Title]))
	}
	bound, err := rows(ctx, c, "quality.bindingsOfProcess", world.Args{"id": id})
	if err != nil {
		return err
	}
	for _, b := range bound {
		if whole(b.Values[codes.Instances]) > 0 {
			return fault.New(ProcessStarted, text(p.Values[codes.Title]))
		}
		if err := c.Delete(ctx, binding, b.ID); err != nil {
			return err
		}
	}
	return c.Delete(ctx, process, id)
}

func begun(status string) bool { return status == codes.OptionDoing || status == codes.OptionDone }

// replaceProcesses makes the processes of a node those of a list. Processes that have records stay, in the list or not.
func replaceProcesses(ctx context.Context, c action.Call, in struct {
	QbsID string
	Nodes []fields
}) (out Replaced, err error) {
	if err := c.Allowed(ctx, "edit", node, in.QbsID); err != nil {
		return out, err
	}
	there, err := rows(ctx, c, "quality.processes", world.Args{"id": in.QbsID})
	if err != nil {
		return out, err
	}
	at := map[string]string{} // by id and code
	for _, p := range there {
		at[p.ID], at[p.Text(codes.Code)] = p.ID, p.ID
	}
	named := map[string]bool{}
	ids := make([]string, len(in.Nodes))
	for i, one := range in.Nodes {
		if ids[i] = at[one.text("id")]; ids[i] == "" && one.text("id") != "" {
			return out, fault.New(fault.RecordNotFound)
		}
		if ids[i] == "" {
			ids[i] = at[one.text("code")]
		}
		named[ids[i]] = true
	}
	for _, p := range there {
		if named[p.ID] {
			continue
		}
		bound, err := rows(ctx, c, "quality.bindingsOfProcess", world.Args{"id": p.ID})
		if err != nil {
			return out, err
		}
		if begun(p.Text(codes.Status)) || slices.ContainsFunc(bound, func(b world.Row) bool { return whole(b.Values[codes.Instances]) > 0 }) {
			out.Kept++
			continue
		}
		if err := deleteProcess(ctx, c, p.ID); err != nil {
			return out, err
		}
		out.Deleted++
	}
	for i, one := range in.Nodes {
		values := one.values("name", "prevIds", "qbsId")
		if name, ok := one["name"]; ok {
			values[codes.Title] = name
		}
		if _, sorted := values[codes.SortKey]; !sorted {
			values[codes.SortKey] = itoa(int64(i))
		}
		if ids[i] != "" {
			if err := update(ctx, c, process, ids[i], values); err != nil {
				return out, err
			}
			out.Updated++
			continue
		}
		values[codes.QbsID] = in.QbsID
		if ids[i], err = c.Create(ctx, process, values); err != nil {
			return out, err
		}
		at[ids[i]], at[text(values[codes.Code])] = ids[i], ids[i]
		out.Created++
	}
	for i, one := range in.Nodes { // when all are there
		before, ok := one["prevIds"].([]any)
		if !ok {
			continue
		}
		list := []string{}
		for _, v := range before {
			id := at[text(v)]
			if id == "" {
				return out, fault.New(fault.BadParameter, "prevIds")
			}
			list = append(list, id)
		}
		if err := update(ctx, c, process, ids[i], map[string]any{codes.PrevIDs: list}); err != nil {
			return out, err
		}
	}
	return out, nil
}

// deleteNodes deletes nodes with what is below them. Of each that can't go it says why, and leaves it with all below it.
func deleteNodes(ctx context.Context, c action.Call, in struct{ IDs []string }) (out Removal, err error) {
	out.Refused = []Refusal{}
	gone := map[string]bool{}
	for _, id := range in.IDs {
		if gone[id] {
			continue
		}
		below, err := rows(ctx, c, "quality.subtree", world.Args{"root": id})
		if err != nil {
			return out, err
		}
		list, name, reasons, held := []string{}, map[string]string{}, []string{}, map[string]bool{}
		for _, n := range slices.Backward(below) {
			list = append(list, n.ID)
			name[n.ID] = n.Text(codes.Code) + " " + n.Text(codes.Name)
			if m := whole(n.Values[codes.Measures]) + whole(n.Values[codes.FinalMeasures]); m > 0 {
				held[n.ID], reasons = true, append(reasons, name[n.ID]+"："+say(c, itoa(m)+" 份计量", itoa(m)+" measures"))
			}
		}
		if len(list) == 0 {
			out.Refused = append(out.Refused, Refusal{id, []string{say(c, "数据不存在", "does not exist")}})
			continue
		}
		stays, err := c.Stays(ctx, node, list)
		if err != nil {
			return out, err
		}
		for _, n := range list {
			if why := stays[n]; why != "" {
				held[n], reasons = true, append(reasons, name[n]+"："+why)
			}
		}
		if len(held) > manyHeld {
			reasons = slices.Insert(reasons, 0, inUse(c, below, held))
		}
		if len(reasons) > 0 {
			out.Refused = append(out.Refused, Refusal{id, reasons})
			continue
		}
		for _, n := range list {
			if err := c.Delete(ctx, node, n); err != nil {
				return out, err
			}
			gone[n] = true
			out.Deleted++
		}
	}
	return out, nil
}

// manyHeld is the number of nodes in use above which their sum comes before the reasons of each.
const manyHeld = 3

// inUse sums up what the nodes have that can't go, as far as the caller reads it.
func inUse(w world.World, below []world.Row, held map[string]bool) string {
	var records, sheets, actions int64
	for _, n := range below {
		if held[n.ID] {
			records += whole(n.Values[codes.Records])
			sheets += whole(n.Values[codes.OwnSheetDone])
			actions += whole(n.Values[codes.OwnNcrOpen])
		}
	}
	return say(w, fmt.Sprintf("%d 个节点在用：检查记录 %d 份，已完成表单 %d 份，未关闭整改单 %d 份", len(held), records, sheets, actions),
		fmt.Sprintf("%d nodes are in use: %d inspection records, %d completed sheets, %d open corrective actions", len(held), records, sheets, actions))
}

// say is a text in the caller's language.
func say(w world.World, zh, en string) string {
	if strings.HasPrefix(w.Principal().Locale, "en") {
		return en
	}
	return zh
}
