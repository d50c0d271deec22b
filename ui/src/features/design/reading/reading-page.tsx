import { useMemo, useState } from 'react'
import { useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { usePageTitle } from '@/lib/page-title'
import { useText } from '@/sdk/use-text'
import { checkDocument, nameOf } from '../shared/api'
import { Designer } from '../shared/designer'
import { type Bag, isBag } from '../shared/json'
import { type Beginning, OpenDocument } from '../shared/open-document'
import { useDesigner } from '../shared/use-designer'
import { chartsOf, dataSetsOf, itemsOf, type Line, type NameOf } from './outline'
import styles from './reading.module.css'

const KINDS = ['report', 'dictionary'] as const
type Kind = (typeof KINDS)[number]

const addressOf = (kind: Kind, appCode: string, code: string) =>
  `/document/${kind}/${encodeURIComponent(appCode)}/${encodeURIComponent(code)}`

/** A document that is kept in files, for those who administer its application: what is in it, and its source. */
export function ReadingPage() {
  const t = useText()
  const { kind = '', appCode = '', code = '' } = useParams()
  const known = KINDS.find((one) => one === kind)
  const of = useMemo(() => known && nameOf(known, code, appCode), [known, code, appCode])
  usePageTitle(code)
  if (!known || !of) return <Notice page icon="alert" title={t('desk.notThere')} />
  return (
    <OpenDocument
      key={`${kind}/${code}`}
      of={of}
      draws={isBag}
      refusal={t('desk.cannotDraw')}
      empty={() => null}
      address={`/admin/applications/${encodeURIComponent(appCode)}`}
    >
      {(beginning) => <Reading kind={known} appCode={appCode} beginning={beginning} />}
    </OpenDocument>
  )
}

function Reading({ kind, appCode, beginning }: { kind: Kind; appCode: string; beginning: Beginning<Bag> }) {
  const t = useText()
  const locale = useLocale()
  const { code, appLabel } = beginning.opened
  const doc = useDesigner({ ...beginning, draws: isBag, check: checkDocument, address: addressOf(kind, appCode, code) })
  const [view, setView] = useState<'content' | 'source'>('content')
  const nameIn: NameOf = ({ name, name_i18n }) => (locale === 'zh' ? name : name_i18n?.[locale] || name) ?? ''
  const named = doc.now as { name?: string; name_i18n?: Record<string, string> }
  const parts: [string, Line[]][] =
    kind === 'report'
      ? [
          [t('desk.dataSets'), dataSetsOf(doc.now, nameIn)],
          [t('desk.charts'), chartsOf(doc.now, nameIn)],
        ]
      : [[t('desk.items'), itemsOf(doc.now, nameIn)]]
  return (
    <Designer
      doc={doc}
      draws={isBag}
      refusal={t('desk.cannotDraw')}
      name={nameIn(named) || code}
      place={[appLabel ? appLabel.i18n?.[locale] || appLabel.zh : undefined]}
      views={[{ value: 'content' as const, label: t('desk.content') }]}
      view={view}
      onView={setView}
      problems={[]}
      onGo={() => {}}
      changes={(before, now) => (JSON.stringify(before) === JSON.stringify(now) ? [] : [t('desk.differs')])}
      note=""
      addressOf={(to) => addressOf(kind, appCode, to)}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrows scroll it */}
      <div className={styles.body} tabIndex={0}>
        {parts.map(([title, lines]) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <Lines lines={lines} />
          </section>
        ))}
      </div>
    </Designer>
  )
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map(({ name, facts, lines: below }) => (
        <li key={[name, ...facts].join('/')}>
          <span>{name}</span>
          {facts.map((one) => (
            <code key={one}>{one}</code>
          ))}
          {below.length > 0 && <Lines lines={below} />}
        </li>
      ))}
    </ul>
  )
}
