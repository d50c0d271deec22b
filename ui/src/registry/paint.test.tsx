import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import i18next from 'i18next'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { FieldPlan } from '@/api/types'
import { loadAllTexts, startI18n } from '@/i18n/i18n'
import { propertyTypes } from './properties'

const all = loadAllTexts()
await startI18n()
await all
afterEach(cleanup)

const person = (id: string, name: string, imgUrl: string | null = null) => ({ id, name, type: 0, imgUrl })
const department = { id: 'd', name: '工程部', type: 1, imgUrl: null }
const people = [person('1', '赵启明'), person('2', 'Smith', '/face.png'), department]
const records = [
  { id: 'a', name: '上闸首' },
  { id: 'b', name: '下闸首' },
]
const rows = Array.from({ length: 4 }, (_, i) => ({ id: `${i}`, item: `项目 ${i}` }))

/** Values that bring out every look of a cell. */
const samples: Record<string, unknown[]> = {
  Number: ['-1234567.5', '0'],
  Date: ['2026-11-21'],
  Time: ['09:30:00'],
  Address: [{ code: '1', province: '江苏省', city: '淮安市', district: '淮阴区', detail: '闸区' }],
  LongText: ['两行\n文字', 'x'.repeat(2000), '<b>marked</b>'],
  Logic: [true, false],
  Dropdown: ['A', 'B', 'gone'],
  Radio: ['A'],
  DropdownMulti: [['A'], ['A', 'B', 'gone']],
  Checkbox: [['B', 'A']],
  StaffSingle: people.slice(0, 2),
  DeptSingle: [department],
  StaffMulti: [people.slice(0, 1), people],
  DeptMulti: [[department]],
  StaffDeptMix: [people],
  RelevanceForm: records,
  RelevanceFormEx: [records.slice(0, 1), records],
  Sheet: [
    { rows: [], total: 0 },
    { rows: rows.slice(0, 2), total: 2 },
    { rows, total: 9 },
  ],
}

const child = { propertyCode: 'item', propertyType: 0, name: '项目', name_i18n: {}, settings: {} }
const field = {
  ...child,
  propertyCode: 'it',
  relativeCode: 'lot',
  settings: { scale: 2, displayFormat: undefined },
  children: [child],
  options: [
    { code: 'A', name: '甲', name_i18n: { en: 'First' }, color: 'green' },
    { code: 'B', name: '乙', name_i18n: { en: 'Second' } },
  ],
} as unknown as FieldPlan

const painted = propertyTypes().filter((type) => type.paint)

test('every painted type has samples', () => {
  expect(painted.map((type) => type.name).sort()).toEqual(Object.keys(samples).sort())
})

/** The same elements whatever the order in which their attributes were written. */
function look(node: Node): unknown {
  if (!(node instanceof Element)) return node.textContent
  const attributes = [...node.attributes].map(({ name, value }) => {
    if (name === 'style') return [name, (node as HTMLElement).style.cssText]
    // antd names what its popover describes; a cell has that only when it is awake.
    return [name, name === 'class' ? value.replace(/\s*\bant-\S+/g, '').trim() : value]
  })
  const own = attributes.filter(([name, value]) => name !== 'aria-describedby' && !(name === 'class' && value === ''))
  node.normalize() // React writes "+" and the number behind it as two texts
  return [node.tagName, Object.fromEntries(own.sort()), [...node.childNodes].map(look)]
}

for (const type of painted) {
  test(`a painted ${type.name} looks like its component`, () => {
    const Cell = type.Cell
    if (!Cell) throw new Error('nothing to compare with')
    for (const value of samples[type.name] ?? []) {
      const { container, unmount } = render(
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter>
            <Cell value={value} field={field} />
          </MemoryRouter>
        </QueryClientProvider>,
      )
      const box = document.createElement('div')
      box.append(type.paint?.(value, field, { t: i18next.t, locale: 'zh', zone: 'Asia/Shanghai' }) ?? '')
      expect(look(box)).toEqual(look(container))
      unmount()
    }
  })
}
