package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// lotColumns are the head of the file of BenchmarkImport: texts with search words, references to people, departments and records of three
// models, numbers that a formula reads, options, four sets, and a row of the sub-table.
var lotColumns = []string{"lotNo", "qbs", "part", "site", "unit", "parties", "quantity", "price",
	"checkDate", "startTime", "weather", "methods", "result", "inspector", "team", "drawings", "remark",
	"items.item", "items.points", "items.passed", "items.kind"}

// What the lots refer to, by names of the example's data.
var (
	lotItems    = []string{"岸坡修整", "靠船钢护面", "混凝土护坡", "抛石护底", "底板模板", "边墩模板", "廊道钢筋", "廊道混凝土", "止水安装", "地基处理"}
	lotSites    = []string{"GD-001", "GD-002", "GD-003", "GD-004", "GD-005", "GD-006", "GD-007"}
	lotUnits    = []string{"工程管理部", "质量安全部", "合同计划部", "土建一工区", "土建二工区"}
	lotPeople   = []string{"周志远", "林国栋", "陈建平", "何晓岚", "徐明哲", "宋雨晴"}
	lotDrawings = []string{"上游引航道平面布置图", "上闸首结构图", "上闸首钢筋图", "闸室平面布置图", "下闸首地质剖面图"}
)

// of is one of a list, from the beginning again after its end.
func of(list []string, i int) string { return list[i%len(list)] }

// BenchmarkImport imports SLUICE_IMPORT_ROWS inspection lots of the example (5,000 when it is not set) with all rules, and tells how many
// records that were a second of the process's CPU, and how many times that of storing the same columns, links and search words in chunks
// without rights, rules, history or a file: `go test ./runtime/app -run - -bench Import -benchtime 3x -cpuprofile import.prof`.
func BenchmarkImport(b *testing.B) {
	rows := 5_000
	if n, err := strconv.Atoi(os.Getenv("SLUICE_IMPORT_ROWS")); err == nil {
		rows = n
	}
	set := &pack.Set{}
	require.NoError(b, base.Register(set))
	set.Freeze()
	a, err := app.Open(b.Context(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"../../examples/ship-lock"}, Zone: time.UTC},
		Dir: b.TempDir(), Workers: 2, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	defer func() { require.NoError(b, a.Close()) }()
	require.NoError(b, a.CatchUp(b.Context()))
	boss, err := a.AddUser(b.Context(), "bench", "bench", []string{"administrator"})
	require.NoError(b, err)
	person, _ := a.People().Person(b.Context(), boss)
	view := a.State().Policy.View(authn.Principal(b.Context(), a.People(), person, "zh"), time.Now(), time.UTC)
	n := 0
	for b.Loop() {
		file := lotsFile(b, n, rows)
		n += rows
		begun := cpu(b)
		importLots(b, a, view, file, rows)
		imported := cpu(b) - begun
		begun = cpu(b)
		insertLots(b, a, n-rows, rows)
		bare := cpu(b) - begun
		b.ReportMetric(float64(rows)/imported.Seconds(), "rows/cpu-s")
		b.ReportMetric(float64(rows)/bare.Seconds(), "bare-rows/cpu-s")
		b.ReportMetric(imported.Seconds()/bare.Seconds(), "x-bare")
	}
}

