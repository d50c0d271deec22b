// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { pinsFor } from './pinned'

const at = (code: string, width: number) => ({ code, width })

describe('pinned columns', () => {
  it('stay where there is room', () => {
    expect(pinsFor(1200, 88, [at('no', 240)], [at('#actions', 200)])).toEqual({ left: ['no'], right: ['#actions'] })
  })

  it('take at most half of the table, the first ones first', () => {
    expect(pinsFor(720, 88, [at('no', 240)], [at('#actions', 200)])).toEqual({ left: ['no'], right: [] })
    expect(pinsFor(720, 88, [at('no', 240), at('part', 200)], [])).toEqual({ left: ['no'], right: [] })
  })

  it('let nothing stay behind one that has no room', () => {
    expect(pinsFor(600, 88, [at('no', 300), at('part', 80)], [])).toEqual({ left: [], right: [] })
  })

  it('leave room for the buttons of rows, all but the first', () => {
    const left = [at('no', 187), at('name', 268)]
    expect(pinsFor(1220, 88, left, [at('#actions', 48)], 48)).toEqual({ left: ['no', 'name'], right: ['#actions'] })
    expect(pinsFor(1146, 88, left, [at('#actions', 143)], 48)).toEqual({ left: ['no'], right: ['#actions'] })
    expect(pinsFor(600, 88, left, [at('#actions', 48)], 48)).toEqual({ left: ['no'], right: [] })
  })

  it('leave out the inner one of two at the right edge', () => {
    expect(pinsFor(1000, 88, [at('no', 200)], [at('state', 120), at('#actions', 150)]).right).toEqual(['#actions'])
  })
})
