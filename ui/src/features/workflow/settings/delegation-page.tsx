import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton, Switch } from 'antd'
import { useId, useState } from 'react'
import { Navigate } from 'react-router'
import { ApiError } from '@/api/client'
import type { Entry } from '@/api/types'
import { Choice } from '@/components/choice'
import { Notice } from '@/components/notice'
import { OptionDot } from '@/components/option-dot'
import { usePageTitle } from '@/lib/page-title'
import { DateBox } from '@/sdk/date-box'
import { EntryPicker } from '@/sdk/entry-picker'
import { useErrorText } from '@/sdk/error-text'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { delegates, useMe } from '@/sdk/me'
import { Sheet } from '@/sdk/sheet'
import {
  type Delegation,
  delegationsQuery,
  findDepartments,
  findPeople,
  knownQuery,
  removeDelegation,
  saveDelegation,
} from '../api'
import { DelegatedList } from '../center/delegated-list'
import { useFlowWords } from '../task/words'
import styles from '../workflow.module.css'
import { DelegationRules, type Rules } from './delegation-rules'

/** Who has the reader's tasks for a time, and whose tasks the reader has. */
export function DelegationPage() {
  const me = useMe()
  if (!me) return null
  return delegates(me) ? <Delegations /> : <Navigate to="/workflow-center/my-unfinished-workitem" replace />
}

type Open = { what: 'edit' | 'remove'; of: Delegation | null } | null

