import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Choice } from '@/components/choice'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { useIsPhone } from '@/lib/use-media'
import { useSearch, withParams } from '@/lib/use-search'
import { Failure, Forbidden } from '@/sdk/failure'
import { isLive } from '@/sdk/jobs'
import { maintains, useMe } from '@/sdk/me'
import { Pages } from '@/sdk/pages'
import { useText } from '@/sdk/use-text'
import { choicesQuery, PAGE, type Task, type TaskFilter } from './api'
import styles from './task.module.css'
import { TaskCards, TaskTable } from './task-list'
import { TaskSheet } from './task-sheet'
import { useNow, useTaskWords } from './task-words'
import { useTaskActions, useTasks } from './use-tasks'

const STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
const FILTERS = ['state', 'kind', 'owner'] as const

/** What runs beside the pages: the reader's own tasks (/tasks), or everybody's (/tasks/all) for those who look after the installation. */
export function TaskPage({ all = false }: { all?: boolean }) {
  const t = useText()
  const me = useMe()
  const navigate = useNavigate()
  const title = t(all ? 'task.all' : 'task.title')
  usePageTitle(title)
  if (!me) return null
  const may = maintains(me)
  if (all && !may) {
    return (
      <Forbidden
        page
        who={t('task.forbidden')}
        actions={<Button onClick={() => void navigate('/tasks')}>{t('task.toMine')}</Button>}
      />
    )
  }
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {may && (
          <Segmented
            aria-label={t('task.views')}
            value={all ? 'all' : 'mine'}
            options={[
              { value: 'mine', label: t('task.mine') },
              { value: 'all', label: t('task.everybody') },
            ]}
            onChange={(view) => void navigate(view === 'all' ? '/tasks/all' : '/tasks', { replace: true })}
          />
        )}
      </header>
      <Tasks key={String(all)} all={all} />
    </div>
  )
}

function Tasks({ all }: { all: boolean }) {
  const t = useText()
  const phone = useIsPhone()
  const [search, setSearch] = useSearch()
  const [open, setOpen] = useState<Task | null>(null)
  const page = Math.max(0, Number(search.get('page') ?? 1) - 1 || 0)
  const filter: TaskFilter = {}
  if (all) for (const name of FILTERS) if (search.get(name)) filter[name] = search.get(name) ?? ''
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((now) => withParams(now, { page: undefined, ...changes }), { replace: true })
  const { data, error, refetch } = useTasks(all, page, filter)
  const act = useTaskActions(all)
  const tasks = data?.content ?? []
  const now = useNow(tasks.some(isLive))
  const filtered = Object.keys(filter).length > 0
  const shown = { tasks, all, now, onOpen: setOpen, onAct: act }
  return (
    <>
      {all && <Filters filter={filter} onChange={set} />}
      {error && !data && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
      {data && tasks.length === 0 && (
        <Notice
          icon="clock"
          title={t(filtered ? 'task.noMatch' : 'task.empty')}
          text={filtered ? undefined : t('task.emptyText')}
          actions={
            filtered && (
              <Button onClick={() => set({ state: undefined, kind: undefined, owner: undefined })}>
                {t('task.clear')}
              </Button>
            )
          }
        />
      )}
      {tasks.length > 0 && (phone ? <TaskCards {...shown} /> : <TaskTable {...shown} />)}
      {data && data.totalElements > PAGE && (
        <Pages
          className={styles.pages ?? ''}
          align="end"
          current={page + 1}
          pageSize={PAGE}
          total={data.totalElements}
          showSizeChanger={false}
          showTotal={(count) => t('list.total', { count })}
          onChange={(next) => set({ page: next > 1 ? String(next) : undefined })}
        />
      )}
      {open && <TaskSheet key={open.id} task={open} all={all} onAct={act} onClose={() => setOpen(null)} />}
    </>
  )
}

interface FiltersProps {
  filter: TaskFilter
  onChange: (changes: Record<string, string | undefined>) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const t = useText()
  const words = useTaskWords()
  const { data } = useQuery(choicesQuery)
  const owners = (data?.owners ?? []).map((owner) => ({ value: owner.id, label: words.owner(owner) }))
  const kinds = (data?.kinds ?? []).map((kind) => ({ value: kind, label: words.kind(kind) }))
  const states = STATES.map((state) => ({ value: state, label: t(`task.states.${state}`) }))
  const one = (name: keyof TaskFilter, label: string, any: string, options: { value: string; label: string }[]) => (
    <Choice
      className={styles.filter ?? ''}
      aria-label={label}
      allowClear
      placeholder={any}
      value={filter[name] ?? null}
      options={options}
      onChange={(value) => onChange({ [name]: (value as string | null) ?? undefined })}
    />
  )
  return (
    <search className={styles.filters}>
      {one('state', t('task.state'), t('task.anyState'), states)}
      {one('kind', t('task.kind'), t('task.anyKind'), kinds)}
      {one('owner', t('task.owner'), t('task.anyOwner'), owners)}
    </search>
  )
}
