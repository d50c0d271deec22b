package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Edit is a row as somebody corrected it: the cells that changed, by column; a sub-table's is its whole list. A RowItem can be sent back as it
// came: what else it has is not read.
type Edit struct {
	ID   string                     `json:"id"`
	Data map[string]json.RawMessage `json:"data"`

	Sheet    json.RawMessage `json:"sheet"`
	Number   json.RawMessage `json:"rowNumber"`
	Kind     json.RawMessage `json:"kind"`
	ObjectID json.RawMessage `json:"objectId"`
	Name     json.RawMessage `json:"name"`
	Changes  json.RawMessage `json:"changes"`
	Errors   json.RawMessage `json:"errors"`
}

// mostEdits is how many rows one call may bring.
const mostEdits = 1000

// idOf names a kept row in calls.
func idOf(number int64) string { return strconv.FormatInt(number, 10) }

// idle finds an import of a person of which no job is under way.
func (s *Service) idle(ctx context.Context, user, id string) (*importRow, error) {
	imp, err := s.find(ctx, user, id)
	if err != nil || imp.Ended != nil {
		return imp, err
	}
	j, err := s.jobs.Get(ctx, user, imp.JobID)
	switch {
	case fault.Of(err) == fault.JobNotFound:
		return imp, nil
	case err != nil:
		return nil, err
	case j.State == job.Queued || j.State == job.Running:
		return nil, fault.New(fault.ImportBusy)
	}
	return imp, nil
}

// Edit stores corrected cells and answers with the rows as they are judged now. Rules that need the database are asked when the rows are
// imported again.
func (s *Service) Edit(ctx context.Context, view *authz.View, id string, edits []Edit) ([]RowItem, error) {
	imp, err := s.idle(ctx, view.User(), id)
	if err != nil {
		return nil, err
	}
	out := []RowItem{}
	return out, s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := imp.hold(tx); err != nil {
			return err
		}
		out, err = s.edit(ctx, tx, view, imp, edits)
		return err
	})
}

