import { createContext, useContext } from 'react'
import type { FormField } from '@/api/types'
import type { TextContext } from '@/sdk/property'
import type { RenderQueue } from './fields/render-queue'
import { makeValueStore, type ValueStore } from './rules/value-store'
import type { Values } from './rules/values'
import { type FieldFaults, makeFieldFaults } from './submit/field-faults'

/** What the fields of one open form share. It stays the same while people type. */
export interface FormContext {
  schemaCode: string
  field: (code: string) => FormField | undefined
  store: ValueStore
  change: (code: string, value: unknown) => void
  fill: (values: Values) => void
  firstCode: string | undefined
  texts: TextContext
  faults: FieldFaults
}

const none: FormContext = {
  schemaCode: '',
  field: () => undefined,
  store: makeValueStore({}),
  change: () => {},
  fill: () => {},
  firstCode: undefined,
  texts: { locale: 'zh', zone: 'UTC' },
  faults: makeFieldFaults(() => null, new Set()),
}

export const FormContextValue = createContext<FormContext>(none)
export const useFormContext = () => useContext(FormContextValue)

/** Who draws its control when; without a form all do at once. */
export const RenderQueueContext = createContext<RenderQueue>({ first: () => true, wait: () => () => {} })

/** Which fields rules hide and require now; the same object until that changes. */
export interface LiveRules {
  hidden: Set<string>
  required: Set<string>
}

export const LiveRulesContext = createContext<LiveRules>({ hidden: new Set(), required: new Set() })
export const useLiveRules = () => useContext(LiveRulesContext)
