import { createContext, useContext } from 'react'
import type { FormField } from '@/api/types'

/** What is wrong with a cell of a sub-table: `propertyCode` as "items.value"; rows are known by id, new ones by key. */
export type RowErrors = (
  propertyCode: string,
  row: { id?: string | undefined; key?: string | undefined; index: number },
) => string | null

export const RowErrorsContext = createContext<RowErrors>(() => null)

/** Filled by the form; cells of a sub-table ask it. */
export const useRowErrors = () => useContext(RowErrorsContext)

/** What is wrong with the value of a sub-table's cell, in words; null when nothing is. */
export type CellCheck = (column: FormField, row: Record<string, unknown>) => string | null

export const CellCheckContext = createContext<CellCheck>(() => null)

/** Filled by the form, which knows the schemas and the rules. */
export const useCellCheck = () => useContext(CellCheckContext)

/** How often a save of the form was refused, by its own check or by the server. */
export const RefusalsContext = createContext(0)

/** A control with many places goes to the first that is wrong each time that this grows. */
export const useRefusals = () => useContext(RefusalsContext)

/** Where somebody asked to be led: a field, or a cell of a sub-table by its row (from 0) and the code of its column. */
export interface AskedPlace {
  code: string
  row?: number
  column?: string
}

/** A new object for each time that somebody asks; null once the place has the keyboard. */
export const AskedPlaceContext = createContext<AskedPlace | null>(null)

/** Groups that hold the place open themselves; a sub-table leads to its cell. */
export const useAskedPlace = () => useContext(AskedPlaceContext)
