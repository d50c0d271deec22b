package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Paths of the product's call and of the floor's.
const (
	reportPath = "/api/runtime/report/data"
	sumsPath   = "/sums"
)

// figure is a data set of the report that is measured, and the same by hand: what it selects and groups by, of accepted lots in a range of days.
type figure struct {
	code, name, groups, measures string
	columns, by                  string
	postgres                     bool // sums of decimals take a function of the product on SQLite
}

const month = "MONTH" // of checkDate, as each database writes it

var reportFigures = []figure{
	{"total", "count of all", ``, `{"code": "n", "sumType": "count"}`, `count(*)`, ``, false},
	{"bySite", "count by related record", `"site"`, `{"code": "n", "sumType": "count"}`, `"site", count(*)`, `"site"`, false},
	{"byUnit", "count by department", `"unit"`, `{"code": "n", "sumType": "count"}`, `"unit", count(*)`, `"unit"`, false},
	{"byMonth", "count by month", `{"propertyCode": "checkDate", "timeStep": "month"}`, `{"code": "n", "sumType": "count"}`, month + `, count(*)`, month, false},
	{"byWeather", "distinct by choice", `"weather"`, `{"code": "n", "sumType": "distinct", "propertyCode": "inspector"}`, `"weather", count(DISTINCT "inspector")`, `"weather"`, false},
	{"amount", "sum by related record", `"contract"`, `{"code": "n", "sumType": "sum", "propertyCode": "amount"}`, `"contract", sum("amount")`, `"contract"`, true},
	{"price", "average by month", `{"propertyCode": "checkDate", "timeStep": "month"}`, `{"code": "n", "sumType": "average", "propertyCode": "price"}`, month + `, avg("price")`, month, true},
	{"most", "least and largest by department", `"unit"`, `{"code": "n", "sumType": "minimum", "propertyCode": "quantity"}, {"code": "m", "sumType": "maximum", "propertyCode": "quantity"}`,
		`"unit", min("quantity"), max("quantity")`, `"unit"`, true},
}

// pageSets is how many data sets the page of widgets has: the figures, and some of them once more with a condition.
const pageSets = 12

// writeReport puts the report that is measured into the pack.
func writeReport(dir string) error {
	var sets, charts []string
	for i := range pageSets {
		f := reportFigures[i%len(reportFigures)]
		code, where := f.code, ""
		if i >= len(reportFigures) {
			code, where = f.code+"Hidden", `"condition": "hidden", `
		}
		sets = append(sets, fmt.Sprintf(`{"code": "%s", "schemaCode": "inspection", %s"filters": ["period"], "groups": [%s], "measures": [%s]}`, code, where, f.groups, f.measures))
		charts = append(charts, fmt.Sprintf(`{"code": "%s", "chartType": "gauge", "dataSet": "%s", "measure": "n"}`, code, code))
	}
	text := fmt.Sprintf(`{"name": "基准", "name_i18n": {"en": "Benchmark"}, "filters": [{"code": "period", "schemaCode": "inspection", "propertyCode": "checkDate"}],
 "dataSets": [%s], "charts": [%s]}`, strings.Join(sets, ", "), strings.Join(charts, ", "))
	return os.WriteFile(filepath.Join(dir, "reports", "bench.json"), []byte(text), 0o644)
}

// sumsRequest asks the floor for a figure.
type sumsRequest struct {
	Code, From, To string
}

// sums answers a figure by a statement that is written by hand, prepared once.
func (f *floor) sums(ctx context.Context, in sumsRequest) ([]byte, error) {
	s := f.figures[in.Code]
	if s == nil {
		return nil, fmt.Errorf("no figure %q", in.Code)
	}
	rows, err := s.QueryContext(ctx, in.From, in.To)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	cells, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range cells {
		to[i] = &cells[i]
	}
	out := []byte(`{"errcode":0,"data":[`)
	for first := true; rows.Next(); first = false {
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		if !first {
			out = append(out, ',')
		}
		for _, c := range cells {
			out = append(append(append(out, '"'), c.String...), '"', ',')
		}
	}
	return append(out, `]}`...), rows.Err()
}

func (f *floor) prepareSums(ctx context.Context, driver string) (err error) {
	by := `substr("checkDate", 1, 7)`
	if driver == "pgx" {
		by = `date_trunc('month', "checkDate"::date)`
	}
	f.figures = map[string]*sql.Stmt{}
	for _, one := range reportFigures {
		if one.postgres && driver != "pgx" {
			continue
		}
		text := `SELECT ` + one.columns + ` FROM d_inspection WHERE "result" = 'OK' AND "checkDate" >= $1 AND "checkDate" <= $2`
		if one.by != "" {
			text += ` GROUP BY ` + one.by
		}
		if f.figures[one.code], err = f.db.PrepareContext(ctx, strings.ReplaceAll(text, month, by)); err != nil {
			return fmt.Errorf("%s: %w", one.code, err)
		}
	}
	return nil
}

// measureReports measures a page of widgets from memory, and each figure against the statement by hand.
func measureReports(ctx context.Context, o options, t *table, p place) error {
	product, err := start(ctx, o, "product", p)
	if err != nil {
		return err
	}
	defer product.stop()
	bare, err := start(ctx, o, "floor", p)
	if err != nil {
		return err
	}
	defer bare.stop()
	body := func(sets, from, to string) []byte {
		return fmt.Appendf(nil, `{"reportCode":"bench"%s,"filters":[{"propertyCode":"period","propertyValue":"%s;%s","queryFilterType":"Between"}]}`, sets, from, to)
	}
	page := asking{reportPath, p.reader, constant(string(body("", from, to)))}
	begun := time.Now()
	if _, err := product.ask(ctx, page); err != nil {
		return err
	}
	t.add(fmt.Sprintf("page of %d figures, counted", pageSets), ms(time.Since(begun)), "-", 0, "")
	took, size, err := product.single(ctx, page, o.each)
	if err != nil {
		return err
	}
	t.add(fmt.Sprintf("page of %d figures from memory, one request (%d bytes): p50", pageSets, size), ms(took), "-", 0, "< 30 ms")
	for _, f := range reportFigures {
		if f.postgres && p.url == "" {
			continue
		}
		of := [2]asking{
			{reportPath, p.reader, func(n int) []byte { a, b := distinct(n); return body(`,"dataSets":["`+f.code+`"]`, a, b) }},
			{sumsPath, p.reader, func(n int) []byte {
				a, b := distinct(n)
				out, _ := json.Marshal(sumsRequest{f.code, a, b})
				return out
			}},
		}
		var medians [2][]time.Duration
		for range rounds {
			for i, server := range []*process{product, bare} {
				d, _, err := server.single(ctx, of[i], o.each/2)
				if err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
				medians[i] = append(medians[i], d)
			}
		}
		a, b := median(medians[0]), median(medians[1])
		t.add(f.name+", against the statement by hand: p50", ms(a), ms(b), float64(a)/float64(b), "1.5")
	}
	return nil
}
