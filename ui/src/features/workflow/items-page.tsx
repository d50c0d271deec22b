import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { Choice } from '@/components/choice'
import { useIsPhone } from '@/lib/use-media'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { useWorkCounts } from '@/sdk/work-counts'
import { itemsQuery, type ListKind, markAllRead, markRead, PAGE, type WorkItem, type WorkItemSearch } from './api'
import { BatchBar } from './batch'
import { SearchBox, WorkflowChoice } from './filters'
import { ItemCards, ItemTable } from './item-list'
import { ListFrame } from './list-frame'
import { TrackDrawer } from './track-drawer'
import { useListSearch } from './use-search'
import styles from './workflow.module.css'

const EMPTY = {
  unfinished: 'emptyUnfinished',
  finished: 'emptyFinished',
  unread: 'emptyUnread',
  read: 'emptyRead',
} as const

type Sort = NonNullable<WorkItemSearch['sort']>
/** The orders of a list by their words; the first is its own. */
const SORTS: Record<ListKind, readonly (readonly [Sort, 'newest' | 'oldest' | 'due' | 'finished'])[]> = {
  unfinished: [
    ['-receiveTime', 'newest'],
    ['receiveTime', 'oldest'],
    ['dueTime', 'due'],
  ],
  finished: [
    ['-finishTime', 'finished'],
    ['-receiveTime', 'newest'],
    ['receiveTime', 'oldest'],
  ],
  unread: [
    ['-receiveTime', 'newest'],
    ['receiveTime', 'oldest'],
  ],
  read: [
    ['-receiveTime', 'newest'],
    ['receiveTime', 'oldest'],
  ],
}

/** Tasks that wait, tasks that are done, copies that were not read and such as were. */
export function ItemsPage({ kind }: { kind: ListKind }) {
  return <Items key={kind} kind={kind} />
}

function Items({ kind }: { kind: ListKind }) {
  const t = useText()
  const phone = useIsPhone()
  const client = useQueryClient()
  const say = useFeedback()
  const counts = useWorkCounts()
  const search = useListSearch()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [track, setTrack] = useState<WorkItem | null>(null)
  const { text, set } = search
  const sort = SORTS[kind].find(([value]) => value === text('sort'))?.[0] ?? SORTS[kind][0]?.[0]
  const asked: WorkItemSearch = { page: search.page, size: PAGE }
  if (sort) asked.sort = sort
  const [word, code, overdue] = [text('searchword'), text('workflowCode'), text('timeout') === '1']
  if (word) asked.searchword = word
  if (code) asked.workflowCode = code
  if (overdue) asked.timeout = true
  const result = useQuery(itemsQuery(kind, asked))
  const items = result.data?.content ?? []
  const refresh = () => client.invalidateQueries({ queryKey: ['workflow'] })
  const reading = useMutation({
    mutationFn: (ids: string[] | null) => (ids ? markRead(ids) : markAllRead()),
    onError: say.error,
    onSettled: refresh,
  })
  const shown = {
    kind,
    items,
    ticked,
    onTick: (ids: string[], on: boolean) =>
      setTicked((old) => {
        const next = new Set(old)
        for (const id of ids)
          if (on) next.add(id)
          else next.delete(id)
        return next
      }),
    onRead: (item: WorkItem) => reading.mutate([item.workItemId]),
    onTrack: setTrack,
  }
  const chosen = items.filter((item) => item.batch && ticked.has(item.workItemId))
  return (
    <ListFrame
      title={t(`workflow.${kind}`)}
      tools={
        kind === 'unread' && (
          <Button disabled={counts.unread === 0} loading={reading.isPending} onClick={() => reading.mutate(null)}>
            {t('flow.markAllRead')}
          </Button>
        )
      }
      filters={
        <>
          <SearchBox value={word ?? ''} label={t('flow.search')} onChange={(next) => set({ searchword: next })} />
          <WorkflowChoice search={search} rows={items} />
          <Choice
            className={styles.filter ?? ''}
            aria-label={t('flow.sort')}
            value={sort ?? null}
            options={SORTS[kind].map(([value, name]) => ({ value, label: t(`flow.sorts.${name}`) }))}
            onChange={(value) => set({ sort: value === SORTS[kind][0]?.[0] ? undefined : (value ?? undefined) })}
          />
          {kind === 'unfinished' && (
            <Checkbox
              className={styles.overdue ?? ''}
              checked={overdue}
              onChange={(event) => set({ timeout: event.target.checked ? '1' : undefined })}
            >
              {t('flow.overdueOnly')}
            </Checkbox>
          )}
        </>
      }
      search={search}
      filtered={Boolean(word || code || overdue)}
      onClear={() => set({ searchword: undefined, workflowCode: undefined, timeout: undefined })}
      empty={t(`flow.${EMPTY[kind]}`)}
      icon={kind === 'unread' || kind === 'read' ? 'eye' : 'inbox'}
      result={result}
      count={items.length}
      foot={chosen.length > 0 && <BatchBar items={chosen} onDone={() => setTicked(new Set())} />}
    >
      {phone ? <ItemCards {...shown} /> : <ItemTable {...shown} />}
      {track && (
        <TrackDrawer
          workflowInstanceId={track.workflowInstanceId}
          workItemId={track.workItemId}
          name={track.instanceName}
          onClose={() => setTrack(null)}
        />
      )}
    </ListFrame>
  )
}
