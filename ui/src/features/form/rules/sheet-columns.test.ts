import { renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { FormField } from '@/api/types'
import '@/registry/properties'
import { useTemplate } from '../../../../../plugins/core/property/sheet/grid-layout'

const context = { locale: 'en', zone: 'UTC' } as const
const field = (propertyCode: string, propertyType: number) =>
  ({
    propertyCode,
    propertyType,
    name: propertyCode,
    displayFormat: 'thousands',
    settings: { displayFormat: 'thousands', scale: 2 },
  }) as unknown as FormField

describe('the columns of a sub-table', () => {
  const columns = [field('name', 0), field('amount', 2)]
  const template = (amounts: (string | null)[], sums: string[] = []) =>
    renderHook(() =>
      useTemplate(
        columns,
        amounts.map((amount) => ({ name: 'a', amount })),
        sums,
        context,
      ),
    ).result.current as Record<string, string>

  it('are as wide as their longest figure, which is never cut', () => {
    expect(template([null])['--columns']).toBe('52px minmax(144px, 144fr) minmax(112px, 112fr)')
    const wide = template(['1', '12400000'])
    expect(wide['--columns']).toContain('minmax(max(112px, 13ch + 22px), 112fr)')
    expect(wide['--least']).toBe('calc(52px + 144px + max(112px, 13ch + 22px))')
  })

  it('leave room for a sum', () => {
    expect(template(['12400000', '1'], ['amount'])['--columns']).toContain('15ch')
  })
})
