// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { noMarks, stillFaulty } from './script-marks'

describe('what onValidate found', () => {
  const looked = { weight: '101', title: 'a', rows: [{ id: '1', n: '1' }] }
  const marks = { ...noMarks, faults: { weight: 'at most 100', title: 'no', rows: 'too few' }, looked }

  it('stays at fields that are as they were', () => {
    expect(stillFaulty(marks, { ...looked, other: 'x' })).toBe(marks)
    expect(stillFaulty(marks, { ...looked, rows: [{ id: '1', n: '1', key: 'k' }] })).toBe(marks)
  })

  it.each([
    ['a value', { ...looked, weight: '99' }, ['title', 'rows']],
    ['an emptied one', { weight: '101', rows: looked.rows }, ['weight', 'rows']],
    ['a row', { ...looked, rows: [{ id: '1', n: '2' }] }, ['weight', 'title']],
  ])('goes with %s that changed, whoever changed it', (_, values, left) => {
    expect(Object.keys(stillFaulty(marks, values).faults)).toEqual(left)
  })

  it('does not come back when the old value does: the next save asks again', () => {
    const changed = stillFaulty(marks, { ...looked, weight: '99' })
    expect(stillFaulty(changed, looked).faults.weight).toBeUndefined()
  })
})
