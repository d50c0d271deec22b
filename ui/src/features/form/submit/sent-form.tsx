import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import type { FormLoad, LayoutItem } from '@/api/types'
import { loadFor } from '@/registry/bundles'
import type { OpenedDraft } from '@/sdk/drafts'
import type { FormSender } from '@/sdk/form-sender'
import { needsOf } from '../api'
import { OpenRecord } from '../record/open-record'

interface Props {
  load: FormLoad
  sender: FormSender
  inDrawer?: boolean
  onClose: () => void
  /** A draft that the form goes on from. */
  draft?: OpenedDraft | undefined
  related?: (item: LayoutItem, objectId: string) => ReactNode
}

const SAME = { load: null, typed: null, take: () => {} }
const nothing = () => {}

/** A form that something else than its own bar sends: the same fields, checks and ways of leaving as a record's page. */
export function SentForm({ load, sender, draft, ...props }: Props) {
  const client = useQueryClient()
  const needs = useQuery({
    queryKey: ['interfaces', 'form', load.form.schemaCode, load.form.sheetCode, load.id],
    queryFn: async () => {
      await loadFor(client, needsOf(load))
      return true
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [kept] = useState(() => new Map<string, unknown>())
  if (needs.isPending) return <Skeleton active title={false} paragraph={{ rows: 10 }} style={{ padding: 24 }} />
  return (
    <OpenRecord
      // What was typed into an older version of the record is not mixed with a newer one.
      key={`${load.id}-${load.version}`}
      {...props}
      schemaCode={load.form.schemaCode}
      sheetCode={load.form.sheetCode}
      objectId={load.id ?? undefined}
      load={load}
      news={SAME}
      editing={sender.editing}
      setEditing={nothing}
      onChanged={nothing}
      draft={draft}
      sender={sender}
      kept={kept}
    />
  )
}
