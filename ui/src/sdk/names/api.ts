import { queryOptions } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type Kind = Schemas['NameKind']
export type Thing = Schemas['NamedThing']
export type Usage = Schemas['Usage']
export type SavedUse = Schemas['SavedUse']
export type UsingDocument = Schemas['UsingDocument']
export type UsePlace = Schemas['UsePlace']

/** Something that documents name. `appCode` is the application by which the reader may ask; null: all of them. */
export interface Named {
  appCode: string | null
  kind: Kind
  name: string
}

const of = (appCode: string | null) => (appCode === null ? {} : { appCode })

/** What an application has that has a name. Documents change under it, so that it is asked again whenever it is shown. */
export const namesQuery = (appCode: string | null) =>
  queryOptions({
    queryKey: ['names', appCode],
    queryFn: ({ signal }) => get('/api/definition/names', of(appCode), { signal }),
    staleTime: 0,
  })

export const usesQuery = ({ appCode, kind, name }: Named) =>
  queryOptions({
    queryKey: ['names', appCode, kind, name],
    queryFn: ({ signal }) => get('/api/definition/uses', { ...of(appCode), kind, name }, { signal }),
    staleTime: 0,
  })

export type Recoded = Schemas['Recoded']

export const recode = (body: NonNullable<Parameters<typeof post<'/api/definition/rename'>>[1]>) =>
  post('/api/definition/rename', body)

export const textQuery = (pack: string, path: string) =>
  queryOptions({
    queryKey: ['names', 'text', pack, path],
    queryFn: ({ signal }) => get('/api/definition/document', { pack, path }, { signal }),
    staleTime: 0,
  })
