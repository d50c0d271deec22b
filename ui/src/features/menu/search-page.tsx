import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Button, Input, Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Highlight } from '@/components/highlight'
import { Icon, isIcon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import type { Match } from '@/lib/find-choice'
import { foundPart } from '@/lib/found-part'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useMatcher } from '@/lib/use-matcher'
import { useSearch, withParams } from '@/lib/use-search'
import { Ago } from '@/sdk/ago'
import { Failure } from '@/sdk/failure'
import { useDebounced } from '@/sdk/field-options'
import { appsQuery } from '@/sdk/home'
import { lostOf } from '@/sdk/lost'
import { recordPath, useFormState } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { findEntry } from './menu-tree'
import { menuQuery } from './queries'
import styles from './search-page.module.css'
import { listPath, MAX_SEARCHED, type SearchGroup, type SearchRecord, searchQuery } from './search-query'

const OF_EACH_MODEL = 10

/**
 * The text of the address, and what is typed: it goes into the address when the keys rest, and at once by Enter. A text that is searched for is
 * one step of the way back, however often the keys rested; another one begins where the box is left or Enter is pressed.
 */
function useTyped() {
  const [search, setSearch] = useSearch()
  const keyword = (search.get('q') ?? '').trim().slice(0, MAX_SEARCHED)
  const [typed, setTyped] = useState(search.get('q') ?? '')
  const said = useRef(keyword)
  /** What is typed goes on with the last step. */
  const goesOn = useRef(false)
  const settled = useDebounced(typed.trim())
  const say = (text: string) => {
    if (text === said.current) return
    const replace = goesOn.current || said.current === ''
    said.current = text
    goesOn.current = true
    setSearch((now) => withParams(now, { q: text }), { replace })
  }
  const end = () => {
    goesOn.current = false
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => say(settled), [settled])
  useEffect(() => {
    if (keyword === said.current) return
    said.current = keyword // another address: the way back, or the palette
    goesOn.current = false
    setTyped(keyword)
  }, [keyword])
  return { keyword, typed, setTyped, say, end }
}

/** Records of all models that a text finds, by model. */
export function SearchPage() {
  const t = useText()
  const { keyword, typed, setTyped, say, end } = useTyped()
  usePageTitle(keyword ? t('search.titleOf', { query: keyword }) : t('search.title'))
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('search.title')}</h1>
      <Input
        className={styles.box ?? ''}
        size="large"
        allowClear
        autoFocus={keyword === ''}
        aria-label={t('search.title')}
        placeholder={t('search.hint')}
        prefix={<Icon name="search" />}
        maxLength={MAX_SEARCHED}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={() => {
          say(typed.trim())
          end()
        }}
        onBlur={end}
      />
      {keyword ? (
        <Found key={keyword} keyword={keyword} />
      ) : (
        <Notice icon="search" title={t('search.empty')} text={t('search.emptyText')} />
      )}
    </div>
  )
}

function Found({ keyword }: { keyword: string }) {
  const t = useText()
  const locale = useLocale()
  const match = useMatcher(true)
  const [thorough, setThorough] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({
    ...searchQuery(keyword, OF_EACH_MODEL, thorough),
    placeholderData: keepPreviousData,
  })
  if (lostOf({ data, error })) return <Failure error={error} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  const { groups, left } = data
  return (
    <>
      {groups.length === 0 && left.length === 0 && (
        <Notice icon="search" title={t('search.nothing', { query: keyword })} text={t('search.nothingText')} />
      )}
      {groups.map((group) => (
        <Group key={group.schemaCode} group={group} keyword={keyword} match={match} />
      ))}
      {left.length > 0 && (
        <div className={styles.left} role="status">
          <span>
            {t('search.leftOf', { names: left.map((one) => localName(one, locale)).join(t('search.comma')) })}
          </span>
          <Button size="small" loading={isFetching} onClick={() => (thorough ? void refetch() : setThorough(true))}>
            {t('search.longer')}
          </Button>
        </div>
      )}
    </>
  )
}

interface GroupProps {
  group: SearchGroup
  keyword: string
  match: Match
}

function Group({ group, keyword, match }: GroupProps) {
  const t = useText()
  const locale = useLocale()
  const state = useFormState()
  const { data: apps = [] } = useQuery(appsQuery)
  const [menu] = useQueries({ queries: [menuQuery(group.appCode)] })
  const entry = findEntry(menu?.data ?? [], (node) => node.schemaCode === group.schemaCode && node.type === 'BizModel')
  const app = apps.find(({ code }) => code === group.appCode)
  const list = listPath(group, keyword)
  const name = localName(group, locale)
  return (
    <section className={styles.group} aria-label={name}>
      <h2 className={styles.head}>
        <Icon name={entry && isIcon(entry.icon) ? entry.icon : 'table'} />
        <span className={styles.model}>{name}</span>
        {app && <span className={styles.app}>{localName(app, locale)}</span>}
      </h2>
      <ul className={styles.lines}>
        {group.content.map((record) => (
          <li key={record.id} className={styles.line}>
            <Link
              className={styles.name}
              to={recordPath({ schemaCode: group.schemaCode, id: record.id })}
              state={state}
              title={record.name}
            >
              <Highlight
                text={record.name || t('home.unnamed')}
                positions={record.name ? foundPart(record.name, keyword, match) : []}
              />
            </Link>
            <Beside record={record} keyword={keyword} match={match} />
          </li>
        ))}
      </ul>
      {(group.more || group.begins) && (
        <p className={styles.more}>
          {group.begins && <span>{t('search.begins')}</span>}
          {group.more && list && <Link to={list}>{t('search.moreOf', { name })}</Link>}
          {group.more && !list && <span>{t('search.narrow')}</span>}
        </p>
      )}
    </section>
  )
}

function Beside({ record, keyword, match }: { record: SearchRecord; keyword: string; match: Match }) {
  const text = record.detail ?? (record.number === record.name ? null : record.number)
  return (
    <>
      {text && (
        <span className={styles.number} title={text}>
          <Highlight text={text} positions={foundPart(text, keyword, match)} />
        </span>
      )}
      {record.createdTime && <Ago time={record.createdTime} className={styles.time} />}
    </>
  )
}
