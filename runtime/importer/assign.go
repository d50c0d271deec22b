package importer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/codes"
)

// Limits of what a call can say of a file.
const (
	mostHeadRow  = 100
	mostAssigned = 2000 // columns
)

// saidOf reads what a request says of the head and the columns.
func saidOf(k *known, req Request) (assignment, error) {
	said := assignment{HeadRow: req.HeadRow}
	if said.HeadRow < 0 || said.HeadRow > mostHeadRow || req.Columns != nil && said.HeadRow == 0 {
		return said, fault.New(fault.BadParameter, "headRow")
	}
	if req.Columns == nil {
		return said, nil
	}
	said.Columns = []Assigned{}
	of, at := map[string]bool{}, map[int]bool{}
	for _, a := range req.Columns {
		code, ok := k.byCode[strings.ToLower(a.Code)]
		if a.Code != "" && (!ok || of[code]) || a.Column < 0 || a.Column >= 1<<14 || at[a.Column] || len(at) >= mostAssigned {
			return said, fault.New(fault.BadParameter, "columns")
		}
		of[code], at[a.Column] = code != "", true
		said.Columns = append(said.Columns, Assigned{Column: a.Column, Code: code})
	}
	return said, nil
}

// said is what an import was told of its file, with the codes of now. Columns whose property is gone are left out.
func (s *Service) said(imp *importRow, m *catalog.Model) (out assignment, err error) {
	if imp.Assigned == "" {
		return out, nil
	}
	if err := json.Unmarshal([]byte(imp.Assigned), &out); err != nil {
		return out, fmt.Errorf("the columns of the import %s: %w", imp.ID, err)
	}
	out.Columns = assignedNow(s.DB.NameLog().Since(imp.Epoch, imp.At), m, out.Columns)
	return out, nil
}

func assignedNow(then names.Reading, m *catalog.Model, in []Assigned) []Assigned {
	if then.Now() || in == nil {
		return in
	}
	out := slices.Clone(in)
	for i := range out {
		out[i].Code = codeNow(then, m, out[i].Code)
	}
	return out
}

// codeNow is the code that a column of an import has now; "" when its property is gone.
func codeNow(then names.Reading, m *catalog.Model, code string) string {
	path := strings.Split(code, ".")
	id := path[len(path)-1] == rowID
	if id {
		path = path[:len(path)-1]
	}
	if len(path) > 0 && code != "" {
		var ok bool
		if path, ok = codes.Path(then, m, path); !ok {
			return ""
		}
	}
	if id {
		path = append(path, rowID)
	}
	return strings.Join(path, ".")
}
