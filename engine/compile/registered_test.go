package compile_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/stretchr/testify/require"
)

// checklist is a document of a kind that only these tests have; testdata/compile/registered.txtar holds what is said about wrong ones.
type checklist struct {
	def.Head
	Points []struct {
		Node  *source.Node `json:"@"`
		Text  string       `json:"text"`
		Limit string       `json:"limit"`
	} `json:"points"`
	Guide     string `json:"guide"`
	GuideFile *def.File
}

// compiledChecklist is what the catalog keeps of it.
type compiledChecklist struct {
	Model  *catalog.Model
	Paths  []string
	Limits []plan.Expr
	Guide  string
}

func checklistKind() kind.Kind {
	return kind.Kind{
		Code: "checklist", Label: plan.Label{Zh: "检查表", I18n: map[string]string{"en": "checklist"}}, Folder: "checklists", Readers: true,
		Schema: []byte(`{"type": "object", "additionalProperties": false, "required": ["schemaCode"], "properties": {
			"name": {"$ref": "#/$defs/text"}, "name_i18n": {"$ref": "#/$defs/texts"}, "schemaCode": {"$ref": "#/$defs/code"}, "guide": {"type": "string"},
			"after": {"$ref": "#/$defs/code"}, "list": {"$ref": "#/$defs/code"}, "form": {"$ref": "#/$defs/code"}, "when": {"type": "string"}, "action": {"type": "string"}, "foreign": {"type": "string"},
			"points": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
				"property": {"type": "string"}, "limit": {"type": "string"}}}}}}`),
		New: func(h def.Head) def.Document { return &checklist{Head: h} },
		Files: func(d def.Document) []kind.File {
			c := d.(*checklist)
			return []kind.File{{Name: c.Guide, At: c.Node.Get("guide"), Ext: ".js", Limit: 100, To: &c.GuideFile}}
		},
		Compile: func(l kind.Linker, d def.Document) any {
			c := d.(*checklist)
			out := &compiledChecklist{Model: l.Model(c.Node.Get("schemaCode"))}
			if at := c.Node.Get("after"); at != nil {
				l.Exists("checklist", at)
			}
			if at := c.Node.Get("foreign"); at != nil {
				l.Exists("kindOfAnotherProgram", at)
			}
			if at := c.Node.Get("list"); at != nil {
				l.List(at)
			}
			if at := c.Node.Get("form"); at != nil {
				l.Form(at)
			}
			if at := c.Node.Get("action"); at != nil {
				l.Action(at)
			}
			if at := c.Node.Get("when"); at != nil {
				l.Condition(out.Model, at)
			}
			for _, p := range c.Points {
				if path, ok := l.Path(out.Model, p.Node.Get("property")); ok {
					out.Paths = append(out.Paths, path.Code)
				}
				out.Limits = append(out.Limits, l.Formula(out.Model, p.Node.Get("limit"), plan.Number))
			}
			if len(c.Points) == 0 {
				l.Report("CHECK001", c.Node, c.Code)
			}
			if out.Model == nil {
				return nil
			}
			if c.GuideFile != nil {
				out.Guide = c.GuideFile.Text
			}
			return out
		},
		Messages: map[string]diag.Message{"CHECK001": {Severity: diag.Warning, Zh: "检查表 {0} 没有检查点", En: "checklist {0} has no points", RepairZh: "补上 points", RepairEn: "add points"}},
	}
}

