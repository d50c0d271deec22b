import { describe, expect, it } from 'vitest'
import type { MenuNode } from '@/api/types'
import { matchWith } from '@/lib/pinyin'
import { carriedOf, entryLink } from '@/sdk/menu-link'
import { pathTo, visibleEntries, withoutEmptyFolders } from './menu-tree'

const node = (code: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id: `app/${code}`,
  code,
  name: code,
  name_i18n: {},
  icon: null,
  type: 'BizModel',
  appCode: 'app',
  parentId: null,
  openMode: null,
  pcUrl: null,
  queryCode: code,
  schemaCode: code,
  sortKey: 0,
  published: 1,
  children: [],
  pcAble: true,
  mobileAble: true,
  deleted: false,
  ...more,
})
const folder = (code: string, children: MenuNode[]) =>
  node(code, { type: 'Folder', schemaCode: null, queryCode: null, children })
const lines = (nodes: MenuNode[], query = '', closed: string[] = []) =>
  visibleEntries(nodes, { closed: new Set(closed), query, locale: 'zh', match: matchWith(null) }).map(
    (entry) => entry.node.code,
  )

describe('side menu', () => {
  const tree = [folder('quality', [node('lots'), node('qbs')]), node('contract')]

  it('hides the entries of closed folders', () => {
    expect(lines(tree)).toEqual(['quality', 'lots', 'qbs', 'contract'])
    expect(lines(tree, '', ['app/quality'])).toEqual(['quality', 'contract'])
  })

  it('opens closed folders around what a search finds, and shows all of a found folder', () => {
    expect(lines(tree, 'qbs', ['app/quality'])).toEqual(['quality', 'qbs'])
    expect(lines(tree, 'quality')).toEqual(['quality', 'lots', 'qbs'])
    expect(lines(tree, 'nothing')).toEqual([])
  })

  it('drops folders without entries', () => {
    expect(withoutEmptyFolders([folder('empty', [folder('inner', [])]), ...tree]).map((n) => n.code)).toEqual([
      'quality',
      'contract',
    ])
  })

  it('leads to lists, opens the first child of a folder, and refuses dangerous addresses', () => {
    expect(entryLink(node('lots'))?.to).toBe('/application/app/application-list/lots?code=lots&queryCode=lots')
    expect(entryLink(tree[0] as MenuNode)?.to).toContain('/lots?')
    expect(entryLink(node('wall', { type: 'Page', pcUrl: 'javascript:alert(1)' }))).toBeNull()
    expect(entryLink(node('wall', { type: 'Page', pcUrl: null }))).toBeNull()
    const report = { type: 'Report' as const, schemaCode: null, queryCode: null }
    expect(entryLink(node('month', { ...report, reportCode: 'progress' }))?.to).toBe(
      '/application/app/application-report/progress?code=month',
    )
    expect(entryLink(node('month', { ...report, reportCode: null }))).toBeNull()
  })
  it('opens pages by their mode: in place, in a window of its own, framed by the application', () => {
    const page = (openMode: string | null, pcUrl: string) => entryLink(node('wall', { type: 'Page', openMode, pcUrl }))
    expect(page('VUE_MODE', '/BIMView?x=1')).toEqual({ to: '/BIMView?x=1', external: false })
    expect(page(null, 'https://example.com/a')).toEqual({ to: 'https://example.com/a', external: true })
    expect(page('VUE_MODE', '/app-todo')).toEqual({ to: '/app-todo?appCode=app', external: false })
    expect(page('NEW_PAGE_MODE', '/x')).toEqual({ to: '/x', external: true })
    expect(page('VUE_MODE', '/app/workflow-design?code=a')).toEqual({
      to: '/app/workflow-design?code=a',
      external: true,
    })
    expect(page('RECENT_PAGE_MODE', '/x?y=1')).toEqual({
      to: '/application/app/application-define/wall?code=wall&openMode=RECENT_PAGE_MODE&pcUrl=%2Fx%3Fy%3D1',
      external: false,
    })
    for (const bad of ['//evil.example', '/\\evil.example', 'http://plain.example', '/\t/evil.example'])
      expect(page('VUE_MODE', bad)).toBeNull()
    expect(page('NEW_PAGE_MODE', '/application/app/application-list/lots')?.external).toBe(true)
    expect(entryLink(node('lots', { openMode: 'NEW_PAGE_MODE' }))?.external).toBe(true)
    expect(entryLink(node('home', { type: 'HomePage' }))?.to).toContain('/application/app/app-portal-runtime?')
    expect(entryLink(node('sub', { parentId: 'app/quality' }))?.to).toContain('parentId=app%2Fquality&code=sub')
  })

  it('carries the way back and the mark of who watches, and nothing else', () => {
    const carried = carriedOf('?code=x&return=%2Fmy-draft&debugId=d1&f.a=1')
    expect(carried).toEqual({ return: '/my-draft', debugId: 'd1' })
    expect(entryLink(node('home', { type: 'HomePage' }), carried)?.to).toContain('return=%2Fmy-draft&debugId=d1')
    const wall = node('wall', { type: 'Page', openMode: 'RECENT_PAGE_MODE', pcUrl: '/x' })
    expect(entryLink(wall, carried)?.to).toContain('return=%2Fmy-draft&debugId=d1')
    expect(carriedOf(`?return=${encodeURIComponent('//evil.example')}&debugId=${'d'.repeat(101)}`)).toEqual({})
  })

  it('names itself in the address of a page of its application, which keeps what it says', () => {
    const at = (pcUrl: string, more: Partial<MenuNode> = {}) =>
      entryLink(node('late', { type: 'Page', schemaCode: null, pcUrl, ...more }), { debugId: 'd1' })?.to
    const list = '/application/app/application-list/lots'
    expect(at(list)).toBe(`${list}?code=late&debugId=d1`)
    expect(at(`${list}?f.a=1&code=lots#x`, { parentId: 'app/quality', openMode: 'VUE_MODE' })).toBe(
      `${list}?f.a=1&code=lots&parentId=app%2Fquality&openMode=VUE_MODE&debugId=d1#x`,
    )
    for (const beside of [
      '/my-draft',
      '/application/other/application-list/lots',
      'https://bim.example/application/app/',
    ])
      expect(at(beside)).toBe(beside)
  })

  it('knows the folders around an entry', () => {
    expect(pathTo(tree, 'app/qbs')?.map(({ code }) => code)).toEqual(['quality'])
    expect(pathTo(tree, 'app/contract')).toEqual([])
    expect(pathTo(tree, 'app/none')).toBeNull()
  })
})
