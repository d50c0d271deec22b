package quality

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// begin makes the values of the rows and tells the required ones that are empty.
func (m *importing) begin() {
	for _, r := range m.rows {
		r.values = map[string]any{}
		for _, col := range m.columns {
			if col.required && r.Data[col.key] == "" {
				r.bad(m, col.key, empty, "“"+col.zh+"”不能为空", col.en+" is required")
			}
		}
	}
}

// take puts texts into properties, and numbers with number.
func (r *ImportRow) take(property, col string) {
	if v := r.Data[col]; v != "" {
		r.values[property] = v
	}
}

// grouped is a number with thousands in threes: the comma of 12,5 is none of those.
var grouped = regexp.MustCompile(`^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$`)

func (m *importing) number(r *ImportRow, property, col string, atLeast int64) {
	v := r.Data[col]
	if v == "" {
		return
	}
	if grouped.MatchString(v) {
		v = strings.ReplaceAll(v, ",", "")
	}
	d, err := decimal.NewFromString(v)
	if err != nil || !sized(d) || d.LessThan(decimal.NewFromInt(atLeast)) {
		r.bad(m, col, forbidden, "“"+r.Data[col]+"”不是可用的数字", "“"+r.Data[col]+"” is not a number that fits")
		return
	}
	r.values[property] = d.String()
}

func (m *importing) yes(r *ImportRow, property, col string) {
	switch strings.ToLower(r.Data[col]) {
	case "":
	case "是", "yes", "y", "true", "1", "√":
		r.values[property] = true
	case "否", "no", "n", "false", "0":
		r.values[property] = false
	default:
		r.bad(m, col, forbidden, "“"+r.Data[col]+"”应为是或否", "“"+r.Data[col]+"” is not yes or no")
	}
}

func (m *importing) date(r *ImportRow, property, col string) {
	v := r.Data[col]
	if v == "" {
		return
	}
	for _, layout := range []string{"2006-01-02", "2006/1/2", "2006.1.2", "2006年1月2日", "2006-1-2", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, v); err == nil {
			r.values[property] = t.Format(time.DateOnly)
			return
		}
	}
	r.bad(m, col, forbidden, "“"+v+"”不是日期", "“"+v+"” is not a date")
}

// once tells rows whose code comes twice, and finds the records that are there: they are changed with overwrite, and a mistake without.
func (m *importing) once(col string, there map[string]string, key func(*ImportRow) string) (byKey map[string]*ImportRow) {
	byKey = map[string]*ImportRow{}
	for _, r := range m.rows {
		k := key(r)
		if k == "" {
			continue
		}
		if first := byKey[k]; first != nil {
			r.bad(m, col, repeat, fmt.Sprintf("“%s”与第 %d 行重复", r.Data[col], first.Row), fmt.Sprintf("“%s” is in row %d too", r.Data[col], first.Row))
			continue
		}
		byKey[k] = r
		if id := there[k]; id != "" {
			if r.id = id; !m.overwrite && !r.upper {
				r.bad(m, col, repeat, "“"+r.Data[col]+"”已存在", "“"+r.Data[col]+"” is there already")
			}
		}
	}
	return byKey
}

// hang finds the parent of a row by its code: in the file, or among what is there.
func (m *importing) hang(r *ImportRow, code string, inFile map[string]*ImportRow, there map[string]string) {
	if up := inFile[code]; up != nil && up != r {
		r.above = up
		return
	}
	if id := there[code]; id != "" {
		r.values[m.importKind.parent] = id
		return
	}
	r.bad(m, "parentCode", noExit, "没有编码为“"+code+"”的上级", "There is nothing with the code “"+code+"” above it")
}

// circles tells rows that are above themselves, and those below a row that is not imported.
func (m *importing) circles() {
	for changed := true; changed; {
		changed = false
		for _, r := range m.rows {
			if r.above != nil && len(r.Errors) == 0 && len(r.above.Errors) > 0 && r.above.id == "" {
				m.orphan(r)
				changed = true
			}
		}
	}
	for _, r := range m.rows {
		for up, n := r.above, 0; up != nil; up, n = up.above, n+1 {
			if up == r || n > len(m.rows) {
				r.bad(m, "parentCode", forbidden, "上下级形成了循环", "It would be above itself")
				break
			}
		}
	}
}