// wrongQueries are those of a program whose pack "asking" does not fit them, and good ones beside; testdata/compile/queries.txtar holds what is
// said. Those of packs that are not loaded are left alone.
var wrongQueries = []world.Query{
	{Code: "asking.good", Model: "lot", Where: "amount > args.least", Args: map[string]plan.Kind{"least": plan.Number}, Columns: []string{"title", "amount"}, OrderBy: []string{"-amount"}},
	{Code: "asking.folded", Model: "lot", GroupBy: []string{"title"}, Figures: []world.Figure{{As: "n", Fn: plan.SumCount}, {As: "s", Fn: plan.SumSum, Column: "amount"}}},
	{Code: "asking.rows", Model: "lot.points", Columns: []string{"value"}},
	{Code: "asking.model", Model: "lots"},
	{Code: "asking.sheet", Model: "lot.pionts"},
	{Code: "asking.never", Model: "lot", Where: "amount > 2 and amount < 1"},
	{Code: "asking.args", Model: "lot", Where: "amount > args.lest", Args: map[string]plan.Kind{"least": plan.Number}},
	{Code: "asking.columns", Model: "lot", Columns: []string{"titel", "points"}, OrderBy: []string{"points"}},
	{Code: "asking.both", Model: "lot", Columns: []string{"title"}, Figures: []world.Figure{{As: "s", Fn: plan.SumSum, Column: "title"}}},
	{Code: "asking.own", Model: "lot", Where: "stars(title) > 3", Columns: []string{"title"}},
	{Code: "asking.ownOfConstants", Model: "lot", Where: "amount > stars('***')", Columns: []string{"title"}},
	{Code: "asking.ownKind", Model: "lot", Where: "amount > stars(1 > 2)", Columns: []string{"title"}},
	{Code: "asking.ownName", Model: "lot", Where: "amount > star('*')", Columns: []string{"title"}},
	{Code: "asking.tree", Model: "lot", Columns: []string{"title"}, Tree: true},
	{Code: "asking.below", Model: "lot", Columns: []string{"title"}, Args: map[string]plan.Kind{"top": plan.Text}, Below: "top"},
	{Code: "absent.model", Model: "nothing"},
}

