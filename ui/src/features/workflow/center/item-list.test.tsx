import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { WorkItem } from '@/sdk/work-items'
import { makeItem } from '../fixtures'
import { ItemTable } from './item-list'

vi.mock('@/sdk/system', () => ({ useTextContext: () => ({ zone: 'Asia/Shanghai', locale: 'zh' }) }))

const items = ['a', 'b', 'c', 'd'].map((id) => makeItem(id, { batch: id !== 'c' }))

function List({ of }: { of: WorkItem[] }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const { pathname, search } = useLocation()
  return (
    <>
      <output>{[...ticked].sort().join(' ')}</output>
      <p data-testid="at">{pathname + search}</p>
      <ItemTable
        kind="unfinished"
        items={of}
        ticked={ticked}
        onTick={(ids, on) =>
          setTicked((old) => new Set(on ? [...old, ...ids] : [...old].filter((id) => !ids.includes(id))))
        }
        onRead={() => {}}
        onTrack={() => {}}
        onAgree={() => {}}
      />
    </>
  )
}

const draw = (of: WorkItem[] = items) =>
  render(
    <MemoryRouter initialEntries={['/list']}>
      <List of={of} />
    </MemoryRouter>,
  )
const box = (id: string) => screen.getByRole('checkbox', { name: `选择“计量 ${id}”` })
const ticked = () => screen.getByRole('status').textContent
const cell = () => screen.getAllByText('专业监理')[0] as HTMLElement

describe('a list of tasks', () => {
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('ticks a range with Shift, without what cannot be ticked, and unticks it so', () => {
    draw()
    fireEvent.click(box('a'))
    expect(ticked()).toBe('a')
    fireEvent.click(box('d'), { shiftKey: true })
    expect(ticked()).toBe('a b d')
    fireEvent.click(box('b'), { shiftKey: true })
    expect(ticked()).toBe('a')
  })

  it('opens a task where its row is pressed, and not by its buttons or by selecting text', () => {
    draw()
    fireEvent.click(screen.getByRole('button', { name: '“计量 a”的流程跟踪' }))
    expect(screen.getByTestId('at').textContent).toBe('/list')
    vi.stubGlobal('getSelection', () => '监理')
    fireEvent.click(cell())
    expect(screen.getByTestId('at').textContent).toBe('/list')
    vi.stubGlobal('getSelection', () => '')
    const opened = vi.fn()
    vi.stubGlobal('open', opened)
    fireEvent.click(cell(), { ctrlKey: true })
    fireEvent(cell(), new MouseEvent('auxclick', { bubbles: true, button: 1 }))
    expect(opened.mock.calls.map(([to]) => to)).toEqual(
      Array(2).fill('/form/detail?workItemId=a&workflowInstanceId=i-a'),
    )
    expect(screen.getByTestId('at').textContent).toBe('/list')
    fireEvent.click(cell())
    expect(screen.getByTestId('at').textContent).toBe('/form/detail?workItemId=a&workflowInstanceId=i-a')
  })

  it('tells of the record and of the votes', () => {
    draw([
      makeItem('a', {
        summary: [{ propertyCode: 'amount', name: '金额', name_i18n: {}, text: '5,000.00' }],
        votes: { all: 3, agreed: 1, disagreed: 0, open: 2, need: 2 },
      }),
    ])
    screen.getByText('5,000.00', { exact: false })
    screen.getByText('1/3 已同意，还需 1 票')
  })
})
