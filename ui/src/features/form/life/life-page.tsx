import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { FormLoad } from '@/api/types'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { lostOf } from '@/sdk/lost'
import { recordPath } from '@/sdk/record-link'
import { useRecycle } from '@/sdk/recycle'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { ReadForm } from '../fields/read-form'
import { useLayout } from '../fields/use-layout'
import styles from '../form.module.css'
import { useRecord } from '../record/use-record'
import { earlierQuery, type Moment } from './api'
import life from './life.module.css'

interface Props {
  schemaCode: string
  sheetCode?: string | undefined
  queryCode?: string | undefined
  objectId: string
  moment: Moment
  inDrawer: boolean
  onClose: () => void
}

/** A record as it was, to read: an earlier version with a way to bring it back, or one of the recycle bin. */
export function LifePage(props: Props) {
  const t = useText()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const { data, error } = useQuery(earlierQuery(props.schemaCode, props.sheetCode, props.objectId, props.moment))
  if (lostOf({ data, error }))
    return (
      <div className={styles.center}>
        <Notice
          page
          role="alert"
          icon="alert"
          title={t('form.failedTitle')}
          text={errorText(error)}
          note={requestNote(error)}
          actions={<Button onClick={props.onClose}>{t('common.close')}</Button>}
        />
      </div>
    )
  if (!data)
    return (
      <div className={styles.page}>
        <div className={styles.body}>
          <div className={styles.inner}>
            <Skeleton active title={false} paragraph={{ rows: 10 }} />
          </div>
        </div>
      </div>
    )
  return 'recycled' in props.moment ? <Recycled {...props} load={data} /> : <Earlier {...props} load={data} />
}

type Shown = Props & { load: FormLoad }

function Earlier({ load, ...props }: Shown) {
  const t = useText()
  const context = useTextContext()
  const navigate = useNavigate()
  const { state } = useLocation()
  const { schemaCode, sheetCode, queryCode, objectId } = props
  const { version = 0, userName = null, time: wrote = null } = load.snapshot ?? {}
  const now = { schemaCode, sheetCode: sheetCode ?? null, queryCode: queryCode ?? null, id: objectId }
  const asked = 'at' in props.moment ? props.moment.at : wrote
  return (
    <Frame
      load={load}
      inDrawer={props.inDrawer}
      title={
        asked
          ? t('life.asOf', { time: formatInstant(asked, 'yyyy-MM-dd HH:mm:ss', context) })
          : t('life.asOfVersion', { version })
      }
      note={userName ? t('life.asOfBy', { version, name: userName }) : t('life.asOfNote', { version })}
      tools={
        <>
          <Button onClick={() => navigate(recordPath(now), { replace: true, state })}>{t('life.current')}</Button>
          {load.actions.includes('revert') && (
            <Tooltip title={t('life.revertHint')}>
              <Button
                type="primary"
                onClick={() => navigate(recordPath({ ...now, edit: true, revert: version }), { replace: true, state })}
              >
                {t('life.revert')}
              </Button>
            </Tooltip>
          )}
        </>
      }
    />
  )
}

function Recycled({ load, ...props }: Shown) {
  const t = useText()
  const context = useTextContext()
  const { restore, purge } = useRecycle(props.schemaCode)
  const { time = null, userName = null, daysLeft = null } = load.snapshot ?? {}
  const name = load.name || (load.id ?? '')
  const names = new Map([[props.objectId, name]])
  const when = time && formatInstant(time, 'yyyy-MM-dd HH:mm', context)
  const note = [
    when && userName
      ? t('life.deletedBy', { name: userName, time: when })
      : when
        ? t('life.deletedAt', { time: when })
        : userName && t('life.by', { name: userName }),
    daysLeft !== null && (daysLeft > 0 ? t('life.daysLeft', { count: daysLeft }) : t('life.lastDay')),
  ].filter(Boolean)
  return (
    <Frame
      load={load}
      inDrawer={props.inDrawer}
      title={t('life.inBin')}
      note={note.join(context.locale === 'zh' ? '，' : ', ')}
      tools={
        <>
          <Button danger onClick={() => purge([props.objectId], names, props.onClose)}>
            {t('life.purge')}
          </Button>
          <Button
            type="primary"
            onClick={() => void restore([props.objectId], names).then((done) => done > 0 && props.onClose())}
          >
            {t('life.restore')}
          </Button>
        </>
      }
    />
  )
}

interface FrameProps {
  load: FormLoad
  inDrawer: boolean
  title: string
  note: string
  tools: ReactNode
}

const nothing = () => {}

function Frame({ load, inDrawer, title, note, tools }: FrameProps) {
  const locale = useLocale()
  const record = useRecord(load, nothing)
  const layout = useLayout(load, record, undefined)
  const modelName = localName({ name: load.form.modelName, name_i18n: load.form.modelName_i18n }, locale)
  const name = load.name || modelName
  usePageTitle(name)
  return (
    <div className={styles.page}>
      <header className={styles.head} data-drawer={inDrawer || undefined}>
        <h1 className={styles.title} title={name}>
          {name}
          <small>{modelName}</small>
        </h1>
      </header>
      <div className={styles.body}>
        <div className={styles.inner}>
          <Alert
            className={life.banner ?? ''}
            type="info"
            showIcon
            title={title}
            description={note || undefined}
            action={<span className={life.tools}>{tools}</span>}
          />
          <ReadForm load={load} record={record} layout={layout} />
        </div>
      </div>
    </div>
  )
}
