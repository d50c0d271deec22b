import { beforeEach, describe, expect, it } from 'vitest'
import { createListStore } from '../list-store'
import { readOpenRows } from './open-rows'

describe('open rows', () => {
  beforeEach(() => sessionStorage.clear())

  it('are open again after a reload, in their own list only', () => {
    const before = createListStore('node', 'nodes')
    expect(before.getState().arranged).toBe(false)
    before.getState().toggleRow('a')
    before.getState().toggleRow('b')
    before.getState().toggleRow('a')
    const after = createListStore('node', 'nodes').getState()
    expect([...after.expanded]).toEqual(['b'])
    expect(after.arranged).toBe(true)
    expect(createListStore('node', 'others').getState().arranged).toBe(false)
  })

  it('stay closed when all were closed', () => {
    const { toggleRow } = createListStore('node', 'nodes').getState()
    toggleRow('a')
    toggleRow('a')
    expect(createListStore('node', 'nodes').getState()).toMatchObject({ expanded: new Set(), arranged: true })
  })

  it('survive a broken storage', () => {
    for (const broken of ['[1', '[]', '{"nodes":7}', 'null']) {
      sessionStorage.setItem('node_open_rows', broken)
      expect(readOpenRows('node', 'nodes')).toBeNull()
    }
    sessionStorage.setItem('node_open_rows', '{"nodes":["a",7,null]}')
    expect(readOpenRows('node', 'nodes')).toEqual(['a'])
  })
})
