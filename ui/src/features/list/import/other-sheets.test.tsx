import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ImportHead } from './api'
import { assigned, type Reading, readingOf, unread } from './assign-state'
import { FoundNotes } from './found-notes'
import { OtherSheets } from './other-sheets'
import { indexWidthOf, rowPlace } from './row-place'
import { SheetCounts } from './sheet-counts'
import type { Head } from './use-head'

beforeAll(async () => {
  await startI18n()
  await loadLaterTexts()
  await loadAllTexts()
  await setLocale('zh')
})

const one = (name: string, errmsg = '') => ({
  name,
  fits: 2,
  alike: errmsg === '',
  errcode: errmsg ? 305024 : 0,
  errmsg,
})
const head = {
  sheets: [one('说明', '工作表“说明”没有“一月”的表头'), one('一月'), one('二月'), one('三月')],
  sheet: 1,
  headRow: 1,
  columns: [],
  properties: [],
  kept: false,
} as unknown as ImportHead

let sent: Reading

function Drawn() {
  const [reading, setReading] = useState(unread('u0'))
  sent = reading
  const of = { head, reading, add: (also: number[]) => setReading({ ...reading, also }), now: assigned(head, reading) }
  return <OtherSheets of={of as unknown as Head} />
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

describe('the other sheets of a file', () => {
  it('come in one by one or all, and those that differ are named with the reason', () => {
    render(<Drawn />)
    expect(readingOf(head, sent).sheet, 'nobody has chosen others').toBe(1)
    fireEvent.click(box('三月'))
    expect(readingOf(head, sent).sheet).toEqual([1, 3])
    expect(box('全部（另外 2 个）').checked).toBe(false)
    fireEvent.click(box('全部（另外 2 个）'))
    expect([...(readingOf(head, sent).sheet as number[])].sort()).toEqual([1, 2, 3])
    fireEvent.click(box('二月'))
    expect(readingOf(head, sent).sheet).toEqual([1, 3])
    fireEvent.click(box('全部（另外 2 个）'))
    fireEvent.click(box('全部（另外 2 个）'))
    expect(readingOf(head, sent).sheet).toBe(1)
    expect(screen.queryByRole('checkbox', { name: '说明' })).toBeNull()
    fireEvent.click(screen.getByText('1 个工作表不能一起导入'))
    expect(screen.getByText('工作表“说明”没有“一月”的表头')).toBeTruthy()
  })

  it('are left out where they are not alike any more, as after another row of headings', () => {
    const reading = { ...unread('u0'), also: [0, 1, 2] }
    expect(readingOf(head, reading).sheet).toEqual([1, 2])
  })

  it('are counted each, and name their rows', () => {
    const counts = { successCount: 3, skippedCount: 0, changedCount: 1, unchangedCount: 0 }
    const sheets = [
      { ...counts, name: '一月', addedCount: 2, errorCount: 0, totalRows: [] },
      { ...counts, name: '二月', addedCount: 1200, errorCount: 4, totalRows: [9] },
    ]
    render(
      <>
        <SheetCounts sheets={sheets} />
        <FoundNotes
          result={{ ignoredColumns: [], hiddenCount: 0, mergedCount: 0, totalRows: [], roundedNumbers: 0, sheets }}
        />
      </>,
    )
    const rows = screen
      .getAllByRole<HTMLTableRowElement>('row')
      .map((row) => [...row.cells].map((cell) => cell.textContent))
    expect(rows).toEqual([
      ['工作表', '新增', '更新', '未变', '失败'],
      ['一月', '2', '1', '0', '0'],
      ['二月', '1,200', '1', '0', '4'],
    ])
    expect(screen.getByText('末尾的合计、签注行未导入：第 二月!9 行')).toBeTruthy()
    expect(rowPlace({ sheet: '', rowNumber: 12 })).toBe('12')
    expect(indexWidthOf('二月!9')).toBeGreaterThan(indexWidthOf('12'))
  })
})
