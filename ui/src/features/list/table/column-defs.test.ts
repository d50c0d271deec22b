import { beforeAll, describe, expect, it } from 'vitest'
import type { ColumnPlan, ListConfig } from '@/api/types'
import { columnDefs, fixedCodes, pinnedColumns } from './column-defs'
import { writeWidth } from './column-settings'

const column = (propertyCode: string, propertyType: number) =>
  ({
    propertyCode,
    propertyType,
    name: propertyCode,
    name_i18n: {},
    width: 120,
    sortable: true,
    settings: {},
  }) as unknown as ColumnPlan
const name = column('name', 0)
const price = column('price', 2)
const note = column('note', 2)
const config = (more: object) =>
  ({
    schemaCode: 's',
    queryColumns: [price, name, note],
    queryPresentation: {
      presentationType: 'table',
      fixedLeftColumns: [],
      fixedRightColumns: [],
      rowOrdinal: false,
      columnResizable: true,
      ...more,
    },
  }) as unknown as ListConfig

function defsOf(more: object, columns: ColumnPlan[], needed: Record<string, number> = {}) {
  const at = { config: config(more), columns, needed, tree: false }
  const pins = pinnedColumns(at, false, null, 2000)
  const t = ((key: string) => key) as never
  return columnDefs({ ...at, sort: null, locale: 'zh', t, nested: false, buttons: null, pins })
}

function table(more: object, columns: ColumnPlan[]) {
  return defsOf(more, columns).map(({ colId, pinned }) => (pinned ? `${colId} ${pinned}` : colId))
}

describe('the columns of a table', () => {
  beforeAll(() => localStorage.clear())

  it('begin with what opens the record, where the author said nothing', () => {
    expect(table({ fixedLeftGiven: false }, [price, name, note])).toEqual(['name left', 'price', 'note'])
    expect([...fixedCodes(config({ fixedLeftGiven: false }), [price, name, note])]).toEqual(['name'])
  })

  it('stand as they were moved, where the author keeps none at the left', () => {
    expect(table({ fixedLeftGiven: true }, [price, note, name])).toEqual(['price', 'note', 'name'])
    expect([...fixedCodes(config({ fixedLeftGiven: true }), [price, name, note])]).toEqual([])
  })

  it('stay at the left as the author said, and no others', () => {
    const fixed = { fixedLeftGiven: true, fixedLeftColumns: ['price'], fixedRightColumns: ['note'] }
    expect(table(fixed, [price, name, note])).toEqual(['price left', 'name', 'note right'])
    expect([...fixedCodes(config(fixed), [price, name, note])]).toEqual(['price', 'note'])
  })

  it('are never narrower than 70 pixels, nor than the figures that they show', () => {
    const columns = [name, { ...price, width: 80 }, column('rest', 0)] as ColumnPlan[]
    const least = (needed: Record<string, number>) =>
      Object.fromEntries(defsOf({}, columns, needed).map(({ colId, minWidth }) => [colId, minWidth]))
    expect(least({ price: 30 })).toMatchObject({ name: 70, price: 70 })
    expect(least({ price: 150 })).toMatchObject({ name: 70, price: 150 })
    expect(defsOf({}, columns, { price: 150 }).find(({ colId }) => colId === 'price')?.width).toBe(150)
    writeWidth('s', 'price', 90) // of a person, when the figures were shorter
    expect(defsOf({}, columns, { price: 150 }).find(({ colId }) => colId === 'price')).toMatchObject({ minWidth: 150 })
    localStorage.clear()
  })

  it('of a tree begin with its branches', () => {
    const tree = { presentationType: 'tree', fixedLeftGiven: true }
    expect(table(tree, [price, name, note])).toEqual(['name left', 'price', 'note'])
  })
})
