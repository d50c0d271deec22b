import { createContext, useContext } from 'react'
import type { DataOf } from '@/api/client'

export type Explanation = DataOf<'/api/runtime/form/explain', 'post'>

/** Asks why a computed property of the open record has its value, as the form is now. */
export type AskWhy = (propertyCode: string, signal: AbortSignal) => Promise<Explanation>

export const WhyContext = createContext<AskWhy | null>(null)
export const useWhy = () => useContext(WhyContext)
