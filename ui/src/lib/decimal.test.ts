import { describe, expect, it } from 'vitest'
import { capitals } from './capitals'
import { canonical, exactSum, group, halfWidth, shift, toScale, trueMinus } from './decimal'

describe('what is typed', () => {
  it.each([
    ['12.50', '12.5'],
    ['007', '7'],
    ['-0.00', '0'],
    ['+3', '3'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['9999999999999999.99999999', '9999999999999999.99999999'],
    ['1e3', null],
    ['-', null],
    ['.', null],
    ['', null],
    ['1.2.3', null],
  ])('%s is %s on the wire', (text, wire) => expect(canonical(text)).toBe(wire))

  it('takes full-width digits', () => {
    expect(halfWidth('－１２．５％')).toBe('-12.5%')
  })
})

describe('figures', () => {
  it.each([
    ['12.345', 2, '12.35'],
    ['-12.345', 2, '-12.35'],
    ['-0.001', 2, '0.00'],
    ['1234567890123456789012.99', 1, '1234567890123456789013.0'],
    ['999999999999999999999999.995', 2, '1000000000000000000000000.00'],
    ['7', 0, '7'],
    ['.5', 0, '1'],
    ['7', 3, '7.000'],
    ['abc', 2, null],
  ])('%s to %i decimals: %s', (text, scale, expected) => expect(toScale(text, scale)).toBe(expected))

  it.each([
    ['123456789012345678901234.50', '123,456,789,012,345,678,901,234.50'],
    ['-1234', '-1,234'],
    ['-100', '-100'],
    ['0.123456', '0.123456'],
  ])('%s with separators: %s', (text, expected) => expect(group(text)).toBe(expected))

  it('have a true minus', () => {
    expect(trueMinus('-1,234')).toBe('−1,234')
  })
})

describe('percentages', () => {
  it.each([
    ['0.9078', 2, '90.78'],
    ['-1', 2, '-100'],
    ['0.005', 2, '0.5'],
    ['0', 2, '0'],
    ['10', -2, '0.1'],
    ['-0.5', -2, '-0.005'],
    ['33.333333', -2, '0.33333333'],
    ['123456789012345678901234', -2, '1234567890123456789012.34'],
    ['?', 2, '?'],
  ])('%s moved by %i: %s', (text, places, expected) => expect(shift(text, places)).toBe(expected))

  it('come back as they went', () => {
    for (const text of ['0.1', '-12.345', '0.00000001', '7']) expect(shift(shift(text, 2), -2)).toBe(text)
  })
})

describe('sums', () => {
  it.each([
    [['0.1', '0.2'], '0.3'],
    [['9999999999999999.99999999', '-9999999999999999.99999999'], '0'],
    [['9999999999999999.99999999', '0.00000001'], '10000000000000000'],
    [['999999999999999999999999', '1'], '1000000000000000000000000'],
    [['1', null, 'x', '2.50'], '3.5'],
    [['-0.05', '0.02'], '-0.03'],
    [[null], null],
  ])('of %j is %s', (values, sum) => expect(exactSum(values)).toBe(sum))
})

describe('capitals', () => {
  it.each([
    ['123.45', '壹佰贰拾叁元肆角伍分'],
    ['100.05', '壹佰元零伍分'],
    ['0.05', '伍分'],
    ['0', '零元整'],
    ['100200300.00', '壹亿零贰拾万零叁佰元整'],
    ['-8', '负捌元整'],
  ])('%s: %s', (text, words) => expect(capitals(text)).toBe(words))
})
