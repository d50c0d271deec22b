import { ApiError, ERROR, formatInstant, Notice, OptionDot, useOpenRecord, useTextContext } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { codes } from '../codes'
import type { QbsNode } from '../shared/api'
import {
  type DueChange,
  type DueConsent,
  type DueKind,
  type DueList,
  type DueSheet,
  dueQuery,
  kindText,
  missingLine,
  rolesText,
} from '../shared/due'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { shareOf } from '../shared/words'
import { texts } from '../texts'
import { KindOfWorkDialog, UpgradeButton } from './due-dialogs'
import { DueItems } from './due-items'
import { LibraryButton } from './due-library'
import { MissingList } from './missing-list'

type Node = Pick<QbsNode, 'id' | 'title'>

/** What is due of a node: what is missing first, then all that is asked of it and how far it is given, and what differs from the set. */
export function DuePart({ node }: { node: Node }) {
  const t = texts.useText()
  const due = useQuery(dueQuery(node.id))
  const refused = due.error instanceof ApiError && due.error.code === ERROR.Forbidden
  return (
    <section className={look.block} aria-label={t('due.title')}>
      <h3 className={look.heading}>{t('due.title')}</h3>
      {refused ? (
        <p className={look.note}>{t('due.hidden')}</p>
      ) : (
        <Ready query={due}>{(found) => <Found node={node} due={found} />}</Ready>
      )}
    </section>
  )
}

/** What a node lacks, on a page that shows no more of what is due; nothing where it lacks nothing or the caller may not know. */
export function MissingPart({ node }: { node: Node }) {
  const t = texts.useText()
  const { data } = useQuery(dueQuery(node.id))
  if (!data || data.missing.length === 0) return null
  return (
    <section aria-label={t('due.title')}>
      <h3 className={look.heading}>{t('due.missing', { count: data.missing.length })}</h3>
      <MissingList node={node} due={data} />
    </section>
  )
}

function Found({ node, due }: { node: Node; due: DueList }) {
  const t = texts.useText()
  const [choosing, setChoosing] = useState(false)
  const choose = (
    <Button size="small" onClick={() => setChoosing(true)}>
      {t(due.set ? 'due.chooseOther' : 'due.choose')}
    </Button>
  )
  const dialog = choosing && <KindOfWorkDialog node={node} onClose={() => setChoosing(false)} />
  if (!due.set)
    return (
      <>
        {due.missing.length > 0 ? (
          <Notice
            icon="alert"
            title={t('due.unset')}
            text={t(due.may.set ? 'due.unsetMay' : 'due.unsetWho')}
            actions={due.may.set ? choose : undefined}
          />
        ) : (
          <p className={look.note}>
            {t('due.nothingHere')} {due.may.set && choose}
          </p>
        )}
        {dialog}
      </>
    )
  return (
    <>
      <SetLine node={node} due={due} choose={due.may.set && !due.signed ? choose : null} />
      {due.missing.length > 0 ? (
        <>
          <p className={look.warn}>{t('due.missing', { count: due.missing.length })}</p>
          <MissingList node={node} due={due} />
        </>
      ) : (
        <p className={look.note}>{t('due.missingNone')}</p>
      )}
      <DueItems node={node} due={due} />
      {due.kinds.length > 0 && <h4 className={look.heading}>{t('due.records')}</h4>}
      {due.kinds.map((one) => (
        <KindLine key={one.recordKind} kind={one} />
      ))}
      {due.sheets.length > 0 && <h4 className={look.heading}>{t('due.sheets')}</h4>}
      {due.sheets.map((one) => (
        <SheetDueLine key={`${one.schemaCode} ${one.bizKind}`} sheet={one} />
      ))}
      {due.consents.length > 0 && <h4 className={look.heading}>{t('due.consents')}</h4>}
      {due.consents.map((one) => (
        <ConsentLine key={one.code} consent={one} />
      ))}
      {due.changes.length > 0 && <h4 className={look.heading}>{t('due.changes')}</h4>}
      {due.changes.map((one) => (
        <ChangeLine key={one.id} change={one} due={due} />
      ))}
      {dialog}
    </>
  )
}

/** The kind of work with its revision, and what may be done with it. */
function SetLine({ node, due, choose }: { node: Node; due: DueList; choose: ReactNode }) {
  const t = texts.useText()
  const set = due.set
  if (!set) return null
  const old = set.revision !== set.current && set.current > 0
  return (
    <div className={look.bar}>
      <span>
        {t(old ? 'due.revisionOf' : 'due.revision', { ...set })}
        {set.inherited && <span className={look.faint}> · {t('due.inherited')}</span>}
      </span>
      {due.changes.length > 0 && <span className={look.mark}>{t('due.changed', { count: due.changes.length })}</span>}
      {due.signed && <span className={look.faint}>{t('due.signedHold')}</span>}
      {old && due.may.set && !due.signed && <UpgradeButton node={node} set={set} />}
      {set.outdated !== null && set.outdated > 0 && <LibraryButton set={set} count={set.outdated} />}
      {choose}
    </div>
  )
}

