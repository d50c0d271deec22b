import { get, post } from '@/api/client'

type Signal = { signal: AbortSignal }

export const formsQuery = {
  queryKey: ['external', 'forms'] as const,
  queryFn: ({ signal }: Signal) => get('/api/external/forms', undefined, { signal }),
  staleTime: 0,
}

export const linksQuery = (form: string) => ({
  queryKey: ['external', 'links', form] as const,
  queryFn: ({ signal }: Signal) => get('/api/external/links', { form }, { signal }),
  staleTime: 0,
})

export type LinkForm = Awaited<ReturnType<typeof formsQuery.queryFn>>['content'][number]
export type Link = Awaited<ReturnType<ReturnType<typeof linksQuery>['queryFn']>>['content'][number]

export const makeLink = (link: { form: string; objectId?: string; label: string; days: number; most: number }) =>
  post('/api/external/links', link)

export const withdrawLink = (form: string, id: string) => post('/api/external/links/withdraw', { form, id })
