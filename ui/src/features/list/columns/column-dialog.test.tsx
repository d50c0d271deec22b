import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ListController } from '../use-list-controller'
import { ColumnDialog } from './column-dialog'

const column = (propertyCode: string, name: string, en: string) => ({
  propertyCode,
  name,
  name_i18n: { en },
  visible: true,
})
const acts = { setColumns: vi.fn(), resetColumns: vi.fn(), setDensity: vi.fn(), openPanel: vi.fn() }
const presentation = { fixedLeftColumns: [] as string[], fixedRightColumns: [], fixedLeftGiven: true }
const controller = {
  config: {
    queryColumns: [column('a', '甲', 'One'), column('b', '乙', 'Two'), column('c', '丙', 'Three')],
    queryPresentation: presentation,
  },
  settings: { order: [], hidden: [], shown: [] },
  density: 'compact',
  store: { getState: () => acts },
} as unknown as ListController

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const middle = () => box('全选').closest('.ant-checkbox')?.classList.contains('ant-checkbox-indeterminate')

describe('the columns of a list', () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    for (const act of Object.values(acts)) act.mockReset()
    render(<ColumnDialog controller={controller} />)
  })
  afterEach(cleanup)

  it('are all shown or none by one box, which has a middle state', () => {
    expect([box('全选').checked, middle()]).toEqual([true, false])
    fireEvent.click(box('乙'))
    expect([box('全选').checked, middle()]).toEqual([false, true])
    fireEvent.click(box('全选'))
    expect(['甲', '乙', '丙'].map((name) => box(name).checked)).toEqual([true, true, true])
    fireEvent.click(box('全选'))
    expect(['甲', '乙', '丙'].map((name) => box(name).checked)).toEqual([false, false, false])
    expect(middle()).toBe(false)
  })

  it('have their places, which follow when they are moved', () => {
    screen.getByText('拖动排序，或按 Alt + ↑ ↓')
    const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)
    expect(rows()).toEqual(['1甲', '2乙', '3丙'])
    fireEvent.keyDown(box('甲'), { key: 'ArrowDown', altKey: true })
    expect(rows()).toEqual(['1乙', '2甲', '3丙'])
  })

  it('cannot be moved where the table keeps them at an edge', () => {
    cleanup()
    const config = { ...controller.config, queryPresentation: { ...presentation, fixedLeftColumns: ['a'] } }
    render(<ColumnDialog controller={{ ...controller, config } as unknown as ListController} />)
    const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)
    expect(rows()).toEqual(['1甲固定在边上，不随顺序移动', '2乙', '3丙'])
    fireEvent.keyDown(box('甲'), { key: 'ArrowDown', altKey: true })
    expect(rows()[0]).toMatch(/^1甲/)
  })

  it('change when they are confirmed, and not before', () => {
    fireEvent.click(box('乙'))
    fireEvent.click(screen.getByRole('button', { name: /^取 ?消$/ }))
    expect(acts.setColumns).not.toHaveBeenCalled()
    expect(acts.openPanel).toHaveBeenCalledWith(null)
    cleanup()
    render(<ColumnDialog controller={controller} />)
    expect(box('乙').checked).toBe(true)
    fireEvent.click(box('乙'))
    fireEvent.click(screen.getByRole('button', { name: /^(应 ?用|确 ?定)$/ }))
    expect(acts.setColumns.mock.calls[0]?.[0]).toMatchObject({ hidden: ['b'] })
  })

  it('have the names of the reader’s language', async () => {
    cleanup()
    await setLocale('en')
    render(<ColumnDialog controller={controller} />)
    expect(box('Two').checked).toBe(true)
  })
})
