import { createContext, type ReactNode, useContext } from 'react'
import type { Design, DesignModel } from './api'
import type { Flow, FlowNode } from './document'
import { type FieldPlace, FieldsOf, useFieldPlace } from './shared/fields'

/** The workflow that a panel is of; `node` is null in its settings. */
interface FlowPlace {
  flow: Flow
  node: FlowNode | null
  design: Design
  model: DesignModel | undefined
}

const Here = createContext<FlowPlace | null>(null)

export function PlaceProvider({ value, children }: { value: FieldPlace & FlowPlace; children: ReactNode }) {
  return (
    <Here.Provider value={value}>
      <FieldsOf value={value}>{children}</FieldsOf>
    </Here.Provider>
  )
}

/** What the fields of the panel are of, with the workflow around it. */
export function usePlace(): FieldPlace & FlowPlace {
  const flow = useContext(Here)
  const place = useFieldPlace()
  if (!flow) throw new Error('a field outside of the panel')
  return { ...flow, ...place }
}
