import { readStored, useProject, writeStored } from '@sluice/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
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
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(rowsQuery('pm_project', { size: 200, orderBy: 'createdTime' }))
  const projects = data?.map((row) => ({ id: row.id, key: cell(row, 'projectKey'), name: cell(row, 'projectName') }))
  const of = (key: string | null | undefined) => projects?.find((one) => one.key === key)
  const node = search.get('node')
  const at = useQuery({
    ...rowsQuery('q_qbs', { ids: node ? [node] : [] }),
    enabled: node !== null && (projects?.length ?? 0) > 1,
  })
  const ofNode = projects?.find(({ id }) => id === refOf(at.data?.[0]?.data.projectId))
  return {
    projects: at.isLoading ? undefined : projects,
    project: ofNode ?? of(header?.projectKey) ?? of(chosen) ?? projects?.[0] ?? null,
    error,
    retry: () => void refetch(),
    choose: (key: string) => {
      writeStored(KEPT, key)
      setChosen(key)
      setSearch((now) => {
        const next = new URLSearchParams(now)
        next.delete('node') // which is of the project before
        return next
      })
    },
  }
}

/** The chosen node is part of the address, so that a link leads to it. */
export function useChosen(name = 'node') {
  const [search, setSearch] = useSearchParams()
  return [
    search.get(name),
    (id: string | null) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          if (id) next.set(name, id)
          else next.delete(name)
          return next
        },
        { replace: true },
      ),
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
