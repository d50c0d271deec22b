import { get } from '@/api/client'

type Context = { signal: AbortSignal }

export const appsQuery = {
  queryKey: ['apps'] as const,
  queryFn: ({ signal }: Context) => get('/api/app/apppackage/list', undefined, { signal }),
  staleTime: 300_000,
}

export const menuQuery = (appCode: string) => ({
  queryKey: ['menu', appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/function/tree', { appCode }, { signal }),
  staleTime: 300_000,
  enabled: appCode !== '',
})

export const homeQuery = {
  queryKey: ['home'] as const,
  queryFn: ({ signal }: Context) => get('/api/app/home', undefined, { signal }),
}
