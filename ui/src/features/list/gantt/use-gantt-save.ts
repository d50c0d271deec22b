import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { ApiError, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { ListPage } from '@/api/types'
import { newToken } from '@/lib/token'
import { writesInPlace } from '@/sdk/action'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import type { ShownRow } from '../data/use-tree-rows'
import type { ListController } from '../use-list-controller'

const stale = ERROR.VersionStale
const invalid = ERROR.RecordInvalid
export interface Write {
  row: ShownRow
  title: string
  data: Record<string, string>
}

/** Saves what was dragged by the normal call, with the version that was shown. A refusal says so, and the rows come back. */
export function useGanttSave({ config, refresh }: ListController, restore: () => void) {
  const client = useQueryClient()
  const t = useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const saving = useRef(new Set<string>())

  const patch = useCallback(
    (id: string, data: Record<string, string>, version: number) => {
      client.setQueriesData<ListPage>(
        { queryKey: ['list', config.schemaCode, 'rows'] },
        (page) =>
          page && {
            ...page,
            content: page.content.map((row) =>
              row.id === id ? { ...row, version, data: { ...row.data, ...data } } : row,
            ),
          },
      )
    },
    [client, config.schemaCode],
  )

  const save = async (writes: Write[]): Promise<boolean> => {
    const shut = writes.find(({ row, data }) => !Object.keys(data).every((code) => writesInPlace(row, code)))
    if (shut) {
      // One row that may not be changed would leave its level in half an order.
      restore()
      say.warning(t('gantt.noRight', { name: shut.title }))
      return false
    }
    for (const { row } of writes) saving.current.add(row.id)
    try {
      for (const { row, data, title } of writes) {
        await post(
          '/api/runtime/form/save',
          {
            schemaCode: config.schemaCode,
            ...(config.sheetCode ? { sheetCode: config.sheetCode } : {}),
            id: row.id,
            version: row.version,
            data,
          },
          { headers: { 'Idempotency-Key': newToken() } },
        ).then(
          (saved) => patch(row.id, data, saved.version),
          (error) => {
            throw new Refusal(title, error)
          },
        )
      }
      return true
    } catch (error) {
      restore()
      say.error(error instanceof Refusal ? words(error) : error)
      return false
    } finally {
      for (const { row } of writes) saving.current.delete(row.id)
      void refresh()
      void client.invalidateQueries({ queryKey: ['record', config.schemaCode] })
    }
  }

  const words = ({ title, cause }: Refusal): string => {
    if (!(cause instanceof ApiError)) return errorText(cause)
    if (cause.code === stale) return t('gantt.conflict', { name: title })
    const [first] = cause.code === invalid ? (cause.data as { errors: { errmsg: string }[] }).errors : []
    return first?.errmsg ?? errorText(cause)
  }

  return { save, busy: (id: string) => saving.current.has(id) }
}

class Refusal extends Error {
  readonly title: string

  constructor(title: string, cause: unknown) {
    super(title, { cause })
    this.title = title
  }
}
