import { useQuery } from '@tanstack/react-query'
import { Progress } from 'antd'
import { Link } from 'react-router'
import { get } from '@/api/client'
import { isRefusal } from '@/api/refusal'
import type { components } from '@/api/schema.gen'
import { HeaderPopover } from '@/components/header-popover'
import { useIsNarrow } from '@/lib/use-media'
import { useText } from '@/sdk/use-text'
import styles from './background-note.module.css'

type Work = components['schemas']['BackgroundWork']

/** How often the server is asked while it works, and while there is nothing to tell. Nobody asks behind a hidden window. */
const BUSY = 5_000
const CALM = 60_000

const backgroundQuery = {
  queryKey: ['background'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/system/background', undefined, { signal }),
  retry: false,
  staleTime: BUSY,
}

const KINDS = ['index', 'statistics', 'formulas', 'names'] as const

/** How far works are together, in whole percent; null where it is not known of all of them. */
export function percentOf(works: Pick<Work, 'done' | 'total'>[]): number | null {
  const total = works.reduce((sum, work) => sum + (work.total ?? 0), 0)
  if (total === 0 || works.some((work) => work.total === null)) return null
  const done = works.reduce((sum, work) => sum + Math.min(work.done, work.total ?? 0), 0)
  return Math.min(99, Math.floor((done / total) * 100))
}

/** What the server does beside requests, for those who look after it; nothing while there is nothing. */
export function BackgroundNote() {
  const t = useText()
  const narrow = useIsNarrow()
  const { data: works = [] } = useQuery({
    ...backgroundQuery,
    refetchInterval: ({ state }) => (isRefusal(state.error) ? false : state.data?.length ? BUSY : CALM),
    refetchIntervalInBackground: false,
  })
  if (works.length === 0) return null
  const percent = percentOf(works)
  const words = percent === null ? t('shell.background.at') : t('shell.background.atPercent', { percent })
  return (
    <HeaderPopover
      className={styles.note}
      label={words}
      panel={t('shell.background.title')}
      content={(close) => (
        <div className={styles.works}>
          <strong>{t('shell.background.title')}</strong>
          <p>{t('shell.background.text')}</p>
          <ul>
            {works.map((work) => (
              <li key={`${work.kind} ${work.name}`}>
                <OneWork work={work} />
              </li>
            ))}
          </ul>
          <Link to="/tasks/all" onClick={close}>
            {t('task.allOfThem')}
          </Link>
        </div>
      )}
    >
      <span
        className={styles.ring}
        style={{ '--done': `${percent ?? 25}%` } as Record<string, string>}
        aria-hidden="true"
      />
      {!narrow && <span aria-hidden="true">{words}</span>}
    </HeaderPopover>
  )
}

function OneWork({ work: { kind, name, done, total } }: { work: Work }) {
  const t = useText()
  const known = KINDS.find((one) => one === kind) ?? 'other'
  const percent = percentOf([{ done, total }])
  return (
    <>
      <div className={styles.line}>
        <span>{t(`shell.background.${known}`)}</span>
        <span className="tabular">
          {total === null ? t('shell.background.done', { done }) : t('shell.background.doneOf', { done, total })}
        </span>
      </div>
      <div className={styles.name}>{name}</div>
      {percent !== null && <Progress percent={percent} size="small" showInfo={false} aria-label={name} />}
    </>
  )
}
