package importer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Sheets are the worksheets of an upload that an import reads, by their places from 0. The first one says what the columns are. In JSON one of them is a number and
// several are a list.
type Sheets []int

// mostSheets is how many worksheets an import reads at most.
const mostSheets = 200

// MarshalJSON writes a number for one worksheet.
func (s Sheets) MarshalJSON() ([]byte, error) {
	switch len(s) {
	case 0:
		return []byte("0"), nil
	case 1:
		return json.Marshal(s[0])
	}
	return json.Marshal([]int(s))
}

// UnmarshalJSON reads a number or a list.
func (s *Sheets) UnmarshalJSON(data []byte) error {
	var one int
	if json.Unmarshal(data, &one) == nil {
		*s = Sheets{one}
		return nil
	}
	return json.Unmarshal(data, (*[]int)(s))
}

// wrong tells if these can't be the worksheets of an import.
func (s Sheets) wrong() bool {
	sorted := slices.Sorted(slices.Values(s))
	return s != nil && len(s) == 0 || len(s) > mostSheets || len(slices.Compact(sorted)) < len(s) || len(sorted) > 0 && sorted[0] < 0
}

func (imp *importRow) setSheets(s Sheets) error {
	if s.wrong() {
		return fault.New(fault.BadParameter, "sheet")
	}
	if len(s) > 0 {
		imp.Sheet = s[0]
	}
	if len(s) > 1 {
		text, err := json.Marshal(s)
		imp.Sheets = string(text)
		return err
	}
	return nil
}

// sheets are those that an import reads.
func (imp *importRow) sheets() (out Sheets, err error) {
	if imp.Sheets == "" {
		return Sheets{imp.Sheet}, nil
	}
	err = json.Unmarshal([]byte(imp.Sheets), &out)
	return out, err
}

// sheetBits: an import names a row of its file by one number, which holds the row of the worksheet, and above these bits which of the import's worksheets it is.
// So rows of all worksheets have one order, and those of the first, or of the only one, the numbers that people see.
const sheetBits = 28 // a text file of 64 MB can have 67 million lines

func rowOf(sheet, row int) int { return sheet<<sheetBits | row }

// parted is the worksheet of an import, from 0, and the row in it.
func parted(number int64) (sheet int, row int64) {
	return int(number >> sheetBits), number & (1<<sheetBits - 1)
}

// sheetNames are the worksheets of an import of several; of one there are none, for its rows say enough.
type sheetNames []string

// place is a row as people find it.
func (n sheetNames) place(number int64) (sheet string, row int64) {
	at, row := parted(number)
	if at >= 0 && at < len(n) { // numbers of what could not be undone are below zero
		sheet = n[at]
	}
	return sheet, row
}

// told is a row in sentences: 12, or "Feb!12" where an import has several worksheets.
func (n sheetNames) told(number int) any {
	sheet, row := n.place(int64(number))
	if sheet == "" {
		return row
	}
	return fmt.Sprint(sheet, "!", row)
}

// sheetCount is what became of the records of a worksheet.
type sheetCount struct {
	Added   int64 `json:"added"`
	Changed int64 `json:"changed"`
	Same    int64 `json:"same"`
	Failed  int64 `json:"failed"`
}

// SheetResult is what became of a worksheet of an import of several.
type SheetResult struct {
	Name    string `json:"name"`
	Success int64  `json:"successCount"`
	Errors  int64  `json:"errorCount"`
	Skipped int64  `json:"skippedCount"`
	Added   int64  `json:"addedCount"`
	Changed int64  `json:"changedCount"`
	Same    int64  `json:"unchangedCount"`
	Totals  []int  `json:"totalRows"`
}

// counts are those of an import of several worksheets, as they are stored.
func (imp *importRow) counts() (out []sheetCount, err error) {
	if imp.Counts == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(imp.Counts), &out)
	return out, err
}

// sheetResults tells what became of each worksheet; none of an import of one.
func (s *Service) sheetResults(ctx context.Context, imp *importRow, h head) ([]SheetResult, error) {
	out := make([]SheetResult, len(h.Sheets))
	counts, err := imp.counts()
	if err != nil || len(out) == 0 {
		return out, err
	}
	for i, of := range h.Sheets {
		out[i] = SheetResult{Name: of.Name, Totals: append([]int{}, of.Totals...)}
		if i < len(counts) {
			c := counts[i]
			out[i].Added, out[i].Changed, out[i].Same, out[i].Success = c.Added, c.Changed, c.Same, c.Added+c.Changed+c.Same
			if imp.Phase == checking { // it keeps the first refused rows only
				out[i].Errors = c.Failed
			}
		}
	}
	if imp.Phase == checking {
		return out, nil
	}
	return out, s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var found []struct {
			Sheet int
			Kind  string
			Rows  int64
		}
		err := tx.System().Model(&keptRow{}).Where("import_id = ? AND kind IN ?", imp.ID, []string{rowFailed, rowPending, rowSkipped}).
			Select(fmt.Sprintf("number / %d AS sheet, kind, count(*) AS rows", 1<<sheetBits)).Group("1, 2").Scan(&found).Error
		for i := range out {
			out[i].Errors, out[i].Skipped = 0, 0
		}
		for _, f := range found {
			switch {
			case f.Sheet >= len(out):
			case f.Kind == rowSkipped:
				out[f.Sheet].Skipped += f.Rows
			default:
				out[f.Sheet].Errors += f.Rows
			}
		}
		return err
	})
}

// names are those of the worksheets of an import.
func (imp *importRow) names() (sheetNames, error) {
	h, err := imp.head()
	return h.names(), err
}

// count is the count of the worksheet that a record is in.
func (w *run) count(r *raw) *sheetCount {
	at, _ := parted(int64(r.Row))
	for len(w.place.Sheets) <= at {
		w.place.Sheets = append(w.place.Sheets, sheetCount{})
	}
	return &w.place.Sheets[at]
}

// sheetCounts are the counts of all phases of an import, as they are stored; "" of one worksheet.
func (w *run) sheetCounts() (string, error) {
	if len(w.judge.sheets) == 0 {
		return "", nil
	}
	all := make([]sheetCount, len(w.judge.sheets))
	for _, part := range [][]sheetCount{w.place.Before.Sheets, w.place.Sheets} {
		for i, c := range part {
			if i < len(all) {
				all[i].Added, all[i].Changed, all[i].Same = all[i].Added+c.Added, all[i].Changed+c.Changed, all[i].Same+c.Same
			}
		}
	}
	for i, c := range w.place.Sheets { // rows that failed before have come again
		if i < len(all) {
			all[i].Failed = c.Failed
		}
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// reach is a worksheet of an import: its first row of data, and how many rows those before it have.
type reach struct {
	first  int
	before int64
}

// rowsBefore is how many rows of the file are before the one with a number.
func rowsBefore(all []reach, number int64) int64 {
	at, row := parted(number)
	if at >= len(all) {
		return 0
	}
	return all[at].before + max(0, row-int64(all[at].first))
}

// noSheet refuses worksheets that the file does not have.
func (s Sheets) noSheet(has int) error {
	for _, at := range s {
		if at >= has {
			return fault.New(fault.WorkbookNoSheet)
		}
	}
	return nil
}
