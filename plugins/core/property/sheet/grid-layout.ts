import { type FormField, resolveProperty } from '@sluice/sdk'
import type { CSSProperties } from 'react'
import { NUMBERS } from './use-row-window'

/** How wide a column is at least; where there is room, all grow in proportion. */
function widthOf(column: FormField): number {
  if (column.width) return column.width
  const { wide, align } = resolveProperty(column.propertyType)
  return wide ? 200 : align === 'right' ? 112 : 144
}

/** The columns of a grid, for its rows and its head alike. */
export function templateOf(columns: FormField[]): CSSProperties {
  const widths = columns.map(widthOf)
  return {
    '--columns': `${NUMBERS}px ${widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' ')}`,
    '--least': `${widths.reduce((sum, width) => sum + width, NUMBERS)}px`,
  } as CSSProperties
}
