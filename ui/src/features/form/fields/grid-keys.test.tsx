import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ComponentType, Suspense, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { formWidget, loadWidgets } from '@/registry/properties'
import type { FormWidgetProps } from '@/sdk/property'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'

type Row = Record<string, unknown>
const option = (code: string, name: string) => ({
  code,
  name,
  name_i18n: {},
  color: null,
  disabled: false,
  parent: null,
})
const column = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({
    propertyCode,
    propertyType,
    name: propertyCode,
    name_i18n: {},
    settings: {},
    children: null,
    ...more,
  }) as FormField
const options = [option('A', '甲'), option('B', '乙'), option('C', '丙')]
const columns = [
  column('grade', 14, { options }),
  column('keeper', 50),
  column('ok', 4),
  column('item', 0),
  column('note', 1),
  column('level', 12, { options }),
  column('marks', 13, { options }),
  column('kinds', 15, { options }),
  column('part', 9),
  column('crew', 51),
  column('unit', 60),
  column('units', 61),
  column('both', 5),
]
const entry = (id: string, name: string) => ({ id, name, imgUrl: null, type: 3, leaf: true, detail: null })

let rows: Row[]
const Sheet = () => formWidget(8) as ComponentType<FormWidgetProps<Row[]>>

async function show(start: Row[]) {
  rows = start
  const field = column('lines', 8, { children: columns })
  const Widget = Sheet()
  function Holder() {
    const [value, setValue] = useState<Row[] | null>(start)
    const put = (next: Row[] | null) => {
      rows = next ?? []
      setValue(next)
    }
    return <Widget id="lines" field={field} schemaCode="lot" value={value} onChange={put} values={() => ({})} />
  }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Suspense>
        <Holder />
      </Suspense>
    </QueryClientProvider>,
  )
  return screen.findByRole('grid')
}

const keysAt = () => (document.activeElement as HTMLElement).dataset.keys
const cell = (row: number, code: string) =>
  document.querySelector(`[data-at="${row}:${columns.findIndex((one) => one.propertyCode === code)}"]`) as HTMLElement
/** jsdom knows no pointers. */
const click = (at: Element) =>
  fireEvent(at, new MouseEvent('pointerdown', { button: 0, bubbles: true, cancelable: true }))
const point = async (row: number, code: string) => {
  click(cell(row, code))
  await waitFor(() => expect(keysAt()).toBe(cell(row, code).dataset.at))
}
const values = (code: string) => rows.map((row) => row[code] ?? null)
/** A value is there before the editor that gave it has gone: one that awaits an answer goes after what it wrote is drawn. */
const noEditor = () => waitFor(() => expect(document.querySelector('[data-editor]')).toBeNull())

