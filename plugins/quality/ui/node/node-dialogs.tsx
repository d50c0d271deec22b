import { Choice, packPost, packPut, Sheet, type TreeItem, useFeedback, useText } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { type QbsNode, recordQuery } from '../shared/api'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { QbsTree } from '../shared/qbs-tree'
import type { ProjectPlace } from '../shared/use-place'
import { levelsBelow } from '../shared/words'
import { texts } from '../texts'

const EDIT = '/api/quality/v2/qbs/edit'

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
  const [nodeType, setNodeType] = useState<string>(parent ? (levels[0] ?? '') : 'UNIT')
  const ready = name.trim() !== '' && nodeType !== '' && (parent !== null || code.trim() !== '')
  const add = useMutation({
    mutationFn: () =>
      packPost<{ ids: string[] }>('/api/quality/v2/qbs/add', {
        projectKey: project.key,
        parentId: parent?.id ?? null,
        name: name.trim(),
        code: code.trim(),
        nodeType,
      }),
    onSuccess: ({ ids }) => {
      say.success(t('added', { name: name.trim() }))
      onAdded(ids[0] ?? '')
    },
    onError: say.error,
  })
  return (
    <Sheet
      title={parent ? t('addBelow', { name: parent.title }) : t('addRoot')}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button type="primary" disabled={!ready} loading={add.isPending} onClick={() => add.mutate()}>
            {product('common.add')}
          </Button>
        </>
      }
    >
      <form
        className={look.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !add.isPending) add.mutate()
        }}
      >
        <label htmlFor={`${id}-name`}>{t('nodeName')}</label>
        <Input
          id={`${id}-name`}
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={`${id}-type`}>{t('nodeType')}</label>
        <Choice
          id={`${id}-type`}
          value={nodeType}
          onChange={setNodeType}
          options={levels.map((one) => ({ value: one, label: t(`level.${one}`) }))}
        />
        <label htmlFor={`${id}-code`}>{t('nodeCode')}</label>
        <Input
          id={`${id}-code`}
          maxLength={60}
          value={code}
          placeholder={parent ? t('codeByParent', { code: parent.code }) : '01'}
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="submit" hidden />
      </form>
    </Sheet>
  )
}

/** Name and code of a node; the codes below it follow on request. */
export function EditDialog({ node, onClose }: { node: QbsNode; onClose: () => void }) {
  const t = texts.useText()
  const record = useQuery(recordQuery('q_qbs', node.id))
  return (
    <Ready query={record} rows={1}>
      {(load) => <EditForm node={node} version={load.version ?? 0} title={t('editNode')} onClose={onClose} />}
    </Ready>
  )
}

interface EditProps {
  node: QbsNode
  version: number
  title: string
  onClose: () => void
}

function EditForm({ node, version, title, onClose }: EditProps) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const id = useId()
  const [name, setName] = useState(node.title)
  const [code, setCode] = useState(node.code)
  const [cascade, setCascade] = useState(true)
  const recoded = code.trim() !== node.code
  const save = useMutation({
    mutationFn: () =>
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
    onError: say.error,
  })
  return (
    <Sheet
      title={title}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button
            type="primary"
            disabled={name.trim() === '' || code.trim() === ''}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {product('common.save')}
          </Button>
        </>
      }
    >
      <div className={look.form}>
        <label htmlFor={`${id}-name`}>{t('nodeName')}</label>
        <Input
          id={`${id}-name`}
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={`${id}-code`}>{t('nodeCode')}</label>
        <Input id={`${id}-code`} maxLength={60} value={code} onChange={(event) => setCode(event.target.value)} />
        {recoded && !node.leaf && (
          <Checkbox checked={cascade} onChange={(event) => setCascade(event.target.checked)}>
            {t('cascade')}
          </Checkbox>
        )}
      </div>
    </Sheet>
  )
}

/** Another place for a node. The server refuses a level that does not go there. */
export function MoveDialog({ node, project, onClose }: { node: QbsNode; project: ProjectPlace; onClose: () => void }) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const [to, setTo] = useState<TreeItem | null>(null)
  const record = useQuery(recordQuery('q_qbs', node.id))
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
    <Sheet
      title={t('moveTo', { name: node.title })}
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button
            type="primary"
            disabled={!to || to.id === node.id || !record.data}
            loading={move.isPending}
            onClick={() => move.mutate()}
          >
            {t('move')}
          </Button>
        </>
      }
    >
      <div className={look.pickTree}>
        <QbsTree project={project} selected={to?.id ?? null} onSelect={setTo} />
      </div>
    </Sheet>
  )
}
