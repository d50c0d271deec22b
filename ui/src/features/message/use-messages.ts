import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import type { Message, MessageKind } from '@/api/types'
import { useIsPhone } from '@/lib/use-media'
import { backgroundOf } from '@/sdk/record-link'
import { messageLink, messagesQuery, type ReadState, readAll, readMessage } from './api'

/** The messages of a tab as far as they were loaded. A message that slid to the next page is once. */
export function useMessages(kind: MessageKind, readState: ReadState, size: number) {
  const query = useInfiniteQuery(messagesQuery(kind, readState, size))
  const seen = new Set<string>()
  const messages = (query.data?.pages ?? [])
    .flatMap((page) => page.content)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
  return { ...query, messages }
}

/**
 * What one does with messages: open what they are about, which marks them as read, and mark all of a tab. Failures are not told: the
 * message stays unread.
 */
export function useMessageActions() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const phone = useIsPhone()
  const refresh = () => void client.invalidateQueries({ queryKey: ['messages'] })
  const open = useMutation({
    mutationFn: async (message: Message) => {
      const read = message.readState === 'UNREADED' ? readMessage(message.id) : null
      const link = message.opens ? await messageLink(message.id) : null
      await read?.catch(() => {})
      return link
    },
    onSuccess: (link) => {
      if (!link) return
      const over = link.url.startsWith('/form/') && !phone
      navigate(link.url, over ? { state: { background: backgroundOf(location) ?? location } } : {})
    },
    onSettled: refresh,
  })
  const all = useMutation({ mutationFn: readAll, onSettled: refresh })
  return { open: open.mutate, readAll: all.mutate, marking: all.isPending }
}
