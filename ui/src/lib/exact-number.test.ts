import { describe, expect, it } from 'vitest'
import { capitals, group, shift, toScale } from './exact-number'

describe('exact numbers', () => {
  it.each([
    ['12.345', 2, '12.35'],
    ['-12.345', 2, '-12.35'],
    ['-0.001', 2, '0.00'],
    ['1234567890123456789012.99', 1, '1234567890123456789013.0'],
    ['7', 0, '7'],
    ['.5', 0, '1'],
    ['abc', 2, null],
  ])('%s to %i decimals: %s', (text, scale, expected) => expect(toScale(text, scale)).toBe(expected))

  it('groups thousands and keeps every digit', () => {
    expect(group('123456789012345678901234.50')).toBe('123,456,789,012,345,678,901,234.50')
    expect(group('-1234')).toBe('−1,234')
    expect(group('100')).toBe('100')
  })

  it('moves the point for percentages', () => {
    expect(shift('0.9078', 2)).toBe('90.78')
    expect(shift('-1', 2)).toBe('-100')
    expect(shift('0.005', 2)).toBe('0.5')
  })

  it.each([
    ['123.45', '壹佰贰拾叁元肆角伍分'],
    ['100.05', '壹佰元零伍分'],
    ['0.05', '伍分'],
    ['0', '零元整'],
    ['100200300.00', '壹亿零贰拾万零叁佰元整'],
    ['-8', '负捌元整'],
  ])('%s in capitals: %s', (text, words) => expect(capitals(text)).toBe(words))
})
