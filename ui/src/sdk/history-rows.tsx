import { useText } from './use-text'

/** What is told of a row of a sub-table. */
export interface ToldRow {
  kind: 'create' | 'update' | 'delete'
  was: number | null
  place: number | null
  label: string | null
}

/** The name of a row: its number and the value of its first field. */
export function useRowName() {
  const t = useText()
  return ({ was, place, label }: ToldRow): string => {
    const number = place ?? was
    if (number !== null)
      return label ? t('life.rowNamed', { place: number, name: label }) : t('life.row', { place: number })
    return label ? t('life.rowOnly', { name: label }) : t('life.rowSome')
  }
}
