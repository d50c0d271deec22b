import { createContext, useContext } from 'react'
import type { FormField } from '@/api/types'

/** What a new row of a sub-table begins with. */
export type RowDefaults = (columns: FormField[]) => Record<string, unknown>

/** The defaults that are the same for all rows. */
export const plainDefaults: RowDefaults = (columns) =>
  Object.fromEntries(
    columns.flatMap(({ propertyCode, defaultValue }) =>
      defaultValue === undefined || defaultValue === null ? [] : [[propertyCode, defaultValue]],
    ),
  )

export const RowDefaultsContext = createContext<RowDefaults>(plainDefaults)

/** Filled by the form, which evaluates the defaults that depend on the record. */
export const useRowDefaults = () => useContext(RowDefaultsContext)
