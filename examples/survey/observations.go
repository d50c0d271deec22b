package survey

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"

	"example.com/survey/codes"
)

// rowsAtOnce is how many observations one step of the import writes.
const rowsAtOnce = 1000

// importPayload is what the job is given.
type importPayload struct {
	File string `json:"file"`
}

// importProgress is what a step leaves for the next.
type importProgress struct {
	Lines int64 `json:"lines"` // that are stored
}

// importObservations takes the file and starts the job that reads it.
func importObservations() action.Action {
	return action.NewUpload("importObservations", action.Upload{Accept: []string{".csv"}, Most: 50 << 20}, `{"type": "object", "additionalProperties": false}`,
		`{"type": "object", "required": ["job"], "properties": {"job": `+anyID+`}}`,
		func(ctx context.Context, c action.Call, file world.File, _ struct{}) (map[string]string, error) {
			job, err := c.Start(ctx, "survey.import", importPayload{File: file.ID}, world.JobOptions{Subject: codes.Observation})
			return map[string]string{"job": job}, err
		})
}

func importJob() world.Job {
	return world.Job{Code: "survey.import", Title: plan.Label{Zh: "导入观测值", I18n: map[string]string{"en": "Import of observations"}}, Work: readObservations}
}

// readObservations writes a thousand lines in each step. A job that is taken up again goes on behind the last step that was stored.
func readObservations(ctx context.Context, r world.Run) (any, error) {
	var payload importPayload
	var done importProgress
	if err := r.Decode(&payload); err != nil {
		return nil, err
	}
	if _, err := r.Progress(&done); err != nil {
		return nil, err
	}
	total := int64(0)
	for {
		more := false
		err := r.Step(ctx, func(w world.World) (any, error) {
			lines, all, err := linesOf(ctx, w, payload.File, done.Lines, total)
			if err != nil {
				return nil, err
			}
			total, more = all, done.Lines+int64(len(lines)) < all
			if err := store(ctx, w, lines, done.Lines); err != nil {
				return nil, err
			}
			return importProgress{Lines: done.Lines + int64(len(lines))}, nil
		})
		if err != nil {
			return nil, err
		}
		if done.Lines = min(done.Lines+rowsAtOnce, total); !more {
			r.Report(total, total)
			return done, nil
		}
		r.Report(done.Lines, total)
	}
}

// linesOf are the next lines behind those that are done, and how many there are in all; known is that number when it was counted before.
func linesOf(ctx context.Context, w world.World, file string, done, known int64) (lines [][]string, all int64, err error) {
	f, err := w.OpenFile(ctx, file)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	reader := csv.NewReader(f)
	reader.FieldsPerRecord = 3
	if _, err := reader.Read(); err != nil { // the heading
		return nil, 0, notCSV(err)
	}
	for {
		line, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return lines, all, nil
		}
		if err != nil {
			return nil, 0, notCSV(err)
		}
		if all++; all > done && all <= done+rowsAtOnce {
			lines = append(lines, line)
		}
		if known > 0 && all == done+rowsAtOnce {
			return lines, known, nil
		}
	}
}

func notCSV(err error) error {
	return fault.Refuse("文件不是三列的 CSV："+err.Error(), "The file isn't CSV with three columns: "+err.Error())
}

// store writes the observations of some lines; the first is behind those that are done.
func store(ctx context.Context, w world.World, lines [][]string, done int64) error {
	points := map[string]string{}
	for row, err := range w.Rows(ctx, "survey.points", nil) {
		if err != nil {
			return err
		}
		points[row.Text(codes.Number)] = row.ID
	}
	rows := make([]map[string]any, len(lines))
	for i, line := range lines {
		id, known := points[line[0]]
		if !known {
			return fault.New(UnknownPoint, done+int64(i)+2, line[0])
		}
		rows[i] = map[string]any{codes.Point: id, codes.TakenAt: line[1], codes.Value: line[2]}
	}
	_, err := w.CreateAll(ctx, codes.Observation, rows)
	return err
}

type exportInput struct {
	Point string `json:"point"`
}

// exportObservations answers what the list of observations shows, as CSV.
func exportObservations() action.Action {
	return action.NewDownload("exportObservations", `{"type": "object", "additionalProperties": false, "properties": {"point": `+anyID+`}}`, "text/csv; charset=utf-8",
		func(ctx context.Context, c action.Call, in exportInput) (action.File, error) {
			var o world.ListOptions
			if in.Point != "" {
				o.Filters = []world.Filter{{Property: codes.Point, Operator: "Equal", Value: in.Point}}
			}
			return action.File{Name: "observations.csv", Write: func(to io.Writer) error { return writeCSV(ctx, c, to, o) }}, nil
		})
}

func writeCSV(ctx context.Context, w world.World, to io.Writer, o world.ListOptions) error {
	out := csv.NewWriter(to)
	first := true
	for row, err := range w.List(ctx, codes.Observation, o) {
		if err != nil {
			return err
		}
		head, cells := make([]string, len(row.Cells)), make([]string, len(row.Cells))
		for i, c := range row.Cells {
			head[i], cells[i] = c.Column.Label.In(w.Principal().Locale), c.Text
		}
		if first {
			if err := out.Write(head); err != nil {
				return err
			}
			first = false
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	if out.Flush(); out.Error() != nil {
		return fmt.Errorf("write the CSV: %w", out.Error())
	}
	return nil
}