// insertLots stores an imported lot again so many times, from the nth on: rows with links and search words, without rights, rules and
// history.
func insertLots(b *testing.B, a *app.App, n, rows int) {
	c := a.State().Catalog
	lot, item := c.Model("inspection"), c.Model("inspection").Field("items").Sheet
	var one, line map[string]any
	require.NoError(b, a.Store().Read(b.Context(), func(ctx context.Context, tx *store.Tx) error {
		one, line = storedRow(b, tx, c, lot), storedRow(b, tx, c, item)
		return nil
	}))
	for from := n; from < n+rows; from += 200 {
		require.NoError(b, a.Store().Write(b.Context(), func(ctx context.Context, tx *store.Tx) error {
			for i := from; i < min(n+rows, from+200); i++ {
				no, id := "bare "+strconv.Itoa(i), uuid.Must(uuid.NewV7()).String()
				one[catalog.ID], one["lotNo"], one["part"], one["name"] = id, no, "闸室底板 "+no, no
				one["sequenceNo"] = no
				line[catalog.ID], line[catalog.SheetParent] = uuid.Must(uuid.NewV7()).String(), id
				if err := errors.Join(tx.Insert(ctx, lot, one), tx.Insert(ctx, item, line)); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// storedRow is some row of a model as its table has it.
func storedRow(b *testing.B, tx *store.Tx, c *catalog.Catalog, m *catalog.Model) map[string]any {
	q := &plan.Query{Model: m.Code, Order: []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}, Descending: true}}, Limit: 1}
	names := []string{}
	add := func(c plan.Column) {
		if !slices.Contains(names, c.Name) {
			names, q.Select = append(names, c.Name), append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
		}
	}
	for _, own := range m.Own {
		add(own)
	}
	for _, f := range m.Fields {
		for _, own := range f.Columns() {
			add(own)
		}
	}
	out := map[string]any{}
	require.NoError(b, tx.Query(b.Context(), c, q, func(row []any) error {
		for i, name := range names {
			if set, ok := row[i].([]string); ok {
				row[i] = slices.Clone(set)
			}
			if row[i] != nil {
				out[name] = row[i]
			}
		}
		return nil
	}))
	if m.Parent != nil {
		out[catalog.SheetOrder] = int64(0)
	}
	return out
}

// importLots imports a file and waits for its end.
func importLots(b *testing.B, a *app.App, view *authz.View, file []byte, rows int) {
	up, err := a.Importer().Upload(b.Context(), view, "lots.xlsx", bytes.NewReader(file), nil)
	require.NoError(b, err)
	id, err := a.Importer().Start(b.Context(), view, importer.Request{FileName: up.FileName, Original: "lots.xlsx", SchemaCode: "inspection",
		QueryField: "lotNo", Mode: importer.AddOrUpdate}, false)
	require.NoError(b, err)
	var out importer.Result
	require.Eventually(b, func() bool {
		out, err = a.Importer().Result(b.Context(), view, id)
		return err != nil || out.State == job.Done || out.State == job.Failed
	}, 10*time.Minute, 200*time.Millisecond)
	require.NoError(b, err)
	for _, r := range out.Rows[:min(1, len(out.Rows))] {
		b.Fatalf("row %d: %+v", r.Number, r.Errors)
	}
	require.Equal(b, int64(rows), out.Added, out.ErrorCode)
}

// lotsFile is a workbook of lots from the nth on.
func lotsFile(b *testing.B, n, rows int) []byte {
	var out bytes.Buffer
	w := workbook.NewWriter(&out, workbook.Options{})
	w.Sheet(workbook.SheetOptions{Name: "lots"})
	text := func(s string) workbook.Out {
		return workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: s}}
	}
	number := func(s string) workbook.Out {
		return workbook.Out{Cell: property.Cell{Kind: property.CellNumber, Text: s}}
	}
	head := make([]workbook.Out, len(lotColumns))
	for i, code := range lotColumns {
		head[i] = text(code)
	}
	require.NoError(b, w.Row(head, 0))
	for i := n; i < n+rows; i++ {
		no := fmt.Sprintf("A%c%c%c-2026-%03d", 'A'+i/1000/26/26, 'A'+i/1000/26%26, 'A'+i/1000%26, i%1000)
		day := time.Date(2026, 1, 1+i%300, 0, 0, 0, 0, time.UTC)
		unit, person, drawing := of(lotUnits, i), of(lotPeople, i), of(lotDrawings, i)
		require.NoError(b, w.Row([]workbook.Out{text(no), text(of(lotItems, i)), text("闸室底板 " + no), text(of(lotSites, i)), text(unit),
			text(unit + ";" + of(lotUnits, i+1)), number("12.5"), number("300.2"),
			{Cell: property.Cell{Kind: property.CellTime, Time: day, Format: "yyyy-mm-dd"}}, text("08:30"), text("晴"), text("目测;实测"),
			text("合格"), text(person), text(of(lotPeople, i+1) + ";" + of(lotPeople, i+2)), text(drawing + ";" + of(lotDrawings, i+3)),
			text("第 " + no + " 批混凝土浇筑"), text("平整度"), number("20"), number("19"), text("主控项目")}, 0))
	}
	require.NoError(b, w.Close())
	return out.Bytes()
}
