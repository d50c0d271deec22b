import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { Failure } from '@/sdk/failure'
import { useText } from '../use-text'
import { type Named, type SavedUse, type UsePlace, type UsingDocument, usesQuery } from './api'
import { TextDialog } from './text-dialog'
import styles from './uses.module.css'

/** So many places of a document are shown before the reader asks for all. */
const FEW = 8

/** What names something: documents with the lines in which they do, and scripts that may. */
export function Uses(of: Named) {
  const t = useText()
  const { data, error, refetch } = useQuery(usesQuery(of))
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 5 }} />
  const sure = data.documents.filter((one) => one.places[0]?.how !== 'possible')
  const maybe = data.documents.filter((one) => one.places[0]?.how === 'possible')
  const listed = data.documents.flatMap((one) => one.places).filter((one) => one.how !== 'definition').length
  const drafts = data.drafts.map((one) => `${one.pack}/${one.path}`)
  return (
    <div className={styles.uses}>
      <p role="status" className={styles.count}>
        {data.count + data.elsewhere === 0 ? t('uses.none') : t('uses.count', { count: data.count })}
        {data.elsewhere > 0 && ` ${t('uses.elsewhere', { count: data.elsewhere })}`}
      </p>
      {drafts.length > 0 && <p className={styles.hint}>{t('uses.drafts', { names: drafts.join(', ') })}</p>}
      {data.problems.length > 0 && (
        <Alert type="warning" showIcon title={t('uses.problems', { count: data.problems.length })} />
      )}
      {data.saved.length > 0 && <SavedUses of={data.saved} />}
      {sure.map((one) => (
        <UsingPlaces key={`${one.pack}/${one.path}`} of={one} />
      ))}
      {maybe.length > 0 && (
        <section aria-label={t('uses.maybe')}>
          <p className={styles.title}>{t('uses.maybe')}</p>
          <p className={styles.hint}>{t('uses.maybeHint')}</p>
          {maybe.map((one) => (
            <UsingPlaces key={`${one.pack}/${one.path}`} of={one} />
          ))}
        </section>
      )}
      {listed < data.count && <p className={styles.hint}>{t('uses.notAll', { count: data.count - listed })}</p>}
    </div>
  )
}

/** So many names of people are in an answer at most. */
const MOST_NAMED = 20

/** What people saved, were given or entered, counted; whose it is for who administers everything. */
function SavedUses({ of }: { of: SavedUse[] }) {
  const t = useText()
  return (
    <section aria-label={t('uses.savedTitle')}>
      <p className={styles.title}>{t('uses.savedTitle')}</p>
      <ul className={styles.saved}>
        {of.map(({ what, in: property, count, who }) => {
          const names = who?.join(', ')
          return (
            <li key={`${what} ${property}`}>
              {t(`uses.saved.${what}`, { count, name: property })}
              {names && ` (${who && who.length >= MOST_NAMED ? t('uses.savedMore', { names }) : names})`}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Where the editor of a document is; null: it has none here. */
function editorOf({ opens, pack, path }: UsingDocument): string | null {
  const code = path.replace(/^.*\//, '').replace(/\.[^.]*$/, '')
  switch (opens) {
    case 'workflow':
    case 'print':
      return `/${opens}-design/${encodeURIComponent(pack)}/${encodeURIComponent(code)}`
    case 'portal':
      return `/portal-design/${encodeURIComponent(code)}?${new URLSearchParams({ appCode: pack })}`
    case 'role':
      return `/rights/role?${new URLSearchParams({ pack, code })}`
    default:
      return null
  }
}

/** A document with the lines that name something. */
export function UsingPlaces({ of }: { of: UsingDocument }) {
  const t = useText()
  const locale = useLocale()
  const [all, setAll] = useState(false)
  const [line, setLine] = useState<number | null>(null)
  const name = localName({ name: of.label.zh, name_i18n: of.label.i18n ?? {} }, locale)
  const address = editorOf(of)
  const places = all ? of.places : of.places.slice(0, FEW)
  return (
    <article className={styles.document} aria-label={name}>
      <header>
        <p className={styles.name} title={name}>
          {address === null ? (
            name
          ) : (
            <a href={address} target="_blank" rel="noopener">
              {name}
            </a>
          )}
        </p>
        <span title={of.path}>
          {[
            of.kind && t(`uses.kinds.${of.kind}` as 'uses.kinds.model'),
            of.pack ? `${of.pack}/${of.path}` : t('uses.program'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </header>
      <ul>
        {places.map((one) => (
          <li key={`${one.line}:${one.column}:${one.how}:${one.pointer}`}>
            <Place of={one} name={name} address={address} {...(of.opens === 'text' && { onOpen: setLine })} />
          </li>
        ))}
      </ul>
      {places.length < of.places.length && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          {t('uses.all', { count: of.places.length })}
        </Button>
      )}
      {line !== null && (
        <TextDialog pack={of.pack} path={of.path} name={name} line={line} onClose={() => setLine(null)} />
      )}
    </article>
  )
}

interface PlaceProps {
  of: UsePlace
  name: string
  address: string | null
  onOpen?: (line: number) => void
}

/** A line with the name marked in it; it leads to its document. */
function Place({ of, name, address, onOpen }: PlaceProps) {
  const t = useText()
  const end = of.from + of.written.length
  const what = (
    <>
      <span className={styles.line}>{of.line > 0 ? of.line : ''}</span>
      <code>
        {of.text === '' ? (
          t('uses.whole')
        ) : (
          <>
            {of.text.slice(0, of.from)}
            <mark>{of.text.slice(of.from, end)}</mark>
            {of.text.slice(end)}
          </>
        )}
      </code>
      {of.how === 'definition' && <span className={styles.how}>{t('uses.definition')}</span>}
    </>
  )
  if (address !== null)
    return (
      <a
        className={styles.place}
        href={address}
        target="_blank"
        rel="noopener"
        title={t('uses.openLine', { name, line: of.line })}
      >
        {what}
      </a>
    )
  if (onOpen)
    return (
      <button
        type="button"
        className={styles.place}
        title={t('uses.openLine', { name, line: of.line })}
        onClick={() => onOpen(of.line)}
      >
        {what}
      </button>
    )
  return <div className={styles.place}>{what}</div>
}
