import { localName, packPost, useFeedback, useLocale, useTextContext, valueText } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { codes } from '../codes'
import { recordQuery } from '../shared/api'
import type { DueSet } from '../shared/due'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { texts } from '../texts'

interface Taken {
  revision: number
  items: { itemId: string; name: string; changes: { propertyCode: string; was: string; is: string }[] }[]
}

const NUMBER = /^-?\d+(\.\d+)?$/

const ask = (set: DueSet, more: { dryRun?: boolean; itemIds?: string[] }) =>
  packPost<Taken>('/api/quality/v2/qbs/due/library', { dueSetId: set.id, ...more })

/** How many items of a set the library describes otherwise; a press shows them, and takes over those that stay chosen. */
export function LibraryButton({ set, count }: { set: DueSet; count: number }) {
  const t = texts.useText()
  const say = useFeedback()
  const [found, setFound] = useState<Taken['items'] | null>(null)
  const rehearse = useMutation({
    mutationFn: () => ask(set, { dryRun: true }),
    onSuccess: ({ items }) => (items.length > 0 ? setFound(items) : say.success(t('due.libraryNone'))),
    onError: say.error,
  })
  return (
    <>
      <Button size="small" loading={rehearse.isPending} onClick={() => rehearse.mutate()}>
        {t('due.library', { count })}
      </Button>
      {found && <LibraryDialog set={set} items={found} onClose={() => setFound(null)} />}
    </>
  )
}

interface Props {
  set: DueSet
  items: Taken['items']
  onClose: () => void
}

function LibraryDialog({ set, items, onClose }: Props) {
  const t = texts.useText()
  const say = useFeedback()
  const context = useTextContext()
  const locale = useLocale()
  const record = useQuery(recordQuery(codes.dueSet, set.id))
  const [chosen, setChosen] = useState(() => items.map(({ itemId }) => itemId))
  const save = useMutation({
    mutationFn: () => ask(set, { itemIds: chosen }),
    onSuccess: ({ items: taken, revision }) => {
      say.success(t('due.libraryTaken', { count: taken.length, revision }))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t('due.libraryTitle', { title: set.title })}
      ok={t('due.libraryTake', { count: chosen.length })}
      ready={chosen.length > 0 && record.data !== undefined}
      busy={save.isPending}
      width={560}
      onOk={() => save.mutate()}
      onClose={onClose}
    >
      <p className={look.note}>{t('due.libraryHint')}</p>
      <Ready query={record} rows={items.length}>
        {({ form }) => {
          const columns = form.fields.find(({ propertyCode }) => propertyCode === codes.items)?.children ?? []
          const line = ({ propertyCode, was, is }: Taken['items'][number]['changes'][number]) => {
            const field = columns.find((one) => one.propertyCode === propertyCode)
            const words = (text: string) => {
              if (NUMBER.test(text)) return text.replace('-', '−') // without the zeros that the scale of the property adds
              const value = text === 'true' ? true : text === 'false' ? false : text
              return (field ? valueText(value, field, context) : text) || t('due.libraryEmpty')
            }
            return t('due.libraryValue', {
              name: field ? localName(field, locale) : propertyCode,
              was: words(was),
              is: words(is),
            })
          }
          return (
            <ul className={look.reasons} aria-label={t('due.libraryItems')}>
              {items.map(({ itemId, name, changes }) => (
                <li key={itemId}>
                  <Checkbox
                    checked={chosen.includes(itemId)}
                    onChange={({ target }) =>
                      setChosen(target.checked ? [...chosen, itemId] : chosen.filter((one) => one !== itemId))
                    }
                  >
                    {name}
                  </Checkbox>
                  {changes.map((one) => (
                    <div key={one.propertyCode} className={look.faint}>
                      {line(one)}
                    </div>
                  ))}
                </li>
              ))}
            </ul>
          )
        }}
      </Ready>
    </FormSheet>
  )
}
