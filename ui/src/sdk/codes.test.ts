import { expect, it } from 'vitest'
import { defineCodes } from './codes'

it('gives the codes that are declared', () => {
  expect(
    defineCodes({
      lot: 'model inspectionLot',
      result: ['property inspectionLot.result', 'property inspectionLot.items.result'],
      passed: 'option inspectionLot.result:a.b: c',
      small: 'option sizes:S',
      check: 'node approval.check',
    }),
  ).toEqual({ lot: 'inspectionLot', result: 'result', passed: 'a.b: c', small: 'S', check: 'check' })
})

it('refuses a word of two codes', () => {
  expect(() => defineCodes({ result: ['property a.result', 'property b.outcome'] })).toThrow('result')
  expect(() => defineCodes({ result: [] })).toThrow('result')
})