// A document of a registered kind is in the catalog as its kind made it, with the file beside it, and counts for the digest.
func TestRegisteredKind(t *testing.T) {
	digests := map[string]bool{}
	for _, limit := range []string{"amount + 1", "amount + 2"} {
		packs, found := load(t, []txtar.File{
			{Name: "demo/pack.json", Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}, "version": "1.0.0"}`)},
			{Name: "demo/models/lot.json", Data: []byte(`{"name": "批", "name_i18n": {"en": "Lot"}, "name_plural_i18n": {"en": "Lots"}, "properties": [
				{"code": "amount", "name": "量", "name_i18n": {"en": "Amount"}, "propertyType": "Number"}]}`)},
			{Name: "demo/checklists/daily.json", Data: []byte(`{"name": "日检", "name_i18n": {"en": "Daily"}, "schemaCode": "LOT", "guide": "daily.js", "read": ["lead"],
				"points": [{"property": "amount", "limit": "` + limit + `"}]}`)},
			{Name: "demo/access/lead.json", Data: []byte(`{"name": "班长", "name_i18n": {"en": "Lead"}, "models": [{"schemaCode": "lot", "actions": ["view"], "rows": "all"}]}`)},
			{Name: "demo/checklists/daily.js", Data: []byte("look twice")},
		})
		require.Empty(t, found)
		c, found := compile.Compile(product(t), packs, compile.Options{})
		require.Empty(t, found)
		d := c.Document("checklist", "DAILY")
		require.NotNil(t, d)
		require.Equal(t, []string{"lead"}, d.Read)
		got := d.Value.(*compiledChecklist)
		require.Equal(t, "lot", got.Model.Code)
		require.Equal(t, "look twice", got.Guide)
		if diff := cmp.Diff([]string{"amount"}, got.Paths); diff != "" {
			t.Error(diff)
		}
		require.NotNil(t, got.Limits[0])
		digests[c.Digest] = true
	}
	require.Len(t, digests, 2)
}

// Two kinds cannot share a folder, and none takes a folder of code.
func TestKindsThatMeet(t *testing.T) {
	for _, folder := range []string{"checklists", "models", "ui"} {
		set := &pack.Set{}
		require.NoError(t, set.Kinds.Add(checklistKind()))
		other := checklistKind()
		other.Code, other.Folder, other.Messages = "other", folder, nil
		require.NoError(t, set.Kinds.Add(other))
		_, err := compile.Schemas(set)
		require.ErrorContains(t, err, folder)
	}
}

// What a kind asks besides references: documents by code, forms, paths that stand in keys, expressions with values of its own, addresses.
func TestLinker(t *testing.T) {
	asked := 0
	k := checklistKind()
	k.Messages["CHECK002"] = diag.Message{Severity: diag.Error, Zh: "{1} 没有 {0}", En: "{1} has no {0}", RepairZh: "改", RepairEn: "mend"}
	k.Compile = func(l kind.Linker, d def.Document) any {
		c := d.(*checklist)
		if asked++; c.Code != "daily" {
			return c
		}
		found, known := l.Find("checklist", "WEEKLY")
		require.True(t, known)
		require.Equal(t, "weekly", found.Header().Code)
		found, known = l.Find("checklist", "torn")
		require.True(t, known && found == nil, "it is there, but cannot be read")
		found, known = l.Find(def.KindModel, "LOT")
		require.True(t, known && found == nil, "of the engine: its code alone")
		for _, code := range []string{"lots", ""} {
			_, known = l.Find("checklist", code)
			require.False(t, known)
			_, known = l.Find(def.KindModel, code)
			require.False(t, known)
		}
		_, known = l.Find("nothing", "lot")
		require.False(t, known)
		require.ElementsMatch(t, []string{"daily", "weekly", "torn"}, l.Codes("checklist"))
		require.Contains(t, l.Codes(def.KindModel), "lot")
		require.Empty(t, l.Codes("nothing"))

		m := l.Model(c.Node.Get("schemaCode"))
		require.Equal(t, "lot", l.Forms(m)[0].Code)
		require.Empty(t, l.Forms(nil))
		at := c.Node.Get("when")
		p, ok := l.PathOf(m, "AMOUNT", source.In(at), "CHECK002")
		require.True(t, ok && p.Code == "amount")
		_, ok = l.PathOf(nil, "amount", source.In(at), "CHECK002")
		require.False(t, ok)
		_, ok = l.PathOf(m, "amuont", source.In(at), "CHECK002")
		require.False(t, ok)
		e := l.FormulaWith(m, at, plan.Bool, map[string]plan.Kind{"checker.level": plan.Number})
		require.NotNil(t, e)
		require.Nil(t, l.FormulaWith(nil, at, plan.Bool, nil))
		require.Nil(t, l.Formula(m, at, plan.Bool), "only where the kind gives the value")
		for address, linked := range map[string]bool{"https://a.example/x": true, "https://a.example": true, "https://b.example/x": false, "/api/x": false, "https://a.example.org/": false} {
			require.Equal(t, linked, l.Linked(address), address)
		}
		return c
	}
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	set = compiletest.Extensions(set)
	require.NoError(t, set.Kinds.Add(k))
	set.Freeze()
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	p, found := compile.Load(fstest.MapFS{
		"pack.json":              {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}, "version": "1.0.0", "links": ["https://a.example"]}`)},
		"models/lot.json":        {Data: []byte(`{"name": "批", "name_i18n": {"en": "Lot"}, "name_plural_i18n": {"en": "Lots"}, "properties": [{"code": "amount", "name": "量", "name_i18n": {"en": "Amount"}, "propertyType": "Number"}]}`)},
		"checklists/daily.json":  {Data: []byte(`{"name": "日检", "name_i18n": {"en": "Daily"}, "schemaCode": "lot", "when": "amount > checker.level"}`)},
		"checklists/weekly.json": {Data: []byte(`{"name": "周检", "name_i18n": {"en": "Weekly"}, "schemaCode": "lot"}`)},
		"checklists/torn.json":   {Data: []byte(`{`)},
	}, "", compile.Kinds(set), schemas)
	require.Len(t, found, 1)
	_, found = compile.Compile(set, []*def.Pack{p}, compile.Options{})
	require.Equal(t, 2, asked)
	var told []string
	for _, d := range found {
		told = append(told, d.Code+" "+d.En)
	}
	require.Equal(t, []string{`CHECK002 lot has no amuont (did you mean "amount"?)`, `EXPR004 unknown name "checker"`}, told)
}
