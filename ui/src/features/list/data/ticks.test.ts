// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { ListConfig } from '@/api/types'
import { takesTicks } from './ticks'

const list = (more: object) => ({ queryPresentation: more }) as unknown as ListConfig
const selection = [{ place: 'selection' as const }]
const page = [{ place: 'page' as const }, { place: 'row' as const }]

describe('boxes to tick rows', () => {
  it('are there when ticked rows can be acted on', () => {
    expect(takesTicks(list({}), selection)).toBe(true)
    expect(takesTicks(list({ rowSelectable: true }), selection)).toBe(true)
  })

  it('are not there when they lead to nothing, whatever the definition says', () => {
    expect(takesTicks(list({}), page)).toBe(false)
    expect(takesTicks(list({ rowSelectable: true }), page)).toBe(false)
  })

  it('are there for a script that reads them, where the definition wants them', () => {
    expect(takesTicks(list({ rowSelectable: true, script: '/s.js' }), page)).toBe(true)
    expect(takesTicks(list({ script: '/s.js' }), page)).toBe(false)
  })

  it('are not there where the definition wants none', () => {
    expect(takesTicks(list({ rowSelectable: false }), selection)).toBe(false)
  })
})
