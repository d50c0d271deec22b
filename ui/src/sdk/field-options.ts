import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get } from '@/api/client'
import { askQuery } from '@/lib/ask-query'

/** How long the keys rest before what was typed is used, in milliseconds. Choices below a control come sooner. */
export const DEBOUNCE = 500
const CHOICES = 250

/** A value that follows another one after it has rested. */
export function useDebounced<T>(value: T, delay: number = DEBOUNCE): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}

interface Wanted {
  schemaCode: string
  propertyCode: string
  keyword?: string
  kind?: 'user' | 'department'
  enabled?: boolean
  size?: number
}

/** Choices of a relation, person or department field, searched on the server by name and pinyin. */
export function useFieldOptions({ schemaCode, propertyCode, keyword = '', kind, enabled = true, size = 50 }: Wanted) {
  const client = useQueryClient()
  const settled = useDebounced(keyword, CHOICES)
  const asking = (word: string) => {
    const query = { schemaCode, propertyCode, keyword: word.trim(), size, ...(kind ? { kind } : {}) }
    return {
      queryKey: ['options', query],
      queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/form/options', query, { signal }),
      staleTime: 60_000,
    }
  }
  const query = useQuery({ ...asking(settled), enabled, placeholderData: keepPreviousData })
  return {
    ...query,
    /** What is listed is what an earlier text found. */
    stale: !query.isError && (settled !== keyword || query.isPlaceholderData || query.data === undefined),
    search: (word: string) => askQuery(client, asking(word)),
  }
}

/** Administrative divisions below a code. */
export const divisionsQuery = (parent: string) => ({
  queryKey: ['divisions', parent] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/form/divisions', { parent }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Administrative divisions that a text finds, down to a level; 3 = districts. */
export const foundDivisionsQuery = (keyword: string, levels: number) => ({
  queryKey: ['divisions', 'found', keyword, levels] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/form/divisions', { keyword, levels }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
