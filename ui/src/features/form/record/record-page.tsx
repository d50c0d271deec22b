import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { LayoutItem } from '@/api/types'
import { draftQuery } from '@/sdk/drafts'
import { Failure } from '@/sdk/failure'
import { useSaid } from '@/sdk/feedback'
import { isFinal, lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import { changes, type RecordKey, recordQuery } from '../api'
import styles from '../form.module.css'
import type { Values } from '../rules/values'
import { OpenRecord } from './open-record'
import { inNewForm, type NewDefinition } from './use-new-definition'

/** Asking again brings nothing: there is no such record, model or form for this person. */
const _goneFor = (error: unknown) => error instanceof ApiError && error.status === 404

export interface RecordPageProps {
  schemaCode: string
  sheetCode?: string | undefined
  /** Missing = a new record. */
  objectId?: string | undefined
  /** A new record that begins as a copy of this one. */
  copyFrom?: string | undefined
  /** A draft that a new record goes on from. */
  draftId?: string | undefined
  /** Opens in edit mode at once; new records always do. */
  edit?: boolean
  /** What is edited begins with the contents of this version; 0 = as it is. */
  revert?: number
  /** The list that a new record is added to. */
  queryCode?: string | undefined
  /** What a new record refers to from the beginning. */
  relation?: RecordKey['relation']
  /** Values that a new record begins with. */
  given?: RecordKey['given']
  /** In a drawer, whose tools stand in the head's corner. */
  inDrawer?: boolean
  onClose: () => void
  /** A record was saved or deleted: lists behind refresh. `open` is the record to show now, null to close. */
  onChanged: (open: string | null) => void
  /** Tells the frame whether leaving loses something. */
  onDirty?: (dirty: boolean) => void
  /** Draws a list of records that refer to this one. */
  related?: (item: LayoutItem, objectId: string) => ReactNode
  /** What parts keep of their records while the page is drawn again, as it is after each save. */
  kept?: Map<string, unknown>
}

/** Edit goes when it is pressed, Save when it has saved: from the one the focus goes to the form, from the other back to Edit. */
function useFormFocus(page: RefObject<HTMLDivElement | null>, editing: boolean, version: number | null) {
  const shown = useRef({ editing, version })
  useEffect(() => {
    const { current: before } = shown
    shown.current = { editing, version }
    if (before.editing === editing && (before.version === null || before.version === version)) return
    if (document.activeElement && document.activeElement !== document.body) return
    page.current?.querySelector<HTMLElement>(editing ? '[data-form]' : '[data-edit]')?.focus({ preventScroll: true })
  }, [page, editing, version])
}

/** A record with its form: read, add, edit, delete, history. The frame around it (page or drawer) is the caller's. */
export function RecordPage(props: RecordPageProps) {
  const { schemaCode, sheetCode, objectId } = props
  const t = useText()
  const { copyFrom, queryCode, relation, given } = props
  const query = useQuery(recordQuery({ schemaCode, sheetCode, objectId, copyFrom, queryCode, relation, given }))
  const draft = useQuery({ ...draftQuery(props.draftId ?? ''), enabled: Boolean(props.draftId) && !objectId })
  const waitsForDraft = Boolean(props.draftId) && !objectId
  const [editing, setEditing] = useState(!objectId || props.edit === true)
  const opened = useRef(query.data)
  const [taken, setTaken] = useState<{ times: number; typed: Values | null }>({ times: 0, typed: null })
  // What is being edited stays as it was opened, whatever is fetched meanwhile; saving compares the versions.
  if (!editing || !opened.current) opened.current = query.data
  useSaid(query.data ? query.error : null)
  const page = useRef<HTMLDivElement>(null)
  useFormFocus(page, editing, query.data?.version ?? null)
  const failed = lostOf(query) ?? (waitsForDraft ? draft.error : null)
  if (!failed && (query.isPending || (waitsForDraft && draft.isPending))) {
    return (
      <div className={styles.page}>
        <div className={styles.body}>
          <div className={styles.inner}>
            <Skeleton active title={false} paragraph={{ rows: 10 }} />
          </div>
        </div>
      </div>
    )
  }
  // A form that is open stays so when fetching it once more fails: what was typed is in it.
  if (failed && !(editing && opened.current && !draft.error)) {
    return (
      <div className={styles.center}>
        <Failure
          page
          error={failed}
          title={t('form.failedTitle')}
          onRetry={query.refetch}
          actions={
            <Button onClick={props.onClose}>
              {t(isFinal(failed) && !props.inDrawer ? 'common.back' : 'common.close')}
            </Button>
          }
        />
      </div>
    )
  }
  const load = opened.current ?? query.data
  if (!load) return null
  const other = editing ? inNewForm(load, query.data) : null
  const news: NewDefinition = {
    load: other,
    typed: taken.typed,
    take: (typed) => {
      opened.current = other ?? load
      setTaken(({ times }) => ({ times: times + 1, typed }))
    },
  }
  return (
    <OpenRecord
      key={`${load.id}-${load.version}-${taken.times}`}
      {...props}
      page={page}
      load={load}
      news={news}
      draft={draft.data}
      editing={editing && changes(load)}
      setEditing={setEditing}
    />
  )
}
