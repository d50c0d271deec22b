import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import type { Message, MessageKind } from '@/api/types'
import { useIsPhone } from '@/lib/use-media'
import { useFeedback } from '@/sdk/feedback'
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

/** What one does with messages: open what they are about, which marks them as read, and mark all of a tab. */
export function useMessageActions() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const phone = useIsPhone()
  const feedback = useFeedback()
  const refresh = () => void client.invalidateQueries({ queryKey: ['messages'] })
  const open = useMutation({
    mutationFn: async (message: Message) => {
      if (message.readState === 'UNREADED') await readMessage(message.id)
      refresh()
      return messageLink(message.id)
    },
    onSuccess: ({ url }) => navigate(url, phone ? {} : { state: { background: backgroundOf(location) ?? location } }),
    onError: feedback.error,
  })
  const all = useMutation({ mutationFn: readAll, onSuccess: refresh, onError: feedback.error })
  return { open: open.mutate, readAll: all.mutate, marking: all.isPending }
}
