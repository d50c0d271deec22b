import { useQuery } from '@tanstack/react-query'
import { Input, Skeleton } from 'antd'
import { Choice } from '@/components/choice'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { usePageTitle } from '@/lib/page-title'
import { useSearch, withParams } from '@/lib/use-search'
import { Failure, Forbidden } from '@/sdk/failure'
import { audits, useMe } from '@/sdk/me'
import { PageHead } from '@/sdk/page-head'
import { Rows } from '@/sdk/rows'
import { useText } from '@/sdk/use-text'
import { type ErrorCode, errorsQuery } from './api'
import styles from './operation.module.css'

const FAMILIES = [
  'general',
  'organization',
  'data',
  'workflow',
  'service',
  'application',
  'permission',
  'system',
  'task',
  'unknown',
] as const

/** The statuses that have advice of their own; the others are advised by their class. */
const ADVISED = [400, 401, 403, 404, 409, 410, 413, 415, 422, 423, 429, 500, 503, 507] as const

function adviceOf(status: number) {
  const advised = ADVISED.find((one) => one === status) ?? (status >= 500 ? 500 : 400)
  return `s${advised}` as const
}

/** Finds the codes whose number begins with what is typed, or whose texts or key hold all of its words. */
export function findCodes(codes: ErrorCode[], typed: string, family: string | undefined): ErrorCode[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return codes.filter((one) => {
    if (family && one.family !== family) return false
    const text = `${one.zh} ${one.en} ${one.key}`.toLowerCase()
    return words.every((word) => (/^\d+$/.test(word) && String(one.code).startsWith(word)) || text.includes(word))
  })
}

/** A text with its places as they look when nobody filled them. */
const shown = (text: string) => text.replace(/\{\d+\|[^|}]*\|([^}]*)\}/g, '$1').replace(/\{\d+[^}]*\}/g, '…')

/** Looks up what an error code means and what to do about it. */
export function ErrorPage() {
  const t = useText()
  usePageTitle(t('codes.title'))
  const me = useMe()
  if (!me) return null
  if (!audits(me)) return <Forbidden page who={t('codes.forbidden')} />
  return (
    <div className={styles.page}>
      <PageHead icon="search" title={t('codes.title')} hint={t('codes.hint')} />
      <Codes />
    </div>
  )
}

function Codes() {
  const t = useText()
  const languages = useLocale() === 'en' ? (['en', 'zh'] as const) : (['zh', 'en'] as const)
  const [search, setSearch] = useSearch()
  const { data, error, refetch } = useQuery(errorsQuery)
  const typed = search.get('q') ?? ''
  const family = search.get('family') ?? undefined
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((now) => withParams(now, changes), { replace: true })
  const found = findCodes(data ?? [], typed, family)
  const number = /^\d{1,6}$/.test(typed.trim()) ? typed.trim() : null
  return (
    <>
      <search className={styles.filters}>
        <Input
          type="search"
          className={styles.search ?? ''}
          allowClear
          aria-label={t('codes.search')}
          placeholder={t('codes.search')}
          defaultValue={typed}
          onChange={(event) => set({ q: event.target.value })}
        />
        <Choice
          className={styles.filter ?? ''}
          allowClear
          aria-label={t('codes.family')}
          placeholder={t('codes.anyFamily')}
          value={family ?? null}
          options={FAMILIES.map((one) => ({ value: one as string, label: t(`codes.families.${one}`) }))}
          onChange={(value) => set({ family: value ?? undefined })}
        />
      </search>
      {error && !data && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {data && found.length === 0 && (
        <Notice
          icon="search"
          title={number?.length === 6 ? t('common.undefinedCode', { code: number }) : t('codes.none')}
          text={number?.length === 6 ? t('codes.noneText') : undefined}
        />
      )}
      {found.length > 0 && (
        <>
          <p className={styles.note} role="status">
            {t('codes.found', { count: found.length })}
          </p>
          <Rows
            label={t('codes.title')}
            rows={found}
            id={(one) => String(one.code)}
            columns={[
              { title: t('codes.code'), main: true, of: (one) => <span className="tabular">{one.code}</span> },
              { title: t('codes.family'), of: (one) => t(`codes.families.${one.family}`) },
              {
                title: t('codes.text'),
                wide: true,
                of: (one) => (
                  <span>
                    {languages.map((lang, i) => (
                      <span key={lang} className={i > 0 ? styles.more : undefined} lang={lang}>
                        {shown(one[lang])}
                      </span>
                    ))}
                  </span>
                ),
              },
              { title: t('codes.status'), figure: true, of: (one) => one.status },
              {
                title: t('codes.advice'),
                wide: true,
                of: (one) => t(`codes.advices.${adviceOf(one.status)}`),
              },
            ]}
          />
        </>
      )}
    </>
  )
}
