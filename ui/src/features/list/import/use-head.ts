import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { type HeadRequest, headQuery, type Place } from './api'
import { assigned, type Reading, readingOf, unread } from './assign-state'

type Encoding = NonNullable<HeadRequest['encoding']>

/** How the upload is read: what the server finds in it, and what somebody chose instead. */
export function useHead(place: Place, fileName: string | null, queryField: string) {
  const locale = useLocale()
  const [kept, setKept] = useState<Reading>(unread(''))
  const reading = kept.fileName === (fileName ?? '') ? kept : unread(fileName ?? '')
  const { sheet, headRow, encoding } = reading
  const query = useQuery({
    ...headQuery({
      ...place,
      fileName: fileName ?? '',
      languageType: locale,
      queryField,
      sheet,
      headRow,
      encoding: encoding as Encoding,
    }),
    enabled: fileName !== null,
    retry: false,
    placeholderData: (before, last) => (last?.queryKey[1] === fileName ? keepPreviousData(before) : undefined),
  })
  const head = fileName === null ? undefined : query.data
  return {
    head,
    error: query.error,
    /** Nothing is known of this file yet. */
    pending: fileName !== null && query.isPending,
    /** What is shown is of another choice. */
    stale: query.isPlaceholderData,
    reading,
    now: head ? assigned(head, reading) : null,
    request: () => readingOf(head, reading),
    /** Another sheet, head row or encoding has other columns. */
    read: (part: Partial<Pick<Reading, 'sheet' | 'headRow' | 'encoding'>>) =>
      setKept({
        ...reading,
        ...('headRow' in part ? {} : { headRow: 0 }),
        ...('sheet' in part ? { also: [] } : {}),
        ...part,
        chosen: {},
      }),
    /** Further sheets come in with it. */
    add: (also: number[]) => setKept({ ...reading, also: also.toSorted((a, b) => a - b) }),
    choose: (column: number, code: string) => setKept({ ...reading, chosen: { ...reading.chosen, [column]: code } }),
  }
}

export type Head = ReturnType<typeof useHead>
