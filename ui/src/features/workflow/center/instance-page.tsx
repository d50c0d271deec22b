import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useDeferredValue, useId, useRef, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { OptionDot } from '@/components/option-dot'
import { dayStart } from '@/lib/calendar'
import { useHasCards, useMedia } from '@/lib/use-media'
import { DateBox } from '@/sdk/date-box'
import { useFeedback } from '@/sdk/feedback'
import { administersWorkflows, overseesWorkflows, useMe } from '@/sdk/me'
import { useFormState } from '@/sdk/record-link'
import { Sheet } from '@/sdk/sheet'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { departmentsQuery, participantsQuery, versionsPath } from '../admin/admin-api'
import { DesignLink } from '../admin/design-link'
import {
  actOnInstance,
  type Instance,
  type InstanceAct,
  type InstanceSearch,
  instancesQuery,
  PAGE,
  rehearsalPath,
  startPath,
  trackPath,
} from '../api'
import { useFlowWords } from '../task/words'
import { overBy, WordsBox } from '../task/words-box'
import { TrackDrawer } from '../track/track-drawer'
import styles from '../workflow.module.css'
import { SearchBox, WorkflowChoice } from './filters'
import { ListFrame } from './list-frame'
import { type ListSearch, useListSearch } from './use-search'

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

type Asked = { act: InstanceAct; of: Instance }

function Instances({ all }: { all: boolean }) {
  const t = useText()
  const cards = useHasCards()
  const { zone } = useTextContext()
  const search = useListSearch()
  const [track, setTrack] = useState<Instance | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [more, setMore] = useState(RARE.some((name) => search.text(name)))
  const { text, set } = search
  const filter: InstanceSearch = { page: search.page, size: PAGE }
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
          <WorkflowChoice search={search} rows={instances} />
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

/** The filters that few need. */
function More({ search }: { search: ListSearch }) {
  const t = useText()
  return (
    <>
      <Somebody search={search} name="originator" />
      <Department search={search} />
      <Somebody search={search} name="participant" />
      <Day search={search} name="startFrom" label={t('flow.startedFrom')} />
      <Day search={search} name="startTo" label={t('flow.startedTo')} />
    </>
  )
}

const SOMEBODY = {
  originator: ['flow.originator', 'flow.anyOriginator'],
  participant: ['flow.handler', 'flow.anyHandler'],
} as const

/** The person who started an instance, or who has an open task of it. */
function Somebody({ search, name }: { search: ListSearch; name: keyof typeof SOMEBODY }) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const chosen = search.text(name)
  const { data: people = [] } = useQuery(participantsQuery(useDeferredValue(typed), chosen))
  return (
    <Choice
      className={styles.filter ?? ''}
      aria-label={t(SOMEBODY[name][0])}
      placeholder={t(SOMEBODY[name][1])}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={chosen ?? null}
      options={people.map((one) => ({
        value: one.id,
        label: one.detail ? `${one.name} · ${one.detail}` : one.name,
      }))}
      onChange={(value) => search.set({ [name]: (value as string | null) ?? undefined })}
    />
  )
}

/** The department of who started an instance. */
function Department({ search }: { search: ListSearch }) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const chosen = search.text('departmentId')
  const { data } = useQuery(departmentsQuery(useDeferredValue(typed), chosen))
  return (
    <Choice
      className={styles.filter ?? ''}
      aria-label={t('flow.originatorDept')}
      placeholder={t('flow.anyDept')}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={chosen ?? null}
      options={(data?.content ?? []).map((one) => ({
        value: one.id,
        label: one.detail ? `${one.name} · ${one.detail}` : one.name,
      }))}
      onChange={(value) => search.set({ departmentId: (value as string | null) ?? undefined })}
    />
  )
}

export function Day({ search, name, label }: { search: ListSearch; name: string; label: string }) {
  const t = useText()
  const id = useId()
  const [unread, setUnread] = useState<string | null>(null)
  return (
    <div className={styles.day}>
      <DateBox
        kind="date"
        format="yyyy-MM-dd"
        label={label}
        placeholder={label}
        value={search.text(name) ?? null}
        unread={unread}
        invalid={unread !== null}
        describedBy={`${id}-note`}
        onUnread={(text) => {
          setUnread(text)
          search.set({ [name]: undefined })
        }}
        onChange={(value) => {
          setUnread(null)
          search.set({ [name]: value ?? undefined })
        }}
      />
      <span id={`${id}-note`} className={styles.wrong} role="alert">
        {unread !== null && t('date.notApplied', { message: t('date.enter.date') })}
      </span>
    </div>
  )
}

interface ListProps {
  instances: Instance[]
  all: boolean
  onTrack: (of: Instance) => void
  onAct: (act: InstanceAct, of: Instance) => void
}

const actsOf = (of: Instance, all: boolean): InstanceAct[] => [
  ...(all && of.canRetry ? (['retry'] as const) : []),
  ...(of.canUrge ? (['urge'] as const) : []),
  ...(of.canRevoke ? (['revoke'] as const) : []),
  ...(of.canVoid ? (['void'] as const) : []),
]

