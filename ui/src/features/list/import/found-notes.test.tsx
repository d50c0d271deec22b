import { render, screen } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { FoundNotes } from './found-notes'

beforeAll(async () => {
  await startI18n()
  await loadLaterTexts()
  await loadAllTexts()
  await setLocale('zh')
})

describe('what a file has that is not as it looks', () => {
  it('is said with its numbers, and with nothing where there is nothing', () => {
    const { container, rerender } = render(
      <FoundNotes
        result={{ ignoredColumns: [], hiddenCount: 0, mergedCount: 0, totalRows: [], roundedNumbers: 0, sheets: [] }}
      />,
    )
    expect(container.textContent).toBe('')
    rerender(
      <FoundNotes
        result={{
          ignoredColumns: ['占地（公顷）', '内部'],
          hiddenCount: 12,
          mergedCount: 14,
          totalRows: [8, 9],
          roundedNumbers: 3,
          sheets: [],
        }}
      />,
    )
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '有 2 列未导入：占地（公顷）、内部',
      '其中 12 行在文件中是隐藏的，也会导入',
      '14 个合并单元格的值用于其所有行',
      '末尾的合计、签注行未导入：第 8、9 行',
      '3 个数字按表格中显示的值导入，省略了未显示的小数。',
    ])
  })
})
