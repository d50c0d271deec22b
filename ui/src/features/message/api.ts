import { get, post, put } from '@/api/client'
import type { MessageKind } from '@/api/types'

export type ReadState = 'UNREADED' | 'READED' | ''

export const unreadQuery = {
  queryKey: ['messages', 'unread'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/message/unread_count', undefined, { signal }),
}

/** Messages of a tab, page by page, newest first. */
export const messagesQuery = (messageType: MessageKind, readState: ReadState, size: number) => ({
  queryKey: ['messages', 'list', messageType, readState, size] as const,
  queryFn: async ({ signal, pageParam }: { signal: AbortSignal; pageParam: number }) => {
    const body = { tab: 'MESSAGE' as const, messageType, readState, page: pageParam, size }
    return (await post('/api/search/paltformSearch', body, { signal })).MESSAGE
  },
  initialPageParam: 0,
  getNextPageParam: (last: { totalElements: number }, all: unknown[]) =>
    all.length * size < last.totalElements ? all.length : undefined,
})

export const readMessage = (id: string) => put('/api/message/read', { messageIdList: [id] })

export const readAll = (messageType: MessageKind) => put('/api/message/updateReadStateAll', { messageType })

export const messageLink = (messageId: string) => get('/api/message/form_url', { messageId })
