import { get } from '@/api/client'

type Context = { signal: AbortSignal }

export const menuQuery = (appCode: string) => ({
  queryKey: ['menu', appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/function/tree', { appCode }, { signal }),
  staleTime: 300_000,
  enabled: appCode !== '',
})