func (s *Service) edit(ctx context.Context, tx *store.Tx, view *authz.View, imp *importRow, edits []Edit) ([]RowItem, error) {
	if len(edits) > mostEdits {
		return nil, fault.New(fault.BadParameter, "secondImportData")
	}
	numbers := make([]int64, len(edits))
	for i, e := range edits {
		n, err := strconv.ParseInt(e.ID, 10, 64)
		if err != nil {
			return nil, fault.New(fault.BadParameter, "id")
		}
		numbers[i] = n
	}
	found, err := s.kept(tx, imp, numbers)
	if err != nil {
		return nil, err
	}
	j, err := s.judgeOf(view, imp)
	if err != nil {
		return nil, err
	}
	if j.look.renamed, err = imp.named(tx); err != nil {
		return nil, err
	}
	out := []RowItem{}
	for i, e := range edits {
		k, ok := found[numbers[i]]
		if !ok {
			return nil, fault.New(fault.ImportNotFound)
		}
		item, err := s.change(ctx, tx, j, k, func(r *raw) ([]string, error) { return r.apply(j.columns, e.Data) })
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, nil
}

// kept reads rows that wait for correction.
func (s *Service) kept(tx *store.Tx, imp *importRow, numbers []int64) (map[int64]keptRow, error) {
	out := map[int64]keptRow{}
	for part := range slices.Chunk(numbers, 500) {
		var found []keptRow
		if err := tx.System().Where("import_id = ? AND kind IN ? AND number IN ?", imp.ID, []string{rowFailed, rowSkipped}, part).Find(&found).Error; err != nil {
			return nil, err
		}
		for _, k := range found {
			out[k.Number] = k
		}
	}
	return out, nil
}

// judgeOf is the judge of the rows of an import, whatever columns the file had.
func (s *Service) judgeOf(view *authz.View, imp *importRow) (*judge, error) {
	m := view.Model(imp.Model)
	if m == nil {
		return nil, fault.New(fault.ModelNotFound, imp.Model)
	}
	names, err := imp.names()
	return &judge{look: s.newLookup(view, m), m: m, columns: columnsOf(view, m), clear: imp.Clear, replace: imp.Replace, sheets: names}, err
}

// change changes the cells of a kept row, judges it again, and stores it. with returns the columns that it changed.
func (s *Service) change(ctx context.Context, tx *store.Tx, j *judge, k keptRow, with func(*raw) ([]string, error)) (RowItem, error) {
	r, err := decodeRaw(k.Content)
	if err != nil {
		return RowItem{}, err
	}
	edited, err := with(r)
	if err != nil {
		return RowItem{}, err
	}
	var errs []Verdict
	if err := json.Unmarshal([]byte(k.Errors), &errs); err != nil {
		return RowItem{}, err
	}
	asked := map[*catalog.Field][]string{}
	j.texts(r, asked)
	if err := j.look.fetch(ctx, tx, asked); err != nil {
		return RowItem{}, err
	}
	held, err := j.heldOf(ctx, tx, r)
	if err != nil {
		return RowItem{}, err
	}
	done, err := j.record(ctx, r, false, held)
	if err != nil {
		return RowItem{}, err
	}
	for _, e := range errs { // what only the database can judge again stays until then
		if !byCell(e.Code) && !slices.Contains(edited, e.PropertyCode) && e.PropertyCode != "" && !slices.ContainsFunc(done.errs, e.same) {
			done.errs = append(done.errs, e)
		}
	}
	content, err := json.Marshal(r)
	if err != nil {
		return RowItem{}, err
	}
	why, err := json.Marshal(append([]Verdict{}, done.errs...))
	if err != nil {
		return RowItem{}, err
	}
	k.Content, k.Errors = string(content), string(why)
	if err := tx.System().Model(&keptRow{}).Where("import_id = ? AND number = ?", k.ImportID, k.Number).
		UpdateColumns(map[string]any{"content": k.Content, "errors": k.Errors}).Error; err != nil {
		return RowItem{}, err
	}
	return k.item(j.sheets)
}

// byCell reports whether a refusal comes from a cell alone, so that judging the cell again brings it back.
func byCell(c fault.Code) bool {
	switch c {
	case fault.CellError, fault.CellNoValue, fault.CellAmbiguous, fault.CellSingle, fault.CellNotFound, fault.CellDisabled, fault.CellNumber, fault.CellDate, fault.CellInstant, fault.CellTime, fault.CellLogic, fault.CellsDiffer,
		fault.FieldOneLine, fault.CellCut, fault.LineGone, fault.LineTwice, fault.FieldType, fault.FieldNumber, fault.FieldScale, fault.FieldStep, fault.FieldWhole, fault.FieldOption:
		return true
	}
	return false
}

// apply puts cells into a record. Columns that cannot be imported are refused.
func (r *raw) apply(columns []Column, data map[string]json.RawMessage) (edited []string, err error) {
	for code, text := range data {
		c, ok := fieldOf(columns, code)
		if ok && c.Sheet == nil {
			in, err := corrected(r.Cells[c.Field.Code], text)
			if err != nil {
				return nil, fault.New(fault.BadParameter, code)
			}
			delete(r.Says, c.Field.Code)
			r.Cells[c.Field.Code] = in
			if in.empty() {
				delete(r.Cells, c.Field.Code)
			}
			edited = append(edited, c.Field.Code)
			continue
		}
		more, err := r.applyRows(columns, code, text)
		if err != nil {
			return nil, err
		}
		edited = append(edited, more...)
	}
	return edited, nil
}

func (r *raw) applyRows(columns []Column, sheet string, text json.RawMessage) (edited []string, err error) {
	var list []map[string]json.RawMessage
	known := slices.ContainsFunc(columns, func(c Column) bool { return c.Sheet != nil && c.Sheet.Code == sheet })
	if !known || json.Unmarshal(text, &list) != nil {
		return nil, fault.New(fault.BadParameter, sheet)
	}
	old := r.Rows[sheet]
	rows := make([]rawRow, len(list))
	for i, cells := range list {
		rows[i] = rawRow{Row: r.Row + i, Cells: map[string]input{}}
		if i < len(old) {
			rows[i].Row = old[i].Row
		}
		if text, given := cells[rowID]; given && json.Unmarshal(text, &rows[i].ID) != nil {
			return nil, fault.New(fault.BadParameter, sheet+"."+rowID)
		}
		for code, text := range cells {
			if code == rowID {
				continue
			}
			c, ok := fieldOf(columns, sheet+"."+code)
			var was input
			if ok && i < len(old) && old[i].ID == rows[i].ID {
				was = old[i].Cells[c.Field.Code]
			}
			in, err := corrected(was, text)
			if !ok || err != nil {
				return nil, fault.New(fault.BadParameter, sheet+"."+code)
			}
			if !in.empty() {
				rows[i].Cells[c.Field.Code] = in
			}
			edited = append(edited, c.Code())
		}
	}
	if len(rows) != len(old) { // refusals name rows by their places, which are others now
		for _, c := range columns {
			if c.Sheet != nil && c.Sheet.Code == sheet {
				edited = append(edited, c.Code())
			}
		}
	}
	if r.Rows == nil {
		r.Rows = map[string][]rawRow{}
	}
	if r.Rows[sheet] = rows; len(rows) == 0 {
		delete(r.Rows, sheet)
	}
	return append(edited, sheet), nil
}

// corrected is a cell as somebody sends it. One that is sent as it was told stays what the file has.
func corrected(was input, text json.RawMessage) (in input, err error) {
	if err = json.Unmarshal(text, &in); err != nil || in.cell.Kind != property.CellText && in.chosen == nil && in.cell.Kind != property.CellEmpty {
		return in, cmp.Or(err, errNoText)
	}
	if in.chosen == nil && was.chosen == nil && !was.empty() && in.cell.Text == cellText(was.cell) {
		return was, nil
	}
	return in, nil
}

// errNoText: calls bring cells as texts or as entries.
var errNoText = errors.New("neither a text nor entries")

// heldOf is what the record of a row has that was refused; nil where the row does not say by its id which record that is.
func (j *judge) heldOf(ctx context.Context, tx *store.Tx, r *raw) (*held, error) {
	if uuid.Validate(r.ID) != nil {
		return nil, nil
	}
	of, err := j.hold(ctx, tx, []string{strings.ToLower(r.ID)})
	if err != nil || of[strings.ToLower(r.ID)] == nil {
		return nil, err
	}
	return &held{of[strings.ToLower(r.ID)]}, nil
}

// eachKept gives the named rows that wait for correction, or all.
func (s *Service) eachKept(tx *store.Tx, imp *importRow, ids []string, all bool, do func(keptRow) error) error {
	var numbers []int64
	for _, id := range ids {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return fault.New(fault.BadParameter, "rows")
		}
		numbers = append(numbers, n)
	}
	if !all && len(numbers) == 0 {
		return fault.New(fault.EmptyParameter, "rows")
	}
	for after := int64(0); ; {
		var found []keptRow
		of := tx.System().Where("import_id = ? AND kind = ? AND number > ?", imp.ID, rowFailed, after)
		if !all {
			of = of.Where("number IN ?", numbers)
		}
		if err := of.Order("number").Limit(500).Find(&found).Error; err != nil || len(found) == 0 {
			return err
		}
		for _, k := range found {
			if err := do(k); err != nil {
				return err
			}
		}
		after = found[len(found)-1].Number
	}
}

