import { packDelete, packPost, useFeedback } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { codes } from '../codes'
import { cell, rowsQuery } from '../shared/api'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import type { ProjectPlace } from '../shared/use-place'
import { texts } from '../texts'

interface Props {
  project: ProjectPlace
  onClose: () => void
  onMade: (id: string) => void
}

/** A unit with a work item for each template that is ticked, each with its processes and sheets. */
export function LibraryDialog({ project, onClose, onMade }: Props) {
  const t = texts.useText()
  const say = useFeedback()
  const id = useId()
  const templates = useQuery(
    rowsQuery(codes.library, { filters: [{ propertyCode: codes.kind, propertyValue: codes.template }] }),
  )
  const [name, setName] = useState('')
  const [code, setCode] = useState('01')
  const [division, setDivision] = useState('')
  const [ticked, setTicked] = useState<string[]>([])
  const chosen = (templates.data ?? []).filter((row) => ticked.includes(row.id))
  const ready = name.trim() !== '' && code.trim() !== '' && division.trim() !== '' && chosen.length > 0
  const make = useMutation({
    mutationFn: async () => {
      const add = async (nodes: Record<string, unknown>[]) =>
        (await packPost<{ ids: string[] }>('/api/quality/v2/qbs/add', { projectKey: project.key, nodes })).ids
      const [unit = ''] = await add([{ nodeType: 'UNIT', name: name.trim(), code: code.trim() }])
      try {
        const [part = ''] = await add([{ nodeType: 'DIVISION', name: division.trim(), parentId: unit }])
        const items = await add(
          chosen.map((row) => ({
            nodeType: 'ITEM',
            name: cell(row, codes.qbsType) || cell(row, codes.title),
            parentId: part,
          })),
        )
        for (const [i, row] of chosen.entries())
          await packPost('/api/quality/v2/qbs/jbs', { qbsIds: [items[i] ?? ''], jbsBaseId: row.id })
        return unit
      } catch (error) {
        // Half a unit would be in the way of the next try.
        await packDelete('/api/quality/v2/qbs/delete', { ids: [unit] }).catch(() => {})
        throw error
      }
    },
    onSuccess: (unit) => {
      say.success(t('added', { name: name.trim() }))
      onMade(unit)
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t('fromLibrary')}
      ok={t('generate')}
      width={520}
      ready={ready}
      busy={make.isPending}
      onOk={() => make.mutate()}
      onClose={onClose}
    >
      <label htmlFor={`${id}-name`}>{t('unitName')}</label>
      <Input id={`${id}-name`} autoFocus value={name} maxLength={200} onChange={(e) => setName(e.target.value)} />
      <label htmlFor={`${id}-code`}>{t('nodeCode')}</label>
      <Input id={`${id}-code`} value={code} maxLength={60} onChange={(e) => setCode(e.target.value)} />
      <label htmlFor={`${id}-division`}>{t('divisionName')}</label>
      <Input id={`${id}-division`} value={division} maxLength={200} onChange={(e) => setDivision(e.target.value)} />
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
    </FormSheet>
  )
}
