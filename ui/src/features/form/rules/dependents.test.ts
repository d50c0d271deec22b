// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { FormField } from '@/api/types'
import { withoutOrphans } from './dependents'

const choice = (propertyCode: string, settings: object, parents: Record<string, string> = {}) =>
  ({
    propertyCode,
    settings,
    options: Object.entries(parents).map(([code, parent]) => ({ code, parent })),
  }) as unknown as FormField
const area = choice('area', {})
const city = choice('city', { dependsOn: 'area' }, { sh: 'east', hz: 'east', cd: 'west' })
const street = choice('street', { dependsOn: 'city' }, { bund: 'sh', lake: 'hz' })
const fields = [area, street, city]
const codes = ({ cleared }: { cleared: FormField[] }) => cleared.map((field) => field.propertyCode)

describe('choices below a choice that changed', () => {
  const before = { area: 'east', city: 'sh', street: 'bund', other: 1 }

  it('are emptied, and those below them', () => {
    const out = withoutOrphans(fields, before, { ...before, area: 'west' })
    expect(out.values).toEqual({ area: 'west', city: null, street: null, other: 1 })
    expect(codes(out).sort()).toEqual(['city', 'street'])
    expect(withoutOrphans(fields, before, { ...before, area: null }).values).toMatchObject({ city: null, street: null })
  })

  it('stay where they still belong, came with it, or nothing above them changed', () => {
    const both = { ...before, area: 'west', city: 'cd', street: null }
    expect(withoutOrphans(fields, before, both)).toEqual({ values: both, cleared: [] })
    const other = { ...before, other: 2 }
    expect(withoutOrphans(fields, before, other).values).toBe(other)
    const many = { area: ['east'], city: ['sh', 'cd'] }
    expect(withoutOrphans(fields, { ...many, area: ['east', 'west'] }, many).values.city).toEqual(['sh'])
  })

  it('follow in the rows of sub-tables, each in its own', () => {
    const sheet = { propertyCode: 'lines', children: fields } as unknown as FormField
    const rows = [
      { id: '1', area: 'east', city: 'sh' },
      { key: 'n', area: 'east', city: 'hz' },
    ]
    const out = withoutOrphans([sheet], { lines: rows }, { lines: [rows[0], { ...rows[1], area: 'west' }] })
    expect(out.values.lines).toEqual([rows[0], { key: 'n', area: 'west', city: null }])
    expect(codes(out)).toEqual(['city'])
  })
})
