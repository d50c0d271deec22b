package quality

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// scope is a node and all below it; nil = no bound.
type scope map[string]bool

func scopeOf(ctx context.Context, w world.World, root string) (scope, error) {
	if root == "" {
		return nil, nil
	}
	below, err := rows(ctx, w, "quality.subtree", world.Args{"root": root})
	out := scope{}
	for _, n := range below {
		out[n.ID] = true
	}
	return out, err
}

func (s scope) has(id string) bool { return s == nil || s[id] }

// period is a range of dates as callers write them; "" is open.
type period struct{ from, to string }

func (p period) check() error {
	for name, v := range map[string]string{"from": p.from, "to": p.to} {
		if _, err := time.Parse(time.DateOnly, v); v != "" && err != nil {
			return fault.New(fault.BadParameter, name)
		}
	}
	return nil
}

func (p period) has(date string) bool {
	return (p.from == "" || date >= p.from) && (p.to == "" || date != "" && date <= p.to)
}

// records are the records of a query that has the columns of a list.
func records(ctx context.Context, w world.World, query string, args world.Args) ([]RecordLine, error) {
	out := []RecordLine{}
	for row, err := range w.Rows(ctx, query, args) {
		if err != nil {
			return nil, err
		}
		out = append(out, recordLine(row))
	}
	return out, nil
}

func recordList(ctx context.Context, c action.Call, in struct {
	ProjectKey, QbsID, GroupID, RecordKind, Status, From, To string
	Page, Size                                               int
}) (Page[RecordLine], error) {
	out := pageOf[RecordLine](in.Page, in.Size)
	dates := period{in.From, in.To}
	if err := dates.check(); err != nil {
		return out, err
	}
	id, err := projectOf(ctx, c, in.ProjectKey)
	if err != nil && in.QbsID == "" {
		return out, err
	}
	inside, err := scopeOf(ctx, c, in.QbsID)
	if err != nil {
		return out, err
	}
	if in.QbsID != "" {
		n, ok, err := first(c.Rows(ctx, "quality.node", world.Args{"id": in.QbsID}))
		if err != nil || !ok {
			return out, err
		}
		id = n.Text(codes.ProjectID)
	}
	for row, err := range c.Rows(ctx, "quality.recordListAll", world.Args{"id": id}) {
		if err != nil {
			return out, err
		}
		date, _ := row.Values[codes.CheckDate].(string)
		if !inside.has(row.Text(codes.QbsID)) || !dates.has(date) || in.GroupID != "" && row.Text(codes.GroupID) != in.GroupID || in.RecordKind != "" && row.Text(codes.RecordKind) != in.RecordKind ||
			in.Status != "" && row.Text(codes.State) != in.Status && row.Text(codes.Conclusion) != in.Status {
			continue
		}
		out.add(func() RecordLine { return recordLine(row) })
	}
	return out, nil
}

// ItemStatistic is what a group found for a check item.
type ItemStatistic struct {
	GroupID   string  `json:"groupId"`
	GroupName string  `json:"groupName"`
	ItemID    string  `json:"itemId"`
	ItemCode  string  `json:"itemCode"`
	ItemName  string  `json:"itemName"`
	ItemClass string  `json:"itemClass"`
	Records   int64   `json:"records"`
	Points    int64   `json:"points"`
	OKPoints  int64   `json:"okPoints"`
	Rate      *string `json:"rate"`
	NCROpen   *int64  `json:"ncrOpen"` // of the records in which it failed; null for who sees no corrective actions
}

