import { createContext, useContext } from 'react'
import type { FormField } from '@/api/types'
import { makeValueStore, type ValueStore } from './value-store'
import type { Values } from './values'

/** What the fields of one open form share. It stays the same while people type. */
export interface FormContext {
  schemaCode: string
  field: (code: string) => FormField | undefined
  store: ValueStore
  change: (code: string, value: unknown) => void
  fill: (values: Values) => void
  firstCode: string | undefined
}

const none: FormContext = {
  schemaCode: '',
  field: () => undefined,
  store: makeValueStore({}),
  change: () => {},
  fill: () => {},
  firstCode: undefined,
}

export const FormContextValue = createContext<FormContext>(none)
export const useFormContext = () => useContext(FormContextValue)

/** Which fields rules hide and require now; the same object until that changes. */
export interface LiveRules {
  hidden: Set<string>
  required: Set<string>
}

export const LiveRulesContext = createContext<LiveRules>({ hidden: new Set(), required: new Set() })
export const useLiveRules = () => useContext(LiveRulesContext)
