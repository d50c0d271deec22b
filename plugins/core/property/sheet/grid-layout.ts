import { type FormField, resolveProperty, type TextContext, valueText } from '@sluice/sdk'
import { type CSSProperties, useMemo } from 'react'
import type { SheetRow } from './rows'
import { NUMBERS } from './use-row-window'

/** What of a cell is not its text: padding and line. */
const AROUND = 22

const isFigure = (column: FormField) => resolveProperty(column.propertyType).align === 'right'

/** How wide a column is at least; where there is room, all grow in proportion. */
function widthOf(column: FormField): number {
  if (column.width) return column.width
  if (resolveProperty(column.propertyType).wide) return 200
  return isFigure(column) ? 112 : 144
}

/** The characters of the longest figure of each column of figures; a sum has as many more as the number of its rows. */
function longestOf(columns: FormField[], sums: string[], context: TextContext) {
  const figures = columns.filter(isFigure)
  const known = new WeakMap<SheetRow, number[]>()
  const lengths = (row: SheetRow) => {
    let found = known.get(row)
    if (!found) {
      found = figures.map((column) => valueText(row[column.propertyCode], column, context).length)
      known.set(row, found)
    }
    return found
  }
  return (rows: SheetRow[]): Record<string, number> => {
    const all = rows.map(lengths)
    const more = String(rows.length).length + 1
    return Object.fromEntries(
      figures.map(({ propertyCode }, at) => {
        const most = all.reduce((longest, row) => Math.max(longest, row[at] ?? 0), 0)
        return [propertyCode, most > 0 && sums.includes(propertyCode) ? most + more : most]
      }),
    )
  }
}

/** The columns of a grid, for its rows and its head alike: a figure is never cut, for what is left of it is another figure. */
export function useTemplate(
  columns: FormField[],
  rows: SheetRow[],
  sums: string[],
  context: TextContext,
): CSSProperties {
  const summed = sums.join()
  const longest = useMemo(() => longestOf(columns, summed.split(','), context), [columns, summed, context])
  const figures = longest(rows)
  const needed = JSON.stringify(figures)
  return useMemo(() => {
    const need = JSON.parse(needed) as Record<string, number>
    const least = columns.map((column) => {
      const characters = need[column.propertyCode] ?? 0
      const width = `${widthOf(column)}px`
      return characters > 0 ? `max(${width}, ${characters}ch + ${AROUND}px)` : width
    })
    return {
      '--columns': `${NUMBERS}px ${columns.map((column, at) => `minmax(${least[at]}, ${widthOf(column)}fr)`).join(' ')}`,
      '--least': `calc(${[`${NUMBERS}px`, ...least].join(' + ')})`,
    } as CSSProperties
  }, [columns, needed])
}
