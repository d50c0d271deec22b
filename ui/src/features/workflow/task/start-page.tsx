import { useQuery } from '@tanstack/react-query'
import { Button, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Avatar } from '@/components/avatar'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { useMatcher } from '@/lib/use-matcher'
import { Failure } from '@/sdk/failure'
import { delegates, useMe } from '@/sdk/me'
import { useFormState } from '@/sdk/record-link'
import { type Startable, startListQuery, startPath } from '../api'
import styles from '../workflow.module.css'
import { useFlowWords } from './words'

/** What the reader may start, by application, with what they start most often on top. */
export function StartPage() {
  const words = useFlowWords()
  const me = useMe()
  const { t } = words
  const title = t('workflow.start')
  usePageTitle(title)
  const [word, setWord] = useState('')
  const match = useMatcher(word.trim() !== '')
  const { data, error, refetch } = useQuery(startListQuery)
  const found = (workflows: Startable[]) =>
    word.trim() ? workflows.filter((one) => match(words.name(one), word.trim())) : workflows
  const groups = (data?.groups ?? [])
    .map((group) => ({ ...group, workflows: found(group.workflows) }))
    .filter((group) => group.workflows.length > 0)
  const none = data?.groups.every((group) => group.workflows.length === 0)
  return (
    <div className={styles.frame}>
      <div className={styles.scroll}>
        <div className={styles.page}>
          <header className={styles.head}>
            <h1>{title}</h1>
            {data && !none && (
              <Input
                className={styles.startSearch ?? ''}
                type="search"
                allowClear
                prefix={<Icon name="search" size={14} />}
                aria-label={t('flow.startSearch')}
                placeholder={t('flow.startSearch')}
                value={word}
                onChange={(event) => setWord(event.target.value)}
              />
            )}
          </header>
          {error && !data && <Failure error={error} onRetry={refetch} />}
          {!data && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
          {none && (
            <Notice
              icon="tree"
              title={t(delegates(me) ? 'flow.startEmpty' : 'flow.startAdmin')}
              text={t(delegates(me) ? 'flow.startEmptyText' : 'flow.startAdminText')}
            />
          )}
          {data && !none && groups.length === 0 && (
            <Notice
              icon="search"
              title={t('flow.startNoMatch', { word: word.trim() })}
              actions={<Button onClick={() => setWord('')}>{t('flow.clear')}</Button>}
            />
          )}
          {data && !word.trim() && data.common.length > 0 && <Group name={t('flow.common')} workflows={data.common} />}
          {data && !word.trim() && data.recent.length > 0 && <Group name={t('flow.recent')} workflows={data.recent} />}
          {groups.map((group) => (
            <Group key={group.appCode} name={words.name(group)} workflows={group.workflows} />
          ))}
        </div>
      </div>
    </div>
  )
}

function Group({ name, workflows }: { name: string; workflows: Startable[] }) {
  const words = useFlowWords()
  const state = useFormState()
  return (
    <section aria-label={name}>
      <h2 className={styles.group}>{name}</h2>
      <ul className={styles.tiles}>
        {workflows.map((one) => (
          <li key={one.workflowCode}>
            <Link className={styles.tile} to={startPath(one.workflowCode)} state={state}>
              <Avatar name={words.name(one)} src={null} size={28} square />
              <span>{words.name(one)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