/** A mark at what is asked otherwise than the set says. */
function Differs({ yes }: { yes: boolean }) {
  const t = texts.useText()
  return yes ? <span className={look.mark}>{t('due.differs')}</span> : null
}

function KindLine({ kind }: { kind: DueKind }) {
  const t = texts.useText()
  const enough = kind.have >= kind.need
  return (
    <div className={look.sheet}>
      <span className={look.sheetTitle}>
        {kindText(kind.recordKind)} <span className={look.faint}>{t(`due.judges.${kind.judges}` as never)}</span>{' '}
        {kind.share && <span className={look.faint}>{t('due.share', { share: shareOf(kind.share) })}</span>}{' '}
        {kind.workflowCode && <span className={look.faint}>· {t('due.needsWorkflow')}</span>}{' '}
        <Differs yes={kind.differs} />
      </span>
      <OptionDot label={t('due.have', { have: kind.have, need: kind.need })} color={enough ? 'green' : 'orange'} />
    </div>
  )
}

function SheetDueLine({ sheet }: { sheet: DueSheet }) {
  const t = texts.useText()
  return (
    <div className={look.sheet}>
      <span className={look.sheetTitle}>
        {sheet.title || sheet.schemaCode}{' '}
        {sheet.workflowCode && <span className={look.faint}>· {t('due.needsWorkflow')}</span>}{' '}
        <Differs yes={sheet.differs} />
      </span>
      <OptionDot label={t(sheet.done ? 'due.sheetDone' : 'due.sheetOpen')} color={sheet.done ? 'green' : 'orange'} />
    </div>
  )
}

function ConsentLine({ consent }: { consent: DueConsent }) {
  const t = texts.useText()
  const context = useTextContext()
  const openRecord = useOpenRecord()
  return (
    <div className={look.sheet}>
      <span className={look.sheetTitle}>
        {consent.title} <span className={look.faint}>{t('due.byWhom', { who: rolesText(consent.roles) })}</span>
      </span>
      {consent.id ? (
        <Button type="link" size="small" onClick={() => openRecord({ schemaCode: codes.consent, id: consent.id })}>
          {t('due.consentBy', {
            name: consent.by,
            time: formatInstant(consent.time ?? '', 'yyyy-MM-dd HH:mm', context),
          })}
        </Button>
      ) : (
        <OptionDot label={t('due.consentOpen')} color="orange" />
      )}
    </div>
  )
}

function ChangeLine({ change, due }: { change: DueChange; due: DueList }) {
  const t = texts.useText()
  const context = useTextContext()
  const openRecord = useOpenRecord()
  const name =
    change.what === 'KIND'
      ? kindText(change.name)
      : (due.sheets.find(({ schemaCode }) => change.what === 'SHEET' && schemaCode === change.name)?.title ??
        due.consents.find(({ code }) => change.what === 'CONSENT' && code === change.name)?.title ??
        change.name)
  return (
    <div className={look.sheet}>
      <span className={look.sheetTitle}>
        <Button
          type="link"
          size="small"
          style={{ paddingInline: 0 }}
          onClick={() => openRecord({ schemaCode: codes.dueChange, id: change.id })}
        >
          {change.sequenceNo}
        </Button>{' '}
        {t(`due.what.${change.what}` as never)} {name}: {t(`due.effect.${change.effect}` as never)}
        {change.above && <span className={look.faint}> · {t('due.above')}</span>}
        <br />
        <span className={look.faint}>{change.reason}</span>
      </span>
      <span className={look.faint}>
        {t('due.consentBy', { name: change.by, time: formatInstant(change.time, 'yyyy-MM-dd', context) })}
      </span>
    </div>
  )
}

/** "3 missing" beside the state of a node that is pending; the names come with a press. */
export function WhyPending({ id, count }: { id: string; count: number }) {
  const t = texts.useText()
  const [open, setOpen] = useState(false)
  const { data, isPending } = useQuery({ ...dueQuery(id), enabled: open })
  if (count <= 0) return null
  return (
    <>
      <Button type="link" size="small" style={{ paddingInline: 0 }} aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('due.missing', { count })}
      </Button>
      {open && (
        <span className={look.warn} role="status" style={{ display: 'block' }}>
          {isPending ? '…' : missingLine(data?.missing ?? [])}
        </span>
      )}
    </>
  )
}
