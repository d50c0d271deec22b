import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { OptionTag } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { Ago } from '@/sdk/ago'
import { useErrorText } from '@/sdk/error-text'
import { useFormState } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { useWorkCounts, workCountsQuery } from '@/sdk/work-counts'
import { listPath, taskPath, type WorkItem } from '@/sdk/work-items'
import styles from './home-tasks.module.css'

interface Props {
  tasks: Pick<UseQueryResult<{ content: WorkItem[]; totalElements: number }>, 'data' | 'error' | 'refetch'>
  appCode: string | undefined
}

/** Reads the list again where the counts, which are polled while the server's events do not come, say something else. */
function useSameAsCounted(total: number | undefined, refetch: () => unknown, appCode: string | undefined) {
  const { data } = useQuery({ ...workCountsQuery(appCode), enabled: false })
  const counted = data?.unfinished
  useEffect(() => {
    if (counted !== undefined && total !== undefined && counted !== total) void refetch()
  }, [counted, total, refetch])
}

/** The newest tasks of a person on their start page, with how many wait. */
export function HomeTasks({ tasks: { data, error, refetch }, appCode }: Props) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const state = useFormState()
  const counts = useWorkCounts(appCode)
  useSameAsCounted(data?.totalElements, refetch, appCode)
  const figures = [
    { count: counts.timeout, text: 'home.overdue', to: listPath('unfinished', appCode, { timeout: '1' }) },
    { count: counts.unread, text: 'home.copies', to: listPath('unread', appCode) },
  ] as const
  return (
    <section className={styles.card} aria-labelledby="home-tasks">
      <div className={styles.head}>
        <h2 id="home-tasks">
          <Link to={listPath('unfinished', appCode)}>
            {data && data.totalElements > 0 ? t('home.tasksCount', { count: data.totalElements }) : t('home.tasks')}
          </Link>
        </h2>
        {figures.map(
          ({ count, text, to }) =>
            count > 0 && (
              <Link key={text} to={to} className={styles.figure} data-late={text === 'home.overdue' || undefined}>
                {t(text, { count })}
              </Link>
            ),
        )}
      </div>
      {error && !data && (
        <p className={styles.none} role="alert">
          {errorText(error)}{' '}
          <Button type="link" size="small" onClick={() => void refetch()}>
            {t('common.retry')}
          </Button>
        </p>
      )}
      {data?.content.length === 0 && <p className={styles.none}>{t('home.noTasks')}</p>}
      <ul className={styles.lines}>
        {data?.content.map((item) => (
          <li key={item.workItemId} className={styles.line}>
            <Icon name="inbox" className={styles.icon ?? ''} />
            <Link className={styles.name} to={taskPath(item)} state={state} title={item.instanceName}>
              {item.instanceName}
            </Link>
            {item.overdue && <OptionTag label={t('home.late')} color="red" />}
            <span className={styles.note}>
              {localName({ name: item.activityName, name_i18n: item.activityName_i18n }, locale)}
            </span>
            {item.receiveTime && <Ago time={item.receiveTime} className={styles.time} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
