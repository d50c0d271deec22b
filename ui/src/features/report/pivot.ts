import type { DataSet, GroupValue, Measure, Row } from '@/sdk/report/api'
import { combine, inOrder, keyOf, keysOf } from '@/sdk/report/figures'
import { type Chart, groupAt, measureAt } from './chart'
import type { At } from './drill'

/** A line or a column of a pivot table: the values of its groups. A subtotal has fewer, the total none. */
export interface Path {
  values: GroupValue[]
  kind: 'leaf' | 'subtotal' | 'total'
}

export interface PivotCell {
  /** Undefined: a total that does not follow from the rows. */
  value: string | null | undefined
  measure: Measure
  /** Null: no record is counted here. */
  at: At | null
}

export interface Pivot {
  rowGroups: DataSet['groups']
  columnGroups: DataSet['groups']
  measures: Measure[]
  lines: Path[]
  columns: Path[]
  /** The figures of a line: for each column those of all measures. */
  cells: (line: Path) => PivotCell[]
}

interface Branch {
  value: GroupValue
  below: Map<string, Branch>
}

function tree(rows: Row[], places: number[]): Map<string, Branch> {
  const roots = new Map<string, Branch>()
  for (const row of rows) {
    let level = roots
    for (const place of places) {
      const value = row.groups[place]
      if (!value) break
      const key = keyOf(value)
      let branch = level.get(key)
      if (!branch) {
        branch = { value, below: new Map() }
        level.set(key, branch)
      }
      level = branch.below
    }
  }
  return roots
}

function leaves(branches: Map<string, Branch>, depth: number, before: GroupValue[], subtotals: boolean): Path[] {
  return inOrder([...branches.values()]).flatMap(({ value, below }) => {
    const values = [...before, value]
    if (values.length === depth) return [{ values, kind: 'leaf' as const }]
    const inner = leaves(below, depth, values, subtotals)
    return subtotals ? [...inner, { values, kind: 'subtotal' as const }] : inner
  })
}

function pathsOf(rows: Row[], places: number[], subtotals: boolean, total: boolean): Path[] {
  if (places.length === 0) return [{ values: [], kind: 'leaf' }]
  const paths = leaves(tree(rows, places), places.length, [], subtotals)
  return total ? [...paths, { values: [], kind: 'total' }] : paths
}

/** A pivot table of the rows of a data set: figures are exact, and totals are made of the rows, not of what is shown. */
export function pivotOf(chart: Chart, set: DataSet, rows: Row[]): Pivot {
  const places = (codes: string[] | undefined) => (codes ?? []).map((code) => groupAt(set, code))
  const [down, across] = [places(chart.rows), places(chart.columns)]
  const measures = (chart.measures ?? []).map((code) => measureAt(set, code))
  const { subtotals = false, rowTotals = true, columnTotals = true } = chart
  const lines = pathsOf(rows, down, subtotals, columnTotals)
  const columns = pathsOf(rows, across, subtotals, rowTotals)
  const found = new Map<string, Row[]>()
  const address = (line: GroupValue[], column: GroupValue[]) => `${keysOf(line)}${keysOf(column)}`
  for (const row of rows) {
    const [line, column] = [down, across].map((of) => of.flatMap((place) => row.groups[place] ?? []))
    for (let i = 0; i <= down.length; i++) {
      for (let j = 0; j <= across.length; j++) {
        const key = address((line ?? []).slice(0, i), (column ?? []).slice(0, j))
        const there = found.get(key)
        if (there) there.push(row)
        else found.set(key, [row])
      }
    }
  }
  const cells = (line: Path): PivotCell[] =>
    columns.flatMap((column) => {
      const there = found.get(address(line.values, column.values)) ?? []
      const at = new Map([
        ...line.values.map((value, i) => [down[i] ?? -1, value] as const),
        ...column.values.map((value, i) => [across[i] ?? -1, value] as const),
      ])
      return measures.map((place) => ({
        value: combine(there, place, set),
        measure: set.measures[place] as Measure,
        at: there.length > 0 ? at : null,
      }))
    })
  const groups = (of: number[]) => of.flatMap((place) => set.groups[place] ?? [])
  return {
    rowGroups: groups(down),
    columnGroups: groups(across),
    measures: measures.flatMap((place) => set.measures[place] ?? []),
    lines,
    columns,
    cells,
  }
}

/** How far a heading reaches: over the paths that follow with the same values up to its level. Zero: the one before covers it. */
export function spanOf(paths: Path[], index: number, level: number): number {
  const own = paths[index]
  if (!own || own.values.length <= level) return 1
  const key = keysOf(own.values.slice(0, level + 1))
  const same = (path: Path | undefined) =>
    path !== undefined && path.values.length > level && keysOf(path.values.slice(0, level + 1)) === key
  if (same(paths[index - 1])) return 0
  let span = 1
  while (same(paths[index + span])) span++
  return span
}
