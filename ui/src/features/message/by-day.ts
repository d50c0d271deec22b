import type { Message } from '@/api/types'
import { formatInstant } from '@/lib/dates'
import type { TextContext } from '@/sdk/property'

/** Messages under the days of the installation's time zone, in the order that they come in. */
export function byDay(messages: Message[], context: TextContext): { day: string; messages: Message[] }[] {
  const days = new Map<string, Message[]>()
  for (const message of messages) {
    const day = formatInstant(message.createdTime, 'yyyy-MM-dd', context)
    days.set(day, [...(days.get(day) ?? []), message])
  }
  return [...days].map(([day, of]) => ({ day, messages: of }))
}
