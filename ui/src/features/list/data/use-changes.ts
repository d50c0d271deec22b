import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { followEvents } from '@/api/events'
import type { components } from '@/api/schema.gen'
import type { ListPage, ListRequest, Row } from '@/api/types'
import type { ListController } from '../use-list-controller'

type Changes = components['schemas']['Changes']

/** What others have changed since the rows were fetched. */
export interface News {
  ids: ReadonlySet<string>
  more: boolean
}

const nothing: News = { ids: new Set(), more: false }

/** Puts new contents into rows that are shown; their places stay, and so does what only a tree knows of them. */
export function putRows(page: ListPage | undefined, fresh: Map<string, Row>): ListPage | undefined {
  if (!page || ![...page.content, ...(page.ancestors ?? [])].some((row) => fresh.has(row.id))) return page
  const put = (row: Row): Row => {
    const now = fresh.get(row.id)
    if (!now) return row
    const { leaf, parentId, match } = row
    const place = Object.entries({ leaf, parentId, match }).filter(([, value]) => value !== undefined)
    return { ...now, ...Object.fromEntries(place) }
  }
  return {
    ...page,
    content: page.content.map(put),
    ...(page.ancestors ? { ancestors: page.ancestors.map(put) } : {}),
  }
}

/** Follows what others write: rows that are shown get their new contents in place, and all that changed is counted. */
export function useChanges(controller: ListController): News {
  const { config, query, request } = controller
  const client = useQueryClient()
  const [news, setNews] = useState(nothing)
  const now = useRef(controller)
  now.current = controller

  const key = JSON.stringify(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was news of one page is none of another
  useEffect(() => setNews(nothing), [key])
  useEffect(() => {
    if (query.isFetching) setNews(nothing)
  }, [query.isFetching])

  const { schemaCode } = config
  useEffect(() => {
    const renew = async (ids: string[]) => {
      const { rows, request, config, script } = now.current
      const shown = ids.filter((id) => rows.some((row) => row.id === id))
      if (shown.length === 0) return
      const page = await script.renew(request, shown, new AbortController().signal)
      const fresh = new Map(page.content.map((row) => [row.id, row]))
      for (const entry of client.getQueryCache().findAll({ queryKey: ['list', schemaCode, 'rows'] })) {
        const [, , , of] = entry.queryKey as [string, string, string, ListRequest]
        if (of.queryCode !== config.queryCode) continue
        client.setQueryData<ListPage>(entry.queryKey, (old) => putRows(old, fresh), {
          updatedAt: entry.state.dataUpdatedAt,
        })
      }
    }
    const onChanges = (event: MessageEvent<string>) => {
      const { schemaCode: of, changes, more } = JSON.parse(event.data) as Changes
      if (of !== schemaCode) return
      setNews((before) => ({
        ids: new Set([...before.ids, ...changes.map(({ id }) => id)]),
        more: before.more || more,
      }))
      renew(changes.filter(({ kind }) => kind === 'update').map(({ id }) => id)).catch(() => {})
    }
    return followEvents({ changes: onChanges }, () => void now.current.refresh(), schemaCode)
  }, [client, schemaCode])
  return news
}
