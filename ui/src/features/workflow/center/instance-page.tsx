import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { dayStart } from '@/lib/calendar'
import { useHasCards } from '@/lib/use-media'
import { administersWorkflows, overseesWorkflows, useMe } from '@/sdk/me'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type Instance, type InstanceSearch, instancesQuery } from '@/sdk/work-items'
import { versionsPath } from '../admin/admin-api'
import { type InstanceAct, rehearsalPath } from '../api'
import { TrackDrawer } from '../track/track-drawer'
import styles from '../workflow.module.css'
import { SearchBox, WorkflowChoice } from './filters'
import { ActDialog, type Asked } from './instance-act'
import { More } from './instance-filters'
import { InstanceCards, InstanceTable } from './instance-rows'
import { ListFrame } from './list-frame'
import { useListSearch } from './use-search'

const STATES = ['DRAFT', 'PROCESSING', 'COMPLETED', 'CANCELED', 'EXCEPTION'] as const
const RARE = ['originator', 'departmentId', 'participant', 'startFrom', 'startTo'] as const
const NARROWING = ['searchword', 'state', 'workflowCode', ...RARE] as const

/** What the reader has started. */
export const MinePage = () => <Instances key="mine" all={false} />

/** All instances, for those who administer workflows; the others are sent to their tasks. */
export function QueryPage() {
  const me = useMe()
  if (!me) return null
  return overseesWorkflows(me) ? (
    <Instances key="all" all />
  ) : (
    <Navigate to="/workflow-center/my-unfinished-workitem" replace />
  )
}

function Instances({ all }: { all: boolean }) {
  const t = useText()
  const cards = useHasCards()
  const { zone } = useTextContext()
  const search = useListSearch(all ? 'query' : 'mine')
  const [track, setTrack] = useState<Instance | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [more, setMore] = useState(RARE.some((name) => search.text(name)))
  const { text, set } = search
  const filter: InstanceSearch = { page: search.page, size: search.size }
  const state = STATES.find((one) => one === text('state'))
  const [word, code] = [text('searchword'), text('workflowCode')]
  if (word) filter.searchword = word
  if (code) filter.workflowCode = code
  if (state) filter.state = state
  if (all) {
    const [originator, from, to] = [text('originator'), text('startFrom'), text('startTo')]
    const [departmentId, participant] = [text('departmentId'), text('participant')]
    if (originator) filter.originator = originator
    if (departmentId) filter.departmentId = departmentId
    if (participant) filter.participant = participant
    if (from) filter.startFrom = new Date(dayStart(from, zone, 0)).toISOString()
    if (to) filter.startTo = new Date(dayStart(to, zone, 1) - 1).toISOString()
  }
  const result = useQuery(instancesQuery(all, filter))
  const instances = result.data?.content ?? []
  const shown = { instances, all, onTrack: setTrack, onAct: (act: InstanceAct, of: Instance) => setAsked({ act, of }) }
  return (
    <ListFrame
      title={t(all ? 'workflow.query' : 'workflow.mine')}
      tools={all && code && <WorkflowLinks code={code} />}
      filters={
        <>
          <SearchBox value={word ?? ''} label={t('flow.search')} onChange={(next) => set({ searchword: next })} />
          <Choice
            className={styles.filter ?? ''}
            aria-label={t('flow.state')}
            placeholder={t('flow.anyState')}
            allowClear
            value={state ?? null}
            options={STATES.map((value) => ({ value, label: t(`flow.states.${value}`) }))}
            onChange={(value) => set({ state: value ?? undefined })}
          />
          <WorkflowChoice search={search} list={all ? 'query' : 'mine'} />
          {all && (
            <Button
              type="text"
              aria-expanded={more}
              icon={<Icon name="filter" size={14} />}
              onClick={() => setMore(!more)}
            >
              {t(more ? 'opinion.fewerFilters' : 'opinion.moreFilters')}
            </Button>
          )}
          {all && more && <More search={search} />}
        </>
      }
      search={search}
      filtered={NARROWING.some((name) => text(name))}
      onClear={() => set(Object.fromEntries(NARROWING.map((name) => [name, undefined])))}
      empty={t(all ? 'flow.emptyQuery' : 'flow.emptyMine')}
      icon="tree"
      result={result}
      count={instances.length}
    >
      {cards ? <InstanceCards {...shown} /> : <InstanceTable {...shown} />}
      {track && (
        <TrackDrawer
          workflowInstanceId={track.workflowInstanceId}
          name={track.instanceName}
          onClose={() => setTrack(null)}
        />
      )}
      {asked && <ActDialog {...asked} onClose={() => setAsked(null)} />}
    </ListFrame>
  )
}

/** What administrators do with the workflow that the list is narrowed to. */
function WorkflowLinks({ code }: { code: string }) {
  const t = useText()
  if (!administersWorkflows(useMe())) return null
  return (
    <span className={styles.nameLine}>
      <Link to={versionsPath(code)}>{t('flowVersions.open')}</Link>
      <Link to={rehearsalPath(code)}>{t('rehearsal.open')}</Link>
    </span>
  )
}
