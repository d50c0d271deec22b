package reporting

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// chart is what a chart's document says of its table.
type chart struct {
	Series       []series `json:"series"`
	Category     string   `json:"category"`
	SplitBy      string   `json:"splitBy"`
	Place        string   `json:"place"`
	Trend        string   `json:"trend"`
	Measure      string   `json:"measure"`
	Across       string   `json:"across"`
	Up           string   `json:"up"`
	Size         string   `json:"size"`
	Planned      string   `json:"planned"`
	Actual       string   `json:"actual"`
	Forecast     string   `json:"forecast"`
	Target       string   `json:"target"`
	Compare      string   `json:"compare"`
	Longitude    string   `json:"longitude"`
	Latitude     string   `json:"latitude"`
	Rows         []string `json:"rows"`
	Columns      []string `json:"columns"`
	Measures     []string `json:"measures"`
	RowTotals    *bool    `json:"rowTotals"`
	ColumnTotals *bool    `json:"columnTotals"`
	Subtotals    bool     `json:"subtotals"`

	of *catalog.ReportChart
}

// series is a measure that a chart draws; a bare text is its code.
type series struct{ Measure string }

// UnmarshalJSON implements json.Unmarshaler.
func (s *series) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &s.Measure) == nil {
		return nil
	}
	var long struct {
		Measure string `json:"measure"`
	}
	err := json.Unmarshal(b, &long)
	s.Measure = long.Measure
	return err
}

func chartOf(of *catalog.ReportChart) (chart, error) {
	out := chart{of: of}
	err := json.Unmarshal(of.Document, &out)
	return out, err
}

// axes are those of heat maps, which are groups, or of scatter charts, which are measures.
func (c *chart) axes(groups bool) []string {
	if (c.of.Type == "heatMap") != groups {
		return nil
	}
	if groups {
		return []string{c.Up, c.Across}
	}
	return []string{c.Across, c.Up}
}

// groups are the places in a row of the groups that the chart names, each once.
func (c *chart) groups() []int {
	codes := slices.Concat([]string{c.Category, c.Place}, c.axes(true), []string{c.SplitBy}, c.Rows, c.Columns, []string{c.Trend})
	return placesOf(codes, func(code string) int {
		return slices.IndexFunc(c.of.Set.Groups, func(g catalog.ReportGroup) bool { return g.Code == code })
	})
}

// measures are the places of the measures that the chart names, each once.
func (c *chart) measures() []int {
	var codes []string
	for _, s := range c.Series {
		codes = append(codes, s.Measure)
	}
	codes = slices.Concat(codes, []string{c.Measure}, c.Measures, c.axes(false), []string{c.Longitude, c.Latitude, c.Size, c.Planned, c.Actual, c.Forecast, c.Target, c.Compare})
	return placesOf(codes, func(code string) int {
		return slices.IndexFunc(c.of.Set.Measures, func(m catalog.Measure) bool { return m.Code == code })
	})
}

// placesOf are where things are, each once; what is nowhere, such as a number instead of a code, is left out.
func placesOf(codes []string, at func(code string) int) (out []int) {
	for _, code := range codes {
		if i := at(code); code != "" && i >= 0 && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// title is the chart's own name, or those of its measures.
func (c *chart) title(locale string) string {
	if l := c.of.Label; l.Zh != c.of.Code || len(l.I18n) > 0 {
		return l.In(locale)
	}
	var names []string
	for _, i := range c.measures() {
		names = append(names, c.of.Set.Measures[i].Label.In(locale))
	}
	if len(names) == 0 {
		return c.of.Code
	}
	return strings.Join(names, inWords(locale, "、", ", "))
}

func inWords(locale, zh, en string) string {
	return plan.Label{Zh: zh, I18n: map[string]string{"en": en}}.In(locale)
}
