import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { type ComponentType, Suspense, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { formWidget } from '@/registry/properties'
import type { FormWidgetProps } from '@/sdk/property'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'

const patient = { timeout: 8_000 }
const OPTIONS = '/api/runtime/form/options'

const option = (code: string, name: string, more: object = {}) => ({
  code,
  name,
  name_i18n: {},
  color: null,
  disabled: false,
  parent: null,
  ...more,
})
const grades = [
  option('A1', '甲', { name_i18n: { en: 'First' } }),
  option('B2', '乙'),
  option('C3', '丙', { color: 'red' }),
]

const stored = vi.fn()

/** A widget of a form with its value; the keyboard is in it. */
async function show(wire: number, field: object, start: unknown = null, values: Record<string, unknown> = {}) {
  const Widget = formWidget(wire) as ComponentType<FormWidgetProps<unknown>>
  const plan = {
    propertyCode: 'it',
    propertyType: wire,
    name: '它',
    name_i18n: {},
    settings: {},
    children: null,
    ...field,
  } as unknown as FormField
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  function Holder() {
    const [value, setValue] = useState(start)
    const change = (next: unknown) => {
      stored(next)
      setValue(next)
    }
    return <Widget id="it" field={plan} schemaCode="lot" value={value} onChange={change} values={() => values} />
  }
  render(
    <QueryClientProvider client={client}>
      <Suspense>
        <Holder />
      </Suspense>
      <input aria-label="next" />
    </QueryClientProvider>,
  )
  const box = await screen.findByRole<HTMLInputElement>('combobox', {}, patient)
  act(() => box.focus())
  return box
}

const offered = () =>
  [...document.querySelectorAll('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')].map(
    (one) => one.textContent,
  )
const isOpen = () => screen.getByRole('combobox').getAttribute('aria-expanded') === 'true'
const settle = (ms: number) => act(() => new Promise((done) => setTimeout(done, ms)))

beforeAll(async () => {
  await startI18n()
  setLocale('zh')
  await loadAllTexts()
})
beforeEach(() => {
  stored.mockClear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a short dropdown', { timeout: 40_000 }, () => {
  it.each([
    ['yi', 'B2', 'by pinyin'],
    ['j', 'A1', 'by an initial'],
    ['乙', 'B2', 'by its text'],
    ['c3', 'C3', 'by its code'],
    ['first', 'A1', 'by its name in another language'],
  ])('finds %s: %s, %s', async (typed, code) => {
    await show(14, { options: grades })
    await type(typed)
    await waitFor(() => expect(offered().length).toBeGreaterThan(0), patient)
    press('Enter')
    await waitFor(() => expect(stored).toHaveBeenCalledWith(code), patient)
    expect(stored).toHaveBeenCalledTimes(1)
  })

  it('chooses by Enter typed at once, before pinyin is there, and never another option', async () => {
    await show(14, { options: grades })
    await type('yi')
    press('Enter')
    await waitFor(() => expect(stored).toHaveBeenCalled(), patient)
    expect(stored.mock.calls).toEqual([['B2']])
  })

  it('chooses nothing by Enter where nothing is found, and says so', async () => {
    const box = await show(14, { options: grades }, 'A1')
    await type('zzz')
    await screen.findByText('无匹配项', {}, patient)
    press('Enter')
    press('Enter')
    await settle(50)
    expect(stored).not.toHaveBeenCalled()
    expect(box.value).toBe('zzz')
    act(() => screen.getByLabelText('next').focus())
    expect((await screen.findByRole('alert', {}, patient)).textContent).toContain('zzz')
    expect(stored).not.toHaveBeenCalled()
  })

  it('chooses nothing by Enter or Tab where nothing was typed', async () => {
    await show(14, { options: grades })
    press('Enter')
    await waitFor(() => expect(isOpen()).toBe(true))
    press('Enter')
    await waitFor(() => expect(isOpen()).toBe(false))
    press('Enter')
    await waitFor(() => expect(isOpen()).toBe(true))
    expect(press('Tab')).toBe(true)
    await settle(50)
    expect(stored).not.toHaveBeenCalled()
  })

  it('follows the arrows, and Tab takes what was found', async () => {
    await show(14, { options: grades })
    press('Enter')
    await waitFor(() => expect(offered().length).toBe(3), patient)
    press('ArrowDown')
    press('ArrowDown')
    press('Enter')
    await waitFor(() => expect(stored).toHaveBeenLastCalledWith('B2'))
    await type('bing')
    await waitFor(() => expect(offered()).toEqual(['丙']), patient)
    expect(press('Tab')).toBe(true)
    await waitFor(() => expect(stored).toHaveBeenLastCalledWith('C3'))
  })

  it('is left as it was by Escape', async () => {
    const box = await show(14, { options: grades }, 'A1')
    await type('yi')
    press('Escape')
    await waitFor(() => expect(box.value).toBe(''))
    expect(stored).not.toHaveBeenCalled()
  })

  it('takes several', async () => {
    const box = await show(15, { options: grades })
    for (const word of ['bing', 'B2']) {
      await type(word)
      await waitFor(() => expect(offered().length).toBe(1), patient)
      press('Enter')
      await waitFor(() => expect(box.value).toBe(''))
    }
    expect(stored.mock.calls).toEqual([[['C3']], [['C3', 'B2']]])
    await type('zzz')
    press('Enter')
    await settle(50)
    expect(stored).toHaveBeenCalledTimes(2)
  })
})

describe('people', { timeout: 40_000 }, () => {
  const entry = (id: string, name: string) => ({ id, name, imgUrl: null, type: 3, leaf: true, detail: null })
  const everyone = [entry('1', '安娜'), entry('2', '王芳'), entry('3', '王芳华')]
  beforeEach(() => {
    fakeServer({
      [OPTIONS]: ({ search }: { search: URLSearchParams }) => {
        const word = search.get('keyword') ?? ''
        const found =
          word === ''
            ? everyone
            : everyone
                .filter(({ name }) => (word === 'wangfang' ? name !== '安娜' : name === word))
                .map((one) => (one.name === '王芳' ? { ...one, named: word === one.name ? 'text' : 'sound' } : one))
        return { content: found, totalElements: found.length }
      },
    })
  })

  it('are not chosen from what was listed before the server has found the typed name', async () => {
    await show(50, {})
    press('Enter')
    await waitFor(() => expect(offered().length).toBe(3), patient)
    await type('wangfang')
    press('Enter') // faster than the server
    await waitFor(() => expect(stored).toHaveBeenCalled(), patient)
    expect(stored.mock.calls.map(([one]) => one.name)).toEqual(['王芳'])
    await type('nobody')
    press('Enter')
    await settle(400)
    expect(stored).toHaveBeenCalledTimes(1)
  })
})

describe('yes or no', { timeout: 40_000 }, () => {
  const Logic = () => formWidget(4) as ComponentType<FormWidgetProps<boolean>>
  const field = {
    propertyCode: 'ok',
    propertyType: 4,
    name: '合格',
    name_i18n: {},
    children: null,
  } as unknown as FormField
  const answers = () => screen.getAllByRole<HTMLInputElement>('radio').map((one) => one.checked)

  it('is visibly neither while it is empty, and No is one action', async () => {
    const Widget = Logic()
    function Holder() {
      const [value, setValue] = useState<boolean | null>(null)
      const change = (next: boolean | null) => {
        stored(next)
        setValue(next)
      }
      return <Widget id="ok" field={field} schemaCode="lot" value={value} onChange={change} values={() => ({})} />
    }
    render(
      <Suspense>
        <Holder />
      </Suspense>,
    )
    const no = await screen.findByRole<HTMLInputElement>('radio', { name: '否' }, patient)
    expect(answers()).toEqual([false, false])
    act(() => no.click())
    expect(stored).toHaveBeenLastCalledWith(false)
    expect(answers()).toEqual([false, true])
    act(() => no.click())
    expect(stored).toHaveBeenLastCalledWith(null)
    expect(answers()).toEqual([false, false])
    act(() => no.focus())
    press('y')
    expect(answers()).toEqual([true, false])
    press('0')
    expect(answers()).toEqual([false, true])
    press('Delete')
    expect(answers()).toEqual([false, false])
  })
})