// Skip gives up rows that were refused, or with back takes that back.
func (s *Service) Skip(ctx context.Context, view *authz.View, id string, rows []string, all, back bool) error {
	imp, err := s.idle(ctx, view.User(), id)
	if err != nil {
		return err
	}
	from, to := rowFailed, rowSkipped
	if back {
		from, to = rowSkipped, rowFailed
	}
	var numbers []int64
	for _, id := range rows {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return fault.New(fault.BadParameter, "rows")
		}
		numbers = append(numbers, n)
	}
	if !all && len(numbers) == 0 {
		return fault.New(fault.EmptyParameter, "rows")
	}
	return s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := imp.hold(tx); err != nil {
			return err
		}
		of := tx.System().Model(&keptRow{}).Where("import_id = ? AND kind = ?", imp.ID, from)
		if !all {
			of = of.Where("number IN ?", numbers)
		}
		moved := of.UpdateColumn("kind", to)
		if moved.Error != nil {
			return moved.Error
		}
		n := moved.RowsAffected
		if back {
			n = -n
		}
		return tx.System().Model(&importRow{}).Where("id = ?", imp.ID).
			UpdateColumns(map[string]any{"failed": gorm.Expr("failed - ?", n), "skipped": gorm.Expr("skipped + ?", n)}).Error
	})
}
