import { get, post, put } from '@/api/client'

export interface Place {
  schemaCode: string
  objectId: string
}

const PAGE = 30

/** The comments of a record, the newest page first; each page reads from old to new. */
export const commentsQuery = ({ schemaCode, objectId }: Place) => ({
  queryKey: ['comments', schemaCode, objectId] as const,
  queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string }) =>
    post('/api/runtime/comment/list', { schemaCode, objectId, before: pageParam, size: PAGE }, { signal }),
  initialPageParam: '',
  getNextPageParam: (last: { more: boolean; content: { id: string }[] }) =>
    last.more ? last.content[0]?.id : undefined,
  retry: false,
})

export interface Draft {
  text: string
  mentions: string[]
  files: string[]
}

/** Adds once, however often it is sent: the key makes a repeat return the first comment. */
export const addComment = (place: Place, replyTo: string | null, draft: Draft, key: string) =>
  post(
    '/api/runtime/comment/add',
    { ...place, ...draft, ...(replyTo ? { replyTo } : {}) },
    { headers: { 'Idempotency-Key': key } },
  )

export const updateComment = (id: string, draft: Draft) => put('/api/runtime/comment/update', { id, ...draft })

export const deleteComment = (id: string) => post('/api/runtime/comment/delete', { id })

/** Those who may read the record, by name, pinyin or initials. */
export const peopleQuery = ({ schemaCode, objectId }: Place, keyword: string) => ({
  queryKey: ['comment-people', schemaCode, objectId, keyword] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/runtime/comment/people', { schemaCode, objectId, keyword, size: 8 }, { signal }),
  staleTime: 60_000,
})
