// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { withComputed } from './use-computed'

describe('what the server computed', () => {
  const values = {
    amount: '5',
    lines: [
      { id: 'a', qty: '1' },
      { key: 'n', qty: '2' },
    ],
  }
  it('changes nothing where nothing was asked', () => {
    expect(withComputed(values, { values: {}, rows: {} })).toBe(values)
  })
  it('goes into fields and, row by row, into sub-tables', () => {
    const got = withComputed(values, { values: { net: '10' }, rows: { lines: [{ value: '3' }, { value: null }] } })
    expect(got).toEqual({
      amount: '5',
      net: '10',
      lines: [
        { id: 'a', qty: '1', value: '3' },
        { key: 'n', qty: '2' },
      ],
    })
    expect((got.lines as unknown[])[1]).toBe(values.lines[1])
  })
  it('leaves rows alone when one came or went meanwhile', () => {
    expect(withComputed(values, { values: {}, rows: { lines: [{ value: '3' }] } }).lines).toBe(values.lines)
  })
})
