package expression_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/expression"
)

const head = `# 表达式与函数 · Expressions and functions

<!-- Written by "go test ./engine/expression -update" from the table in engine/expression/functions.go. -->

运算 Operators: ` + "`== != < <= > >=  in  not in  contains  startsWith  and or not (&& || !)  + - * /  ?:  ??`" + `

- 名称 Names: 数据项编码 property codes, ` + "`record.x`, `old.x`, `user.id name roles departments departmentTree mainDepartment`" + `,
  经关联的路径 paths ` + "`contract.partyB`" + `, 子表行 rows ` + "`.x`" + `; 子表公式中 in a sub-table's formulas ` + "`row.x`, `record.x`" + `; 选项条件中 in option conditions ` + "`form.x`" + `.
- 空值：比较不成立，算术结果为空；` + "`!=`" + ` 是 ` + "`==`" + ` 的反面，所以空值满足 ` + "`x != 1`" + `。
  Empty values: comparisons are false, arithmetic is empty; ` + "`!=`" + ` is the complement of ` + "`==`" + `, so an empty x satisfies ` + "`x != 1`" + `.
- 数字按十进制精确计算：积保留 16 位小数，商保留 8 位。Numbers are exact decimals; products keep 16 fraction digits, quotients 8.
- 日期时间与日期比较时，日期指当天整天。Compared with a date-time, a date means that whole day.
- “仅内存”的函数和 ` + "`?:` `??`" + ` 不能用于行权限和列表条件，除非其中没有记录的数据项（如 ` + "`addDays(today(), -7)`" + `）。
  "Memory only" functions, ` + "`?:` and `??`" + ` cannot stand in row rules and list conditions unless they name no property, as ` + "`addDays(today(), -7)`" + `.

| 写法 Form | 说明 | Meaning | SQL |
|---|---|---|---|
`

func TestFunctionsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(head)
	for _, f := range expression.Functions() {
		sql := "✓"
		if f.MemoryOnly {
			sql = "仅内存 memory only"
		}
		b.WriteString("| `" + f.Signature + "` | " + f.Zh + " | " + f.En + " | " + sql + " |\n")
	}
	const page = "../../docs/functions.md"
	if *update {
		if err := os.MkdirAll("../../docs", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil || string(have) != b.String() {
		t.Errorf("%s is stale; run go test ./engine/expression -update (%v)", page, err)
	}
}
