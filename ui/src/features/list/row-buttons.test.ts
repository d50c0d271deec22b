import { describe, expect, it } from 'vitest'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { buttonsWidth, shownLabel } from './row-buttons'

describe('buttons of rows', () => {
  it('cut names behind the seventh character', () => {
    expect(['一二三四五六七', '一二三四五六七八', 'Open'].map(shownLabel)).toEqual([
      '一二三四五六七',
      '一二三四五六七…',
      'Open',
    ])
  })

  it('have room for three and More', () => {
    const three = buttonsWidth(['甲乙', '丙丁', '戊己'], '更多')
    expect(buttonsWidth(['甲乙', '丙丁', '戊己', '庚辛'], '更多')).toBeGreaterThan(three)
    expect(buttonsWidth(['甲乙', '丙丁', '戊己', '庚辛', '壬癸'], '更多')).toBe(
      buttonsWidth(['甲乙', '丙丁', '戊己', '庚辛'], '更多'),
    )
  })

  it('open this server and https only', () => {
    expect(
      ['/x', '/a//b', '//evil', '/\\evil', 'https://a.example', 'http://a', 'javascript:1', ' /x'].map(isSafeAddress),
    ).toEqual([true, true, false, false, true, false, false, false])
    expect(isOwnPath('https://a.example')).toBe(false)
  })
})
