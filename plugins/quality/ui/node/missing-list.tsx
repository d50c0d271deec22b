import { packPost, useFeedback, useOpenRecord } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { codes } from '../codes'
import { authorityQuery, processesQuery, type QbsNode, sheetsQuery } from '../shared/api'
import {
  type DueConsent,
  type DueList,
  type DueSheet,
  type Missing,
  missingText,
  rolesText,
  sheetFor,
} from '../shared/due'
import look from '../shared/look.module.css'
import { texts } from '../texts'
import { ReleaseDialog } from './due-dialogs'
import { ByOthers, useFill, waitsFor } from './process-list'

interface Props {
  node: Pick<QbsNode, 'id' | 'title'>
  due: DueList
}

/** What a node lacks, by name, each with the way to it: the sheet that answers it, the release, or who has to act. */
export function MissingList({ node, due }: Props) {
  const t = texts.useText()
  const [asked, setAsked] = useState<DueConsent | null>(null)
  return (
    <>
      <ul className={look.missing} aria-label={t('due.missing', { count: due.missing.length })}>
        {due.missing.map((one) => (
          <li key={`${one.what} ${one.key ?? ''} ${one.kind ?? ''}`} className={look.sheet}>
            <span className={look.sheetTitle}>
              {missingText(one)}
              {one.workflow && <span className={look.faint}> · {t('due.needsWorkflow')}</span>}
              {one.claimed && <span className={look.faint}> · {t('due.claimed')}</span>}
            </span>
            <Way node={node} due={due} missing={one} onRelease={setAsked} />
          </li>
        ))}
      </ul>
      {asked && <ReleaseDialog node={node} consent={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

interface WayProps extends Props {
  missing: Missing
  onRelease: (consent: DueConsent) => void
}

function Way({ node, due, missing, onRelease }: WayProps) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  if (missing.what === 'CONSENT') {
    const consent = due.consents.find(({ code }) => code === missing.key)
    if (!consent?.mayRelease)
      return <span className={look.faint}>{t('due.byWhom', { who: rolesText(missing.roles ?? []) })}</span>
    return (
      <Button
        size="small"
        type="primary"
        aria-label={`${t('due.release')} ${consent.title}`}
        onClick={() => onRelease(consent)}
      >
        {t('due.release')}
      </Button>
    )
  }
  if (missing.what === 'ORDER')
    return due.may.change ? (
      <Button
        size="small"
        onClick={() =>
          openRecord({
            schemaCode: codes.dueChange,
            relation: { propertyCode: codes.qbsId, id: node.id },
            given: {
              [codes.what]: 'ORDER',
              [codes.effect]: 'LEAVE_OUT',
              ...(missing.sheet
                ? { [codes.schemaCode]: missing.key }
                : { [codes.jbsId]: { id: missing.key, name: missing.name } }),
            },
          })
        }
      >
        {t('due.acceptOrder')}
      </Button>
    ) : null
  if (missing.what === 'SET' || missing.what === 'SHARE') return null
  return <FillWay node={node} due={due} missing={missing} />
}

/** The way to a sheet: it is begun where there is none yet, opened where there is one, and never offered to those who may not fill it in. */
function FillWay({ node, due, missing }: Props & { missing: Missing }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const fill = useFill()
  const processes = useQuery(processesQuery(node.id))
  const own = useQuery(sheetsQuery(node.id))
  const kinds = useQuery(authorityQuery(node.id)).data?.kinds
  if (!processes.data || !own.data || !kinds) return null
  const kind = missing.kind ?? ''
  if (missing.what !== 'SHEET' && !kinds.includes(kind))
    return <span className={look.faint}>{t(`due.recordedBy.${kind}` as never)}</span>
  const name = missingText(missing)
  const sheet = sheetFor(missing, codes.record, processes.data, own.data, due.kinds)
  // Several sheets of one model may be due, each of its kind: who fills in one does not fill in all.
  const may = missing.what !== 'SHEET' || due.sheets.some((one) => isOf(one, missing) && one.mayBegin)
  const others = <ByOthers kind={kind} />
  if (!sheet) return may ? <BindWay node={node} missing={missing} name={name} /> : others
  if (missing.what === 'SHEET' && sheet.bizObjectId)
    return (
      <Button
        size="small"
        aria-label={`${t('due.openSheet')} ${name}`}
        onClick={() => openRecord({ schemaCode: sheet.schemaCode, id: sheet.bizObjectId ?? '' })}
      >
        {t('due.openSheet')}
      </Button>
    )
  // A sheet that cannot begin yet is no way: what comes before it is.
  const process = processes.data.find(({ biz }) => biz.some(({ id }) => id === sheet.id))
  if (process?.status === 'LOCKED') {
    const names = waitsFor(process, processes.data).join('、') || t('earlier')
    return <span className={look.faint}>{t('waitsFor', { names })}</span>
  }
  if (!may || sheet.mayFill === false) return others
  return (
    <Button size="small" aria-label={`${t('due.begin')} ${name}`} onClick={() => fill(node, sheet)}>
      {t('due.begin')}
    </Button>
  )
}

const isOf = (sheet: DueSheet, { key, kind = '' }: Missing) => sheet.schemaCode === key && sheet.bizKind === kind

/** Begins what is due and bound nowhere at the node: it is bound first, as the set says. */
function BindWay({ node, missing, name }: { node: Props['node']; missing: Missing; name: string }) {
  const t = texts.useText()
  const say = useFeedback()
  const fill = useFill()
  const own = useQuery(sheetsQuery(node.id))
  const bind = useMutation({
    mutationFn: async () => {
      const schemaCode = missing.what === 'SHEET' ? (missing.key ?? '') : codes.record
      const kind = missing.kind ? { kind: missing.kind } : {}
      const { id } = await packPost<{ id: string }>('/api/quality/v2/qbs/due/bind', {
        qbsId: node.id,
        schemaCode,
        ...kind,
      })
      return (await own.refetch()).data?.find((one) => one.id === id)
    },
    onSuccess: (sheet) => sheet && fill(node, sheet),
    onError: say.error,
  })
  return (
    <Button
      size="small"
      aria-label={`${t('due.begin')} ${name}`}
      loading={bind.isPending}
      onClick={() => bind.mutate()}
    >
      {t('due.begin')}
    </Button>
  )
}
