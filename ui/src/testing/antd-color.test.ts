import { AggregationColor as Full } from 'antd/es/color-picker/color'
import { isBright as isBrightFull } from 'antd/es/color-picker/components/ColorPresets'
import { parseColor } from 'antd/es/tooltip/util'
import { expect, test } from 'vitest'
import { AggregationColor, generateColor, isBright } from '../../scripts/antd-color.mjs'

const COLORS = [
  '#000',
  '#fff',
  '#00adfc',
  '#14171c',
  'rgb(200 190 180)',
  'rgba(255,255,255,0.4)',
  'rgba(0,0,0,0.45)',
  'gold',
]

test.each(COLORS)('the build reads %s as antd does', (color) => {
  for (const background of ['#fff', '#14171c'])
    expect(isBright(new AggregationColor(color), background)).toBe(isBrightFull(new Full(color), background))
  expect(generateColor(color).toRgb()).toEqual(new Full(color).toRgb())
  expect(parseColor('ant', 'ant-tooltip', color)).toBeTruthy()
})

test('a tooltip without a color has one to read', () => {
  expect(generateColor(undefined).toRgb()).toMatchObject({ r: 0, g: 0, b: 0 })
})
