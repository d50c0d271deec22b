import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type DataOf, get } from '@/api/client'
import { useLocale } from '@/i18n/locale'
import type { TextContext } from './property'

export type SystemConfig = DataOf<'/api/system/config', 'get'>

export const systemConfigQuery = {
  queryKey: ['system', 'config'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/system/config', undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
}

/** What the shell knows before sign-in: the product's name, the time zone, whether definitions are being edited. */
export function useSystemConfig() {
  return useQuery(systemConfigQuery).data
}

/** Language and time zone that texts of values are made with. */
export function useTextContext(): TextContext {
  const locale = useLocale()
  const zone = useSystemConfig()?.timezone ?? 'Asia/Shanghai'
  return useMemo(() => ({ locale, zone }), [locale, zone])
}

/** Whether the page that everybody begins with is published for the reader. */
export const hasWorkbench = (config: SystemConfig | undefined) => config?.portal === true

/** What the server tells about the reader is theirs alone; before somebody signs in it tells nothing, and is asked again after. */
export const withoutReader = (config: SystemConfig | undefined) => config && { ...config, portal: undefined }

export const knowsReader = (config: SystemConfig | undefined) => config?.portal !== undefined
