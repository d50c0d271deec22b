import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import type { ListConfig, SavedFilter } from '@/api/types'
import { useIsPhone } from '@/lib/use-media'
import { useSearch } from '@/lib/use-search'
import { useMe } from '@/sdk/me'
import { useTextContext } from '@/sdk/system'
import { headersQuery } from '../data/queries'
import { startView } from '../start-view'
import { ListSkeleton } from './list-skeleton'

interface Props {
  config: ListConfig
  /** Null while they are on their way. */
  saved: SavedFilter[] | null
  children: ReactNode
}

/** Puts into the address what the list opens with, before anything is asked for. Later only the person changes it. */
export function ListStart({ config, saved, children }: Props) {
  const context = useTextContext()
  const me = useMe()
  const [search] = useSearch()
  const [begun, setBegun] = useState(false)
  // The title row is drawn when it is known which lists the model has: what is in it keeps its place from then on.
  const headers = useQuery({ ...headersQuery(config.schemaCode), enabled: !useIsPhone() })
  if (begun) return children
  if (!saved || !me || headers.isLoading) return <ListSkeleton />
  const start = startView(config, search, saved, me.id, context)
  if (start !== search) return <Navigate to={{ search: start.toString() }} replace />
  setBegun(true)
  return <ListSkeleton />
}
