import { formatInstant, Pages, packPut, useFeedback, useTextContext } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { codes } from '../codes'
import { type LogEntry, logQuery } from '../shared/api'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { useOnce } from '../shared/use-once'
import { texts } from '../texts'

const SIZE = 20

/** What was done with a node, the latest first, and a remark of one's own. */
export function LogPart({ qbsId, mayRemark }: { qbsId: string; mayRemark: boolean }) {
  const t = texts.useText()
  const context = useTextContext()
  const say = useFeedback()
  const id = useId()
  const [page, setPage] = useState(0)
  const [remark, setRemark] = useState('')
  const log = useQuery(logQuery(qbsId, page))
  const add = useMutation({
    mutationFn: () => packPut('/api/quality/v2/qbs/log', { qbsId, action: 'remark', remark: remark.trim() }),
    onSuccess: () => {
      setRemark('')
      setPage(0)
    },
    onError: say.error,
  })
  const once = useOnce(add.isPending)
  const known: string[] = ['add', 'edit', 'delete', 'remark']
  return (
    <>
      {mayRemark && (
        <div className={look.form} style={{ marginBottom: 16 }}>
          <label htmlFor={id}>{t('remark')}</label>
          <Input.TextArea
            id={id}
            autoSize={{ minRows: 2, maxRows: 6 }}
            maxLength={2000}
            value={remark}
            onChange={(event) => setRemark(event.target.value)}
          />
          <span>
            <Button disabled={remark.trim() === ''} loading={add.isPending} onClick={() => once(() => add.mutate())}>
              {t('addRemark')}
            </Button>
          </span>
        </div>
      )}
      <Ready query={log}>
        {({ content, totalElements }) =>
          content.length === 0 ? (
            <p className={look.note}>{t('noLog')}</p>
          ) : (
            <>
              <ul className={look.log}>
                {content.map((entry) => (
                  <li key={entry.id}>
                    <p>
                      {known.includes(entry.action) ? t(`logAction.${entry.action}` as never) : entry.action}{' '}
                      <Thing entry={entry} />
                      <span className={look.faint}>
                        {entry.userName} · {formatInstant(entry.time, 'yyyy-MM-dd HH:mm', context)}
                      </span>
                    </p>
                    {entry.remark && <p>{entry.remark}</p>}
                    <Changes objectType={entry.objectType} before={entry.before} after={entry.after} />
                  </li>
                ))}
              </ul>
              {totalElements > SIZE && (
                <Pages
                  current={page + 1}
                  pageSize={SIZE}
                  total={totalElements}
                  showSizeChanger={false}
                  onChange={(next) => setPage(next - 1)}
                />
              )}
            </>
          )
        }
      </Ready>
    </>
  )
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    return text ? (JSON.parse(text) as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What an entry is about, where that is not the node itself. */
function Thing({ entry }: { entry: LogEntry }) {
  const t = texts.useText()
  if (!entry.objectType || entry.objectType === codes.node) return null
  const kind = LOGGED.includes(entry.objectType) ? t(`logObject.${entry.objectType}` as never) : entry.objectType
  const values = { ...parsed(entry.before), ...parsed(entry.after) }
  const name = NAMES.map((code) => values[code]).find((one) => typeof one === 'string' && one !== '')
  return (
    <>
      {kind} {name ? `${String(name)} ` : ''}
    </>
  )
}

const LOGGED = [
  codes.record,
  codes.ncr,
  codes.process,
  codes.binding,
  codes.relation,
  codes.settingOut,
  codes.workLog,
  codes.hiddenWork,
  codes.documentCheck,
  codes.appearanceCheck,
  codes.evaluation,
]
const NAMES = ['sequenceNo', 'part', 'title', 'sheetTitle', 'description', 'content']

/** What people write themselves; the rest follows from it. */
const TOLD = [
  'name',
  'code',
  'nodeType',
  'stationFrom',
  'stationTo',
  'drawingNo',
  'planStart',
  'planFinish',
  'concession',
  'status',
  'level',
  'deadline',
  'result',
  'reviewResult',
] as const

const TOLD_OF_NCR: readonly string[] = ['status', 'level', 'deadline', 'result', 'reviewResult']

export function Changes({ objectType, before, after }: Pick<LogEntry, 'objectType' | 'before' | 'after'>) {
  const t = texts.useText()
  const was = parsed(before)
  const is = parsed(after)
  const ofNcr = objectType === codes.ncr
  const lines = TOLD.filter(
    (code) =>
      TOLD_OF_NCR.includes(code) === ofNcr && is[code] !== undefined && is[code] !== null && is[code] !== was[code],
  )
  const signatures = (of: Record<string, unknown>) => (Array.isArray(of.concessionBy) ? of.concessionBy.length : 0)
  const signed = is.concessionBy === undefined ? 0 : signatures(is) - signatures(was)
  if (lines.length === 0 && signed === 0) return null
  const word = (code: string, value: unknown) => {
    if (code === 'nodeType') return t(`level.${String(value)}` as never)
    if (code === 'concession') return t(value === true ? 'yes' : 'no')
    if (code === 'status') return t(`ncrStatus.${String(value)}` as never)
    return code === 'level' ? t(`ncrLevel.${String(value)}` as never) : String(value)
  }
  return (
    <p className={look.faint}>
      {signed !== 0 && t(signed > 0 ? 'concessionSign' : 'concessionUnsign')}
      {signed !== 0 && lines.length > 0 && t('comma')}
      {lines
        .map((code) => {
          const old = was[code]
          const now = word(code, is[code])
          const name = t(`logField.${code}`)
          return old ? t('logChange', { name, from: word(code, old), to: now }) : t('logSet', { name, to: now })
        })
        .join(t('comma'))}
    </p>
  )
}
