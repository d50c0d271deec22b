package httpapi

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
)

const clinic = "../../examples/clinic"

var bothExamples = apptest.Of(plugintest.Register, shipLock, clinic)

// TestNoFigures reads every list, form, report, portal page and print template of the examples as somebody who sees all records and no
// number of them. No answer holds a number that an administrator reads there, and none says zero for what is not told.
func TestNoFigures(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, bothExamples.CopyTo(dir))
	w, err := openWorldWith(app.Config{Dir: dir, Documents: app.Documents{Dirs: []string{shipLock, clinic}}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	s := &sightless{world: w, hidden: map[*catalog.Field]bool{}, records: map[string][]string{}, figures: map[string]bool{}}
	s.hide(t)
	for _, m := range s.models {
		s.forms(t, m)
	}
	require.Greater(t, len(s.figures), 100, "so many long numbers are hidden")
	for _, m := range s.models {
		s.lists(t, m)
		s.papers(t, m)
	}
	s.reports(t)
	s.portals(t)
	require.Greater(t, s.answers, 100)
	require.Greater(t, s.papered, 20)
	require.Positive(t, s.drawn)
}

// sightless is a world with a person who reads no number.
type sightless struct {
	*world
	models  []*catalog.Model
	hidden  map[*catalog.Field]bool
	records map[string][]string // ids by model
	figures map[string]bool     // hidden numbers of five digits and more, as they are and in groups
	answers int                 // that were read
	papered int                 // texts on paper
	drawn   int                 // figures of reports that the person may read
}

const unseeing = "unseeing" // the person, and the role in each application

// hide publishes the person's roles: all models of the examples, without their numbers.
func (s *sightless) hide(t *testing.T) {
	files := []any{}
	for _, pack := range []string{"shiplock", "clinic"} {
		models := []any{}
		for _, m := range s.app.State().Catalog.Models {
			if m.Pack != pack || m.Parent != nil {
				continue
			}
			s.models = append(s.models, m)
			fields := map[string]string{"*": "r"}
			for _, f := range m.Fields {
				s.number(f, f.Code, fields)
				if f.Sheet != nil {
					for _, column := range f.Sheet.Fields {
						s.number(column, f.Code+"."+column.Code, fields)
					}
				}
			}
			models = append(models, map[string]any{"schemaCode": m.Code, "actions": []string{"view", "export", "print"}, "rows": "all", "fields": fields})
		}
		role, err := json.Marshal(map[string]any{"name": pack, "apps": []string{pack}, "models": models})
		require.NoError(t, err)
		files = append(files, map[string]any{"pack": pack, "path": "access/" + unseeing + pack + ".json", "text": string(role), "seen": ""})
	}
	set, err := json.Marshal(map[string]any{"note": "", "files": files})
	require.NoError(t, err)
	got := s.post(t, administrator, publishPath, string(set))
	require.Zero(t, got.Errcode, "%s", got.Body)
	_, err = s.app.AddUser(t.Context(), unseeing, unseeing, []string{unseeing + "shiplock", unseeing + "clinic"})
	require.NoError(t, err)
	for i, m := range s.models { // those of the documents that are served now
		s.models[i] = s.app.State().Catalog.Model(m.Code)
	}
}

func (s *sightless) number(f *catalog.Field, code string, fields map[string]string) {
	if f.System || f.Sheet != nil {
		return
	}
	if k := f.Property.Kind(); k == plan.Number || k == plan.Int {
		fields[code] = "-"
	}
}

// forms opens records as an administrator, whose numbers are noted, and as the person.
func (s *sightless) forms(t *testing.T, m *catalog.Model) {
	all := s.rows(t, administrator, m.Code)
	s.records[m.Code] = all[:min(len(all), 8)]
	for _, id := range s.records[m.Code] {
		path := "/api/runtime/form/load?schemaCode=" + m.Code + "&objectId=" + id
		var told struct{ Data map[string]any }
		decode := json.NewDecoder(bytes.NewReader(s.get(t, administrator, path).Data))
		decode.UseNumber()
		require.NoError(t, decode.Decode(&told))
		s.note(m, told.Data)
		s.reads(t, "form of "+m.Code, s.get(t, unseeing, path))
	}
}

// note keeps the numbers of a record and its rows.
func (s *sightless) note(m *catalog.Model, data map[string]any) {
	for _, f := range m.Fields {
		if f.Sheet != nil {
			rows, _ := data[f.Code].([]any)
			for _, row := range rows {
				if of, ok := row.(map[string]any); ok {
					s.note(f.Sheet, of)
				}
			}
			continue
		}
		if k := f.Property.Kind(); f.System || k != plan.Number && k != plan.Int {
			continue
		}
		text, _ := data[f.Code].(string)
		if n, ok := data[f.Code].(json.Number); ok {
			text = n.String()
		}
		v, err := decimal.NewFromString(text)
		if err != nil || len(strings.Trim(v.Coefficient().String(), "-")) < 5 {
			continue
		}
		for _, text := range []string{v.String(), v.StringFixed(2)} {
			s.figures[text], s.figures[inGroups(text)] = true, true
		}
	}
}

// inGroups is a number with a comma before each three digits.
func inGroups(text string) string {
	whole, rest, _ := strings.Cut(text, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if rest == "" {
		return whole
	}
	return whole + "." + rest
}

// A word of digits: what is a part of an id, a date or a longer number is none.
var digits = regexp.MustCompile(`[0-9A-Za-z:_-]*[0-9][0-9A-Za-z,.:_-]*[0-9][0-9A-Za-z_-]*`)

// reads checks an answer that the person may have.
func (s *sightless) reads(t *testing.T, what string, r reply) {
	t.Helper()
	require.Zero(t, r.Errcode, "%s: %s", what, r.Body)
	s.tells(t, what, r.Body.String())
}

func (s *sightless) tells(t *testing.T, what, text string) {
	t.Helper()
	s.answers++
	for _, word := range digits.FindAllString(text, -1) {
		require.False(t, s.figures[word], "%s tells %s", what, word)
	}
}

// lists reads all lists of a model, with their figures below.
func (s *sightless) lists(t *testing.T, m *catalog.Model) {
	for _, l := range s.app.State().Catalog.ListsOf(m.Code) {
		r := s.post(t, unseeing, "/api/runtime/query/list", `{"schemaCode":"`+m.Code+`","queryCode":"`+l.Code+`","size":100}`)
		s.reads(t, "list "+l.Code, r)
		var page struct {
			Aggregates map[string]any
			Content    []struct{ Data map[string]any }
		}
		r.into(t, &page)
		for code := range page.Aggregates {
			f := m.At(code)
			require.True(t, f == nil || f.Property.Kind() != plan.Number && f.Property.Kind() != plan.Int, "%s: a figure of %s", l.Code, code)
		}
		for _, row := range page.Content {
			for code, v := range row.Data {
				f := m.At(code)
				require.False(t, f != nil && !f.System && f.Sheet == nil && f.Property.Kind() == plan.Number && v != nil, "%s: %s is %v", l.Code, code, v)
			}
		}
		s.reads(t, "plan of "+l.Code, s.get(t, unseeing, "/api/runtime/query/config?schemaCode="+m.Code+"&queryCode="+l.Code))
	}
}

// A zero on paper: a number, its words, or with its unit.
var zero = regexp.MustCompile(`^[¥￥]?\s*0(\.0+)?\s*%?\s*(元|万元|m|m³|t|kg|项|%)?$|零元`)

// papers prints records of a model with each of its templates, as pages and as worksheets.
func (s *sightless) papers(t *testing.T, m *catalog.Model) {
	ids, err := json.Marshal(s.records[m.Code])
	require.NoError(t, err)
	for _, p := range s.app.State().Catalog.PrintsOf(m, "") {
		body := `{"schemaCode":"` + m.Code + `","code":"` + p.Code + `","objectIds":` + string(ids) + `}`
		r := s.post(t, unseeing, "/api/runtime/print/pages", body)
		if r.Errcode == fault.PrintNothing { // the template has a condition that none of these meets
			continue
		}
		var told struct {
			Pages []struct{ Marks []struct{ Text string } }
		}
		r.into(t, &told)
		for _, page := range told.Pages {
			for _, mark := range page.Marks {
				s.papered++
				s.tells(t, "paper "+p.Code, mark.Text)
				require.False(t, zero.MatchString(mark.Text), "paper %s says %s", p.Code, mark.Text)
			}
		}
		if sheet := s.post(t, unseeing, "/api/runtime/print/xlsx", body); sheet.Errcode == 0 {
			s.tells(t, "worksheet "+p.Code, unzipped(t, sheet.Body.Bytes()))
		}
		s.reads(t, "data of "+p.Code, s.post(t, unseeing, "/api/runtime/print/load_data", body))
	}
}

// unzipped are the texts of a workbook.
func unzipped(t *testing.T, file []byte) string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	var out strings.Builder
	for _, f := range archive.File {
		if !strings.Contains(f.Name, "worksheets/") && !strings.Contains(f.Name, "sharedStrings") {
			continue
		}
		r, err := f.Open()
		require.NoError(t, err)
		_, err = io.Copy(&out, r)
		require.NoError(t, err)
		out.WriteByte('\n')
	}
	return out.String()
}

// reports reads all data sets of all reports: what is computed of hidden numbers is not described, or has no value.
func (s *sightless) reports(t *testing.T) {
	for _, d := range s.app.State().Catalog.Documents {
		report, ok := d.Value.(*catalog.Report)
		if !ok {
			continue
		}
		r := s.post(t, unseeing, "/api/runtime/report/data", `{"reportCode":"`+d.Code+`"}`)
		s.reads(t, "report "+d.Code, r)
		var described struct {
			DataSets []struct {
				Code     string
				Measures []struct{ Code string }
			}
		}
		s.get(t, unseeing, "/api/runtime/report/get?reportCode="+d.Code).into(t, &described)
		var told struct {
			DataSets []struct {
				Code  string
				Error any
				Rows  []struct{ Values []*string }
			}
		}
		r.into(t, &told)
		for i, set := range told.DataSets {
			require.Nil(t, set.Error)
			for _, row := range set.Rows {
				for k, m := range described.DataSets[i].Measures {
					if !ofNumbers(report.Set(set.Code), m.Code) {
						s.drawn++
						continue
					}
					require.Nil(t, row.Values[k], "%s/%s of report %s", set.Code, m.Code, d.Code)
				}
			}
		}
		for _, kind := range []string{"xlsx", "pdf"} {
			file := s.post(t, unseeing, "/api/runtime/report/export", `{"reportCode":"`+d.Code+`","fileType":"`+kind+`"}`)
			require.Zero(t, file.Errcode, "%s", file.Body)
			if kind == "xlsx" {
				s.tells(t, "file of report "+d.Code, unzipped(t, file.Body.Bytes()))
			}
		}
	}
}

// ofNumbers reports whether a measure is made of a number, itself or by other measures.
func ofNumbers(set *catalog.DataSet, code string) bool {
	for _, m := range set.Measures {
		if m.Code != code {
			continue
		}
		if m.Folds() {
			return m.Formula != nil || m.Path != nil && m.Fn != "count" && m.Path.Field.Property.Kind() == plan.Number
		}
		for _, at := range []int{m.Of, m.Per} {
			if at >= 0 && ofNumbers(set, set.Measures[at].Code) {
				return true
			}
		}
	}
	return false
}

// portals reads all pages, and the rows of their widgets.
func (s *sightless) portals(t *testing.T) {
	for _, p := range s.app.State().Catalog.Portals() {
		r := s.get(t, unseeing, "/api/runtime/portal/get?portalCode="+p.Code)
		if r.Errcode == fault.PortalNotFound {
			continue
		}
		s.reads(t, "page "+p.Code, r)
		var page struct{ Widgets []shownWidget }
		r.into(t, &page)
		for _, of := range page.Widgets {
			s.widget(t, p.Code, of)
		}
	}
}

type shownWidget struct {
	ID      string
	Options struct{ Tabs []any }
	Widgets []shownWidget
}

func (s *sightless) widget(t *testing.T, page string, of shownWidget) {
	for tab := range max(1, len(of.Options.Tabs)) {
		body, err := json.Marshal(map[string]any{"portalCode": page, "widget": of.ID, "tab": tab, "size": 50})
		require.NoError(t, err)
		if r := s.post(t, unseeing, "/api/runtime/portal/rows", string(body)); r.Errcode != fault.WidgetNotFound { // it lists no records
			s.reads(t, "widget "+of.ID, r)
		}
	}
	for _, inner := range of.Widgets {
		s.widget(t, page, inner)
	}
}
