import { createContext, useContext } from 'react'

/** What is wrong with a cell of a sub-table: `propertyCode` as "items.value", `row` the row's id or "#1". */
export type RowErrors = (propertyCode: string, row: { id?: string | undefined; index: number }) => string | null

export const RowErrorsContext = createContext<RowErrors>(() => null)

/** Filled by the form; cells of a sub-table ask it. */
export const useRowErrors = () => useContext(RowErrorsContext)
