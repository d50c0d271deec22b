import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { NARROW } from '@/lib/use-media'
import { fakeDesk } from '@/testing/fake-desk'
import { fakeServer } from '@/testing/fake-server'
import { sampleModel } from '@/testing/print-model'
import { wayOf } from '@/testing/ways'
import { PaperPage } from './paper-page'

const template = {
  schemaCode: 'contract',
  name: '合同卡',
  kept: { as: 'it is' },
  pages: [
    {
      elements: [
        { eleType: 'text', left: 0, top: 0, widthValue: 60, text: '合同 {contractNo}' },
        { eleType: 'column', left: 0, top: 20, widthValue: 88, heightValue: 8, propertyCode: 'amount', zz: 1 },
        {
          eleType: 'sheet',
          left: 0,
          top: 40,
          widthValue: 176,
          propertyCode: 'payments',
          columns: ['item', { propertyCode: 'payable', sumType: 'sum' }],
        },
      ],
    },
    { elements: [] },
  ],
}
const design = {
  appCode: 'lock',
  appLabel: { zh: '船闸' },
  models: [{ code: 'contract', label: { zh: '合同' }, own: true }],
  prints: [{ code: 'card', label: { zh: '合同卡' }, own: true }],
  pictures: [],
  roles: [{ code: 'engineer', label: { zh: '工程师' }, own: true }],
}
const pages = (text: string) => ({
  printId: '019ac000-0000-7000-8000-000000000000',
  name: '合同卡',
  objectIds: ['r1'],
  skipped: 0,
  font: '',
  images: {},
  pages: [{ width: 210, height: 297, marks: [{ type: 'text', x: 10, y: 20, width: 30, text, size: 3 }] }],
})

let desk: ReturnType<typeof fakeDesk>
let drawn: { print: object | null; refused: string; noAddress: boolean }
let ways: object[]
let diagnostics: (text: string) => object[]
let drawnOf: (text: string) => typeof drawn
/** jsdom has none. */
let finger = false
class Pointer extends MouseEvent {
  pointerType = finger ? 'touch' : 'mouse'
}
const button = (name: RegExp | string, within: ParentNode = document) =>
  [...within.querySelectorAll('button')].find((one) =>
    typeof name === 'string'
      ? (one.getAttribute('aria-label') ?? one.textContent) === name
      : name.test(one.textContent ?? ''),
  ) as HTMLButtonElement
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = () => {}
  localStorage.clear()
  finger = false
  drawn = { print: pages('甲'), refused: '', noAddress: false }
  ways = []
  diagnostics = () => []
  drawnOf = () => drawn
  desk = fakeDesk({
    kind: 'print',
    code: 'card',
    appCode: 'lock',
    document: template,
    diagnostics: () => diagnostics(desk.sent.check?.text ?? ''),
    ways: () => ways,
    drawn: (body) => drawnOf(body.text),
  })
  vi.stubGlobal('PointerEvent', Pointer)
})
afterEach(cleanup)

