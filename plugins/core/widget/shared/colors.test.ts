import type { PortalRows } from '@sluice/sdk'
import { expect, it } from 'vitest'
import { colorsOf } from './colors'

const KINDS: [code: string, zh: string, en: string, color?: string][] = [
  ['FACE', '作业面', 'Work area', 'blue'],
  ['PLANT', '拌和', 'Plant'],
  ['OFFICE', '驻地', 'Office'],
]
const rows = (locale: 1 | 2) =>
  ({
    columns: [{ propertyCode: 'kind', options: KINDS.map(([code, , , color]) => ({ code, color: color ?? null })) }],
    rows: KINDS.map((kind) => ({ texts: [kind[locale]], values: [{ code: kind[0] }] })),
  }) as unknown as PortalRows
const colors = (locale: 1 | 2) => colorsOf(rows(locale), 'kind').map((one) => one?.color)

it('gives each value a color of its own, the same in every language', () => {
  expect(colors(1)[0]).toBe('#3b82d6')
  expect(new Set(colors(1)).size).toBe(3)
  expect(colors(2)).toEqual(colors(1))
})

it('gives none without a property or a value', () => {
  expect(colorsOf(rows(1), undefined)).toEqual([null, null, null])
})
