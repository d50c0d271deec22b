import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import type { HeadColumn, Replaced, Replacement } from './api'
import { ReplaceForm } from './replace-popover'

const column = (propertyCode: string, propertyType: number, name: string, en: string) =>
  ({ propertyCode, propertyType, name, name_i18n: { en } }) as unknown as HeadColumn
const columns = [
  column('title', 0, '名称', 'Name'),
  column('quantity', 2, '数量', 'Quantity'),
  column('day', 3, '日期', 'Date'),
].map((one) => ({ code: one.propertyCode, column: one }))

const onReplace = vi.fn()
const preview = vi.fn<(asked: Omit<Replacement, 'rows'>) => Promise<Replaced>>()
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

async function draw() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ConfigProvider button={{ autoInsertSpace: false }}>
        <ReplaceForm {...{ columns, onReplace, preview }} schemaCode="s" count={0} total={9} running={false} />
      </ConfigProvider>
    </QueryClientProvider>,
  )
  await screen.findByLabelText('替换列')
}

async function choose(name: string) {
  fireEvent.mouseDown(screen.getByLabelText('替换列'))
  fireEvent.click(await screen.findByText(name, { selector: '.ant-select-item-option-content' }))
}

describe('a column of refused rows', { timeout: 30_000 }, () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await loadWidgets([0, 2, 3])
  })
  beforeEach(async () => {
    fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
    await setLocale('zh')
    onReplace.mockReset()
    preview.mockReset()
  })
  afterEach(cleanup)

  it('is rounded after it was shown, before and after', async () => {
    const changes = Array.from({ length: 7 }, (_, n) => ({
      sheet: '',
      rowNumber: n + 2,
      before: `${n}.239`,
      after: `${n}.24`,
    }))
    preview.mockResolvedValue({ changedCount: 12, changes })
    await draw()
    fireEvent.click(screen.getByText('调整格式'))
    expect(screen.getByText(/^小数位数过多的数值四舍五入/)).toBeTruthy()
    expect(button('调整').disabled).toBe(true)
    fireEvent.mouseDown(screen.getByLabelText('替换列'))
    await screen.findByText('数量', { selector: '.ant-select-item-option-content' })
    expect(screen.queryByText('日期', { selector: '.ant-select-item-option-content' }), 'no dates').toBeNull()
    fireEvent.click(screen.getByText('数量', { selector: '.ant-select-item-option-content' }))
    await screen.findByText('将修改 12 个单元格')
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)[0]).toBe('第 2 行0.2390.24')
    expect(screen.getAllByRole('listitem')).toHaveLength(5)
    expect(screen.getByText('另有 7 个单元格')).toBeTruthy()
    expect(onReplace).not.toHaveBeenCalled()
    fireEvent.click(button('调整'))
    const asked = { all: true, propertyCode: 'quantity', value: '', fit: true, conditions: [] }
    expect(onReplace).toHaveBeenCalledExactlyOnceWith(asked)
    expect(preview).toHaveBeenCalledExactlyOnceWith(asked)
  })

  it('has a part of its texts replaced; what finds nothing cannot be pressed, and fresh keys ask again', async () => {
    preview.mockImplementation(async ({ search }) =>
      search === 'kg'
        ? { changedCount: 1, changes: [{ sheet: '', rowNumber: 4, before: 'kg', after: '' }] }
        : { changedCount: 0, changes: [] },
    )
    await draw()
    fireEvent.click(screen.getByText('查找替换'))
    await choose('名称')
    expect(button('替换').disabled, 'nothing is looked for').toBe(true)
    fireEvent.change(screen.getByLabelText('查找'), { target: { value: 'k' } })
    await screen.findByText('将修改 0 个单元格')
    expect(button('替换').disabled).toBe(true)
    fireEvent.change(screen.getByLabelText('查找'), { target: { value: 'kg' } })
    expect(button('替换').disabled, 'its answer is not there yet').toBe(true)
    await screen.findByText('将修改 1 个单元格')
    expect(screen.getByRole('listitem').textContent).toBe('第 4 行kg（清空）')
    fireEvent.click(button('替换'))
    expect(onReplace).toHaveBeenCalledExactlyOnceWith({
      all: true,
      propertyCode: 'title',
      value: '',
      search: 'kg',
      conditions: [],
    })
  })

  it('says why nothing could be looked at, and leaves a column that cannot be adjusted', async () => {
    preview.mockRejectedValue(new Error('away'))
    await draw()
    await choose('日期')
    fireEvent.click(screen.getByText('调整格式'))
    expect(button('调整').disabled).toBe(true)
    await new Promise((wait) => setTimeout(wait, 400))
    expect(preview, 'a date has no form to adjust').not.toHaveBeenCalled()
    await choose('数量')
    await waitFor(() => expect(preview).toHaveBeenCalled())
    await waitFor(() => expect(screen.queryByText('加载中…')).toBeNull())
    expect(button('调整').disabled).toBe(true)
    fireEvent.click(screen.getByText('整格替换'))
    expect(button('替换').disabled).toBe(false)
  })
})
