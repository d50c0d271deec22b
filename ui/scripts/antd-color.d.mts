import type { FastColor } from '@ant-design/fast-color'

export { FastColor as AggregationColor } from '@ant-design/fast-color'
export function generateColor(color?: string): FastColor
export function isBright(color: FastColor, background: string): boolean
