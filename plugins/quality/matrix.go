package quality

import (
	"context"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// matrixColumn is a process of the library: all work items that have it share the column, of whichever revision and under whichever name. Processes
// written by hand share one by their code; and no two columns have one heading. Its title is that of the latest revision.
type matrixColumn struct {
	code, title string
	revision    int64
}

// columnOf is the column of a process, which is made when none of its keys has one.
func columnOf(p world.Row, columns []matrixColumn, at map[string]int) []matrixColumn {
	keys := []string{"base " + p.Text(codes.BaseID), "code " + p.Text(codes.Code), "title " + p.Text(codes.Title)}
	if p.Empty(codes.BaseID) {
		keys = keys[1:]
	}
	i, known := 0, false
	for _, key := range keys {
		if i, known = at[key]; known {
			break
		}
	}
	revision := whole(p.Values[codes.BaseVersion])
	if !known {
		i = len(columns)
		columns = append(columns, matrixColumn{itoa(int64(i)), p.Text(codes.Title), revision})
	}
	for _, key := range keys {
		if _, taken := at[key]; !taken {
			at[key] = i
		}
	}
	if revision > columns[i].revision {
		columns[i].title, columns[i].revision = p.Text(codes.Title), revision
	}
	at["id "+p.ID] = i
	return columns
}

// matrix gives the lowest nodes of a node, their processes and the states of their sheets as a spreadsheet: a row for each node, a column for each process.
func matrix(ctx context.Context, c action.Call, in struct{ QbsID string }) (action.File, error) {
	nodes, err := rows(ctx, c, "quality.subtree", world.Args{"root": in.QbsID})
	if err != nil {
		return action.File{}, err
	}
	if len(nodes) == 0 {
		return action.File{}, fault.New(fault.RecordNotFound)
	}
	project, title := nodes[0].Text(codes.ProjectID), nodes[0].Text(codes.Name)
	names, parents := map[string]string{}, map[string]bool{}
	for _, n := range nodes {
		names[n.ID] = n.Text(codes.Name)
		parents[n.Text(codes.ParentID)] = true
	}
	for above, err := range c.Rows(ctx, "quality.namedOne", world.Args{"id": nodes[0].Text(codes.ParentID)}) {
		if err != nil {
			return action.File{}, err
		}
		names[above.ID] = above.Text(codes.Name)
	}
	nodes = slices.DeleteFunc(nodes, func(n world.Row) bool {
		return parents[n.ID] || n.Text(codes.NodeType) != codes.OptionItem && n.Text(codes.NodeType) != codes.OptionLot
	})
	slices.SortStableFunc(nodes, func(a, b world.Row) int { return compareCodes(a.Text(codes.Code), b.Text(codes.Code)) })
	due := map[string]string{}
	for _, n := range nodes {
		due[n.ID] = n.Text(codes.PlanFinish)
	}

	columns, processes, err := matrixColumns(ctx, c, project, due)
	if err != nil {
		return action.File{}, err
	}
	cells := map[[2]string][]string{} // of a node and a process
	today := c.Now().In(c.Zone()).Format("2006-01-02")
	for b, err := range c.Rows(ctx, "quality.bindingsAll", world.Args{"id": project}) {
		if err != nil {
			return action.File{}, err
		}
		code, known := processes[b.Text(codes.JbsID)]
		if day, wanted := due[b.Text(codes.QbsID)]; wanted && known {
			at := [2]string{b.Text(codes.QbsID), code}
			cells[at] = append(cells[at], b.Text(codes.SheetTitle)+say(c, "：", ": ")+stateText(c, b, day, today))
		}
	}

	s := world.Sheet{Name: say(c, "填报矩阵", "Sheets by process")}
	for _, one := range []struct {
		zh, en string
		width  float64
	}{{"编码", "Code", 14}, {"分项工程", "Work item", 28}, {"所属", "Part of", 24}, {"计划完成", "Planned finish", 14}} {
		s.Columns = append(s.Columns, world.SheetColumn{Title: say(c, one.zh, one.en), Width: one.width})
	}
	for _, one := range columns {
		s.Columns = append(s.Columns, world.SheetColumn{Title: one.title, Width: 26})
	}
	var lines iter.Seq2[[]any, error] = func(yield func([]any, error) bool) {
		for _, n := range nodes {
			line := []any{n.Text(codes.Code), n.Text(codes.Name), names[n.Text(codes.ParentID)], orNil(due[n.ID])}
			for _, one := range columns {
				line = append(line, orNil(strings.Join(cells[[2]string{n.ID, one.code}], "\n")))
			}
			if !yield(line, nil) {
				return
			}
		}
	}
	return action.File{Name: title + " " + s.Name + ".xlsx", Write: func(to io.Writer) error { return c.WriteSheet(to, s, lines) }}, nil
}

// matrixColumns are the processes of some nodes in their order, and the code of each process by its id.
func matrixColumns(ctx context.Context, c action.Call, project string, nodes map[string]string) (columns []matrixColumn, byID map[string]string, err error) {
	byID = map[string]string{}
	at := map[string]int{}
	for p, err := range c.Rows(ctx, "quality.processesAll", world.Args{"id": project}) {
		if err != nil {
			return nil, nil, err
		}
		if _, wanted := nodes[p.Text(codes.QbsID)]; !wanted {
			continue
		}
		columns = columnOf(p, columns, at)
		byID[p.ID] = columns[at["id "+p.ID]].code
	}
	return columns, byID, nil
}

// sheetStates are the words of the states of a sheet.
var sheetStates = map[string][2]string{
	codes.OptionNone: {"未填", "Not filled"}, codes.OptionDraft: {"草稿", "Draft"}, codes.OptionProcessing: {"审批中", "In review"}, codes.OptionCompleted: {"已完成", "Completed"},
	codes.OptionCanceled: {"已作废", "Canceled"}, "OVERDUE": {"已逾期", "Overdue"},
}

// stateText is the state of a sheet in words. A required sheet that is not done when its node should be finished is overdue.
func stateText(w world.World, b world.Row, due, today string) string {
	state := b.Text(codes.Status)
	if b.Is(codes.Required) && state != codes.OptionCompleted && due != "" && due < today {
		state = "OVERDUE"
	}
	words, ok := sheetStates[state]
	if !ok {
		return state
	}
	return say(w, words[0], words[1])
}
