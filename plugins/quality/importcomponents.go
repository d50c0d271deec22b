package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// beforeComponent keeps one component of each GlobalId in a project: that is what it is known by, whatever its code becomes.
func beforeComponent(ctx context.Context, e *hook.Record, next func() error) error {
	now := e.New()
	guid, of := text(now[codes.GUID]), text(now[codes.ProjectID])
	_, named := e.Set[codes.GUID]
	_, moved := e.Set[codes.ProjectID]
	same := !e.Create && guid == text(e.Old[codes.GUID]) && of == text(e.Old[codes.ProjectID])
	if byPack(e) || e.Delete || guid == "" || of == "" || !(named || moved) || same {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if err := r.w.Lock(ctx, "quality.guids."+of); err != nil {
		return err
	}
	there, err := r.w.Find(ctx, component, map[string]any{codes.ProjectID: of, codes.GUID: guid}, 2)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(there, func(id string) bool { return id != e.ID }) {
		return refuse(codes.GUID, fault.FieldDuplicate)
	}
	return next()
}

// componentFacts are the columns of a component that an import brings, with the property of each.
var componentFacts = map[string]string{codes.Code: "code", codes.GUID: "guid", codes.ComponentName: "name", codes.IfcClass: "type",
	codes.Tag: "tag", codes.Layer: "layer", codes.Storey: "storey", codes.Bbox: "bbox", codes.Volume: "volume", codes.Area: "area", codes.Length: "length"}

// identities find the component that a row of a file is: by its GlobalId, and by its code where one of the two has none, or where the code names
// one component whose GlobalId the file has no more.
type identities struct {
	byGUID map[string]world.Row
	byCode map[string][]world.Row
	inFile map[string]bool // GlobalIds of the file
	rows   map[string]int  // how many rows of the file have a code
}

func (m *importing) identities(ctx context.Context) (*identities, error) {
	out := &identities{map[string]world.Row{}, map[string][]world.Row{}, map[string]bool{}, map[string]int{}}
	for row, err := range m.Rows(ctx, "quality.componentFacts", world.Args{"id": m.project}) {
		if err != nil {
			return nil, err
		}
		m.there = append(m.there, row)
		if guid := row.Text(codes.GUID); guid != "" {
			out.byGUID[guid] = row
		}
		out.byCode[row.Text(codes.Code)] = append(out.byCode[row.Text(codes.Code)], row)
	}
	for _, r := range m.rows {
		out.inFile[r.Data["guid"]] = true
		out.rows[r.Data["code"]]++
	}
	return out, nil
}

// of is the component that a row is; false where nobody knows which of several.
func (i *identities) of(r *ImportRow) (found world.Row, known bool) {
	guid, code := r.Data["guid"], r.Data["code"]
	if one, ok := i.byGUID[guid]; ok && guid != "" {
		return one, true
	}
	with := i.byCode[code]
	if code == "" || len(with) == 0 {
		return found, true
	}
	if guid == "" {
		return with[0], len(with) == 1
	}
	var open []world.Row // of this code, and not another row of the file
	for _, one := range with {
		if was := one.Text(codes.GUID); was == "" || !i.inFile[was] {
			open = append(open, one)
		}
	}
	if len(open) == 0 || i.rows[code] > 1 && len(open) > 1 {
		return found, len(open) == 0
	}
	return open[0], len(open) == 1
}

// judgeComponents reads components. The GlobalId within the project is what a component is known by: one that was renamed or moved keeps
// its bindings.
func judgeComponents(ctx context.Context, m *importing) error {
	m.begin()
	known, err := m.identities(ctx)
	if err != nil {
		return err
	}
	there, byCode := map[string]string{}, map[string]string{}
	for code, some := range known.byCode {
		byCode[code] = some[0].ID
	}
	inFile, facts := map[string]*ImportRow{}, map[string]world.Row{}
	for _, r := range m.rows {
		if code := r.Data["code"]; inFile[code] == nil && code != "" {
			inFile[code] = r
		}
		one, sure := known.of(r)
		if !sure {
			r.bad(m, "code", repeat, "有几个构件的编码是“"+r.Data["code"]+"”，请写明模型标识", "Several components have the code “"+r.Data["code"]+"”: give the model id")
		} else if one.ID != "" {
			there[identity(r)], facts[one.ID] = one.ID, one
		}
	}
	m.once("code", there, identity)
	claimed := map[string]*ImportRow{}
	for _, r := range m.rows {
		if first := claimed[r.id]; r.id != "" && first != nil && first != r {
			r.bad(m, "code", repeat, "与另一行是同一个构件", "It is the same component as another row")
		} else if r.id != "" {
			claimed[r.id] = r
		}
		m.component(r, inFile, byCode)
		r.was = facts[r.id]
		r.same = r.id != "" && len(r.changes()) == 0
	}
	m.circles()
	return nil
}

// identity is what tells rows of a file apart: the GlobalId, or the code of those without one.
func identity(r *ImportRow) string {
	if guid := r.Data["guid"]; guid != "" {
		return "guid " + guid
	}
	if r.Data["code"] == "" {
		return ""
	}
	return "code " + r.Data["code"]
}

// component takes the values of a row.
func (m *importing) component(r *ImportRow, inFile map[string]*ImportRow, byCode map[string]string) {
	r.values[codes.ProjectID] = m.project
	for property, col := range componentFacts {
		if property != codes.Volume && property != codes.Area && property != codes.Length {
			r.take(property, col)
		}
	}
	m.number(r, codes.Volume, "volume", 0)
	m.number(r, codes.Area, "area", 0)
	m.number(r, codes.Length, "length", 0)
	if box := r.Data["bbox"]; box != "" && boxOf(box) == nil {
		r.bad(m, "bbox", forbidden, "“"+box+"”不是六个数", "“"+box+"” is not six numbers")
	}
	if v := r.Data["parentCode"]; v != "" {
		m.hang(r, v, inFile, byCode)
	}
}

// Change is a value of a component that a file changes. Was and Is are texts, "" for nothing.
type Change struct {
	Col string `json:"col"`
	Was string `json:"was"`
	Is  string `json:"is"`
}

// changes are the values that a row changes of the component that is there.
func (r *ImportRow) changes() []Change {
	out := []Change{}
	for property, col := range componentFacts {
		is, given := r.values[property]
		if !given {
			continue
		}
		was := r.was.Values[property]
		if a, b := number(was), number(is); a != nil && b != nil && a.Equal(*b) || text(was) == text(is) && a == nil {
			continue
		}
		shown := text(was)
		if n := number(was); n != nil {
			shown = n.String()
		}
		out = append(out, Change{col, shown, text(is)})
	}
	up := text(r.values[codes.ParentID])
	if r.above != nil {
		up = r.above.id
	}
	if r.Data["parentCode"] != "" && (up == "" || up != r.was.Text(codes.ParentID)) {
		out = append(out, Change{Col: "parentCode", Is: r.Data["parentCode"]})
	}
	slices.SortFunc(out, func(a, b Change) int { return compareCodes(a.Col, b.Col) })
	return out
}

// Part is a component in the lists of an import.
type Part struct {
	ID      string   `json:"id,omitempty"`
	Row     int      `json:"row,omitempty"`
	Code    string   `json:"code"`
	GUID    string   `json:"guid"`
	Name    string   `json:"name"`
	Changes []Change `json:"changes,omitempty"`
}

// Compared is what a file of components does to those that are there. Lists have the first mostParts; those that the file lacks stay.
type Compared struct {
	Added   []Part         `json:"added"`
	Changed []Part         `json:"changed"`
	Removed []Part         `json:"removed"`
	Counts  map[string]int `json:"counts"` // of added, changed, same and removed
}

const mostParts = 500

// compared lists what the rows without mistakes did, or would do where nothing was kept. With a model, only what belongs to it counts as missing.
func (m *importing) compared(model string, kept bool) *Compared {
	out := &Compared{[]Part{}, []Part{}, []Part{}, map[string]int{"added": 0, "changed": 0, "same": 0, "removed": 0}}
	named := map[string]bool{}
	note := func(list *[]Part, kind string, p Part) {
		if out.Counts[kind]++; len(*list) < mostParts {
			*list = append(*list, p)
		}
	}
	for _, r := range m.rows {
		named[r.id] = true
		p := Part{ID: r.id, Row: r.Row, Code: r.Data["code"], GUID: r.Data["guid"], Name: r.Data["name"]}
		switch {
		case len(r.Errors) > 0:
		case r.same:
			out.Counts["same"]++
		case r.was.ID != "":
			p.Changes = r.changes()
			note(&out.Changed, "changed", p)
		default:
			if !kept { // of a check it is gone again
				p.ID = ""
			}
			note(&out.Added, "added", p)
		}
	}
	for _, row := range m.there {
		if !named[row.ID] && (model == "" || row.Text(codes.ModelID) == model) {
			note(&out.Removed, "removed", Part{ID: row.ID, Code: row.Text(codes.Code), GUID: row.Text(codes.GUID), Name: row.Text(codes.ComponentName)})
		}
	}
	return out
}
