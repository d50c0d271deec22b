import { createContext, useContext } from 'react'
import type { Bag } from '../shared/json'
import type { PortalDesign } from './api'
import type { Page } from './page'

interface Designing {
  design: PortalDesign
  page: Page
  /** The schema of portal pages. */
  root: Bag
}

const Context = createContext<Designing | null>(null)
export const DesigningProvider = Context.Provider

/** What the fields of the panel know of the page that is designed. */
export function useDesigning(): Designing {
  const value = useContext(Context)
  if (!value) throw new Error('a field outside of the designer')
  return value
}
