package importer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Template writes the workbook that people fill in to import into a list, and returns its name: a column for each property that they may
// write, those of sub-tables in groups, with the choices, notes on how to write values, and an example that is not imported.
func (s *Service) Template(ctx context.Context, view *authz.View, schemaCode, queryCode, locale string, to io.Writer) (name string, err error) {
	l, err := query.Offers(view, schemaCode, queryCode, Right)
	if err != nil {
		return "", err
	}
	t := workbook.Template{Title: titleOf(view, l.Code, l.Model, locale), Sheet: titleOf(view, l.Code, l.Model, locale), Locale: locale}
	t.Columns = append(t.Columns, workbook.TemplateColumn{Key: rowID, Heading: "ID", Hidden: true})
	now := s.Clock().In(s.Zone)
	for _, c := range columnsOf(view, l.Model) {
		col := templateColumn(c.Field, locale, now)
		if col.Example, err = s.example(ctx, view, l.Model, c, col.Example); err != nil {
			return "", err
		}
		if col.Key = c.Code(); c.Sheet != nil {
			col.Group = c.Sheet.Label.In(locale)
		}
		t.Columns = append(t.Columns, col)
	}
	t.Guide = guide[locale]
	return FileTitle(t.Title, "导入模板", "import sample", locale, now), workbook.WriteTemplate(to, t)
}

// titleOf is the name of a list for people.
func titleOf(view *authz.View, list string, m *catalog.Model, locale string) string {
	if l := view.List(list); l != nil {
		if title := l.Label.In(locale); title != "" {
			return title
		}
	}
	return m.Label.In(locale)
}

var guide = map[string][]string{
	"zh": {
		"每行填写一条数据；带 * 的列为必填。",
		"灰色的示例行不会被导入，可以保留或删除。",
		"列的顺序可以调整，不需要的列可以删除；请不要修改表头文字。",
		"子表分组在表头中合并显示：同一条数据的多行子表，请在下一行继续填写子表的列，其余列留空。",
		"人员可填写姓名、账号、工号、手机号或邮箱；有重名时请写成“姓名（账号）”。部门可填写名称，或用“/”连接的完整路径。",
		"有多个值的列，请用英文分号“;”分隔。",
		"日期可写成 2026-03-05、2026/3/5、2026年3月5日；数字可带千位分隔符。",
	},
	"en": {
		"Enter one record per row. Columns marked with * are required.",
		"The gray example row is not imported. You can leave or delete it.",
		"You can change the order of columns and delete those you don't need. Don't change the headings.",
		"Columns of a sub-table are grouped under its name. To enter several rows of a sub-table, continue on the next row and leave the other columns empty.",
		"Enter people by name, username, employee number, mobile or email; if two people have the same name, write “name (username)”. Enter departments by name, or as a path with “/”.",
		"Separate several values in one cell with a semicolon (;).",
		"Write dates as 2026-03-05, 2026/3/5 or Mar 5, 2026. Numbers can have thousands separators.",
	},
}

// templateColumn describes how a property is filled in.
func templateColumn(f *catalog.Field, locale string, now time.Time) workbook.TemplateColumn {
	c := workbook.TemplateColumn{Heading: f.Label.In(locale), Required: f.Required && f.Default == nil, Width: 16}
	en := locale == "en"
	var notes []string
	say := func(zh, english string) {
		if en {
			notes = append(notes, english)
		} else {
			notes = append(notes, zh)
		}
	}
	if c.Required {
		say("必填", "Required")
	}
	if f.Unique {
		say("不能重复", "No two records can have the same value")
	}
	if f.Help != "" {
		notes = append(notes, f.Help)
	}
	text := func(zh, english string) {
		if c.Example = (property.Cell{Kind: property.CellText, Text: zh}); en {
			c.Example.Text = english
		}
	}
	chooser, chooses := f.Property.(property.Chooser)
	kinds, record := refers(f)
	switch {
	case chooses:
		for _, o := range chooser.Choices() {
			if !o.Disabled {
				c.Options = append(c.Options, o.Label.In(locale))
			}
		}
		if len(c.Options) > 0 {
			text(c.Options[0], c.Options[0])
		}
		if multiple(f) {
			c.Options = nil // a dropdown holds one value
			say("多个值用“;”分隔", "Separate several values with “;”")
		}
	case record:
		c.Format = "@"
		say("填写"+f.Target.Label.In("zh")+"的名称或编号", "Name or number of the "+strings.ToLower(f.Target.Label.In("en")))
	case len(kinds) == 2:
		c.Format = "@"
		say("人员姓名、账号，或部门名称", "Name or username of a person, or a department")
	case kinds != nil && f.Target.Label.In("zh") != "":
		c.Format = "@"
		say(f.Target.Label.In("zh")+"的名称，人员也可填账号、工号或手机号", "Name; for people also username, employee number or mobile")
	default:
		plainColumn(f, &c, now, text, say)
	}
	if multiple(f) && !chooses {
		say("多个值用“;”分隔", "Separate several values with “;”")
	}
	c.Note = strings.Join(notes, "\n")
	return c
}

// anAddress is an example where a word for it is not an address.
const anAddress = "北京市朝阳区建国路1号"