// itemStatistic counts by group and check item, over the records that the caller sees.
func itemStatistic(ctx context.Context, c action.Call, in struct{ ProjectKey, QbsID, From, To string }) ([]*ItemStatistic, error) {
	dates := period{in.From, in.To}
	if err := dates.check(); err != nil {
		return nil, err
	}
	inside, err := scopeOf(ctx, c, in.QbsID)
	if err != nil {
		return nil, err
	}
	id := ""
	if in.QbsID == "" {
		if id, err = projectOf(ctx, c, in.ProjectKey); err != nil {
			return nil, err
		}
	} else if n, ok, err := first(c.Rows(ctx, "quality.node", world.Args{"id": in.QbsID})); err != nil || !ok {
		return []*ItemStatistic{}, err
	} else {
		id = n.Text(codes.ProjectID)
	}
	open := map[string]int64{} // by record
	for row, err := range c.Rows(ctx, "quality.ncrsAll", world.Args{"id": id}) {
		if err != nil {
			return nil, err
		}
		if row.Text(codes.Status) != codes.OptionReviewed {
			open[row.Text(codes.RecordID)]++
		}
	}
	group := map[string][2]string{} // by record
	for row, err := range c.Rows(ctx, "quality.recordListAll", world.Args{"id": id}) {
		if err != nil {
			return nil, err
		}
		if date, _ := row.Values[codes.CheckDate].(string); inside.has(row.Text(codes.QbsID)) && dates.has(date) {
			group[row.ID] = [2]string{row.Text(codes.GroupID), row.Text(codes.GroupIDGroupName)}
		}
	}
	items := map[string]string{}
	for row, err := range c.Rows(ctx, "quality.checkItems", nil) {
		if err != nil {
			return nil, err
		}
		items[row.ID] = row.Text(codes.Code)
	}
	at := map[[2]string]*ItemStatistic{}
	failed := map[string][]*int64{} // by record: where its corrective actions count
	visible := c.Allowed(ctx, "view", ncr, "") == nil
	for row, err := range c.Rows(ctx, "quality.recordItems", world.Args{"id": id}) {
		if err != nil {
			return nil, err
		}
		of, counts := group[row.Record]
		if !counts {
			continue
		}
		key := [2]string{of[0], row.Text(codes.ItemID)}
		if at[key] == nil {
			at[key] = &ItemStatistic{GroupID: of[0], GroupName: of[1], ItemID: key[1], ItemCode: items[key[1]], ItemName: row.Text(codes.ItemName), ItemClass: row.Text(codes.ItemClass)}
			if visible {
				at[key].NCROpen = new(int64)
			}
		}
		s := at[key]
		s.Records++
		s.Points, s.OKPoints = s.Points+whole(row.Values[codes.Points]), s.OKPoints+whole(row.Values[codes.OkPoints])
		if visible && row.Text(codes.Conclusion) == codes.OptionNotOk {
			failed[row.Record] = append(failed[row.Record], s.NCROpen)
		}
	}
	for record, sums := range failed {
		for _, sum := range sums {
			*sum += open[record]
		}
	}
	out := make([]*ItemStatistic, 0, len(at))
	for _, s := range at {
		if s.Points > 0 {
			s.Rate = maybe(decimal.NewFromInt(s.OKPoints).DivRound(decimal.NewFromInt(s.Points), 6).String())
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *ItemStatistic) int {
		return cmp.Or(cmp.Compare(a.GroupName, b.GroupName), cmp.Compare(a.ItemCode, b.ItemCode), cmp.Compare(a.GroupID, b.GroupID), cmp.Compare(a.ItemID, b.ItemID))
	})
	return out, nil
}

// Person is somebody by name.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func groupList(ctx context.Context, c action.Call, in struct{ Keyword string }) ([]Group, error) {
	names := map[string]string{}
	people, err := rows(ctx, c, "quality.people", nil)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		names[p.ID] = p.Text(codes.Name)
	}
	out := []Group{}
	for row, err := range c.Rows(ctx, "quality.groups", nil) {
		if err != nil {
			return nil, err
		}
		if in.Keyword != "" && !strings.Contains(strings.ToLower(row.Text(codes.GroupName)), strings.ToLower(in.Keyword)) {
			continue
		}
		members := []Person{}
		for _, id := range row.Set(codes.Members) {
			members = append(members, Person{id, names[id]})
		}
		person := func(id string) Person { return Person{id, names[id]} }
		out = append(out, Group{ID: row.ID, Version: whole(row.Values["version"]), GroupName: row.Text(codes.GroupName), Name: row.Text(codes.GroupName), Leader: person(row.Text(codes.Leader)), Members: members,
			QbsIDs: append([]string{}, row.Set(codes.QbsIDs)...), ItemCodes: append([]string{}, row.Set(codes.ItemCodes)...), RecordSchemaCodes: strings.Join(row.Set(codes.RecordSchemaCodes), ","),
			StartDate: maybe(text(row.Values[codes.StartDate])), EndDate: maybe(text(row.Values[codes.EndDate])), AllowOverlap: row.Is(codes.AllowOverlap), GroupKind: row.Text(codes.GroupKind),
			CreatedBy: person(row.Text("creator"))})
	}
	return out, nil
}

