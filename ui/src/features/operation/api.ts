import { get, post, put } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type Node = Schemas['SystemNode']
export type Queue = Schemas['SystemQueue']
export type Channels = Schemas['SystemChannels']
export type Delivery = Schemas['SystemDelivery']
export type Storage = Schemas['SystemStorage']
export type Document = Schemas['DefinitionDocument']
export type ErrorCode = Schemas['SystemError']

type Context = { signal: AbortSignal }

/** How often the page asks again, in milliseconds. What costs more is asked for less often. */
const OFTEN = 10_000
const SELDOM = 60_000

export const nodesQuery = {
  queryKey: ['operation', 'nodes'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/nodes', undefined, { signal }),
  refetchInterval: OFTEN,
}
/** The documents, with what is to be said of them; for those who may publish. */
export const documentsQuery = {
  queryKey: ['operation', 'documents'] as const,
  queryFn: ({ signal }: Context) => get('/api/definition/documents', undefined, { signal }),
  refetchInterval: SELDOM,
}
export const queuesQuery = {
  queryKey: ['operation', 'queues'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/queues', undefined, { signal }),
  refetchInterval: OFTEN,
}
export const channelsQuery = {
  queryKey: ['operation', 'channels'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/channels', undefined, { signal }),
  refetchInterval: OFTEN,
}
export const failuresQuery = {
  queryKey: ['operation', 'deliveries'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/deliveries', { state: 'dead', page: 0, size: 20 }, { signal }),
  refetchInterval: OFTEN,
}
export const storageQuery = {
  queryKey: ['operation', 'storage'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/storage', undefined, { signal }),
  refetchInterval: SELDOM,
}
export const errorsQuery = {
  queryKey: ['operation', 'errors'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/errors', undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
}

export const retryDelivery = (id: string) =>
  post(`/api/system/deliveries/${encodeURIComponent(id)}/retry` as '/api/system/deliveries/{id}/retry')

export const setType = (type: { messageType: number; mail: boolean; webhook: boolean }) =>
  put('/api/system/channels', { types: [type] })
