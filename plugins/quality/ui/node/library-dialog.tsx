import { Choice, packPost, useDebounced, useErrorText, useFeedback } from '@sluice/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Checkbox, Input, InputNumber } from 'antd'
import { useId, useState } from 'react'
import { codes } from '../codes'
import { cell, contractsQuery, type QbsNode, QUALITY, rowsQuery } from '../shared/api'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import type { ProjectPlace } from '../shared/use-place'
import { isAbove } from '../shared/words'
import { texts } from '../texts'

interface Props {
  project: ProjectPlace
  /** What is made becomes a part of it; null = of the project itself. */
  parent: QbsNode | null
  onClose: () => void
  onMade: (id: string) => void
  /** What was made has been taken back. */
  onUndone: () => void
}

interface Added {
  ids: string[]
  nodes: number
  processes: number
  sheets: number
  batch: string
}

interface Wanted {
  nodeType: string
  name: string
  code?: string
  jbsBaseId?: string
  contractId?: string
  nodes?: Wanted[]
}

const ADD = '/api/quality/v2/qbs/add'
const MOST_LOTS = 50
/** Milliseconds after which nobody types any more. */
const PAUSE = 400

/** A work item for each template that is ticked, with its processes and sheets or with lots that have them, below the node that is chosen. */
export function LibraryDialog({ project, parent, onClose, onMade, onUndone }: Props) {
  const t = texts.useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const asksUnit = isAbove(parent?.nodeType, 'UNIT')
  const asksDivision = isAbove(parent?.nodeType, 'DIVISION')
  const templates = useQuery(
    rowsQuery(codes.library, { filters: [{ propertyCode: codes.kind, propertyValue: codes.template }] }),
  )
  // Works at the top have no parent whose contract is theirs.
  const contracts = useQuery({ ...contractsQuery(project.id), enabled: parent === null }).data
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [division, setDivision] = useState('')
  const [lots, setLots] = useState(0)
  const [ticked, setTicked] = useState<string[]>([])
  const [chosenContract, setContract] = useState<string | null>()
  const contract = chosenContract === undefined && contracts?.length === 1 ? contracts[0]?.id : chosenContract
  const chosen = (templates.data ?? []).filter((row) => ticked.includes(row.id))
  const ready = (!asksUnit || name.trim() !== '') && (!asksDivision || division.trim() !== '') && chosen.length > 0

  const items: Wanted[] = chosen.map((row) => ({
    nodeType: 'ITEM',
    name: cell(row, codes.qbsType) || cell(row, codes.title),
    ...(lots === 0
      ? { jbsBaseId: row.id }
      : {
          nodes: Array.from({ length: lots }, (_, i) => ({
            nodeType: 'LOT',
            name: t('lotName', { number: i + 1 }),
            jbsBaseId: row.id,
          })),
        }),
  }))
  const divisions = asksDivision ? [{ nodeType: 'DIVISION', name: division.trim(), nodes: items }] : items
  const nodes: Wanted[] = asksUnit
    ? [
        {
          ...{ nodeType: 'UNIT', name: name.trim(), nodes: divisions },
          ...(code.trim() ? { code: code.trim() } : {}),
          ...(contract ? { contractId: contract } : {}),
        },
      ]
    : divisions
  const ask = {
    projectKey: project.key,
    ...(parent ? { parentId: parent.id } : {}),
    nodes,
  }
  // What would come of it, by the same call: the server counts, and says what it refuses. Asked when nobody types any more.
  const settled = useDebounced(ready ? JSON.stringify(ask) : '', PAUSE)
  const tried = useQuery({
    queryKey: [QUALITY, 'generate', settled],
    queryFn: () => packPost<Added>(ADD, { ...(JSON.parse(settled) as typeof ask), dryRun: true }),
    enabled: settled !== '',
    retry: false,
    staleTime: 0,
  })
  const make = useMutation({
    mutationFn: () => packPost<Added>(ADD, ask),
    onSuccess: ({ ids, nodes, processes, sheets, batch }) => {
      const undo = () =>
        packPost(ADD, { projectKey: project.key, undo: batch }).then(() => {
          say.success(t('generationUndone'))
          onUndone()
          void client.invalidateQueries({ queryKey: [QUALITY] })
        }, say.error)
      say.success(t('generated', { nodes, processes, sheets }), { label: t('undoGeneration'), run: () => void undo() })
      onMade(ids[0] ?? '')
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={parent ? t('libraryBelow', { name: parent.title }) : t('fromLibrary')}
      ok={t('generate')}
      width={520}
      ready={ready}
      busy={make.isPending}
      onOk={() => make.mutate()}
      onClose={onClose}
    >
      {asksUnit && (
        <>
          <label htmlFor={`${id}-name`}>{t('unitName')}</label>
          <Input id={`${id}-name`} autoFocus value={name} maxLength={200} onChange={(e) => setName(e.target.value)} />
          <label htmlFor={`${id}-code`}>{t('nodeCode')}</label>
          <Input id={`${id}-code`} value={code} maxLength={60} onChange={(e) => setCode(e.target.value)} />
        </>
      )}
      {asksDivision && (
        <>
          <label htmlFor={`${id}-division`}>{t('divisionName')}</label>
          <Input id={`${id}-division`} value={division} maxLength={200} onChange={(e) => setDivision(e.target.value)} />
        </>
      )}
      {contracts && contracts.length > 0 && (
        <>
          <label htmlFor={`${id}-contract`}>{t('importCol.contract')}</label>
          <Choice<string | null>
            id={`${id}-contract`}
            allowClear
            value={contract ?? null}
            onChange={(value) => setContract(value ?? null)}
            options={contracts.map((row) => ({
              value: row.id,
              label: cell(row, codes.contractName) || cell(row, codes.code),
            }))}
          />
        </>
      )}
      <label htmlFor={`${id}-lots`}>{t('lotsOfItem')}</label>
      <InputNumber
        id={`${id}-lots`}
        min={0}
        max={MOST_LOTS}
        precision={0}
        value={lots}
        onChange={(value) => setLots(value ?? 0)}
      />
      <span className={look.label}>{t('itemsOfLibrary')}</span>
      <Ready query={templates} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{t('noTemplates')}</p>
          ) : (
            <Checkbox.Group
              style={{ display: 'grid', gap: 8 }}
              value={ticked}
              onChange={setTicked}
              options={rows.map((row) => ({ value: row.id, label: cell(row, codes.title) }))}
            />
          )
        }
      </Ready>
      {ready && tried.data && (
        <p role="status">
          {t('wouldGenerate', {
            nodes: tried.data.nodes,
            processes: tried.data.processes,
            sheets: tried.data.sheets,
          })}
        </p>
      )}
      {ready && tried.isError && (
        <p className={look.bad} role="alert">
          {errorText(tried.error)}
        </p>
      )}
    </FormSheet>
  )
}