// ownSheets are the business sheets that the pack brings.
var ownSheets = []string{record, codes.SettingOut, codes.HiddenWork, codes.WorkLog, codes.DocumentCheck, codes.AppearanceCheck}

func groupAddInfo(ctx context.Context, c action.Call, in struct{ ProjectKey string }) (out GroupChoices, err error) {
	people := []Person{}
	for row, err := range c.Rows(ctx, "quality.people", nil) {
		if err != nil {
			return out, err
		}
		if !row.Is(codes.Disabled) {
			people = append(people, Person{row.ID, row.Text(codes.Name)})
		}
	}
	flat, err := forest(ctx, c, in.ProjectKey, "", false)
	if err != nil {
		return out, err
	}
	items := []ItemName{}
	for row, err := range c.Rows(ctx, "quality.checkItems", nil) {
		if err != nil {
			return out, err
		}
		items = append(items, ItemName{row.ID, row.Text(codes.Code), row.Text(codes.ItemName), row.Text(codes.ItemClass), row.Text(codes.QbsType)})
	}
	sheets := slices.Clone(ownSheets)
	for row, err := range c.Rows(ctx, "quality.librarySheets", nil) {
		if err != nil {
			return out, err
		}
		if !slices.Contains(sheets, row.Text(codes.SchemaCode)) {
			sheets = append(sheets, row.Text(codes.SchemaCode))
		}
	}
	schemas := []ModelName{}
	for _, code := range sheets {
		if m, ok := c.ModelOf(code); ok {
			schemas = append(schemas, ModelName{m.Code, m.Name.In(c.Principal().Locale)})
		}
	}
	return GroupChoices{people, nested(flat, 0), items, schemas}, nil
}

// groupValues are the properties of a group in an input; names as the specification and as the model have them.
func groupValues(in fields) map[string]any {
	out := in.values("name")
	if name, named := in["name"]; named {
		out["groupName"] = name
	}
	if text, one := out["recordSchemaCodes"].(string); one { // as the list of groups answers them
		out["recordSchemaCodes"] = strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	}
	return out
}

func addGroup(ctx context.Context, c action.Call, in fields) (out Made, err error) {
	values := groupValues(in)
	if values[codes.ProjectID] == nil {
		id, err := projectOf(ctx, c, in.text("projectKey"))
		if err != nil {
			return out, err
		}
		values[codes.ProjectID] = id
	}
	out.ID, err = c.Create(ctx, group, values)
	return out, err
}

func editGroup(ctx context.Context, c action.Call, in fields) (Written, error) {
	return in.write(ctx, c, group, groupValues(in))
}

func deleteGroups(ctx context.Context, c action.Call, in struct{ IDs []string }) (out Deleted, err error) {
	for _, id := range unique(in.IDs) {
		if err := c.Delete(ctx, group, id); err != nil {
			return out, err
		}
		out.Deleted++
	}
	return out, nil
}

func groupAuth(ctx context.Context, c action.Call, in struct{ GroupID string }) (out GroupAuthority, err error) {
	found, err := c.Get(ctx, group, in.GroupID)
	if err != nil {
		return out, err
	}
	auth := c.Allowed(ctx, "edit", group, in.GroupID) == nil && managesGroup(c, text(found.Values[codes.Leader]), text(found.Values["creator"]))
	return GroupAuthority{auth}, nil
}

// managers are the roles that change every group.
var managers = []string{codes.RoleAdministrator, codes.RoleOwner}

// managesGroup: a group is its leader's, that of who made it, and of those who manage the application.
func managesGroup(w world.World, leader, creator string) bool {
	who := w.Principal()
	return who.UserID == leader || who.UserID == creator || slices.ContainsFunc(managers, func(r string) bool { return slices.Contains(who.Roles, r) })
}

