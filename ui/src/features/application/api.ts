import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, address, get, post, put } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { downloadFile, sendFile } from '@/api/files'
import type { components } from '@/api/schema.gen'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'

type Schemas = components['schemas']
export type ManagedApp = Schemas['ManagedApp']
export type Entry = Schemas['ManagedEntry']
export type ManagedMenu = Schemas['ManagedMenu']
export type Managed = Schemas['Managed']
export type Imported = Schemas['ImportedApp']

type Context = { signal: AbortSignal }

export const appsQuery = {
  queryKey: ['managed', 'apps'] as const,
  queryFn: ({ signal }: Context) => get('/api/app/apppackage/list_all', undefined, { signal }),
}

export const menuQuery = (appCode: string) => ({
  queryKey: ['managed', 'menu', appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/function/manage', { appCode }, { signal }),
})

export const historyQuery = (code: string) => ({
  queryKey: ['managed', 'history', code] as const,
  queryFn: ({ signal }: Context) => get('/api/app/apppackage/history', { code }, { signal }),
})

export const addApp = (body: Parameters<typeof post<'/api/app/apppackage/create'>>[1]) =>
  post('/api/app/apppackage/create', body)
export const updateApp = (body: Parameters<typeof put<'/api/app/apppackage/update'>>[1]) =>
  put('/api/app/apppackage/update', body)
export const orderApps = (body: Parameters<typeof put<'/api/app/apppackage/order'>>[1]) =>
  put('/api/app/apppackage/order', body)
export const deleteApp = (body: NonNullable<Parameters<typeof post<'/api/app/apppackage/delete'>>[1]>) =>
  post('/api/app/apppackage/delete', body)
export const restoreApp = (body: NonNullable<Parameters<typeof post<'/api/app/apppackage/restore'>>[1]>) =>
  post('/api/app/apppackage/restore', body)
export const updateGroup = (body: Parameters<typeof put<'/api/app/group/update'>>[1]) =>
  put('/api/app/group/update', body)
export const addEntry = (body: Parameters<typeof post<'/api/app/function/create'>>[1]) =>
  post('/api/app/function/create', body)
export const updateEntry = (body: Parameters<typeof put<'/api/app/function/update'>>[1]) =>
  put('/api/app/function/update', body)
export const moveEntry = (body: Parameters<typeof put<'/api/app/function/move'>>[1]) =>
  put('/api/app/function/move', body)
export const deleteEntry = (body: NonNullable<Parameters<typeof post<'/api/app/function/delete'>>[1]>) =>
  post('/api/app/function/delete', body)

/** The package of an application, kept by the browser. */
export const exportApp = (code: string) => downloadFile(address('/api/app/apppackage/export', { code }))

interface How {
  check?: boolean
  update?: boolean
  confirm?: string
  allowDestructive?: boolean
}

export const importApp = async (file: File, how: How) =>
  (await sendFile(address('/api/app/apppackage/import', { ...how }), file, {
    signal: new AbortController().signal,
    onProgress: () => {},
  })) as Imported

/** Changes applications. Everything that shows them is read again, also after a refusal: somebody else may have changed them. */
export function useChange<In>(change: (input: In) => Promise<Managed>, done?: (answer: Managed, input: In) => void) {
  const client = useQueryClient()
  const say = useFeedback()
  const t = useText()
  return useMutation({
    mutationFn: change,
    onSuccess: (answer, input) => done?.(answer, input),
    onError: (error) =>
      say.error(error instanceof ApiError && error.code === ERROR.PublishConflict ? t('application.conflict') : error),
    onSettled: () =>
      Promise.all(['managed', 'apps', 'menu'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
}
