import type { FieldPlan, PropertyUI } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { property as given } from './ui'

const property = given as unknown as PropertyUI<object[]>
const field = { propertyCode: 'x', propertyType: 7, name: '意见', name_i18n: {} } as FieldPlan
const value = [
  { nodeName: '监理', user: '张三', result: '同意', opinion: '可以\n按期完成', time: '2026-03-01T01:02:03.000Z' },
  { nodeName: '业主', user: '', result: '退回', opinion: '', time: '2026-03-01T02:00:00.000Z' },
]

describe('opinions', () => {
  it('are read with who said them where, the result, the words and the time', () => {
    const { ReadValue } = property
    if (!ReadValue) throw new Error('no way to read them')
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ReadValue value={value} field={field} />
      </QueryClientProvider>,
    )
    const [first, second] = screen.getAllByRole('listitem')
    if (!first || !second) throw new Error('two opinions')
    expect(within(first).getByText('张三')).toBeTruthy()
    expect(within(first).getByText('监理 · 同意')).toBeTruthy()
    expect(within(first).getByText(/按期完成/).textContent).toBe('可以\n按期完成')
    expect(first.querySelector('time')?.dateTime).toBe('2026-03-01T01:02:03.000Z')
    expect(within(second).getByText('业主 · 退回')).toBeTruthy()
    expect(second.querySelector('p')).toBeNull()
  })

  it('say the same in a text as on the server', () => {
    expect(property.text(value, field, { locale: 'zh', zone: 'Asia/Shanghai' })).toBe(
      '监理 张三 同意 可以\n按期完成 2026-03-01 09:02\n业主 退回 2026-03-01 10:00',
    )
  })
})
