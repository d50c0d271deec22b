import type { DataSet, GroupValue, Measure, Row } from '@/sdk/report/api'
import { combine, keysOf } from '@/sdk/report/figures'
import { type Chart, groupAt, groupsOf, measureAt, measuresOf } from './chart'
import type { At } from './drill'

export interface FlatLine {
  groups: GroupValue[]
  values: (string | null | undefined)[]
  at: At
}

export interface Flat {
  groups: DataSet['groups']
  measures: Measure[]
  lines: FlatLine[]
}

/** Rows by some of their groups, in their order. */
export function rowsBy(rows: Row[], places: number[]): { values: GroupValue[]; rows: Row[] }[] {
  const found = new Map<string, { values: GroupValue[]; rows: Row[] }>()
  for (const row of rows) {
    const values = places.flatMap((place) => row.groups[place] ?? [])
    const key = keysOf(values)
    const there = found.get(key)
    if (there) there.rows.push(row)
    else found.set(key, { values, rows: [row] })
  }
  return [...found.values()]
}

/** The figures of a chart as a table: what it is drawn from, in words. */
export function flatOf(chart: Chart, set: DataSet, rows: Row[]): Flat {
  const places = groupsOf(chart).map((code) => groupAt(set, code))
  const measures = measuresOf(chart).map((code) => measureAt(set, code))
  return {
    groups: places.flatMap((place) => set.groups[place] ?? []),
    measures: measures.flatMap((place) => set.measures[place] ?? []),
    lines: rowsBy(rows, places).map(({ values, rows: own }) => ({
      groups: values,
      values: measures.map((place) => combine(own, place, set)),
      at: new Map(values.map((value, i) => [places[i] ?? -1, value])),
    })),
  }
}
