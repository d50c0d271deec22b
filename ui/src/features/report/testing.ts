import type { DataSet, GroupValue, Measure, Row, SetData } from '@/sdk/report/api'
import type { Words } from '@/sdk/report/words'
import type { Look } from './draw/look'

export const look: Look = {
  text: '#111111',
  secondary: '#555555',
  line: '#dddddd',
  surface: '#ffffff',
  raised: '#ffffff',
  accent: '#0077bb',
  good: '#118833',
  bad: '#bb2222',
  font: 'sans-serif',
  series: ['#0077bb', '#bb7700', '#4455cc'],
}

export const words: Words = {
  locale: 'en',
  zone: 'Asia/Shanghai',
  empty: '(empty)',
  others: 'Others',
  total: 'Total',
  subtotal: 'Subtotal',
  share: 'Share',
  running: 'Running total',
  target: 'Target',
  more: 'Remaining',
}

export const measure = (code: string, more: Partial<Measure> = {}): Measure => ({
  code,
  name: code,
  name_i18n: {},
  sumType: 'sum',
  displayFormat: null,
  scale: null,
  unit: null,
  ...more,
})

export const group = (code: string, more: Partial<DataSet['groups'][number]> = {}): DataSet['groups'][number] => ({
  code,
  name: code,
  name_i18n: {},
  propertyCode: code,
  propertyType: 14,
  timeStep: null,
  ...more,
})

export const setOf = (groups: DataSet['groups'], measures: Measure[]): DataSet => ({
  code: 's',
  schemaCode: 'lot',
  groups,
  measures,
})

export const value = (text: string | null): GroupValue => ({ value: text, text: text ?? '' })

/** A row of group texts and figures. */
export const row = (groups: (string | null | GroupValue)[], ...values: (string | null)[]): Row => ({
  groups: groups.map((one) => (typeof one === 'object' && one !== null ? one : value(one))),
  values,
})

export const answer = (rows: Row[], more: Partial<SetData> = {}): SetData => ({
  code: 's',
  rows,
  groups: rows.length,
  truncated: false,
  error: null,
  ...more,
})