function Delegations() {
  const { t } = useFlowWords()
  const title = t('workflow.delegation')
  usePageTitle(title)
  const [open, setOpen] = useState<Open>(null)
  const { data, error, refetch } = useQuery(delegationsQuery)
  const shown = {
    onEdit: (of: Delegation) => setOpen({ what: 'edit', of }),
    onRemove: (of: Delegation) => setOpen({ what: 'remove', of }),
  }
  const mine = (data ?? []).filter((one) => one.mine)
  const others = (data ?? []).filter((one) => !one.mine)
  const close = () => setOpen(null)
  return (
    <div className={styles.frame}>
      <div className={styles.scroll}>
        <div className={styles.page}>
          <header className={styles.head}>
            <h1>{title}</h1>
            <Button type="primary" onClick={() => setOpen({ what: 'edit', of: null })}>
              {t('flow.delegate')}
            </Button>
          </header>
          {error && !data && <Failure error={error} onRetry={refetch} />}
          {!data && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
          {data?.length === 0 && (
            <Notice icon="user" title={t('flow.delegationEmpty')} text={t('flow.delegationEmptyText')} />
          )}
          {mine.length > 0 && <Cards name={t('flow.delegationsOwn')} of={mine} {...shown} />}
          {others.length > 0 && <Cards name={t('flow.delegationsToMe')} of={others} {...shown} />}
          <DelegatedList />
        </div>
      </div>
      {open?.what === 'edit' && <EditDialog of={open.of} onClose={close} />}
      {open?.what === 'remove' && open.of && <RemoveDialog of={open.of} onClose={close} />}
    </div>
  )
}

interface CardsProps {
  name: string
  of: Delegation[]
  onEdit: (of: Delegation) => void
  onRemove: (of: Delegation) => void
}

/** Whether a delegation holds, and the color of that. */
function phaseOf(of: Delegation, now = Date.now()) {
  if (!of.enabled) return 'off'
  if (Date.parse(of.endTime) <= now) return 'over'
  return Date.parse(of.startTime) > now ? 'later' : 'now'
}

const COLORS = { off: 'gray', over: 'gray', later: 'blue', now: 'green' } as const

function Cards({ name, of, onEdit, onRemove }: CardsProps) {
  const words = useFlowWords()
  const { t } = words
  return (
    <section aria-label={name}>
      <h2 className={styles.group}>{name}</h2>
      <ul className={styles.cards}>
        {of.map((one) => {
          const who = one.mine ? one.to.name : one.from.name
          const phase = phaseOf(one)
          return (
            <li key={one.id}>
              <div className={styles.cardHead}>
                <span className={styles.cardName}>{who}</span>
                <OptionDot label={t(`flow.delegationPhases.${phase}`)} color={COLORS[phase]} />
              </div>
              <p className={styles.cardText}>
                {one.workflowCodes.length === 0 ? t('flow.delegationAll') : one.workflows.map(words.name).join(', ')}
                {one.initiatorDepts.length > 0 &&
                  ` · ${t('delegation.from', { names: one.initiatorDepts.map((of) => of.name).join(', ') })}`}
              </p>
              <div className={styles.cardFoot}>
                <p className="tabular">
                  {words.time(one.startTime)} – {words.time(one.endTime)}
                </p>
                {one.mine && (
                  <span className={styles.acts}>
                    <Button aria-label={`${t('common.edit')} ${who}`} onClick={() => onEdit(one)}>
                      {t('common.edit')}
                    </Button>
                    <Button aria-label={`${t('common.delete')} ${who}`} onClick={() => onRemove(one)}>
                      {t('common.delete')}
                    </Button>
                  </span>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The names of the workflows in which the reader decides, by code. */
function useWorkflowNames() {
  const words = useFlowWords()
  const { data } = useQuery(knownQuery('decided'))
  return new Map((data ?? []).map((one) => [one.workflowCode, words.name(one)]))
}

/** The label of a box that has to be filled. */
const Label = ({ of, text }: { of: string; text: string }) => (
  <label htmlFor={of}>
    {text}
    <span className={styles.star} aria-hidden="true">
      *
    </span>
  </label>
)

const MOMENT = 'yyyy-MM-dd HH:mm'

function EditDialog({ of, onClose }: { of: Delegation | null; onClose: () => void }) {
  const words = useFlowWords()
  const { t } = words
  const id = useId()
  const say = useFeedback()
  const errorText = useErrorText()
  const client = useQueryClient()
  const names = useWorkflowNames()
  const [to, setTo] = useState<Entry[]>(
    of ? [{ id: of.to.id, name: of.to.name, imgUrl: of.to.imgUrl, type: 3, detail: null, leaf: true }] : [],
  )
  const [codes, setCodes] = useState<string[]>(of?.workflowCodes ?? [])
  const [start, setStart] = useState<string | null>(of?.startTime ?? null)
  const [end, setEnd] = useState<string | null>(of?.endTime ?? null)
  const [unread, setUnread] = useState<{ start?: string; end?: string }>({})
  const [departments, setDepartments] = useState<Entry[]>(
    (of?.initiatorDepts ?? []).map((one) => ({ ...one, imgUrl: null, type: 1, detail: null, leaf: true })),
  )
  const [rules, setRules] = useState<Rules>({
    keepCopy: of?.keepCopy ?? true,
    moveOpen: of?.moveOpen ?? false,
    returnOpen: of?.returnOpen ?? false,
  })
  const [enabled, setEnabled] = useState(of?.enabled ?? true)
  const [tried, setTried] = useState(false)
  for (const one of of?.workflows ?? []) if (!names.has(one.workflowCode)) names.set(one.workflowCode, words.name(one))
  const doing = useMutation({
    mutationFn: () =>
      saveDelegation({
        ...(of && { id: of.id }),
        to: to[0]?.id ?? '',
        workflowCodes: codes,
        startTime: start ?? '',
        endTime: end ?? '',
        enabled,
        initiatorDepts: departments.map((one) => one.id),
        ...rules,
      }),
    onSuccess: () => {
      say.success(t('flow.delegationSaved'))
      void client.invalidateQueries({ queryKey: ['workflow'] })
      onClose()
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) say.error(error)
    },
  })
  const lacks = { to: to.length === 0, start: !start, end: !end }
  const past = enabled && end !== null && Date.parse(end) <= Date.now()
  const submit = () => {
    setTried(true)
    const first = (['to', 'start', 'end'] as const).find((name) => lacks[name])
    if (first) return document.getElementById(`${id}-${first}`)?.focus()
    if (past) return document.getElementById(`${id}-end`)?.focus()
    if (!doing.isPending) doing.mutate()
  }
  const wrong = (when: boolean, text: string, at: string) => (
    <span id={at} className={styles.wrong} role="alert">
      {when && text}
    </span>
  )
  const moment = (name: 'start' | 'end', value: string | null, set: (value: string | null) => void) => (
    <div className={styles.field}>
      <Label of={`${id}-${name}`} text={t(name === 'start' ? 'flow.delegationStart' : 'flow.delegationEnd')} />
      <DateBox
        id={`${id}-${name}`}
        kind="moment"
        format={MOMENT}
        value={value}
        unread={unread[name] ?? null}
        invalid={unread[name] !== undefined || (tried && (lacks[name] || (name === 'end' && past)))}
        describedBy={`${id}-${name}-note`}
        onUnread={(text) => {
          setUnread({ ...unread, [name]: text })
          set(null)
        }}
        onChange={(next) => {
          const { [name]: _, ...rest } = unread
          setUnread(rest)
          set(next)
        }}
      />
      {wrong(
        unread[name] !== undefined || (tried && (lacks[name] || (name === 'end' && past))),
        t(
          unread[name] !== undefined
            ? 'date.enter.moment'
            : lacks[name]
              ? 'flow.delegationMoment'
              : 'flow.delegationPast',
        ),
        `${id}-${name}-note`,
      )}
    </div>
  )
  return (
    <Sheet
      title={t(of ? 'flow.delegationEdit' : 'flow.delegationAdd')}
      width={520}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" loading={doing.isPending} onClick={submit}>
            {t('common.save')}
          </Button>
        </div>
      }
    >
      <p className={styles.ask}>{t('flow.delegationText')}</p>
      <div className={styles.field}>
        <Label of={`${id}-to`} text={t('flow.delegationTo')} />
        <EntryPicker
          id={`${id}-to`}
          schemaCode=""
          propertyCode="workItemPeople"
          find={findPeople}
          value={to}
          onChange={setTo}
          invalid={tried && lacks.to}
          describedBy={`${id}-to-note`}
        />
        {wrong(tried && lacks.to, t('flow.peopleNeeded'), `${id}-to-note`)}
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-codes`}>{t('flow.delegationFor')}</label>
        <Choice
          id={`${id}-codes`}
          mode="multiple"
          placeholder={t('flow.delegationAll')}
          value={codes}
          options={[...names].map(([value, label]) => ({ value, label }))}
          onChange={(value) => setCodes((value as string[] | null) ?? [])}
        />
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}-departments`}>{t('delegation.departments')}</label>
        <EntryPicker
          id={`${id}-departments`}
          schemaCode=""
          propertyCode="delegationDepartments"
          multiple
          find={findDepartments}
          placeholder={t('delegation.everybody')}
          value={departments}
          onChange={setDepartments}
        />
      </div>
      {moment('start', start, setStart)}
      {moment('end', end, setEnd)}
      <DelegationRules value={rules} onChange={setRules} />
      <div className={styles.switchRow}>
        <label htmlFor={`${id}-on`}>{t('flow.delegationOn')}</label>
        <Switch id={`${id}-on`} checked={enabled} onChange={setEnabled} />
      </div>
      {doing.error instanceof ApiError && (
        <p
          className={styles.wrong}
          role="alert"
          ref={(shown) => shown?.scrollIntoView?.({ block: 'nearest' })} // below all fields, where nobody may be looking
        >
          {errorText(doing.error)}
        </p>
      )}
    </Sheet>
  )
}

function RemoveDialog({ of, onClose }: { of: Delegation; onClose: () => void }) {
  const { t } = useFlowWords()
  const say = useFeedback()
  const client = useQueryClient()
  const doing = useMutation({
    mutationFn: () => removeDelegation(of.id),
    onSuccess: () => {
      say.success(t('flow.delegationRemoved'))
      onClose()
    },
    onError: say.error,
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  return (
    <Sheet
      title={t('flow.delegationRemove', { name: of.to.name })}
      width={420}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" danger loading={doing.isPending} onClick={() => doing.mutate()}>
            {t('common.delete')}
          </Button>
        </div>
      }
    >
      <p className={styles.ask}>{t('flow.delegationRemoveText')}</p>
    </Sheet>
  )
}
