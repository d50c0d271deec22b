import {
  capitals,
  displayFormatOf,
  type FieldPlan,
  group,
  numberSetting,
  shift,
  textSetting,
  toScale,
  trueMinus,
} from '@sluice/sdk'

/** The scale of numbers whose author named none: they are shown as they were entered. */
const UNLIMITED = 8

function scaleOf(field: FieldPlan): number | null {
  const scale = numberSetting(field, 'scale')
  return scale === undefined || scale >= UNLIMITED ? null : scale
}

const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Whether people see and type hundredths; on the wire the value is the plain ratio. */
export const isPercent = (field: FieldPlan) => displayFormatOf(field) === 'percent'

/** The decimals that a figure shows: all rows have equal ones, so the points stand below each other. Null: as entered. */
function placesOf(field: FieldPlan): number | null {
  const scale = scaleOf(field)
  const shown = numberSetting(field, 'displayScale')
  if (shown !== undefined) return shown
  return isPercent(field) && scale !== null ? Math.max(scale - 2, 0) : scale
}

/** Without its unit and its sign of percent: digits, and separators where the author wants them. */
export function figure(value: string, field: FieldPlan): string {
  const text = isPercent(field) ? shift(value, 2) : value
  const places = placesOf(field)
  const exact = places === null ? trimmed(toScale(text, UNLIMITED) ?? text) : (toScale(text, places) ?? text)
  // Measured quantities get separators; bare whole numbers (years, floors) only when their author asks.
  const separated =
    displayFormatOf(field) !== 'plain' || scaleOf(field) !== 0 || textSetting(field, 'unit') !== undefined
  return separated ? group(exact) : exact
}

/** A figure as lists, forms and chips show it. */
export function formatNumber(value: string | number, field: FieldPlan): string {
  const text = String(value)
  if (displayFormatOf(field) === 'capitals') return capitals(text)
  const unit = textSetting(field, 'unit')
  return `${trueMinus(figure(text, field))}${isPercent(field) ? '%' : ''}${unit ? ` ${unit}` : ''}`
}
