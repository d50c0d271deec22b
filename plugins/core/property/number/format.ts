import {
  capitals,
  displayFormatOf,
  type FieldPlan,
  group,
  numberSetting,
  shift,
  textSetting,
  toScale,
} from '@sluice/sdk'

/** The scale of numbers whose author named none: they are shown as they were entered. */
const UNLIMITED = 8

function scaleOf(field: FieldPlan): number | null {
  const scale = numberSetting(field, 'scale')
  return scale === undefined || scale >= UNLIMITED ? null : scale
}

const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/**
 * A figure as lists, forms and chips show it. With a scale all rows have equal decimals, so the points stand below each
 * other. Measured quantities get separators; bare whole numbers (years, floors) only when their author asks.
 */
export function formatNumber(value: string | number, field: FieldPlan): string {
  const text = String(value)
  const format = displayFormatOf(field)
  const scale = scaleOf(field)
  const unit = textSetting(field, 'unit')
  if (format === 'capitals') return capitals(text)
  const shifted = format === 'percent' ? shift(text, 2) : text
  const places = format === 'percent' && scale !== null ? Math.max(scale - 2, 0) : scale
  const exact =
    places === null ? trimmed(toScale(shifted, UNLIMITED) ?? shifted) : (toScale(shifted, places) ?? shifted)
  const separated = format !== 'plain' || scale !== 0 || unit !== undefined
  return `${separated ? group(exact) : exact.replace('-', '−')}${format === 'percent' ? '%' : ''}${unit ? ` ${unit}` : ''}`
}
