import { capitals, type FieldPlan, group, shift, toScale } from '@sluice/sdk'

const scaleOf = (field: FieldPlan): number | null =>
  typeof field.settings?.scale === 'number' ? field.settings.scale : null

/** A figure as lists, forms and chips show it. With a scale all rows have equal decimals, so the points stand below each other. */
export function formatNumber(value: string | number, field: FieldPlan, withUnit = true): string {
  const text = String(value)
  const scale = scaleOf(field)
  const unit = withUnit && typeof field.settings?.unit === 'string' ? ` ${field.settings.unit}` : ''
  if (field.displayFormat === 'capitals') return capitals(text)
  if (field.displayFormat === 'percent') {
    const percent = shift(toScale(text, scale ?? 4) ?? text, 2)
    return `${group(percent)}%`
  }
  const exact = scale === null ? text : (toScale(text, scale) ?? text)
  return (field.displayFormat === 'plain' ? exact.replace('-', '−') : group(exact)) + unit
}
