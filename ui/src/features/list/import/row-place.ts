import type { useText } from '@/sdk/use-text'

/** Where a row of a file is: its sheet in an import of several, otherwise ''. */
interface RowPlace {
  sheet: string
  rowNumber: number
}

/** A row in a column that is headed so: 12, or Feb!12. */
export const rowPlace = ({ sheet, rowNumber }: RowPlace) => (sheet ? `${sheet}!${rowNumber}` : `${rowNumber}`)

/** How wide a column has to be for it, in pixels, up to the longest that is worth it. */
export const indexWidthOf = (place: string) => {
  const wide = [...place].filter((one) => one > '\u2e7f').length
  return Math.min(220, 22 + wide * 14 + (place.length - wide) * 8)
}

/** A row in a sentence. */
export const rowTitle = (t: ReturnType<typeof useText>, row: RowPlace) =>
  row.sheet ? rowPlace(row) : t('import.rowNumber', { row: row.rowNumber })
