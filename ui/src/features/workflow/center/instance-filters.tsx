import { useId, useState } from 'react'
import { AskedChoice, namedChoice } from '@/sdk/asked-choice'
import { DateBox } from '@/sdk/date-box'
import { useText } from '@/sdk/use-text'
import { departmentsQuery, participantsQuery } from '../admin/admin-api'
import styles from '../workflow.module.css'
import type { ListSearch } from './use-search'

/** The filters that few need. */
export function More({ search }: { search: ListSearch }) {
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
  const chosen = search.text(name)
  return (
    <AskedChoice
      className={styles.filter ?? ''}
      aria-label={t(SOMEBODY[name][0])}
      placeholder={t(SOMEBODY[name][1])}
      value={chosen ? [chosen] : []}
      query={(keyword) => participantsQuery(keyword, chosen)}
      choices={(people) => people.map(namedChoice)}
      onChange={([value]) => search.set({ [name]: value })}
    />
  )
}

/** The department of who started an instance. */
function Department({ search }: { search: ListSearch }) {
  const t = useText()
  const chosen = search.text('departmentId')
  return (
    <AskedChoice
      className={styles.filter ?? ''}
      aria-label={t('flow.originatorDept')}
      placeholder={t('flow.anyDept')}
      value={chosen ? [chosen] : []}
      query={(keyword) => departmentsQuery(keyword, chosen)}
      choices={({ content }) => content.map(namedChoice)}
      onChange={([value]) => search.set({ departmentId: value })}
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
