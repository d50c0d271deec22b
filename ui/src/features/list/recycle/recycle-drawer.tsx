import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Drawer, Empty, Input } from 'antd'
import { useState } from 'react'
import { post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { noun } from '@/lib/noun'
import { useReturnFocus } from '@/lib/return-focus'
import { useErrorText } from '@/sdk/error-text'
import { Pages } from '@/sdk/pages'
import { useOpenRecord } from '@/sdk/record-link'
import { useRecycle } from '@/sdk/recycle'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { SkeletonRows } from '../components/list-skeleton'
import type { ListController } from '../use-list-controller'
import styles from './recycle-drawer.module.css'

type Entry = components['schemas']['RecyclePage']['content'][number]

const SIZE = 20

const recycleQuery = (schemaCode: string, searchword: string, page: number) => ({
  queryKey: ['recycle', schemaCode, 'list', searchword, page] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    post('/api/runtime/recycle/list', { schemaCode, searchword, page, size: SIZE }, { signal }),
  placeholderData: keepPreviousData,
  staleTime: 0,
})

/** What was deleted of a model and can be brought back. */
export function RecycleDrawer({ controller }: { controller: ListController }) {
  useReturnFocus()
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { schemaCode } = controller.config
  const { restore, purge } = useRecycle(schemaCode)
  const [typed, setTyped] = useState('')
  const [word, setWord] = useState('')
  const [page, setPage] = useState(0)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const { data, error } = useQuery(recycleQuery(schemaCode, word, page))
  const entries = data?.content ?? []
  const chosen = entries.filter(({ id }) => ticked.has(id))
  const name = noun(controller.config, 0, locale)
  const nameOf = (entry: Entry) => entry.name ?? t('list.unnamed')

  const move = (to: number) => {
    setPage(to)
    setTicked(new Set())
  }
  const search = (text: string) => {
    setWord(text.trim())
    move(0)
  }
  /** The last of a page is gone: the page before it. */
  const gone = (count: number) => {
    if (count >= entries.length && page > 0) move(page - 1)
    else setTicked(new Set())
  }
  const names = (of: Entry[]) => new Map(of.map((entry) => [entry.id, nameOf(entry)]))
  const bringBack = async (of: Entry[]) =>
    gone(
      await restore(
        of.map(({ id }) => id),
        names(of),
      ),
    )
  const deleteForEver = (of: Entry[]) =>
    purge(
      of.map(({ id }) => id),
      names(of),
      () => gone(of.length),
    )
  const tick = (ids: string[], on: boolean) =>
    setTicked((old) => new Set(on ? [...old, ...ids] : [...old].filter((id) => !ids.includes(id))))

  return (
    <Drawer
      open
      size="min(640px, 100vw)"
      title={t('life.binOf', { name })}
      onClose={() => controller.store.getState().openPanel(null)}
      footer={
        chosen.length > 0 && (
          <div className={styles.bar}>
            <span>{t('life.selected', { count: chosen.length })}</span>
            <Button danger onClick={() => deleteForEver(chosen)}>
              {t('life.purge')}
            </Button>
            <Button type="primary" onClick={() => void bringBack(chosen)}>
              {t('life.restore')}
            </Button>
          </div>
        )
      }
    >
      <Input
        allowClear
        value={typed}
        aria-label={t('life.search')}
        placeholder={t('life.search')}
        prefix={<Icon name="search" />}
        maxLength={200}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value === '') search('')
        }}
        onPressEnter={() => search(typed)}
        onBlur={() => typed.trim() !== word && search(typed)}
      />
      {data && <p className={styles.hint}>{t('life.binHint', { count: data.keepDays })}</p>}
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <SkeletonRows rows={6} />}
      {data && entries.length === 0 && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={word ? t('life.binNothing', { word }) : t('life.binEmpty')}
        />
      )}
      {entries.length > 1 && (
        <Checkbox
          className={styles.all ?? ''}
          checked={chosen.length === entries.length}
          indeterminate={chosen.length > 0 && chosen.length < entries.length}
          onChange={(event) =>
            tick(
              entries.map(({ id }) => id),
              event.target.checked,
            )
          }
        >
          {t('life.selectAll')}
        </Checkbox>
      )}
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <Deleted
            key={entry.id}
            entry={entry}
            name={nameOf(entry)}
            controller={controller}
            ticked={ticked.has(entry.id)}
            onTick={(on) => tick([entry.id], on)}
            onRestore={() => void bringBack([entry])}
            onPurge={() => deleteForEver([entry])}
          />
        ))}
      </ul>
      {data && data.totalElements > SIZE && (
        <Pages
          size="small"
          current={page + 1}
          pageSize={SIZE}
          total={data.totalElements}
          showSizeChanger={false}
          onChange={(next) => move(next - 1)}
        />
      )}
    </Drawer>
  )
}

interface DeletedProps {
  entry: Entry
  name: string
  controller: ListController
  ticked: boolean
  onTick: (on: boolean) => void
  onRestore: () => void
  onPurge: () => void
}

function Deleted({ entry, name, controller, ticked, onTick, onRestore, onPurge }: DeletedProps) {
  const t = useText()
  const context = useTextContext()
  const openRecord = useOpenRecord()
  const { schemaCode, sheetCode, queryCode } = controller.config
  const time = entry.time && formatInstant(entry.time, 'yyyy-MM-dd HH:mm', context)
  const facts = [
    time && entry.userName
      ? t('life.deletedBy', { name: entry.userName, time })
      : time
        ? t('life.deletedAt', { time })
        : entry.userName && t('life.by', { name: entry.userName }),
    entry.daysLeft !== null && (entry.daysLeft > 0 ? t('life.daysLeft', { count: entry.daysLeft }) : t('life.lastDay')),
  ].filter(Boolean)
  return (
    <li className={styles.entry}>
      <Checkbox
        aria-label={t('life.select', { name })}
        checked={ticked}
        onChange={(event) => onTick(event.target.checked)}
      />
      <div className={styles.words}>
        <button
          type="button"
          className={styles.name}
          onClick={() =>
            openRecord({ schemaCode, sheetCode: sheetCode ?? null, queryCode, id: entry.id, recycled: true })
          }
        >
          {name}
        </button>
        <span>{facts.join(' · ')}</span>
      </div>
      <span className={styles.tools}>
        <Button size="small" aria-label={t('life.restoreOne', { name })} onClick={onRestore}>
          {t('life.restore')}
        </Button>
        <Button size="small" type="text" danger aria-label={t('life.purgeOne', { name })} onClick={onPurge}>
          {t('life.purge')}
        </Button>
      </span>
    </li>
  )
}
