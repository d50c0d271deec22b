import { describe, expect, it } from 'vitest'
import { canonicalNumber, groupThousands, halfWidth } from './decimal'

describe('what is typed', () => {
  it.each([
    ['12.50', '12.5'],
    ['007', '7'],
    ['-0.00', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['9999999999999999.99999999', '9999999999999999.99999999'],
    ['1e3', null],
    ['-', null],
    ['1.2.3', null],
  ])('%s is %s on the wire', (typed, wire) => {
    expect(canonicalNumber(typed)).toBe(wire)
  })

  it('takes full-width digits', () => {
    expect(halfWidth('－１２．５')).toBe('-12.5')
  })

  it('is grouped without losing a digit', () => {
    expect(groupThousands('-9999999999999999.12345678')).toBe('-9,999,999,999,999,999.12345678')
  })
})