/** A tablet has the paper alone, which is drawn much sooner than all its panels. */
function open(code = 'card', screen: 'wide' | 'tablet' = 'wide', more: Record<string, unknown> = {}) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: screen === 'wide' ? query.includes('min-width') : query === NARROW,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const server = fakeServer({
    ...desk.answers,
    '/api/app/print/design': design,
    '/api/app/print/model': sampleModel,
    '/api/runtime/query/list': {
      content: [{ id: 'r1', data: { name: '一号合同' }, workflowInstanceId: null, sequenceStatus: null, version: 1 }],
      totalElements: 1,
      aggregates: {},
      next: null,
      previous: null,
    },
    ...more,
  })
  const router = createMemoryRouter([{ path: '/print-design/:appCode/:printCode', element: <PaperPage /> }], {
    initialEntries: [`/print-design/lock/${code}`],
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
  return server
}
const element = (at: number, page = 0) => document.querySelector<HTMLElement>(`[data-element="${page}/${at}"]`)
const there = async (at: number) => {
  await waitFor(() => expect(element(at)).not.toBeNull())
  return element(at) as HTMLElement
}
const written = () => JSON.parse(desk.sent.check?.text ?? '{}')
const chosen = () =>
  [...document.querySelectorAll<HTMLElement>('[aria-selected="true"][data-element]')].map((one) => one.dataset.element)
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
const panel = () => document.querySelector<HTMLElement>('[data-panel]') as HTMLElement
const pieces = () => document.querySelector<HTMLElement>('aside[aria-label="元素"]') as HTMLElement

describe('the designer of print templates', () => {
  it('names its elements, and moves what has the focus by keys', async () => {
    open('card', 'tablet')
    const column = await there(1)
    await waitFor(() => expect(column.textContent).toContain('数据项：合同金额、左 0，上 20，宽 88，高 8 毫米'))
    column.focus()
    press('ArrowRight')
    press('ArrowDown', { shiftKey: true })
    press('ArrowRight', { altKey: true })
    press('ArrowRight', { ctrlKey: true })
    expect(chosen()).toEqual(['0/1'])
    await waitFor(() =>
      expect(written()).toEqual({
        ...template,
        pages: [
          {
            elements: [
              template.pages[0]?.elements[0],
              { ...template.pages[0]?.elements[1], left: 1.1, top: 25, widthValue: 89 },
              template.pages[0]?.elements[2],
            ],
          },
          template.pages[1],
        ],
      }),
    )
    expect(Object.keys(written().pages[0].elements[1])).toEqual(Object.keys(template.pages[0]?.elements[1] ?? {}))
  })

  it('chooses by click, shift-click, space and Ctrl+A; Tab goes from one to the next', async () => {
    open('card', 'tablet')
    const first = await there(0)
    fireEvent.pointerDown(first, { button: 0 })
    fireEvent.pointerUp(window)
    fireEvent.pointerDown(await there(2), { button: 0, shiftKey: true })
    expect(chosen()).toEqual(['0/0', '0/2'])
    first.focus()
    press('Tab')
    expect(document.activeElement).toBe(element(1))
    press(' ')
    expect(chosen()).toEqual(['0/0', '0/1', '0/2'])
    press(' ')
    expect(chosen()).toEqual(['0/0', '0/2'])
    press('Escape')
    expect(chosen()).toEqual([])
    press('a', { ctrlKey: true })
    expect(chosen()).toHaveLength(3)
    fireEvent.click(button('左右居中'))
    press('Delete')
    await waitFor(() => expect(written().pages[0].elements).toEqual([]))
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await waitFor(() => expect(written()).toEqual(template))
  })

  it('drags with the pointer onto lines that are near, and gives up by Escape', async () => {
    open('card', 'tablet')
    const text = await there(0)
    const scale = Number.parseFloat(text.style.width) / 60
    const drag = (dx: number, dy: number) => {
      fireEvent.pointerDown(text, { button: 0, clientX: 0, clientY: 0 })
      fireEvent.pointerMove(window, { clientX: dx * scale, clientY: dy * scale })
    }
    drag(20.3, 90.2)
    fireEvent.keyDown(window, { key: 'Escape' })
    expect(text.style.left).toBe('0px')
    drag(20.3, 90.2)
    fireEvent.pointerUp(window)
    await waitFor(() => expect(written().pages[0].elements[0]).toMatchObject({ left: 20, top: 90 }))
    const handle = document.querySelector<HTMLElement>('[data-handle="se"]') as HTMLElement
    fireEvent.pointerDown(handle, { button: 0, clientX: 0, clientY: 0 })
    fireEvent.pointerMove(window, { clientX: 4.2 * scale, clientY: 5.3 * scale })
    fireEvent.pointerUp(window)
    await waitFor(() => expect(written().pages[0].elements[0]).toMatchObject({ widthValue: 64, heightValue: 12 }))
  })

  it('drags with a finger what is chosen; what is not yet is chosen, and the finger scrolls', async () => {
    open('card', 'tablet')
    const text = await there(0)
    const scale = Number.parseFloat(text.style.width) / 60
    finger = true
    const drag = () => {
      fireEvent.pointerDown(text, { button: 0, clientX: 0, clientY: 0 })
      fireEvent.pointerMove(window, { clientX: 20.3 * scale, clientY: 90.2 * scale })
      fireEvent.pointerUp(window)
    }
    drag()
    expect(chosen()).toEqual(['0/0'])
    expect(text.style.left).toBe('0px')
    drag()
    await waitFor(() => expect(written().pages[0].elements[0]).toMatchObject({ left: 20, top: 90 }))
  })

  it('copies to another page, duplicates, and brings to the front', async () => {
    open('card', 'tablet')
    ;(await there(0)).focus()
    press(' ')
    press('d', { ctrlKey: true })
    await waitFor(() => expect(chosen()).toEqual(['0/3']))
    element(0)?.focus()
    press('c', { ctrlKey: true })
    fireEvent.click(button('更多操作'))
    fireEvent.click(await screen.findByText('置于底层'))
    await waitFor(() =>
      expect(written().pages[0].elements.map((one: { eleType: string }) => one.eleType)).toEqual([
        'text',
        'text',
        'column',
        'sheet',
      ]),
    )
  })

  it('puts fields and other pieces at the next free place, and finds them by name', async () => {
    open()
    await there(0)
    const palette = pieces()
    fireEvent.change(within(palette).getByLabelText('查找元素'), { target: { value: '合同名' } })
    await waitFor(() => expect(button('备注', palette)).toBeUndefined())
    const piece = button('合同名称', palette)
    fireEvent.keyDown(piece, { key: 'Enter' })
    await waitFor(() =>
      expect(written().pages[0].elements[3]).toMatchObject({
        eleType: 'column',
        propertyCode: 'name',
        left: 0,
        top: 57,
      }),
    )
    fireEvent.change(within(palette).getByLabelText('查找元素'), { target: { value: '' } })
    fireEvent.doubleClick(button('签名', palette))
    await waitFor(() => expect(written().pages[0].elements[4]).toMatchObject({ eleType: 'signature', node: 'check' }))
  })

  it('changes properties of one and of several, and columns of a sub-table', async () => {
    open()
    fireEvent.doubleClick(await there(1))
    fireEvent.pointerDown(await there(1), { button: 0 })
    fireEvent.pointerUp(window)
    fireEvent.change(within(panel()).getByLabelText('宽'), { target: { value: '70' } })
    fireEvent.click(within(panel()).getAllByLabelText('粗体')[1] as HTMLElement)
    await waitFor(() =>
      expect(written().pages[0].elements[1]).toMatchObject({ widthValue: 70, rightValue: { bold: true }, zz: 1 }),
    )
    fireEvent.pointerDown(await there(2), { button: 0 })
    fireEvent.pointerUp(window)
    fireEvent.click(button('事项', panel()))
    fireEvent.change(within(panel()).getAllByLabelText('宽').at(-1) as HTMLElement, { target: { value: '40' } })
    fireEvent.click(within(panel()).getByLabelText('合计逐页结转'))
    fireEvent.change(within(panel()).getByLabelText('每页固定几行'), { target: { value: '12' } })
    await waitFor(() =>
      expect(written().pages[0].elements[2]).toMatchObject({
        carried: true,
        rowsPerPage: 12,
        columns: [
          { propertyCode: 'item', widthValue: 40 },
          { propertyCode: 'payable', sumType: 'sum' },
        ],
      }),
    )
    fireEvent.pointerDown(await there(1), { button: 0, shiftKey: true })
    fireEvent.change(within(panel()).getByLabelText('左'), { target: { value: '5' } })
    await waitFor(() => expect(written().pages[0].elements.map((one: { left: number }) => one.left)).toEqual([0, 5, 5]))
  })

  it('changes the paper, its footer and pages', async () => {
    open()
    await there(0)
    fireEvent.change(within(panel()).getByLabelText('左边距'), { target: { value: '25' } })
    fireEvent.click(within(panel()).getByText('页脚'))
    fireEvent.click(within(panel()).getByLabelText('显示页脚'))
    await waitFor(() =>
      expect(written().pageSettings).toEqual({ marginLeft: 25, footer: { items: ['PageNum', 'Total'] } }),
    )
    fireEvent.click(within(panel()).getByText('第二页起的页眉'))
    fireEvent.click(within(panel()).getByLabelText('第二页起用另一个页眉'))
    await waitFor(() =>
      expect(written().pageSettings.nextHeader).toEqual({ items: [{ key: 'Text', value: '页眉文字' }] }),
    )
    fireEvent.click(button('添加页'))
    await waitFor(() => expect(written().pages).toHaveLength(3))
  })

  it('says that the server does not know its address, beside the preview', async () => {
    drawn = { ...drawn, noAddress: true }
    open()
    await there(0)
    await waitFor(() =>
      expect(document.querySelector('section[aria-label="预览"]')?.textContent).toContain('--public-url'),
    )
  })

  it('shows the record with the template as it is, and keeps the pages while there are none', async () => {
    drawnOf = (text) => {
      const empty = JSON.parse(text).name === '甲'
      return { print: empty ? null : pages('一号'), refused: empty ? '没有可以打印的数据' : '', noAddress: false }
    }
    open()
    await there(0)
    const preview = document.querySelector<HTMLElement>('section[aria-label="预览"]') as HTMLElement
    await waitFor(() => expect(preview.querySelector('svg text')?.textContent).toBe('一号'))
    expect(desk.sent.check?.objectId).toBe('r1')
    fireEvent.change(within(panel()).getByLabelText('中文名称'), { target: { value: '甲' } })
    await within(preview).findByText('没有可以打印的数据')
    expect(preview.querySelector('svg text')?.textContent).toBe('一号')
  })

  it('shows a problem at its element, and publishes nothing with errors', async () => {
    diagnostics = (text) =>
      text.includes('amount')
        ? [
            {
              file: 'prints/card.json',
              line: 1,
              column: 1,
              code: 'KIND004',
              severity: 'error',
              pointer: '/pages/0/elements/1/propertyCode',
              zh: '没有此数据项',
              en: 'unknown',
              repair: { zh: '改', en: 'mend' },
            },
          ]
        : []
    drawn = { ...drawn, print: null }
    open()
    await waitFor(() => expect(element(1)?.textContent).toContain('没有此数据项'))
    expect(element(0)?.textContent).not.toContain('没有此数据项')
    fireEvent.click(button(/1 个问题/))
    fireEvent.click(await screen.findByText('没有此数据项', { selector: 'button span' }))
    expect(chosen()).toEqual(['0/1'])
    expect(within(panel()).getByText('没有此数据项')).toBeTruthy()
    expect(button(/发\s?布/)).toHaveProperty('disabled', true)
  })

  it('publishes with the difference, tells of a conflict by name, and takes an earlier version', async () => {
    ways = [wayOf()]
    desk.shePublishes({ ...template, name: '旧合同卡' })
    desk.shePublishes(template)
    open('card', 'tablet')
    ;(await there(1)).focus()
    press('Delete')
    press('ArrowDown')
    await waitFor(() => expect(button(/发\s?布/)).toHaveProperty('disabled', false), { timeout: 3000 })
    fireEvent.click(button(/发\s?布/))
    const dialog = (await screen.findByText(/移除：/)).closest('[role="dialog"]') as HTMLElement
    expect(dialog.textContent).toContain('移除：数据项：合同金额')
    expect(dialog.textContent).toContain('都能看到“合同”的记录：角色“经理”')
    desk.shePublishes({ ...template, name: '另一个' })
    fireEvent.click(button(/发\s?布/, dialog))
    await screen.findByText(/李四/)
    expect(desk.sent.publish?.seen).toBe('s3')
    fireEvent.click(button('历史版本'))
    await screen.findByText('版本 2')
    fireEvent.click(button('载入: 版本 2'))
    await waitFor(() => expect(written().name).toBe('旧合同卡'))
  })

  it('tells that another tab has changed the draft', async () => {
    open('card', 'tablet')
    ;(await there(1)).focus()
    press('ArrowDown')
    const key = await waitFor(() => {
      const found = Object.keys(localStorage).find((one) => one.includes('print-design'))
      expect(found).toBeTruthy()
      return found as string
    })
    const other = `${Date.now()} ${JSON.stringify({ text: JSON.stringify({ ...template, name: '另一页' }) })}`
    localStorage.setItem(key, other)
    fireEvent(window, new StorageEvent('storage', { key, newValue: other }))
    const alert = await screen.findByText(/另一个标签页/)
    ;(await there(1)).focus()
    press('ArrowDown')
    expect(localStorage.getItem(key), 'the other draft is not written over').toBe(other)
    fireEvent.click(button('用那一份', alert.parentElement as HTMLElement))
    await waitFor(() => expect(written().name).toBe('另一页'))
  })

  it('begins a new template with the fields of a form', async () => {
    let begun = [
      {
        code: 'begun',
        appCode: 'lock',
        label: { zh: '昨天开始的' },
        schemaCode: 'contract',
        draftTime: '2026-11-25T06:00:00Z',
        draftBy: '张三',
        mine: true,
        lockedBy: null,
      },
    ]
    desk = fakeDesk({ kind: 'print', code: 'register', appCode: 'lock', document: null, drawn: () => drawn })
    const server = open('new', 'wide', {
      '/api/design/begun': () => begun,
      '/api/design/discard': () => {
        begun = []
        return {}
      },
    })
    await waitFor(() => expect(button('开始设计')).toBeDefined())
    await screen.findByText('昨天开始的')
    fireEvent.click(button(/放\s?弃/))
    const asked = await screen.findByRole('dialog')
    fireEvent.click(button(/放\s?弃/, asked))
    await waitFor(() => expect(screen.queryByText('昨天开始的', { selector: 'strong' })).toBeNull())
    expect(server.of('/api/design/discard')[0]?.body).toEqual({ kind: 'print', code: 'begun', appCode: 'lock' })
    fireEvent.click(button('开始设计'))
    await screen.findByText(/请填写|名称/, { selector: '[role=alert]' })
    fireEvent.change(screen.getByLabelText('中文名称'), { target: { value: '合同登记表' } })
    fireEvent.change(screen.getByLabelText('编码'), { target: { value: 'card' } })
    expect(screen.getByText('此编码已被其他模板使用')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('编码'), { target: { value: 'register' } })
    fireEvent.click(button('开始设计'))
    await there(8)
    await waitFor(() => expect(desk.sent.check).toMatchObject({ new: true, seen: '', code: 'register' }))
    expect(written().pages[0].elements[2]).toMatchObject({ eleType: 'column', propertyCode: 'contractNo' })
  })
})
