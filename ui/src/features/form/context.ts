import { createContext, useContext } from 'react'
import type { FormField } from '@/api/types'
import type { Values } from './values'

/** What the fields of one open form share. */
export interface FormContext {
  schemaCode: string
  field: (code: string) => FormField | undefined
  visible: (code: string) => boolean
  required: (code: string) => boolean
  values: () => Values
  fill: (values: Values) => void
  firstCode: string | undefined
}

const none: FormContext = {
  schemaCode: '',
  field: () => undefined,
  visible: () => true,
  required: () => false,
  values: () => ({}),
  fill: () => {},
  firstCode: undefined,
}

export const FormContextValue = createContext<FormContext>(none)
export const useFormContext = () => useContext(FormContextValue)
