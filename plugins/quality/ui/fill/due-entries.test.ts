import { beforeAll, expect, it } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import type { DueItem, DueList } from '../shared/due'
import { sheetFor } from '../shared/due'
import { texts } from '../texts'
import { type Begun, firstEntries } from './begin'
import { itemOfDue, openItems, stillMissing } from './due-entries'

beforeAll(async () => {
  await startI18n()
  addTexts(texts)
  await setLocale('en')
})

const item = (itemId: string, part: Partial<DueItem> = {}): DueItem => ({
  ...{ itemId, name: itemId.toUpperCase(), itemClass: 'GENERAL', evalMethod: 'POINT', recordKind: 'SELF', unit: 'mm' },
  ...{ tolerance: '±15', devLow: '-15', devHigh: '15', limitLow: null, limitHigh: null },
  ...{ designValue: null, minPoints: 0, differs: false, judged: {} },
  ...part,
})

const due = (part: Partial<DueList>): DueList => ({
  ...{ items: [], kinds: [], sheets: [], consents: [], changes: [], missing: [], signed: false },
  set: { id: 's', code: 'S', title: 'Slab', revision: 1, current: 1, inherited: false, outdated: null },
  may: { set: false, change: false, consent: false, deviate: false },
  ...part,
})

const ids = (list: readonly { itemId: string }[]) => list.map(({ itemId }) => itemId)

it('a record begins with the due items of its kind that are not judged, and after a bad round with what failed', () => {
  const list = due({
    items: [
      item('main', { itemClass: 'MAIN' }),
      item('good', { judged: { SELF: 'OK' } }),
      item('bad', { judged: { SELF: 'NOT_OK' } }),
      item('void', { judged: { SELF: 'NA' } }),
      item('claimed', { judged: { SELF: 'NA' } }), // by its author alone: it is missing all the same
      item('cube', { recordKind: 'TEST' }),
    ],
    kinds: [{ recordKind: 'SUP', judges: 'MAIN', share: null, workflowCode: '', have: 0, need: 1, differs: false }],
    missing: [{ what: 'ITEM', key: 'claimed', name: 'CLAIMED', kind: 'SELF', have: 0, need: 1 }],
  })
  expect(ids(openItems(list, 'SELF'))).toEqual(['main', 'bad', 'claimed'])
  expect(ids(openItems(list, 'SUP'))).toEqual(['main'])
  expect(ids(openItems(list, 'TEST'))).toEqual(['cube'])
})

it('the design value that is due stands in it; where nothing is due, what fits the kind of work does', () => {
  const begun = { due: due({ items: [item('a', { designValue: '120' })] }), fitting: [], lastOf: new Map() }
  expect(firstEntries(begun as unknown as Begun, 'SELF')).toEqual([{ itemId: 'a', design: '120', values: [] }])
  const fitting = [itemOfDue(item('b'))]
  const last = new Map([['b', { design: '7', values: [] }]])
  expect(firstEntries({ due: null, fitting, lastOf: last } as unknown as Begun, 'SELF')).toEqual([
    { itemId: 'b', design: '7', values: [] },
  ])
})

it('readings are compared with what is asked at the node', () => {
  expect(itemOfDue(item('a'))).toMatchObject({ devLow: '-15', devHigh: '15', minPoints: 1 })
})

it('what is still missing is told by name: items without a reading, then the rest', () => {
  const list = due({
    items: [item('a'), item('b')],
    missing: [
      { what: 'KIND', key: 'SELF', kind: 'SELF', have: 0, need: 1 },
      { what: 'KIND', key: 'SUP', kind: 'SUP', have: 0, need: 1 },
      { what: 'CONSENT', key: 'POUR', name: 'Pouring', have: 0, need: 1 },
    ],
  })
  const entry = (itemId: string, ...values: string[]) => ({ itemId, design: '', values })
  expect(stillMissing(list, 'SELF', [entry('a', '1'), entry('b')])).toEqual([
    'check item “B” (Self-inspection)',
    "record: Supervisor's check",
    'release of the hold point “Pouring”',
  ])
  expect(stillMissing(due({ items: [item('a')] }), 'SELF', [entry('a', '1')])).toEqual([])
})

it('an item is filled in on a sheet of its kind of inspection before one of another', () => {
  const sheet = (id: string, bizKind: string, schemaCode = 'q_record') =>
    ({ id, bizKind, schemaCode }) as never as Parameters<typeof sheetFor>[3][number]
  const missing = { what: 'ITEM' as const, key: 'a', kind: 'SELF', have: 0, need: 1 }
  const sheets = [sheet('sup', 'SUP'), sheet('lot', 'LOT'), sheet('self', 'SELF')]
  expect(sheetFor(missing, 'q_record', [], sheets)?.id).toBe('self')
  expect(sheetFor(missing, 'q_record', [], sheets.slice(0, 2))?.id).toBe('lot')
  // Where the set asks for a test as a record of its own, it is bound, and not written into the contractor's sheet.
  const test = { ...missing, kind: 'TEST' }
  const kinds = [{ recordKind: 'TEST' } as never]
  const contractor = sheets.filter(({ bizKind }) => bizKind !== 'TEST')
  expect(sheetFor(test, 'q_record', [], contractor, kinds)).toBeNull()
  expect(sheetFor(test, 'q_record', [], contractor)?.bizKind).not.toBe('TEST')
  expect(sheetFor({ ...missing, what: 'SHEET', key: 'q_hidden', kind: 'HIDDEN' }, 'q_record', [], sheets)).toBeNull()
})
