import { createContext, useContext } from 'react'

/** Opens the form of a new record over what is on the screen; `done` gets the id of what was saved. */
export type CreateRecord = (schemaCode: string, done: (id: string) => void) => void

/** null where no form can be opened over another. */
export const CreateRecordContext = createContext<CreateRecord | null>(null)
export const useCreateRecord = () => useContext(CreateRecordContext)

/** What the controls' ids begin with: forms that lie over each other must not share them. */
export const FormIdContext = createContext('root')
