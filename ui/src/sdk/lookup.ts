import { type ComponentType, createContext, useContext } from 'react'
import type { FormWidgetProps, PropertyUI } from './property'

/** How a property with properties of its own (a sub-table) finds the looks of those. */
export interface PropertyLookup {
  ui: (wire: number) => PropertyUI<unknown>
  widget: (wire: number) => ComponentType<FormWidgetProps<unknown>> | undefined
}

const missing = (): never => {
  throw new Error('no PropertyLookup above')
}

/** Filled by the registry at the root of the application; the sdk stands below the registry and cannot import it. */
export const PropertyLookupContext = createContext<PropertyLookup>({ ui: missing, widget: missing })

export const usePropertyLookup = () => useContext(PropertyLookupContext)
