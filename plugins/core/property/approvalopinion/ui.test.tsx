import type { FieldPlan, PropertyUI } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import { flow as en } from '@/i18n/en/flow'
import { flow as zh } from '@/i18n/zh/flow'
import { property as given } from './ui'
import { done, RESULTS } from './words'

const property = given as unknown as PropertyUI<object[]>
const field = { propertyCode: 'x', propertyType: 7, name: '意见', name_i18n: {} } as FieldPlan
const value = [
  {
    nodeName: '监理',
    nodeName_i18n: { en: 'Supervisor' },
    user: '张三',
    result: 'agree',
    rule: '',
    opinion: '可以\n按期完成',
    time: '2026-03-01T01:02:03.000Z',
  },
  {
    nodeName: '业主',
    nodeName_i18n: {},
    user: '',
    result: 'agree',
    rule: 'autoWhen',
    opinion: '',
    time: '2026-03-01T02:00:00.000Z',
  },
]

function show(name: 'ReadValue' | 'Cell', of: object[]) {
  const Shown = property[name] as ComponentType<{ value: object[]; field: FieldPlan }> | undefined
  if (!Shown) throw new Error('no way to read them')
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <Shown value={of} field={field} />
    </QueryClientProvider>,
  )
}

describe('opinions', () => {
  it('are read with who said them where, the result in words, the opinion and the time', () => {
    show('ReadValue', value)
    const [first, second] = screen.getAllByRole('listitem')
    if (!first || !second) throw new Error('two opinions')
    expect(within(first).getByText('张三')).toBeTruthy()
    expect(within(first).getByText('监理 · 同意')).toBeTruthy()
    expect(within(first).getByText(/按期完成/).textContent).toBe('可以\n按期完成')
    expect(first.querySelector('time')?.dateTime).toBe('2026-03-01T01:02:03.000Z')
    expect(first.querySelector('time')?.textContent).toBe('2026-03-01 09:02')
    expect(within(second).getByText('业主 · 同意（自动）')).toBeTruthy()
    expect(second.querySelector('p')).toBeNull()
  })

  it('show the newest in a cell, how many came before, and all in the tip', () => {
    const { container } = show('Cell', [...value, { ...value[0], result: 'reject', opinion: '重算' }])
    expect(container.textContent).toBe('监理 张三 退回 重算+2')
    expect(container.querySelector('[title]')?.getAttribute('title')?.split('\n')).toHaveLength(3)
    const alone = show('Cell', value.slice(0, 1))
    expect(alone.container.textContent).toBe('监理 张三 同意 可以 按期完成')
  })

  it('say the same in a text as on the server, in both languages', () => {
    expect(property.text(value, field, { locale: 'zh', zone: 'Asia/Shanghai' })).toBe(
      '监理 张三 同意 可以 按期完成 2026-03-01 09:02\n业主 同意（自动） 2026-03-01 10:00',
    )
    expect(property.text(value, field, { locale: 'en', zone: 'UTC' })).toBe(
      'Supervisor 张三 Agreed 可以 按期完成 2026-03-01 01:02\n业主 Agreed (automatic) 2026-03-01 02:00',
    )
  })

  it('call what was done as the log does', () => {
    for (const result of RESULTS) {
      const key = result.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof typeof en.operations
      expect([done({ result, rule: '' }, 'zh'), done({ result, rule: '' }, 'en')]).toEqual([
        zh.operations[key],
        en.operations[key],
      ])
    }
  })
})
