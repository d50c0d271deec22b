import { queryOptions } from '@tanstack/react-query'
import { get } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type Report = Schemas['AccessReport']
export type Group = Report['groups'][number]
export type Way = Schemas['AccessWays'][number]
export type Party = Schemas['AccessParty']
export type Name = Schemas['AccessName']
export type Right = Schemas['FieldRight']
export type Label = Schemas['PlanLabel']

export const rolesQuery = queryOptions({
  queryKey: ['rights', 'roles'],
  queryFn: ({ signal }) => get('/api/system/rights/roles', undefined, { signal }),
})

export const modelsQuery = queryOptions({
  queryKey: ['rights', 'models'],
  queryFn: ({ signal }) => get('/api/system/rights/models', undefined, { signal }),
})