// groupIsMine refuses changes of the groups of others.
func groupIsMine(e *hook.Record) error {
	if e.Create || managesGroup(e.World, text(e.Old[codes.Leader]), text(e.Old["creator"])) {
		return nil
	}
	return fault.New(fault.Forbidden)
}

// Handled counts how sheets are dealt with.
type Handled struct {
	Key          string  `json:"key"`
	Name         string  `json:"name"`
	Started      int64   `json:"started"`
	Finished     int64   `json:"finished"`
	Overdue      int64   `json:"overdue"`
	AverageHours *string `json:"averageHours"`
	hours        decimal.Decimal
	timed        int64
}

// analyseHandle counts the sheets that were begun in a period: by the contractor, by sheet, or by month.
func analyseHandle(ctx context.Context, c action.Call, in struct{ ProjectKey, From, To, GroupBy string }) ([]*Handled, error) {
	dates := period{in.From, in.To}
	if err := dates.check(); err != nil {
		return nil, err
	}
	id, err := projectOf(ctx, c, in.ProjectKey)
	if err != nil {
		return nil, err
	}
	now, at := c.Now(), map[string]*Handled{}
	today := now.In(c.Zone()).Format(time.DateOnly)
	for row, err := range c.Rows(ctx, "quality.handled", world.Args{"id": id}) {
		if err != nil {
			return nil, err
		}
		began, ended := row.Time(codes.StartTime), row.Time(codes.StatusTime)
		if began.IsZero() {
			began = ended
		}
		if began.IsZero() || whole(row.Values[codes.Instances]) == 0 || !dates.has(began.In(c.Zone()).Format(time.DateOnly)) {
			continue
		}
		key, name := began.In(c.Zone()).Format("2006-01"), ""
		switch in.GroupBy {
		case "dept":
			key, name = row.Text(codes.ContractIDPartyBDept), row.Text(codes.ContractIDPartyBDeptName)
		case "sheet":
			key, name = row.Text(codes.SchemaCode), row.Text(codes.SheetTitle)
			if m, ok := c.ModelOf(key); ok {
				name = m.Name.In(c.Principal().Locale)
			}
		}
		if name == "" {
			name = key
		}
		if at[key] == nil {
			at[key] = &Handled{Key: key, Name: name}
		}
		h := at[key]
		h.Started++
		due, _ := row.Values[codes.QbsIDPlanFinish].(string)
		switch {
		case row.Text(codes.Status) == codes.OptionCompleted:
			h.Finished++
			h.timed++
			h.hours = h.hours.Add(decimal.NewFromFloat(ended.Sub(began).Hours()))
		case due != "" && due < today:
			h.Overdue++
		}
	}
	out := make([]*Handled, 0, len(at))
	for _, h := range at {
		if h.timed > 0 {
			h.AverageHours = maybe(h.hours.DivRound(decimal.NewFromInt(h.timed), 1).String())
		}
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b *Handled) int { return cmp.Compare(a.Key, b.Key) })
	return out, nil
}

// Month counts the inspections of a month.
type Month struct {
	Month   string `json:"month"`
	Records int    `json:"records"`
	OK      int    `json:"ok"`
	NotOK   int    `json:"notOk"`
}

// trend counts the inspections of the last twelve months.
func trend(ctx context.Context, w world.World, projectID string) ([]*Month, error) {
	out, at := []*Month{}, map[string]*Month{}
	now := w.Now().In(w.Zone())
	for i := 11; i >= 0; i-- {
		m := &Month{Month: time.Date(now.Year(), now.Month()-time.Month(i), 1, 0, 0, 0, 0, w.Zone()).Format("2006-01")}
		out, at[m.Month] = append(out, m), m
	}
	for row, err := range w.Rows(ctx, "quality.recordListAll", world.Args{"id": projectID}) {
		if err != nil {
			return nil, err
		}
		date, _ := row.Values[codes.CheckDate].(string)
		m := at[date[:min(7, len(date))]]
		if m == nil {
			continue
		}
		m.Records++
		switch row.Text(codes.Conclusion) {
		case codes.OptionOk:
			m.OK++
		case codes.OptionNotOk:
			m.NotOK++
		}
	}
	return out, nil
}