function Acts({ of, all, onTrack, onAct }: Omit<ListProps, 'instances'> & { of: Instance }) {
  const t = useText()
  const state = useFormState()
  return (
    <>
      {!all && of.state === 'DRAFT' && (
        <Link
          className={styles.again}
          to={startPath(of.workflowCode, of.bizObjectId)}
          state={state}
          aria-label={t('flow.againOne', { name: of.instanceName })}
        >
          {t('flow.again')}
        </Link>
      )}
      {actsOf(of, all).map((act) => (
        <Button key={act} aria-label={`${t(`flow.${act}`)} ${of.instanceName}`} onClick={() => onAct(act, of)}>
          {t(`flow.${act}`)}
        </Button>
      ))}
      <Button type="text" aria-label={t('flow.trackOf', { name: of.instanceName })} onClick={() => onTrack(of)}>
        {t('flow.track')}
      </Button>
    </>
  )
}

/** Where it is, and who has to act. */
function Current({ of }: { of: Instance }) {
  const words = useFlowWords()
  return of.current.map((place) => (
    <span key={place.activityCode}>
      {words.name(place)}
      {place.people.length > 0 && <p title={words.names(place.people)}>{words.names(place.people)}</p>}
    </span>
  ))
}

/** With less the time at which an instance ended is left out. */
const ROOMY = '(min-width: 1366px)'

function InstanceTable(props: ListProps) {
  const { instances, all } = props
  const words = useFlowWords()
  const roomy = useMedia(ROOMY)
  const { t } = words
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('flow.instance')}</th>
          <th>{t('flow.state')}</th>
          <th>{t('flow.current')}</th>
          <th>{t(all ? 'flow.originator' : 'flow.started')}</th>
          {roomy && <th>{t('flow.ended')}</th>}
          <th>
            <span className="visually-hidden">{t('flow.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {instances.map((of) => (
          <tr key={of.workflowInstanceId}>
            <td className={styles.name}>
              <div className={styles.nameLine}>
                <Link className={styles.link} to={trackPath(of.workflowInstanceId)} title={of.instanceName}>
                  {of.instanceName}
                </Link>
              </div>
              <p>
                {words.workflow(of)}
                {all && <DesignLink of={of} />}
              </p>
            </td>
            <td>
              <OptionDot label={words.state(of)} color={words.stateColour(of)} />
            </td>
            <td className={styles.people}>
              <Current of={of} />
            </td>
            {all ? (
              <td className={styles.people}>
                {of.originator.name}
                <p className="tabular">{words.time(of.startTime)}</p>
              </td>
            ) : (
              <td className={`${styles.time} tabular`}>{words.time(of.startTime)}</td>
            )}
            {roomy && <td className={`${styles.time} tabular`}>{words.time(of.finishTime)}</td>}
            <td className={styles.act}>
              <Acts {...props} of={of} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same where there is no room for columns. */
function InstanceCards(props: ListProps) {
  const { instances, all } = props
  const words = useFlowWords()
  return (
    <ul className={styles.cards}>
      {instances.map((of) => (
        <li key={of.workflowInstanceId}>
          <div className={styles.cardHead}>
            <Link className={styles.link} to={trackPath(of.workflowInstanceId)}>
              {of.instanceName}
            </Link>
            <OptionDot label={words.state(of)} color={words.stateColour(of)} />
          </div>
          <p className={styles.cardText}>
            {[
              words.workflow(of),
              all && of.originator.name,
              ...of.current.map((place) => [words.name(place), words.names(place.people)].filter(Boolean).join(' ')),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <div className={styles.cardFoot}>
            <p className="tabular">{words.time(of.startTime)}</p>
            <span className={styles.acts}>
              <Acts {...props} of={of} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

const TOLD = { revoke: 'revoked', urge: 'urged1', void: 'voided', retry: 'retried' } as const

/** Asks before an instance is taken back, reminded of or voided, with a few words for those it concerns. */
function ActDialog({ act, of, onClose }: Asked & { onClose: () => void }) {
  const t = useText()
  const box = useRef<{ focus: () => void }>(null)
  const say = useFeedback()
  const client = useQueryClient()
  const [opinion, setOpinion] = useState('')
  const doing = useMutation({
    mutationFn: () => actOnInstance(act, of.workflowInstanceId, opinion.trim()),
    onSuccess: () => {
      say.success(t(`flow.${TOLD[act]}`))
      onClose()
    },
    onError: say.error,
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  const run = () => {
    if (overBy(opinion) > 0) return box.current?.focus()
    doing.mutate()
  }
  const title = act === 'retry' ? t('flow.retry') : t(`flow.${act}Title`, { name: of.instanceName })
  return (
    <Sheet
      title={title}
      width={480}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" danger={act === 'void'} loading={doing.isPending} onClick={run}>
            {t(`flow.${act}`)}
          </Button>
        </div>
      }
    >
      {act !== 'retry' && <p className={styles.ask}>{t(`flow.${act}Text`)}</p>}
      <WordsBox label={t('flow.opinion')} value={opinion} onChange={setOpinion} focus={box} />
    </Sheet>
  )
}
