import { type ActionDialogProps, Failure, post, Sheet } from '@sluice/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'

interface Props<T> {
  title: string
  width?: number
  onClose: () => void
  footer: ReactNode
  /** What the dialog is about, and how many lines it will take. */
  query: UseQueryResult<T>
  lines: number
  /** Above what is loaded, there from the beginning. */
  head?: ReactNode
  children: (data: T) => ReactNode
}

/** A dialog that shows what the server knows of a person, or why it does not come. */
export function LoadingSheet<T>({ title, width = 480, onClose, footer, query, lines, head, children }: Props<T>) {
  return (
    <Sheet title={title} width={width} onClose={onClose} footer={footer}>
      {head}
      {query.error ? (
        <Failure error={query.error} onRetry={query.refetch} />
      ) : query.data === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: lines }} />
      ) : (
        children(query.data)
      )}
    </Sheet>
  )
}

/** Runs the action of the dialog on its person, and gives what it answers. */
export async function ask<T>(context: ActionDialogProps['context'], input: object): Promise<T> {
  const { schemaCode, queryCode, button, ids } = context
  const { data } = await post('/api/runtime/query/run_action', {
    ...{ schemaCode, queryCode: queryCode ?? '', actionCode: button.actionCode, objectIds: ids, input: { ...input } },
  })
  return data as T
}

/** A dialog asks again each time it opens. */
export const FRESH = { staleTime: 0, gcTime: 0 } as const
