// What antd's buttons, tags and tooltips need of its color picker: to read a color, and whether it is light. The picker itself
// brings panels, sliders and a collapse. testing/antd-color.test.ts compares the two.
import { FastColor } from '@ant-design/fast-color'

export const AggregationColor = FastColor

export const generateColor = (color) => new FastColor(color ?? '')

/** Reports whether dark text belongs on the color. */
export function isBright(color, background) {
  const { r, g, b, a } = color.toRgb()
  if (a <= 0.5) return color.onBackground(background).toHsv().v > 0.5
  return r * 0.299 + g * 0.587 + b * 0.114 > 192
}
