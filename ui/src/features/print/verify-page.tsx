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
    <div className={styles.page}>
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
    </div>
  )
}

const looks = {
  genuine: ['check', 'good'],
  forged: ['close', 'bad'],
  unknown: ['alert', 'warn'],
} as const satisfies Record<PrintVerified['status'], [IconName, string]>

function Answer({ of }: { of: PrintVerified }) {
  const t = useText()
  const [icon, look] = looks[of.status]
  const text = of.status === 'genuine' && !of.visible ? 'hidden' : (`${of.status}Text` as const)
  return (
    <>
      <div className={styles.status} data-look={look} role="status">
        <Icon name={icon} size={24} />
        <div>
          <h2>{t(`print.verify.${of.status}`)}</h2>
          <p>{t(`print.verify.${text}`)}</p>
        </div>
      </div>
      {of.visible && <Proof of={of} />}
    </>
  )
}

function Proof({ of }: { of: PrintVerified }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const navigate = useNavigate()
  const { schemaCode = '', objectId = '', differences = [], gone = 0 } = of
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('print.verify.record')}>{of.recordName || objectId}</Fact>
        <Fact name={t('print.verify.template')}>
          {localName({ name: of.templateName ?? '', name_i18n: of.templateName_i18n ?? {} }, locale)}
        </Fact>
        <Fact name={t('print.verify.printed')}>
          {formatInstant(of.printedTime ?? '', 'yyyy-MM-dd HH:mm:ss', context)}
        </Fact>
        <Fact name={t('print.verify.by')}>{of.printedBy}</Fact>
        <Fact name={t('print.verify.how')}>{t(`print.how.${of.how ?? 'paper'}`)}</Fact>
        <Fact name={t('print.verify.version')}>{of.versionTime}</Fact>
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
          <div className={styles.status} data-look="warn">
            <Icon name="alert" size={20} />
            <h2>{t('print.verify.changed', { count: differences.length })}</h2>
          </div>
          <Differences of={differences} />
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

function Differences({ of }: { of: PrintDifference[] }) {
  const t = useText()
  const locale = useLocale()
  return (
    <table className={styles.differences}>
      <thead>
        <tr>
          <th>{t('print.verify.property')}</th>
          <th>{t('print.verify.paper')}</th>
          <th>{t('print.verify.now')}</th>
        </tr>
      </thead>
      <tbody>
        {of.map((one) => (
          <tr key={one.code}>
            <th scope="row">{localName(one, locale)}</th>
            <td data-name={t('print.verify.paper')}>
              {one.rows ? t('print.verify.rows', { count: one.rows.before }) : <Value of={one.before} />}
            </td>
            <td data-name={t('print.verify.now')}>
              {one.rows ? (
                t('print.verify.rowsChanged', { count: one.rows.after, changed: one.rows.changed })
              ) : (
                <Value of={one.after} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ of }: { of: string }) {
  const t = useText()
  return of === '' ? <span className={styles.empty}>{t('print.verify.empty')}</span> : of
}