// example is what the reader of cells takes: of people and departments those of the person who asks, of records one that they may choose; none where
// nothing is known to be right.
func (s *Service) example(ctx context.Context, view *authz.View, m *catalog.Model, c Column, proposed property.Cell) (property.Cell, error) {
	text := func(text string) property.Cell { return property.Cell{Kind: property.CellText, Text: text} }
	f := c.Field
	kinds, record := refers(f)
	if record {
		name, err := s.recordExample(ctx, view, m, c)
		if err != nil || name == "" {
			return property.Cell{}, err
		}
		return text(name), nil
	}
	me, known := s.People.Person(ctx, view.User())
	switch {
	case slices.Contains(kinds, directory.User) && known:
		return text(me.Username), nil
	case slices.Contains(kinds, directory.Department) && known:
		if d, ok := s.People.Department(ctx, me.MainDepartment); ok && len(s.People.Match(ctx, directory.Department, d.Name, directory.MatchKeys{})) == 1 {
			return text(d.Name), nil
		}
	}
	if kinds != nil {
		return property.Cell{}, nil
	}
	for _, c := range []property.Cell{proposed, text(anAddress)} {
		if _, _, err := parse(f, input{cell: c}); err == nil {
			return c, nil
		}
	}
	return property.Cell{}, nil
}

// triedExamples is how many records are looked at for one that its name alone means.
const triedExamples = 10

// recordExample is the name of a record that pickers offer for a relation and that files mean by it; "" = there is none.
func (s *Service) recordExample(ctx context.Context, view *authz.View, m *catalog.Model, c Column) (string, error) {
	found, err := s.Reader.FieldOptions(ctx, view, query.OptionsRequest{SchemaCode: m.Code, PropertyCode: c.Code(), Size: triedExamples})
	if err != nil || len(found.Content) == 0 {
		return "", nil //nolint:nilerr // nothing that may be chosen is no fault of the template
	}
	names := make([]string, len(found.Content))
	for i, e := range found.Content {
		names[i] = e.Name
	}
	example := ""
	return example, s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		meant, err := s.Reader.Meant(ctx, tx, view, c.Field.Target, c.Field.Display, names)
		if err != nil {
			return err
		}
		for i, name := range names {
			only := len(meant[name]) == 1 && meant[name][0].ID == found.Content[i].ID
			if only && len(property.PartList(name, func(text string) bool { return text == name })) == 1 {
				example = name
				return nil
			}
		}
		return nil
	})
}

// plainColumn describes numbers, dates, truth values and texts.
func plainColumn(f *catalog.Field, c *workbook.TemplateColumn, now time.Time, text, say func(zh, en string)) {
	switch f.Property.Kind() {
	case plan.Number:
		c.Example = property.Cell{Kind: property.CellNumber, Text: "1"}
		say("数字", "Number")
	case plan.Date:
		c.Format, c.Width = "yyyy-mm-dd", 13
		c.Example = property.Cell{Kind: property.CellTime, Time: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC), Format: c.Format}
		say("日期，如 "+now.Format("2006-01-02"), "Date, such as "+now.Format("2006-01-02"))
	case plan.Instant:
		c.Format, c.Width = "yyyy-mm-dd hh:mm", 18
		c.Example = property.Cell{Kind: property.CellTime, Time: time.Date(now.Year(), now.Month(), now.Day(), 8, 30, 0, 0, time.UTC), Format: c.Format}
		say("日期和时间，如 "+now.Format("2006-01-02")+" 08:30", "Date and time, such as "+now.Format("2006-01-02")+" 08:30")
	case plan.Bool:
		if text("是", "Yes"); c.Example.Text == "Yes" {
			c.Options = []string{"Yes", "No"}
		} else {
			c.Options = []string{"是", "否"}
		}
	case plan.Clock:
		text("08:30", "08:30")
		say("时间，如 08:30", "Time, such as 08:30")
	default:
		text("示例", "Example")
		if l, ok := f.Property.(property.Limiter); ok {
			if n, ok := l.FormSchema()["maxLength"]; ok {
				say(fmt.Sprintf("最多 %v 个字", n), fmt.Sprintf("At most %v characters", n))
			}
		}
		c.Width = 20
	}
}

// FieldChoice is a property that rows can be matched by.
type FieldChoice struct {
	PropertyCode string            `json:"propertyCode"`
	Name         string            `json:"name"`
	NameI18n     map[string]string `json:"name_i18n"`
	Unique       bool              `json:"unique"`
}

// Choices are what the dialog of an import offers.
type Choices struct {
	Fields []FieldChoice `json:"queryFields"`
	Modes  []Mode        `json:"modes"` // those that the person has the rights for
	Lines  bool          `json:"lines"` // there are sub-tables that the person may write
	Most   int           `json:"maxRows"`
	Bytes  int64         `json:"maxBytes"`
}

// Fields tells by which properties rows can find their records, and which modes the person may choose.
func (s *Service) Fields(view *authz.View, schemaCode, queryCode string) (Choices, error) {
	l, err := query.Offers(view, schemaCode, queryCode, Right)
	if err != nil {
		return Choices{}, err
	}
	out := Choices{Fields: []FieldChoice{}, Modes: []Mode{}, Most: mostRows, Bytes: mostBytes}
	for _, f := range keyFields(view, l.Model) {
		out.Fields = append(out.Fields, FieldChoice{PropertyCode: f.Code, Name: f.Label.Zh, NameI18n: map[string]string{"zh": f.Label.In("zh"), "en": f.Label.In("en")}, Unique: f.Unique || f.Code == catalog.SequenceNo})
	}
	out.Lines = slices.ContainsFunc(columnsOf(view, l.Model), func(c Column) bool { return c.Sheet != nil })
	add, edit := view.Can(l.Model, "add"), view.Can(l.Model, "edit")
	if add {
		out.Modes = append(out.Modes, Add)
	}
	if edit {
		out.Modes = append(out.Modes, Update)
	}
	if add && edit {
		out.Modes = append(out.Modes, AddOrUpdate)
	}
	return out, nil
}
