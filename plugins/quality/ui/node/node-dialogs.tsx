import { Choice, packPost, packPut, type TreeItem, useFeedback, useText } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Checkbox, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { codes } from '../codes'
import { type Ask, cell, childrenOf, contractsQuery, isStale, type QbsNode, QUALITY, recordQuery } from '../shared/api'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { QbsTree } from '../shared/qbs-tree'
import type { ProjectPlace } from '../shared/use-place'
import { levelsBelow, nextCode, usualBelow } from '../shared/words'
import { texts } from '../texts'

const EDIT = '/api/quality/v2/qbs/edit'

interface NamesProps {
  name: string
  code: string
  codeHint?: string
  onName: (name: string) => void
  onCode: (code: string) => void
  children?: ReactNode
}

/** Name and code of a node, and between them what else is asked. */
function Names({ name, code, codeHint, onName, onCode, children }: NamesProps) {
  const t = texts.useText()
  const id = useId()
  return (
    <>
      <label htmlFor={`${id}-name`}>{t('nodeName')}</label>
      <Input
        id={`${id}-name`}
        autoFocus
        maxLength={200}
        value={name}
        onChange={(event) => onName(event.target.value)}
      />
      {children}
      <label htmlFor={`${id}-code`}>{t('nodeCode')}</label>
      <Input
        id={`${id}-code`}
        maxLength={60}
        value={code}
        placeholder={codeHint ?? ''}
        onChange={(event) => onCode(event.target.value)}
      />
    </>
  )
}

interface AddProps {
  project: ProjectPlace
  parent: QbsNode | null
  onClose: () => void
  onAdded: (id: string) => void
}

