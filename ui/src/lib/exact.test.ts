import { describe, expect, it } from 'vitest'
import { exactSum } from './exact'

describe('exactSum', () => {
  it.each([
    [['0.1', '0.2'], '0.3'],
    [['9999999999999999.99999999', '-9999999999999999.99999999'], '0'],
    [['9999999999999999.99999999', '0.00000001'], '10000000000000000'],
    [['1', null, 'x', '2.50'], '3.5'],
    [['-0.05', '0.02'], '-0.03'],
    [[null], null],
  ])('of %j is %s', (values, sum) => {
    expect(exactSum(values)).toBe(sum)
  })
})
