import { describe, expect, it } from 'vitest'
import type { LayoutItem } from '@/api/types'
import { placedCodes, undrawn } from './undrawn-faults'

const items = [
  { type: 'Field', propertyCode: 'a' },
  { type: 'Section', displayRule: {}, items: [{ type: 'Field', propertyCode: 'b' }] },
  { type: 'Tabs', items: [{ type: 'Tab', items: [{ type: 'Field', propertyCode: 'c' }] }] },
  { type: 'Field', propertyCode: 'd' },
] as unknown as LayoutItem[]

describe('faults that no field says', () => {
  it('are those of fields that are not in the form, or hidden; those in other tabs are said there', () => {
    const placed = placedCodes(items, (item) => !item.displayRule, new Set(['d']))
    expect([...placed]).toEqual(['a', 'c'])
    const found = ['a', 'b', 'c', 'd'].map((code) => ({ code, message: 'x' }))
    const refused = [{ propertyCode: 'z.q', errcode: 302004, errmsg: 'y', name: 'Z' }]
    expect(undrawn(placed, found, refused).map(({ code, message }) => `${code} ${message}`)).toEqual([
      'z y',
      'b x',
      'd x',
    ])
  })
})