describe('keys in a sub-table', { timeout: 40_000 }, () => {
  beforeAll(async () => {
    await startI18n()
    setLocale('zh')
    await loadAllTexts()
    await loadWidgets([0, 1, 4, 5, 8, 9, 12, 13, 14, 15, 50, 51, 60, 61])
  })
  beforeEach(() => {
    fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/options': ({ search }: { search: URLSearchParams }) => {
        const word = search.get('keyword') ?? ''
        const found = word === 'li' ? [entry('3', '李娜')] : ['wang', '王'].includes(word) ? [entry('2', '王芳')] : []
        return { content: found.map((one) => ({ ...one, named: 'sound' })), totalElements: found.length }
      },
    })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it.each(['grade', 'both', 'item'])(
    'the keyboard is on the page after Tab out of the last cell (%s)',
    async (code) => {
      const at = columns.findIndex((one) => one.propertyCode === code)
      const last = columns.splice(at + 1)
      try {
        await show([{ id: '1', item: 'x', grade: 'A' }])
        await point(0, code)
        press('F2')
        await waitFor(() => expect(document.querySelector('[data-editor] input')).toBe(document.activeElement))
        press('Tab')
        await noEditor()
        expect(keysAt()).toBe(`0:${at}`)
      } finally {
        columns.push(...last)
      }
    },
  )
  it('and after Shift+Enter in the first row and Enter in a blank last one', async () => {
    await show([{ id: '1', item: 'x' }, { key: 'n' }])
    for (const [row, shiftKey] of [
      [0, true],
      [1, false],
    ] as const) {
      await point(row, 'item')
      press('F2')
      await waitFor(() => expect(document.querySelector('[data-editor] input')).toBe(document.activeElement))
      press('Enter', { shiftKey })
      await noEditor()
      expect(keysAt()).toBe(`${row}:3`)
    }
  })
  it('yi and Enter choose 乙 in a cell and go on to the next row', async () => {
    await show([
      { id: '1', grade: 'A' },
      { id: '2', grade: null },
    ])
    await point(0, 'grade')
    await type('yi')
    press('Enter')
    await waitFor(() => expect(values('grade')).toEqual(['B', null]))
    await waitFor(() => expect(keysAt()).toBe('1:0'))
    await noEditor()
  })

  it('what finds nothing chooses nothing: Enter stays, Tab leaves the text marked in its cell', async () => {
    await show([{ id: '1', grade: 'A' }])
    await point(0, 'grade')
    await type('xyz')
    await screen.findByText('无匹配项')
    press('Enter')
    expect(document.querySelector('[data-editor]')).not.toBeNull()
    expect(values('grade')).toEqual(['A'])
    press('Tab')
    await waitFor(() => expect(values('grade')).toEqual([{ unread: 'xyz' }]))
    await noEditor()
    expect(cell(0, 'grade').textContent).toBe('xyz')
    expect(cell(0, 'grade').dataset.unread).toBe('true')
  })

  it('what is chosen takes the place of a text that was not understood', async () => {
    for (const key of ['Enter', 'Tab']) {
      await show([{ id: '1', grade: { unread: '没有' } }])
      await point(0, 'grade')
      await type('yi')
      await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(1)) // the list is there
      press(key)
      await noEditor()
      await waitFor(() => expect(values('grade')[0], key).toBe('B'))
      cleanup()
    }
  })

  it('Esc gives up what was typed', async () => {
    await show([{ id: '1', grade: 'A' }])
    await point(0, 'grade')
    await type('xyz')
    press('Escape')
    await noEditor()
    expect(values('grade')).toEqual(['A'])
  })

  it('a person is chosen by Enter, however slow the server is, and by Tab', async () => {
    await show([{ id: '1' }, { id: '2' }])
    await point(0, 'keeper')
    await type('wang')
    press('Enter')
    await waitFor(() => expect(keysAt()).toBe('1:1'))
    await waitFor(() => expect(rows[0]?.keeper).toMatchObject({ id: '2' })) // its answer may come later than its next cell
    await type('wang')
    press('Tab')
    await waitFor(() => expect(rows[1]?.keeper).toMatchObject({ id: '2' }))
    await noEditor()
  })

  it('yes and no are answered by one key each, and an empty answer is neither', async () => {
    await show([{ id: '1' }, { id: '2' }, { id: '3', ok: true }])
    await point(0, 'ok')
    expect(cell(0, 'ok').textContent).toBe('')
    await type('n')
    await waitFor(() => expect(values('ok')).toEqual([false, null, true]))
    const [yes, no] = screen.getAllByRole<HTMLInputElement>('radio')
    expect([yes?.checked, no?.checked]).toEqual([false, true])
    press('Enter')
    await waitFor(() => expect(keysAt()).toBe('1:2'))
    await type('是')
    await waitFor(() => expect(values('ok')).toEqual([false, true, true]))
    press('Delete')
    await waitFor(() => expect(values('ok')).toEqual([false, null, true]))
    await waitFor(() =>
      expect(screen.getAllByRole<HTMLInputElement>('radio').map((one) => one.checked)).not.toContain(true),
    )
    press('Escape')
    await waitFor(() => expect(values('ok')).toEqual([false, null, true]))
  })

  it.each(['item', 'note'])(
    '%s: typing replaces a text, Escape brings it back, Enter and Tab keep it',
    async (code) => {
      await show([
        { id: '1', [code]: 'old' },
        { id: '2', [code]: 'other' },
      ])
      await point(0, code)
      await type('new')
      press('Escape')
      await waitFor(() => expect(values(code)).toEqual(['old', 'other']))
      await type('next')
      press('Enter')
      await waitFor(() => expect(keysAt()).toBe(cell(1, code).dataset.at))
      await type('last')
      press('Tab')
      await waitFor(() => expect(values(code)).toEqual(['next', 'last']))
      await noEditor()
    },
  )

  it('level: an option of a group is found by typing and chosen by Enter', async () => {
    await show([{ id: '1' }, { id: '2' }])
    await point(0, 'level')
    await type('bing')
    press('Enter')
    await waitFor(() => expect(values('level')).toEqual(['C', null]))
    await waitFor(() => expect(keysAt()).toBe(cell(1, 'level').dataset.at))
  })

  it.each(['marks', 'kinds'])(
    '%s: several are typed one after the other, and Escape takes all of them back',
    async (code) => {
      await show([{ id: '1' }, { id: '2', [code]: ['B'] }])
      await point(0, code)
      await type('jia')
      press('Enter')
      await waitFor(() => expect(values(code)[0]).toEqual(['A']))
      await type('bing')
      press('Enter')
      await waitFor(() => expect(values(code)[0]).toEqual(['A', 'C']))
      press('Tab')
      await noEditor()
      await point(1, code)
      await type('jia')
      press('Enter')
      await waitFor(() => expect(values(code)[1]).toEqual(['B', 'A']))
      press('Escape')
      if (document.querySelector('[data-editor]')) press('Escape') // the first one closes the list
      await waitFor(() => expect(values(code)).toEqual([['A', 'C'], ['B']]))
    },
  )

  it('part: a record is found by typing, and what is not found is marked', async () => {
    await show([{ id: '1' }, { id: '2' }])
    await point(0, 'part')
    await type('wang')
    press('Enter')
    await waitFor(() => expect(rows[0]?.part).toMatchObject({ id: '2' }))
    await waitFor(() => expect(keysAt()).toBe(cell(1, 'part').dataset.at))
    await type('zzz')
    press('Tab')
    await waitFor(() => expect(rows[1]?.part).toEqual({ unread: 'zzz' }))
  })

  it.each(['crew', 'units', 'both'])(
    '%s: the next name is typed before the answer to the first; what is not found takes none of them away',
    async (code) => {
      await show([{ id: '1' }])
      await point(0, code)
      for (const word of ['wang', 'li']) {
        await type(word)
        press('Enter')
      }
      press('Tab')
      await waitFor(() => expect(rows[0]?.[code]).toMatchObject([{ id: '2' }, { id: '3' }]), { timeout: 8_000 })
      await noEditor()
      await point(0, code)
      await type('zzz')
      press('Tab')
      await waitFor(() => expect(rows[0]?.[code]).toMatchObject({ unread: 'zzz', kept: [{ id: '2' }, { id: '3' }] }))
      await noEditor()
      expect(cell(0, code).textContent).toBe('王芳；李娜；zzz')
    },
  )

  it('an empty one takes the keyboard where it is clicked: to paste and to type', async () => {
    const grid = await show([])
    click(screen.getByText(/从 Excel 复制后粘贴到此处/))
    await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'))
    expect(grid.parentElement?.contains(document.activeElement)).toBe(true)
    fireEvent.paste(document.activeElement as Element, {
      clipboardData: { files: [], getData: () => '乙\t\t是\t钢\n丙\t\t否\t铁\n' },
    })
    await waitFor(() => expect(values('grade')).toEqual(['B', 'C']))
    expect(values('ok')).toEqual([true, false])
    expect(values('item')).toEqual(['钢', '铁'])
  })

  it('an empty one begins a row with what is typed', async () => {
    await show([])
    click(screen.getByText(/从 Excel 复制后粘贴到此处/))
    await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'))
    await type('bing')
    press('Enter')
    await waitFor(() => expect(values('grade')[0]).toBe('C'))
  })

  it('Enter in the last row and Add make one empty row together', async () => {
    await show([{ id: '1', item: 'x' }])
    await point(0, 'item')
    press('Enter')
    await waitFor(() => expect(rows).toHaveLength(2))
    act(() => fireEvent.click(screen.getByRole('button', { name: '添加一行' })))
    act(() => fireEvent.click(screen.getByRole('button', { name: '添加一行' })))
    expect(rows).toHaveLength(2)
  })
})
