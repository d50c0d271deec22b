import { formatInstant, OptionDot, post, type Row, useFeedback, useOpenRecord, useTextContext } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { codes } from '../codes'
import { authorityQuery, cell, rowsQuery } from '../shared/api'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { ncrState } from '../shared/words'
import { texts } from '../texts'

type Step = 'FIXED' | 'REVIEWED' | 'REJECTED'

const STEPS: Record<string, Step[]> = { OPEN: ['FIXED'], FIXED: ['REVIEWED', 'REJECTED'], REJECTED: ['FIXED'] }

/** The corrective actions of a node, and the step that each can go. */
export function NcrList({ qbsId, bare = false }: { qbsId: string; bare?: boolean }) {
  const t = texts.useText()
  const context = useTextContext()
  const openRecord = useOpenRecord()
  const list = useQuery(rowsQuery(codes.ncr, { filters: [{ propertyCode: codes.qbsId, propertyValue: qbsId }] }))
  const reviews = useQuery(authorityQuery('')).data?.canReview === true
  const [asked, setAsked] = useState<{ row: Row; step: Step } | null>(null)
  if (bare && (list.data?.length ?? 0) === 0 && !list.error) return null
  return (
    <>
      <h3 className={look.heading}>{t('ncrs')}</h3>
      <Ready query={list} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={look.note}>{t('noNcrs')}</p>
          ) : (
            rows.map((row) => {
              const state = ncrState(cell(row, codes.status))
              const deadline = cell(row, codes.deadline)
              const number = cell(row, 'sequenceNo') || t('ncr')
              return (
                <div key={row.id} className={look.sheet}>
                  <span className={look.sheetTitle}>
                    <Button
                      type="link"
                      style={{ paddingInline: 0 }}
                      onClick={() => openRecord({ schemaCode: codes.ncr, id: row.id })}
                    >
                      {number}
                    </Button>{' '}
                    {cell(row, codes.description)}
                  </span>
                  {deadline && (
                    <span className={look.faint}>
                      {t('until', { date: formatInstant(deadline, 'yyyy-MM-dd', context) || deadline })}
                    </span>
                  )}
                  <OptionDot label={state.label} color={state.color} />
                  <span className={look.sheetButtons}>
                    {row.actions?.includes('edit') &&
                      STEPS[cell(row, codes.status)]
                        ?.filter((step) => reviews || step === 'FIXED')
                        .map((step) => (
                          <Button key={step} size="small" onClick={() => setAsked({ row, step })}>
                            {t(`ncrStep.${step}`)}
                          </Button>
                        ))}
                  </span>
                </div>
              )
            })
          )
        }
      </Ready>
      {asked && <StepDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function StepDialog({ row, step, onClose }: { row: Row; step: Step; onClose: () => void }) {
  const t = texts.useText()
  const say = useFeedback()
  const id = useId()
  const [words, setWords] = useState('')
  const save = useMutation({
    mutationFn: () =>
      post('/api/runtime/form/save', {
        schemaCode: codes.ncr,
        id: row.id,
        version: row.version,
        data: { [codes.status]: step, [step === codes.fixed ? codes.result : codes.reviewResult]: words.trim() },
      }),
    onSuccess: () => {
      say.success(t(`ncrStatus.${step}`))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t(`ncrStep.${step}`)}
      ok={t(`ncrStep.${step}`)}
      ready={words.trim() !== ''}
      busy={save.isPending}
      onOk={() => save.mutate()}
      onClose={onClose}
    >
      <label htmlFor={id}>{step === 'FIXED' ? t('whatWasDone') : t('reviewWords')}</label>
      <Input.TextArea
        id={id}
        autoFocus
        autoSize={{ minRows: 3, maxRows: 8 }}
        maxLength={2000}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </FormSheet>
  )
}
