import { expect, test } from 'vitest'
import { branchesOf, cutTitle, keyTarget, type TreeItem, visibleRows } from './tree-rows'

const item = (id: string, parentId: string | null, leaf = true): TreeItem => ({
  id,
  parentId,
  title: id,
  code: id,
  leaf,
})

const children: Record<string, TreeItem[]> = {
  '': [item('1', null, false), item('2', null)],
  '1': [item('1-1', '1', false), item('1-2', '1')],
  '1-1': [item('1-1-1', '1-1')],
}
const seen = (open: string[]) => visibleRows((id) => children[id], new Set(open))

test('open branches stand below their node, each one level further in', () => {
  expect(seen([]).map(({ item: { id } }) => id)).toEqual(['1', '2'])
  expect(seen(['1', '1-1']).map(({ item: { id }, level }) => `${id}@${level}`)).toEqual([
    '1@1',
    '1-1@2',
    '1-1-1@3',
    '1-2@2',
    '2@1',
  ])
})

test('a branch that is on its way is open and empty', () => {
  const rows = visibleRows((id) => (id === '' ? children[''] : undefined), new Set(['1']))
  expect(rows.map(({ item: { id }, open }) => [id, open])).toEqual([
    ['1', true],
    ['2', false],
  ])
})

test('what a search finds hangs below what is known of it, by code', () => {
  const branches = branchesOf([item('1-2', '1'), item('1-1', '1'), item('1', null, false), item('9', '8')])
  expect(branches.get('')?.map(({ id }) => id)).toEqual(['1', '9'])
  expect(branches.get('1')?.map(({ id }) => id)).toEqual(['1-1', '1-2'])
})

test('keys walk it: left goes to the node above, pages and ends hold at the ends', () => {
  const rows = seen(['1', '1-1'])
  expect(keyTarget('ArrowLeft', 2, rows, 10)).toBe(1)
  expect(keyTarget('ArrowLeft', 1, rows, 10)).toBeNull() // it closes
  expect(keyTarget('PageDown', 1, rows, 10)).toBe(4)
  expect(keyTarget('Home', 3, rows, 10)).toBe(0)
  expect(keyTarget('x', 3, rows, 10)).toBeNull()
})

test('a title is cut before its end, which tells siblings apart', () => {
  expect(cutTitle('地基灌注桩 1-12 检验批')).toEqual(['地基灌注桩', ' 1-12 检验批'])
  expect(cutTitle('地基灌注桩 130#')).toEqual(['地基', '灌注桩 130#'])
  expect(cutTitle('Bored pile 12-130')).toEqual(['Bored', ' pile 12-130'])
  expect(cutTitle('闸室')).toEqual(['', '闸室'])
})
