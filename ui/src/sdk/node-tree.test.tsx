import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { NodeTree, type NodeTreeProps } from './node-tree'

beforeAll(async () => {
  await startI18n()
  await setLocale('en')
})
afterEach(cleanup)

const item = (id: string, title: string) => ({ id, parentId: null, title, leaf: true })

function open(props: Partial<NodeTreeProps>) {
  const all: NodeTreeProps = {
    ...{ label: 'Works', queryKey: ['t'], selected: null, onSelect: () => {}, empty: null, noMatch: '' },
    load: async () => [item('a', 'Bored pile 1-6'), item('b', 'Bored pile 7-12')],
    ...props,
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NodeTree {...all} />
    </QueryClientProvider>,
  )
}

it('its keys open the menu of a node and rename it, and Tab comes to the button of the row', async () => {
  const onMenu = vi.fn()
  const onRename = vi.fn()
  const onClick = vi.fn()
  open({ onMenu, onRename, menu: ({ id }) => [{ key: 'x', label: `Do ${id}`, onClick }] })
  await screen.findByRole('treeitem', { name: 'Bored pile 7-12' })
  const tree = screen.getByRole('tree')
  fireEvent.keyDown(tree, { key: 'ArrowDown' })
  fireEvent.keyDown(tree, { key: 'F2' })
  expect(onRename.mock.lastCall?.[0].id).toBe('b')
  expect(screen.getByRole('button', { name: 'More: Bored pile 7-12' }).tabIndex).toBe(0)
  fireEvent.keyDown(tree, { key: 'F10', shiftKey: true })
  expect(onMenu.mock.lastCall?.[0].id).toBe('b')
  fireEvent.click(await screen.findByText('Do b'))
  expect(onClick).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(tree)
})

it('says what failed while it is tried again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: 2, retryDelay: 60_000 } } })
  const props = { label: 'Works', queryKey: ['u'], selected: null, onSelect: () => {}, empty: null, noMatch: '' }
  render(
    <QueryClientProvider client={client}>
      <NodeTree {...props} load={() => Promise.reject(new Error('gone'))} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('gone')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
})

it('states and figures stand below one another', async () => {
  const state = (label: string) => ({ label, color: null })
  const items = [
    { ...item('a', 'A'), state: state('评定中'), figure: '98.8%' },
    { ...item('b', 'B'), state: state('合格'), figure: '100%' },
    { ...item('c', 'C'), state: state('未评定') },
    { ...item('d', 'D'), figure: '未挂接' },
  ]
  open({ load: async () => items })
  const widths = async (name: string) => {
    const row = await screen.findByRole('treeitem', { name })
    return [...row.querySelectorAll<HTMLElement>('i ~ span, i + span')].map((one) => one.style.minWidth)
  }
  const [word, figure] = await widths('A 评定中 98.8%')
  expect(word).toBe('3em')
  expect(await widths('B 合格 100%')).toEqual([word, figure])
  expect(await widths('C 未评定')).toEqual([word, figure])
  expect(screen.getByText('未挂接').style.minWidth).toBe('')
})

describe('nothing is drawn that what comes later would move', () => {
  type Items = ReturnType<typeof item>[]
  const later = () => {
    let resolve: (items: Items) => void = () => {}
    const promise = new Promise<Items>((given) => {
      resolve = given
    })
    return { promise, resolve }
  }
  const waiting = () => new Map(['', 'works'].map((id) => [id, later()]))
  const branch = (id: string, title: string) => ({ ...item(id, title), leaf: false })
  const shown = () => screen.queryAllByRole('treeitem').map((one) => one.getAttribute('aria-label'))
  const drawn = () => new Promise((done) => setTimeout(done, 20))

  it('branches that are open at first', async () => {
    const answers = waiting()
    open({ queryKey: ['v'], load: (parent) => answers.get(parent)?.promise ?? Promise.resolve([]) })
    answers.get('')?.resolve([branch('works', 'Works'), item('gates', 'Gates')])
    await drawn()
    expect(shown()).toEqual([])
    answers.get('works')?.resolve([item('pile', 'Pile')])
    await screen.findByRole('treeitem', { name: 'Gates' })
    expect(shown()).toEqual(['Works', 'Pile', 'Gates'])
  })

  it('a branch that fails keeps nothing back', async () => {
    const load = async (parent: string) => {
      if (parent === '') return [branch('works', 'Works')]
      throw new Error('gone')
    }
    open({ queryKey: ['w'], load })
    await screen.findByRole('treeitem', { name: 'Works' })
  })

  it('more branches than are opened at once', async () => {
    const many = Array.from({ length: 40 }, (_, i) => branch(`b${i}`, `Branch ${i}`))
    open({ queryKey: ['many'], load: async () => many })
    await screen.findByRole('treeitem', { name: 'Branch 0' })
  })

  it('the way to the node that is chosen', async () => {
    const above = later()
    const load = async (parent: string) => (parent === '' ? [branch('works', 'Works')] : [item('pile', 'Pile')])
    open({ queryKey: ['x'], load, selected: 'pile', above: () => above.promise, openTo: 1 })
    await drawn()
    expect(shown()).toEqual([])
    above.resolve([branch('works', 'Works')])
    await screen.findByRole('treeitem', { name: 'Pile' })
    expect(shown()).toEqual(['Works', 'Pile'])
  })

  it('what stands above the tree', async () => {
    const tree = (hold: boolean) => (
      <QueryClientProvider client={client}>
        <NodeTree {...props} hold={hold} />
      </QueryClientProvider>
    )
    const client = new QueryClient()
    const props = {
      ...{ label: 'Works', queryKey: ['y'], selected: null, onSelect: () => {}, empty: null, noMatch: '' },
      load: async () => [item('a', 'Pile')],
    }
    const { rerender } = render(tree(true))
    await drawn()
    expect(shown()).toEqual([])
    rerender(tree(false))
    await screen.findByRole('treeitem', { name: 'Pile' })
    rerender(tree(true))
    expect(shown()).toEqual(['Pile'])
  })
})

it('is a tree only while it has nodes', async () => {
  let answer: (items: ReturnType<typeof item>[]) => void = () => {}
  const load = () => new Promise<ReturnType<typeof item>[]>((resolve) => (answer = resolve))
  open({ load, selected: 'a', empty: <p>No works</p> })
  const place = screen.getByRole('group', { name: 'Works' })
  expect([place.getAttribute('aria-busy'), place.getAttribute('aria-activedescendant')]).toEqual(['true', null])
  answer([item('a', 'Bored pile 1-6')])
  await screen.findByRole('treeitem', { name: 'Bored pile 1-6' })
  expect(screen.getByRole('tree', { name: 'Works' })).toBe(place)
  cleanup()
  open({ load: async () => [], empty: <p>No works</p> })
  await screen.findByText('No works')
  expect(screen.queryByRole('tree')).toBeNull()
})
