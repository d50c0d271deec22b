package quality

import (
	"context"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// Kinds of mistakes in a cell, as the import of lists has them.
const (
	repeat    = "REPEAT"
	noExit    = "NOEXIT"
	empty     = "EMPTY"
	forbidden = "FORBIDDEN"
)

// Limits of imports.
const (
	mostRows   = 20_000
	tokenLives = 30 * time.Minute
)

// CellError is a mistake in a cell.
type CellError struct {
	Col  string `json:"col"` // the key of the column
	Kind string `json:"kind"`
	Msg  string `json:"msg"`
}

// ImportRow is a row of a spreadsheet as it will be imported.
type ImportRow struct {
	Row    int               `json:"row"` // in the file
	Data   map[string]string `json:"data"`
	Errors []CellError       `json:"errors"`

	values map[string]any
	id     string         // of the record that is there, or was made
	above  *ImportRow     // the row of the parent
	last   map[string]any // lists of ids and of rows of the file, which are set when all rows are there
	done   bool           // it was written, or looked at for that
	made   bool           // it was added, not changed
	wide   bool           // it is of a table with a column for each level
	up     *ImportRow     // of such a one: the row of the level above
	upper  bool           // and there is a lower level in its row of the file
	was    world.Row      // of a component: as it is there
	same   bool           // the record that is there has these values already
}

func (r *ImportRow) bad(w world.World, col, kind, zh, en string) {
	r.Errors = append(r.Errors, CellError{col, kind, say(w, zh, en)})
}

// importColumn is a column of a kind of import.
type importColumn struct {
	key, zh, en string
	required    bool
	example     string
	note        [2]string
}

// importKind is what can be imported.
type importKind struct {
	model, zh, en, parent string
	right                 string // on the model, that the caller needs
	key                   string // column of what names a row
	columns               []importColumn
	judge                 func(ctx context.Context, m *importing) error
	brings                map[string]string // property -> the column that brings it, where that is called otherwise
}

var importKinds = map[string]importKind{
	"QBS": {node, "工程划分", "Breakdown", codes.ParentID, "import", "code", []importColumn{
		{"nodeType", "层级", "Level", true, "分项工程", [2]string{"建设项目、单项工程、单位工程、子单位工程、分部工程、子分部工程、分项工程、检验批", "Project, single works, unit works, … work item, inspection lot, or their codes"}},
		{"code", "编码", "Code", false, "01-02-03", [2]string{"空着则自动编号", "Left empty, it is numbered"}},
		{"name", "名称", "Name", true, "闸室底板", [2]string{}},
		{"parentCode", "上级编码", "Code of the parent", false, "", [2]string{"空着则按编码，或按上面最近的更高层级", "Left empty: by the code, or the nearest higher level above"}},
		{"unit", "单位", "Unit of measure", false, "m³", [2]string{}},
		{"designQty", "数量", "Quantity", false, "1200", [2]string{}},
		{"station", "桩号", "Stations", false, "K0+100~K0+180", [2]string{"起～止", "From ~ to"}},
		{"drawingNo", "图号", "Drawing number", false, "", [2]string{}},
		{"mainFlag", "主要工程", "Main item", false, "否", [2]string{"是、否", "yes, no"}},
		{"professional", "专业", "Discipline", false, "", [2]string{"专业的编码", "Code of the discipline"}},
		{"contract", "合同段", "Contract", false, "", [2]string{"合同编号；空着则随上级", "Code of the contract; left empty, that of the parent"}},
		{"planStart", "计划开工", "Planned start", false, "", [2]string{}},
		{"planFinish", "计划完工", "Planned finish", false, "", [2]string{}},
	}, judgeNodes, broughtByNodes},
	"JBS": {library, "标准工序", "Library processes", codes.ParentID, "import", "code", []importColumn{
		{"code", "编码", "Code", true, "SLAB-01", [2]string{}},
		{"title", "名称", "Title", true, "测量放样", [2]string{}},
		{"kind", "类别", "Kind", false, "工序", [2]string{"工序模板、工序组、工序", "Template, group, process"}},
		{"parentCode", "上级编码", "Code of the parent", false, "SLAB", [2]string{}},
		{"qbsType", "适用分项", "Kind of work item", false, "", [2]string{}},
		{"sortKey", "排序", "Order", false, "1", [2]string{}},
		{"required", "必做", "Required", false, "是", [2]string{"是、否", "yes, no"}},
		{"prevCodes", "紧前工序", "Processes before", false, "", [2]string{"编码，用分号分开", "Codes with semicolons between them"}},
	}, judgeLibrary, broughtByLibrary},
	"MBS": {component, "构件", "Components", codes.ParentID, "import", "code", []importColumn{
		{"code", "构件编码", "Component code", true, "01-01-01-001", [2]string{}},
		{"guid", "模型标识", "Model id", false, "", [2]string{"IFC GlobalId", "IFC GlobalId"}},
		{"name", "名称", "Name", true, "底板一", [2]string{}},
		{"parentCode", "上级编码", "Code of the parent", false, "", [2]string{}},
		{"type", "类别", "Class", false, "IfcSlab", [2]string{}},
		{"tag", "标记", "Tag", false, "", [2]string{}},
		{"layer", "图层", "Layer", false, "", [2]string{}},
		{"storey", "楼层", "Storey", false, "", [2]string{}},
		{"volume", "体积", "Volume", false, "12.5", [2]string{}},
		{"area", "面积", "Area", false, "", [2]string{}},
		{"length", "长度", "Length", false, "", [2]string{}},
		{"bbox", "包围盒", "Bounding box", false, "0 0 0 12 8 2.5", [2]string{"x1 y1 z1 x2 y2 z2，单位米", "x1 y1 z1 x2 y2 z2 in meters"}},
	}, judgeComponents, broughtByComponents},
	"REL": {relation, "构件挂接", "Component bindings", "", "add", "mbsCode", []importColumn{
		{"qbsCode", "划分编码", "Code of the node", true, "01-02-03", [2]string{}},
		{"mbsCode", "构件编码", "Component code", true, "01-02-03-001", [2]string{}},
		{"guid", "模型标识", "Model id", false, "", [2]string{}},
		{"ratio", "比例", "Ratio", false, "1", [2]string{"0 到 1", "0 to 1"}},
	}, judgeRelations, broughtByRelations},
}

// importing is an import while it is judged and written.
type importing struct {
	world.World
	importKind
	project, parent string
	overwrite       bool
	rows            []*ImportRow
	there           []world.Row              // components of the project
	isWide          bool                     // the file has a column for each level
	open            []*ImportRow             // of such a file: the row of each level that the next row is below
	seen            map[[4]string]*ImportRow // and the row of each node
	ignored         []string                 // headings of the file that no column has
}

// importTemplate gives an empty file to fill in.
func importTemplate(_ context.Context, c action.Call, in struct{ Kind string }) (action.File, error) {
	k, ok := importKinds[in.Kind]
	if !ok {
		return action.File{}, fault.New(fault.BadParameter, "kind")
	}
	s := world.Sheet{Name: say(c, k.zh, k.en)}
	for _, col := range k.columns {
		one := world.SheetColumn{Title: say(c, col.zh, col.en), Required: col.required, Note: say(c, col.note[0], col.note[1]), Example: col.example, Width: 18}
		if col.key == "nodeType" {
			for _, level := range levelOrder {
				one.Options = append(one.Options, levelNames[level].In(say(c, "zh", "en")))
			}
			one.Example = levelNames[codes.OptionItem].In(say(c, "zh", "en"))
		}
		s.Columns = append(s.Columns, one)
	}
	return action.File{Name: s.Name + ".xlsx", Write: func(to io.Writer) error { return c.WriteSheet(to, s, nil) }}, nil
}

// levelOrder are the levels from the top.
var levelOrder = []string{codes.OptionProject, codes.OptionSingle, codes.OptionUnit, codes.OptionSubunit, codes.OptionDivision, codes.OptionSubdivision, codes.OptionItem, codes.OptionLot}

type preInput struct {
	Kind, ProjectKey, ParentID string
	Overwrite                  bool
}

// preImport reads a file, says what is wrong with it, and keeps it for half an hour.
func preImport(ctx context.Context, c action.Call, file world.File, in preInput) (map[string]any, error) {
	m, err := startImport(ctx, c, in.Kind, in.ProjectKey, in.ParentID, in.Overwrite)
	if err != nil {
		return nil, err
	}
	if err := m.read(ctx, file.ID); err != nil {
		return nil, err
	}
	if err := m.judge(ctx, m); err != nil {
		return nil, err
	}
	if _, err := m.write(ctx, false); err != nil {
		return nil, err
	}
	token, err := c.Create(ctx, imports, map[string]any{codes.Kind: in.Kind, codes.ProjectID: m.project, codes.ParentID: orNil(in.ParentID), codes.File: []map[string]any{{"refId": file.ID}},
		codes.Until: c.Now().Add(tokenLives).UTC().Format("2006-01-02T15:04:05Z")})
	if err != nil {
		return nil, err
	}
	if len(m.rows) == 0 {
		return nil, fault.New(fault.ImportNoRows)
	}
	bad := len(m.bad())
	out := map[string]any{"token": token, "kind": in.Kind, "rows": m.rows, "ok": len(m.rows) - bad, "bad": bad, "ignored": append([]string{}, m.ignored...)}
	if m.model == component {
		out["compared"] = m.compared("", false)
	}
	return out, nil
}

func startImport(ctx context.Context, c world.World, kind, projectKey, parent string, overwrite bool) (*importing, error) {
	k, ok := importKinds[kind]
	if !ok {
		return nil, fault.New(fault.BadParameter, "kind")
	}
	if err := c.Allowed(ctx, k.right, k.model, ""); err != nil {
		return nil, err
	}
	id := ""
	if parent != "" {
		n, err := c.Get(ctx, node, parent)
		if err != nil {
			return nil, err
		}
		id = text(n.Values[codes.ProjectID])
	} else {
		var err error
		if id, err = projectOf(ctx, c, projectKey); err != nil {
			return nil, err
		}
	}
	return &importing{World: c, importKind: k, project: id, parent: parent, overwrite: overwrite}, nil
}

// runImport imports a file that was read before.
func runImport(ctx context.Context, c action.Call, in struct {
	Token, Mode string
	Overwrite   bool
	Corrections []ImportRow
}) (map[string]any, error) {
	kept, err := c.Get(ctx, imports, in.Token)
	if isFault(err, fault.RecordNotFound) || isFault(err, fault.BadParameter) {
		return nil, fault.New(ImportGone)
	}
	if err != nil {
		return nil, err
	}
	until, err := time.Parse(time.RFC3339, text(kept.Values[codes.Until]))
	if err != nil || is(kept.Values[codes.Done]) || c.Now().After(until) {
		return nil, fault.New(ImportGone)
	}
	var files []struct{ RefID string }
	if err := kept.Decode(codes.File, &files); err != nil || len(files) != 1 {
		return nil, fault.New(ImportGone)
	}
	m, err := startImport(ctx, c, text(kept.Values[codes.Kind]), "", text(kept.Values[codes.ParentID]), in.Overwrite)
	if m == nil && text(kept.Values[codes.ProjectID]) != "" {
		var p world.Record
		if p, err = c.Get(ctx, project, text(kept.Values[codes.ProjectID])); err == nil {
			m, err = startImport(ctx, c, text(kept.Values[codes.Kind]), text(p.Values[codes.ProjectKey]), text(kept.Values[codes.ParentID]), in.Overwrite)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := m.read(ctx, files[0].RefID); err != nil {
		return nil, err
	}
	for _, fixed := range in.Corrections {
		for i := len(m.rows) - 1; i >= 0; i-- { // of a row with several levels the lowest one
			if m.rows[i].Row != fixed.Row {
				continue
			}
			for col, v := range fixed.Data {
				m.rows[i].Data[col] = strings.TrimSpace(v)
			}
			break
		}
	}
	if err := m.judge(ctx, m); err != nil {
		return nil, err
	}
	done, err := m.write(ctx, true)
	if err != nil {
		return nil, err
	}
	bad := m.bad()
	if len(bad) > 0 && in.Mode != "skipBad" {
		return nil, m.refusal()
	}
	if _, err := c.Update(ctx, imports, in.Token, kept.Version, map[string]any{codes.Done: true}); err != nil {
		return nil, err
	}
	out := map[string]any{"inserted": done.inserted, "updated": done.updated, "skipped": done.skipped, "errors": toldErrors(bad)}
	if m.model == component {
		out["compared"] = m.compared("", true)
	}
	return out, nil
}

// importCodes imports components at once: what is there is changed, rows with mistakes are told and left out.
func importCodes(ctx context.Context, c action.Call, file world.File, in struct{ ProjectKey, ModelID string }) (map[string]any, error) {
	m, err := startImport(ctx, c, "MBS", in.ProjectKey, "", true)
	if err != nil {
		return nil, err
	}
	if err := m.read(ctx, file.ID); err != nil {
		return nil, err
	}
	if err := m.judge(ctx, m); err != nil {
		return nil, err
	}
	for _, r := range m.rows {
		if in.ModelID != "" {
			r.values[codes.ModelID] = in.ModelID
			r.same = r.same && r.was.Text(codes.ModelID) == in.ModelID
		}
	}
	done, err := m.write(ctx, true)
	return map[string]any{"inserted": done.inserted, "updated": done.updated, "errors": toldErrors(m.bad()), "compared": m.compared(in.ModelID, true)}, err
}

// toldError is a mistake of a row in an answer.
type toldError struct {
	Row int `json:"row"`
	CellError
}

func toldErrors(bad []*ImportRow) []toldError {
	out := []toldError{}
	for _, r := range bad {
		for _, e := range r.Errors {
			out = append(out, toldError{r.Row, e})
		}
	}
	return out
}

// idsBy are the ids of the records of a query, by a key of their rows; those of several are left out.
func idsBy(rows iter.Seq2[world.Row, error], key func(world.Row) string) (map[string]string, error) {
	out := map[string]string{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if k := key(row); k != "" {
			out[k] = row.ID
		}
	}
	return out, nil
}
