import type { FieldPlan } from '@sluice/sdk'
import { describe, expect, it } from 'vitest'
import { formatNumber } from './format'

const field = (settings: Record<string, unknown>, displayFormat: string | null = null): FieldPlan => ({
  propertyCode: 'n',
  propertyType: 2,
  name: 'n',
  name_i18n: {},
  settings,
  displayFormat,
})

describe('figures', () => {
  it.each([
    ['1234.5', { scale: 3, unit: 'm³' }, null, '1,234.500 m³'],
    ['2026', { scale: 0, displayFormat: 'plain' }, null, '2026'],
    ['2026', { scale: 0, displayFormat: 'thousands' }, null, '2,026'],
    ['12.50', { scale: 8, displayFormat: 'plain' }, null, '12.5'],
    ['0.9078', { scale: 4, displayFormat: 'percent' }, null, '90.78%'],
    ['0.907761', { scale: 6, displayFormat: 'percent', displayScale: 1 }, null, '90.8%'],
    ['12.345', { scale: 3, displayScale: 1 }, null, '12.3'],
    ['0.125', { scale: 8 }, 'percent', '12.5%'],
    ['0.1', { scale: 4, displayFormat: 'percent' }, null, '10.00%'],
    ['999999999999999999999999', { scale: 2 }, 'thousands', '999,999,999,999,999,999,999,999.00'],
    ['-1234567890123456789012.345', { scale: 2 }, 'thousands', '−1,234,567,890,123,456,789,012.35'],
  ])('%s with %o as %s: %s', (value, settings, format, text) => {
    expect(formatNumber(value, field(settings, format))).toBe(text)
  })
})
