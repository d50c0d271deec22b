import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, put } from '@/api/client'
import { uploadFile } from '@/api/files'
import type { components } from '@/api/schema.gen'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'

export type Preferences = components['schemas']['OpinionPreferences']
type Change = components['schemas']['OpinionPreferenceChange']

const preferencesQuery = {
  queryKey: ['opinion-preferences'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/workitem/preferences', undefined, { signal }),
  staleTime: 300_000,
  retry: false,
}

export const usePreferences = () => useQuery(preferencesQuery).data

/** Changes quick opinions or the saved signature. */
export function useSetPreferences() {
  const client = useQueryClient()
  const say = useFeedback()
  return useMutation({
    mutationFn: (change: Change) => put('/api/runtime/workitem/preferences', change),
    onSuccess: (next) => client.setQueryData(preferencesQuery.queryKey, next),
    onError: say.error,
  })
}

/** The texts that the product offers until the installation has its own. */
export function useQuickTexts(preferences: Preferences | undefined) {
  const t = useText()
  const products = (['a', 'b', 'c', 'd', 'e'] as const).map((name) => t(`flow.quicks.${name}`))
  return { products, own: preferences?.own ?? [], common: preferences?.common ?? products }
}

/** Stores a drawn signature and returns its reference. */
export async function storeInk(ink: Blob): Promise<string> {
  const file = new File([ink], 'signature.png', { type: 'image/png' })
  const stored = await uploadFile(file, {
    schemaCode: '',
    propertyCode: '',
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  return stored.refId
}
