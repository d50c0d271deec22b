import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Icon, type IconName } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useSearch } from '@/lib/use-search'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { recordPath } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type PrintDifference, type PrintVerified, verifyQuery } from './api'
import styles from './verify.module.css'

/** What the code on a sheet of paper says (route /print/verify): the page that a phone opens when it reads the code. */
export function VerifyPage() {
  const t = useText()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const [search] = useSearch()
  const { data, error, refetch } = useQuery(verifyQuery(search.get('code') ?? ''))
  usePageTitle(t('print.verify.title'))
  return (
    <main className={styles.page}>
      <section className={styles.card}>
        <h1>{t('print.verify.title')}</h1>
        {error ? (
          <Notice
            role="alert"
            icon="alert"
            title={t('print.verify.failed')}
            text={errorText(error)}
            note={requestNote(error)}
            actions={
              <Button type="primary" onClick={() => void refetch()}>
                {t('common.retry')}
              </Button>
            }
          />
        ) : data ? (
          <Answer of={data} />
        ) : (
          <div role="status" aria-label={t('print.verify.loading')}>
            <Skeleton active />
          </div>
        )}
      </section>
    </main>
  )
}

const looks = {
  genuine: ['check', 'good'],
  changed: ['alert', 'warn'],
  unknown: ['close', 'bad'],
} as const satisfies Record<PrintVerified['status'], [IconName, string]>

function Answer({ of }: { of: PrintVerified }) {
  const t = useText()
  const [icon, look] = looks[of.status]
  return (
    <>
      <div className={styles.status} data-look={look} role="status">
        <Icon name={icon} size={24} />
        <div>
          <h2>{t(`print.verify.${of.status}`)}</h2>
          <p>{t(`print.verify.${of.status}Text`)}</p>
        </div>
      </div>
      {of.status !== 'unknown' && <Paper of={of} />}
      {of.visible && <Proof of={of} />}
    </>
  )
}

/** What the paper shows: everybody who holds it may compare. */
function Paper({ of }: { of: PrintVerified }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const { shown = [] } = of
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('print.verify.template')}>
          {localName({ name: of.templateName ?? '', name_i18n: of.templateName_i18n ?? {} }, locale)}
        </Fact>
        <Fact name={t('print.verify.printed')}>
          {formatInstant(of.printedTime ?? '', 'yyyy-MM-dd HH:mm:ss', context)}
        </Fact>
        {of.madeTime && of.madeTime !== of.printedTime && (
          <Fact name={t('print.verify.made')}>{formatInstant(of.madeTime, 'yyyy-MM-dd HH:mm:ss', context)}</Fact>
        )}
        {shown.map((one) => (
          <Fact key={one.code} name={localName(one, locale)}>
            {one.text}
          </Fact>
        ))}
      </dl>
      {shown.length > 0 && <p>{t('print.verify.compare')}</p>}
    </>
  )
}

function Proof({ of }: { of: PrintVerified }) {
  const t = useText()
  const context = useTextContext()
  const navigate = useNavigate()
  const { schemaCode = '', objectId = '', differences = [], gone = 0 } = of
  const instant = (at: string | null | undefined) => (at ? formatInstant(at, 'yyyy-MM-dd HH:mm:ss', context) : '')
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('print.verify.record')}>{of.recordName || objectId}</Fact>
        <Fact name={t('print.verify.by')}>{of.printedBy}</Fact>
        <Fact name={t('print.verify.how')}>{t(`print.how.${of.how ?? 'paper'}`)}</Fact>
        <Fact name={t('print.verify.version')}>{instant(of.versionTime)}</Fact>
        <Fact name={t('print.verify.current')}>{instant(of.currentTime)}</Fact>
      </dl>
      {gone > 0 && (
        <div className={styles.status} data-look="warn">
          <Icon name="alert" size={20} />
          <h2>{t('print.verify.gone', { count: gone })}</h2>
        </div>
      )}
      {differences.length === 0 && gone > 0 ? null : differences.length === 0 ? (
        <div className={styles.status} data-look="good">
          <Icon name="check" size={20} />
          <div>
            <h2>{t('print.verify.same')}</h2>
            <p>{t('print.verify.sameText')}</p>
          </div>
        </div>
      ) : (
        <>
          <Differences of={differences.filter((one) => one.onPaper)} title={t('print.verify.onPaper')} />
          <Differences of={differences.filter((one) => !one.onPaper)} title={t('print.verify.beside')} />
        </>
      )}
      <Button type="primary" onClick={() => void navigate(recordPath({ schemaCode, id: objectId }))}>
        {t('print.verify.open')}
      </Button>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Differences({ of, title }: { of: PrintDifference[]; title: string }) {
  const t = useText()
  const locale = useLocale()
  if (of.length === 0) return null
  return (
    <table className={styles.differences}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t('print.verify.property')}</th>
          <th scope="col">{t('print.verify.paper')}</th>
          <th scope="col">{t('print.verify.now')}</th>
        </tr>
      </thead>
      <tbody>
        {of.flatMap((one) => {
          const name = localName(one, locale)
          if (!one.rows) return [<Line key={one.code} name={name} before={one.before} after={one.after} />]
          const { before, after, cells } = one.rows
          return [
            ...cells.map((cell) => (
              <Line
                key={`${one.code}.${cell.row}.${cell.code}`}
                name={t('print.verify.cell', { table: name, row: cell.row, name: localName(cell, locale) })}
                before={cell.before}
                after={cell.after}
              />
            )),
            ...(before === after
              ? []
              : [
                  <Line
                    key={one.code}
                    name={name}
                    before={t('print.verify.rows', { count: before })}
                    after={t('print.verify.rows', { count: after })}
                  />,
                ]),
          ]
        })}
      </tbody>
    </table>
  )
}

function Line({ name, before, after }: { name: string; before: string; after: string }) {
  const t = useText()
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-name={t('print.verify.paper')}>
        <Value of={before} />
      </td>
      <td data-name={t('print.verify.now')}>
        <Value of={after} />
      </td>
    </tr>
  )
}

function Value({ of }: { of: string }) {
  const t = useText()
  return of === '' ? <span className={styles.empty}>{t('print.verify.empty')}</span> : of
}