/** A new part of a node, or a new root. */
export function AddDialog({ project, parent, onClose, onAdded }: AddProps) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const id = useId()
  const levels = levelsBelow(parent?.nodeType)
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [nodeType, setNodeType] = useState<string>(usualBelow(parent?.nodeType))
  // A part has the contract of what it is a part of. A contractor can add a root to a contract of its own only.
  const contracts = useQuery({ ...contractsQuery(project.id), enabled: parent === null }).data
  const siblings = useQuery({
    queryKey: [QUALITY, 'siblings', project.key, parent?.id ?? ''],
    queryFn: async (ask: Ask) => (await childrenOf(project.key, parent?.id ?? '', ask)).map((one) => one.code),
    staleTime: 0,
  }).data
  const [chosenContract, setContract] = useState<string | null>()
  const contract = chosenContract === undefined && contracts?.length === 1 ? contracts[0]?.id : chosenContract
  const add = useMutation({
    mutationFn: () =>
      packPost<{ ids: string[] }>('/api/quality/v2/qbs/add', {
        projectKey: project.key,
        parentId: parent?.id ?? null,
        name: name.trim(),
        code: code.trim(),
        nodeType,
        ...(contract ? { contractId: contract } : {}),
      }),
    onSuccess: ({ ids }) => {
      say.success(t('added', { name: name.trim() }))
      onAdded(ids[0] ?? '')
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={parent ? t('addBelow', { name: parent.title }) : t('addRoot')}
      ok={product('common.add')}
      ready={name.trim() !== '' && nodeType !== ''}
      busy={add.isPending}
      onOk={() => add.mutate()}
      onClose={onClose}
    >
      <Names
        name={name}
        code={code}
        codeHint={siblings ? t('codeByParent', { code: nextCode(parent?.code, siblings) }) : ''}
        onName={setName}
        onCode={setCode}
      >
        <label htmlFor={`${id}-type`}>{t('nodeType')}</label>
        <Choice
          id={`${id}-type`}
          value={nodeType}
          onChange={setNodeType}
          options={levels.map((one) => ({ value: one, label: t(`level.${one}`) }))}
        />
      </Names>
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
    </FormSheet>
  )
}

/** A node as it is stored. */
interface Stored {
  version: number
  name: string
  code: string
}

const storedOf = ({ version, data }: Awaited<ReturnType<ReturnType<typeof recordQuery>['queryFn']>>): Stored => ({
  version: version ?? 0,
  name: String(data[codes.name] ?? ''),
  code: String(data[codes.code] ?? ''),
})

/** Name and code of a node; the codes below it follow on request. */
export function EditDialog({ node, onClose }: { node: QbsNode; onClose: () => void }) {
  const record = useQuery({ ...recordQuery(codes.node, node.id), staleTime: 0, gcTime: 0 })
  return (
    <Ready query={record} rows={1}>
      {(load) => (
        <EditForm
          node={node}
          stored={storedOf(load)}
          onStale={async () => {
            const { data } = await record.refetch()
            return storedOf(data ?? load)
          }}
          onClose={onClose}
        />
      )}
    </Ready>
  )
}

interface EditProps {
  node: QbsNode
  stored: Stored
  /** Reads the node again, which somebody else has changed. */
  onStale: () => Promise<Stored>
  onClose: () => void
}

function EditForm({ node, stored, onStale, onClose }: EditProps) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const [began] = useState(stored)
  const [name, setName] = useState(stored.name)
  const [code, setCode] = useState(stored.code)
  const [cascade, setCascade] = useState(true)
  const recoded = code.trim() !== stored.code
  const others = (now: Stored) => now.name !== began.name || now.code !== began.code
  const save = useMutation({
    mutationFn: (version: number) =>
      packPut(EDIT, {
        id: node.id,
        version,
        cascadeCode: recoded && cascade,
        values: { name: name.trim(), ...(recoded ? { code: code.trim() } : {}) },
      }),
    onSuccess: () => {
      say.success(t('saved'))
      onClose()
    },
    onError: async (error, version) => {
      if (!isStale(error)) return say.error(error)
      const now = await onStale()
      if (now.version === version) return say.error(error) // it could not be read again
      // What has changed is not what this dialog writes, such as its evaluation.
      if (!others(now)) save.mutate(now.version)
    },
  })
  return (
    <FormSheet
      title={t('editNode')}
      ok={product('common.save')}
      ready={name.trim() !== '' && code.trim() !== ''}
      busy={save.isPending}
      onOk={() => save.mutate(stored.version)}
      onClose={onClose}
    >
      {others(stored) && (
        <p className={look.bad} role="alert">
          {t('savedMeanwhile', { name: stored.name, code: stored.code })}
        </p>
      )}
      <Names name={name} code={code} onName={setName} onCode={setCode} />
      {recoded && !node.leaf && (
        <Checkbox checked={cascade} onChange={(event) => setCascade(event.target.checked)}>
          {t('cascade')}
        </Checkbox>
      )}
    </FormSheet>
  )
}

/** Another place for a node. The server refuses a level that does not go there. */
export function MoveDialog({ node, project, onClose }: { node: QbsNode; project: ProjectPlace; onClose: () => void }) {
  const t = texts.useText()
  const say = useFeedback()
  const [to, setTo] = useState<TreeItem | null>(null)
  const record = useQuery(recordQuery(codes.node, node.id))
  const move = useMutation({
    mutationFn: () =>
      packPut(EDIT, { id: node.id, version: record.data?.version ?? 0, values: { parentId: to?.id ?? null } }),
    onSuccess: () => {
      say.success(t('moved', { name: node.title, to: to?.title ?? '' }))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t('moveTo', { name: node.title })}
      ok={t('move')}
      width={520}
      ready={to !== null && to.id !== node.id && record.data !== undefined}
      busy={move.isPending}
      onOk={() => move.mutate()}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps Enter in the search from moving the node */}
      <div className={look.pickTree} onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
        <QbsTree project={project} selected={to?.id ?? null} onSelect={setTo} />
      </div>
    </FormSheet>
  )
}
