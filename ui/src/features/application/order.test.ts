import { describe, expect, it } from 'vitest'
import type { Entry, ManagedApp } from './api'
import { codeOf, dropped, groupStepped, groupsOf, isCode, linesOf, placed, stepped } from './order'

const app = (code: string, group = '') => ({ code, group, group_i18n: {}, name: code, name_i18n: {} }) as ManagedApp
const entry = (code: string, children: Entry[] = []) =>
  ({ code, type: children.length > 0 ? 'Folder' : 'BizModel', children }) as Entry

describe('the order of applications', () => {
  const groups = groupsOf([app('a', 'x'), app('free'), app('b', 'y'), app('c', 'x'), app('d', 'x')])

  it('shows groups by their first application, and those without a group last', () => {
    expect(groups.map((one) => [one.group, ...one.apps.map((each) => each.code)].join(' '))).toEqual([
      'x a c d',
      'y b',
      ' free',
    ])
  })

  it('moves within a group, into another one, and moves groups', () => {
    expect(stepped(groups, 'a', 1)).toEqual(['c', 'a', 'd', 'b', 'free'])
    expect(stepped(groups, 'd', -1)).toEqual(['a', 'd', 'c', 'b', 'free'])
    expect(stepped(groups, 'a', -1)).toBeNull()
    expect(stepped(groups, 'd', 1)).toBeNull()
    expect(placed(groups, 'd', 'y', 'b')).toEqual(['a', 'c', 'd', 'b', 'free'])
    expect(placed(groups, 'd', 'y', null)).toEqual(['a', 'c', 'b', 'd', 'free'])
    expect(groupStepped(groups, 'y', -1)).toEqual(['b', 'a', 'c', 'd', 'free'])
    expect(groupStepped(groups, 'y', 1)).toBeNull()
  })
})

describe('the order of a menu', () => {
  const lines = linesOf([entry('a', [entry('b'), entry('c', [entry('d')])]), entry('e'), entry('f')])

  it('counts places without what is moved', () => {
    expect(lines.map((line) => `${'-'.repeat(line.depth)}${line.entry.code}`)).toEqual([
      'a',
      '-b',
      '-c',
      '--d',
      'e',
      'f',
    ])
    expect(dropped(lines, 'e', 'f', 'behind')).toEqual({ folder: '', at: 2 })
    expect(dropped(lines, 'e', 'f', 'before')).toEqual({ folder: '', at: 1 })
    expect(dropped(lines, 'f', 'a', 'before')).toEqual({ folder: '', at: 0 })
    expect(dropped(lines, 'f', 'c', 'behind')).toEqual({ folder: 'a', at: 2 })
    expect(dropped(lines, 'f', 'c', 'inside')).toEqual({ folder: 'c', at: null })
  })

  it('takes no folder into itself', () => {
    expect(dropped(lines, 'a', 'd', 'before')).toBeNull()
    expect(dropped(lines, 'a', 'a', 'inside')).toBeNull()
  })
})

it('makes codes of names', () => {
  expect(codeOf('Purchase orders (new)')).toBe('purchaseOrdersNew')
  expect(codeOf('3 bridges')).toBe('Bridges')
  expect(codeOf('船闸')).toBe('')
  expect(isCode('a_1')).toBe(true)
  expect(isCode('1a')).toBe(false)
})
