import { Choice, packPost, post, useFeedback } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { codes } from '../codes'
import { cell, type QbsNode, recordQuery, refOf, rowsQuery } from '../shared/api'
import type { DueConsent, DueList } from '../shared/due'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { usePlace } from '../shared/use-place'
import { texts } from '../texts'

interface ReleaseProps {
  node: Pick<QbsNode, 'id'>
  consent: DueConsent
  onClose: () => void
}

/** Releases a hold point; the remark is the releaser's. */
export function ReleaseDialog({ node, consent, onClose }: ReleaseProps) {
  const t = texts.useText()
  const say = useFeedback()
  const id = useId()
  const [words, setWords] = useState('')
  const save = useMutation({
    mutationFn: () =>
      post('/api/runtime/form/save', {
        schemaCode: codes.consent,
        data: { [codes.qbsId]: node.id, [codes.dueCode]: consent.code, [codes.remark]: words.trim() },
      }),
    onSuccess: () => {
      say.success(t('due.released', { name: consent.title }))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t('due.releaseTitle', { name: consent.title })}
      ok={t('due.release')}
      ready
      busy={save.isPending}
      onOk={() => save.mutate()}
      onClose={onClose}
    >
      <p>{t('due.releaseHint')}</p>
      <label htmlFor={id}>{t('due.releaseWords')}</label>
      <Input.TextArea
        id={id}
        autoFocus
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={2000}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </FormSheet>
  )
}

/** Chooses the kind of work of a node among the current due sets. */
export function KindOfWorkDialog({ node, onClose }: { node: Pick<QbsNode, 'id'>; onClose: () => void }) {
  const t = texts.useText()
  const say = useFeedback()
  const record = useQuery(recordQuery(codes.node, node.id))
  const sets = useQuery(
    rowsQuery(codes.dueSet, {
      filters: [{ propertyCode: codes.current, propertyValue: 'true' }],
      orderBy: codes.code,
    }),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const now = refOf(record.data?.data[codes.dueSetId])
  const id = chosen ?? (now || null)
  const save = useMutation({
    mutationFn: () =>
      post('/api/runtime/form/save', {
        schemaCode: codes.node,
        id: node.id,
        version: record.data?.version ?? 0,
        data: { [codes.dueSetId]: id },
      }),
    onSuccess: () => {
      const name = cell(
        sets.data?.find((row) => row.id === id),
        codes.title,
      )
      say.success(t('due.chosen', { name }))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t('due.choose')}
      ok={t('due.choose')}
      ready={record.data !== undefined && id !== null && id !== now}
      busy={save.isPending}
      onOk={() => save.mutate()}
      onClose={onClose}
    >
      <p className={look.note}>{t('due.chooseHint')}</p>
      <Ready query={sets} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{t('due.noKinds')}</p>
          ) : (
            <Choice
              showSearch
              aria-label={t('due.kindOfWork')}
              placeholder={t('due.kindOfWork')}
              value={id}
              onChange={setChosen}
              options={rows.map((row) => ({
                value: row.id,
                label: t('due.revision', { title: cell(row, codes.title), revision: cell(row, codes.revision) }),
              }))}
            />
          )
        }
      </Ready>
    </FormSheet>
  )
}

interface Upgraded {
  nodes: number
  pending: number
  signed: number
}

/** Takes a node to the current revision of its set, after a count of what becomes of it. */
export function UpgradeButton({ node, set }: { node: Pick<QbsNode, 'id'>; set: NonNullable<DueList['set']> }) {
  const t = texts.useText()
  const say = useFeedback()
  const projectKey = usePlace().project?.key ?? ''
  const ask = (dryRun: boolean) =>
    packPost<Upgraded>('/api/quality/v2/qbs/due/upgrade', { projectKey, qbsIds: [node.id], dryRun })
  const run = useMutation({
    mutationFn: () => ask(false),
    onSuccess: () => say.success(t('due.upgraded', { current: set.current })),
    onError: say.error,
  })
  const count = useMutation({
    mutationFn: () => ask(true),
    onSuccess: (found) =>
      void say.modal.confirm({
        title: t('due.upgradeTitle', { current: set.current }),
        content: t('due.upgradeText', { ...found }),
        okText: t('due.upgrade', { current: set.current }),
        onOk: () => run.mutate(),
      }),
    onError: say.error,
  })
  return (
    <Button size="small" loading={count.isPending || run.isPending} onClick={() => count.mutate()}>
      {t('due.upgrade', { current: set.current })}
    </Button>
  )
}
