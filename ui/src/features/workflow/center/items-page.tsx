import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { dayStart } from '@/lib/calendar'
import { useHasCards } from '@/lib/use-media'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { useWorkCounts } from '@/sdk/work-counts'
import { itemsQuery, type ListKind, type WorkItem, type WorkItemSearch } from '@/sdk/work-items'
import { markAllRead, markRead } from '../api'
import { tellSearch } from '../task/next-task'
import { TrackDrawer } from '../track/track-drawer'
import styles from '../workflow.module.css'
import { BatchBar, BatchDialog, ReadBar } from './batch'
import { AppChoice, SearchBox, WorkflowChoice } from './filters'
import { Day } from './instance-filters'
import { ItemCards, ItemTable, ticks } from './item-list'
import { ListFrame } from './list-frame'
import { useListSearch } from './use-search'

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

const NARROWING = ['searchword', 'workflowCode', 'timeout', 'appCode', 'receiveFrom', 'receiveTo', 'delegated'] as const

/** Tasks that wait, tasks that are done, copies that were not read and such as were. */
export function ItemsPage({ kind }: { kind: ListKind }) {
  return <Items key={kind} kind={kind} />
}

function Items({ kind }: { kind: ListKind }) {
  const t = useText()
  const cards = useHasCards()
  const client = useQueryClient()
  const say = useFeedback()
  const counts = useWorkCounts()
  const search = useListSearch(kind)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [track, setTrack] = useState<WorkItem | null>(null)
  const { text, set } = search
  const sort = SORTS[kind].find(([value]) => value === text('sort'))?.[0] ?? SORTS[kind][0]?.[0]
  const asked: WorkItemSearch = { page: search.page, size: search.size }
  if (sort) asked.sort = sort
  const { zone } = useTextContext()
  const [agreeing, setAgreeing] = useState<WorkItem | null>(null)
  const [word, code, overdue] = [text('searchword'), text('workflowCode'), text('timeout') === '1']
  const [app, from, to, delegated] = [
    text('appCode'),
    text('receiveFrom'),
    text('receiveTo'),
    text('delegated') === '1',
  ]
  const [more, setMore] = useState(Boolean(from || to || delegated))
  if (app) asked.appCode = app
  if (delegated) asked.delegated = true
  if (from) asked.receiveFrom = new Date(dayStart(from, zone, 0)).toISOString()
  if (to) asked.receiveTo = new Date(dayStart(to, zone, 1)).toISOString()
  if (word) asked.searchword = word
  if (code) asked.workflowCode = code
  if (overdue) asked.timeout = true
  const result = useQuery(itemsQuery(kind, asked))
  const items = result.data?.content ?? []
  const narrowed = JSON.stringify(asked)
  useEffect(() => {
    if (kind === 'unfinished') tellSearch(JSON.parse(narrowed) as WorkItemSearch)
  }, [kind, narrowed])
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
    onAgree: setAgreeing,
  }
  const chosen = items.filter((item) => ticks(kind, item) && ticked.has(item.workItemId))
  const untick = () => setTicked(new Set())
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
          <WorkflowChoice search={search} list={kind} />
          <Choice
            className={styles.filter ?? ''}
            aria-label={t('flow.sort')}
            value={sort ?? null}
            options={SORTS[kind].map(([value, name]) => ({ value, label: t(`flow.sorts.${name}`) }))}
            onChange={(value) => set({ sort: value === SORTS[kind][0]?.[0] ? undefined : (value ?? undefined) })}
          />
          <Button
            type="text"
            aria-expanded={more}
            icon={<Icon name="filter" size={14} />}
            onClick={() => setMore(!more)}
          >
            {t(more ? 'opinion.fewerFilters' : 'opinion.moreFilters')}
          </Button>
          {(more || app) && <AppChoice search={search} />}
          {more && <Day search={search} name="receiveFrom" label={t('opinion.receivedFrom')} />}
          {more && <Day search={search} name="receiveTo" label={t('opinion.receivedTo')} />}
          {more && (kind === 'unfinished' || kind === 'finished') && (
            <Checkbox
              className={styles.overdue ?? ''}
              checked={delegated}
              onChange={(event) => set({ delegated: event.target.checked ? '1' : undefined })}
            >
              {t('opinion.delegatedOnly')}
            </Checkbox>
          )}
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
      filtered={Boolean(word || code || overdue || app || from || to || delegated)}
      onClear={() => set(Object.fromEntries(NARROWING.map((name) => [name, undefined])))}
      empty={t(`flow.${EMPTY[kind]}`)}
      icon={kind === 'unread' || kind === 'read' ? 'eye' : 'inbox'}
      result={result}
      count={items.length}
      foot={
        chosen.length > 0 &&
        (kind === 'unread' ? (
          <ReadBar
            count={chosen.length}
            reading={reading.isPending}
            onRead={() =>
              reading.mutate(
                chosen.map((item) => item.workItemId),
                { onSuccess: untick },
              )
            }
            onDone={untick}
          />
        ) : (
          <BatchBar items={chosen} onDone={untick} />
        ))
      }
    >
      {cards ? <ItemCards {...shown} /> : <ItemTable {...shown} />}
      {agreeing && <BatchDialog items={[agreeing]} onClose={() => setAgreeing(null)} />}
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
