import { useQuery } from '@tanstack/react-query'
import { Button, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { findChoices } from '@/lib/find-choice'
import { usePageTitle } from '@/lib/page-title'
import { useHeldPhone } from '@/lib/use-held'
import { useMatcher } from '@/lib/use-matcher'
import { useSearch, withParams } from '@/lib/use-search'
import { Failure } from '@/sdk/failure'
import { lostOf } from '@/sdk/lost'
import { type Kind, namesQuery, type Thing } from '@/sdk/names/api'
import { Uses } from '@/sdk/names/uses'
import { SplitPage } from '@/sdk/split-page'
import { useText } from '@/sdk/use-text'
import styles from './names.module.css'
import { RecodeDialog } from './recode-dialog'

/** So many names are drawn; more are found by typing. */
const MOST = 200

/** What an application has that has a name, and what uses the one that is chosen. */
export function NamesPage() {
  const t = useText()
  const { appCode = '' } = useParams()
  const [search, setSearch] = useSearch()
  const { data, error, refetch } = useQuery(namesQuery(appCode))
  const locale = useLocale()
  const [recoding, setRecoding] = useState(false)
  usePageTitle(t('uses.pageOf', { name: appCode }))
  const [kind, name] = [search.get('kind'), search.get('name')]
  const only = search.get('only') as Kind | null // what the list is narrowed to, which choosing leaves as it is
  const chosen = data?.find((one) => one.kind === kind && one.name.toLowerCase() === name?.toLowerCase())
  const Heading = useHeldPhone() ? 'h1' : 'h2' // a phone shows nothing above it
  const back = `/admin/applications/${encodeURIComponent(appCode)}`
  if (lostOf({ data, error }))
    return (
      <Failure
        page
        error={error}
        who={t('application.forbidden')}
        onRetry={refetch}
        actions={<Link to="/admin/applications">{t('application.back')}</Link>}
      />
    )
  return (
    <SplitPage
      title={t('uses.page')}
      beside={
        <Link to={back} className={styles.back}>
          <Icon name="left" size={14} />
          {appCode}
        </Link>
      }
      sideLabel={t('uses.names')}
      chosen={name !== null}
      onBack={() => setSearch((now) => withParams(now, { kind: null, name: null }))}
      side={
        data ? (
          <Things
            things={data}
            kind={only}
            chosen={chosen}
            onKind={(next) => setSearch((now) => withParams(now, { only: next }), { replace: true })}
            onChoose={(one) => setSearch((now) => withParams(now, { kind: one.kind, name: one.name }))}
          />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 16 }} />
        )
      }
    >
      <div className={styles.main}>
        {name === null && <p className={styles.hint}>{t('uses.choose')}</p>}
        {name !== null && (
          <>
            <Heading className={styles.chosen}>
              {chosen ? chosen.label.i18n?.[locale] || chosen.label.zh : name}
              <small>{name}</small>
              {chosen?.own && (
                <Button size="small" onClick={() => setRecoding(true)}>
                  {t('uses.recode')}
                </Button>
              )}
            </Heading>
            {chosen && recoding && (
              <RecodeDialog
                appCode={appCode}
                thing={chosen}
                onDone={(next) => setSearch((now) => withParams(now, { name: next }), { replace: true })}
                onClose={() => setRecoding(false)}
              />
            )}
            <Uses key={`${kind}/${name}`} appCode={appCode} kind={kind as Kind} name={name} />
          </>
        )}
      </div>
    </SplitPage>
  )
}

interface ThingsProps {
  things: Thing[]
  kind: Kind | null
  chosen: Thing | undefined
  onKind: (kind: Kind | null) => void
  onChoose: (one: Thing) => void
}

function Things({ things, kind, chosen, onKind, onChoose }: ThingsProps) {
  const t = useText()
  const locale = useLocale()
  const [text, setText] = useState('')
  const match = useMatcher(text !== '')
  const kinds = [...new Set(things.map((one) => one.kind))]
  const label = (one: Thing) => one.label.i18n?.[locale] || one.label.zh
  const found = findChoices(
    things.filter((one) => kind === null || one.kind === kind),
    text,
    (one) => ({
      names: [one.label.zh, ...Object.values(one.label.i18n ?? {})],
      code: one.name.replace(/^.*\./, ''),
      more: [one.name],
    }),
    match,
  )
  if (things.length === 0) return <p className={styles.none}>{t('uses.noNames')}</p>
  return (
    <>
      <search className={styles.find}>
        <Choice
          aria-label={t('uses.kind')}
          placeholder={t('uses.allKinds')}
          allowClear
          value={kind}
          options={kinds.map((one) => ({ value: one, label: t(`uses.kinds.${one}`) }))}
          onChange={(value: Kind | undefined) => onKind(value ?? null)}
        />
        <Input
          aria-label={t('uses.search')}
          placeholder={t('uses.search')}
          allowClear
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </search>
      <ul className={styles.things} aria-label={t('uses.names')}>
        {found.slice(0, MOST).map((one) => (
          <li key={`${one.kind} ${one.name}`}>
            <button type="button" aria-current={one === chosen ? 'true' : undefined} onClick={() => onChoose(one)}>
              <span title={label(one)}>{label(one)}</span>
              <small title={one.name}>{`${t(`uses.kinds.${one.kind}`)} · ${one.name}`}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>{t('uses.noMatch')}</p>}
      {found.length > MOST && <p className={styles.none}>{t('uses.narrow', { count: found.length - MOST })}</p>}
    </>
  )
}
