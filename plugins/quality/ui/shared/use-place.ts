import { readStored, useIsPhone, useProject, useSearch, withParams, writeStored } from '@sluice/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { codes } from '../codes'
import { cell, QUALITY, refOf, rowsQuery } from './api'

export interface ProjectPlace {
  id: string
  key: string
  name: string
}

const KEPT = 'quality.project'
const isText = (value: unknown): value is string => typeof value === 'string'

/** The project that the pages show: that of the node in the address, else of the header, else the one that was chosen here last, else the oldest. */
export function usePlace() {
  const header = useProject(({ project }) => project)
  const [chosen, setChosen] = useState(() => readStored(KEPT, isText))
  const [search, setSearch] = useSearch()
  const { data, error, refetch } = useQuery(rowsQuery(codes.project, { size: 200, orderBy: 'createdTime' }))
  const projects = data?.map((row) => ({
    id: row.id,
    key: cell(row, codes.projectKey),
    name: cell(row, codes.projectName),
  }))
  const of = (key: string | null | undefined) => projects?.find((one) => one.key === key)
  const node = search.get('node')
  const at = useQuery({
    ...rowsQuery(codes.node, { ids: node ? [node] : [] }),
    enabled: node !== null && (projects?.length ?? 0) > 1,
  })
  const ofNode = projects?.find(({ id }) => id === refOf(at.data?.[0]?.data[codes.projectId]))
  return {
    projects: at.isLoading ? undefined : projects,
    project: ofNode ?? of(header?.projectKey) ?? of(chosen) ?? projects?.[0] ?? null,
    error,
    retry: () => void refetch(),
    choose: (key: string) => {
      writeStored(KEPT, key)
      setChosen(key)
      setSearch((now) => withParams(now, { node: null })) // which is of the project before
    },
  }
}

/** How many entries of the history lie between an address and the tree that it was chosen in. */
const belowOf = (state: unknown) => Number((state as { below?: number } | null)?.below ?? 0)

/**
 * The chosen node is part of the address, so that a link leads to it. On a phone it takes the place of the tree, so that Back leads to the tree:
 * it is an entry of the history of its own, which the page's own way back takes away again.
 */
export function useChosen(name = 'node', page = true) {
  const [search, setSearch] = useSearch()
  const { state } = useLocation()
  const navigate = useNavigate()
  const phone = useIsPhone()
  const chosen = search.get(name)
  return [
    chosen,
    (id: string | null, also: Record<string, string | null> = {}) => {
      const below = belowOf(state)
      if (!id && page && below > 0) return void navigate(-below)
      const deeper = phone && page && id !== null && id !== chosen
      setSearch(
        (now) => withParams(now, { ...also, [name]: id }),
        deeper ? { state: chosen === null || below > 0 ? { below: below + 1 } : null } : { replace: true, state },
      )
    },
  ] as const
}

/** What was saved anywhere on the page (a form over it, a dialog) is read again. */
export function useFresh() {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void client.invalidateQueries({ queryKey: [QUALITY] })
      }),
    [client],
  )
}
