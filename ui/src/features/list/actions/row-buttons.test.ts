import { describe, expect, it } from 'vitest'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { buttonsWidth, fullLabel, roomFor, shownLabel } from './row-buttons'

describe('buttons of rows', () => {
  it('cut names behind the room of seven Chinese characters', () => {
    const names = [
      '一二三四五六七',
      '一二三四五六七八',
      'Reset password',
      'Reset passwords',
      '重置 password abc',
      'Open',
    ]
    expect(names.map(shownLabel)).toEqual([
      '一二三四五六七',
      '一二三四五六七…',
      'Reset password',
      'Reset password…',
      '重置 password…',
      'Open',
    ])
  })

  it('tell a name of more than seven characters in full when pointed at', () => {
    expect(['一二三四五六七', '一二三四五六七八', 'Hand over'].map(fullLabel)).toEqual([
      null,
      '一二三四五六七八',
      'Hand over',
    ])
  })

  it('have room for three and More', () => {
    const three = buttonsWidth(['甲乙', '丙丁', '戊己'], '更多')
    expect(buttonsWidth(['甲乙', '丙丁', '戊己', '庚辛'], '更多')).toBeGreaterThan(three)
    expect(buttonsWidth(['甲乙', '丙丁', '戊己', '庚辛', '壬癸'], '更多')).toBe(
      buttonsWidth(['甲乙', '丙丁', '戊己', '庚辛'], '更多'),
    )
  })

  it('fold until their column stays at the edge, and are all in words where not even one does', () => {
    const labels = ['Complete', 'Postpone', 'Return', 'Print']
    const room = (most: number) => roomFor(labels, 'More', (width) => width <= most).inline
    expect(room(1000)).toBe(3)
    expect(room(buttonsWidth(labels, 'More', 2))).toBe(2)
    expect(room(buttonsWidth(labels, 'More', 1))).toBe(1)
    expect(room(60)).toBe(0)
    expect(room(10)).toBe(3)
    expect(roomFor(['One'], 'More', () => false).inline).toBe(3)
  })

  it('open this server and https only', () => {
    expect(
      ['/x', '/a//b', '//evil', '/\\evil', 'https://a.example', 'http://a', 'javascript:1', ' /x'].map(isSafeAddress),
    ).toEqual([true, true, false, false, true, false, false, false])
    expect(isOwnPath('https://a.example')).toBe(false)
  })
})
