import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { loadLaterTexts } from '@/i18n/i18n'
import { defineRecordPart, type RecordPartProps } from '@/sdk/pack'
import { useText } from '@/sdk/use-text'

const History = lazy(() => Promise.all([import('./history'), loadLaterTexts()]).then(([m]) => ({ default: m.History })))

/** The button that opens what was changed in the record. */
function HistoryPart({ schemaCode, sheetCode, objectId, version }: RecordPartProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(false)
  const show = () => {
    setAsked(true)
    setOpen(true)
  }
  return (
    <>
      <Hint title={t('form.history')}>
        <Button type="text" icon={<Icon name="history" />} aria-label={t('form.history')} onClick={show} />
      </Hint>
      {asked && (
        <Suspense fallback={null}>
          <History {...{ schemaCode, sheetCode, version, open }} id={objectId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export const historyPart = defineRecordPart({
  name: 'history',
  place: 'head',
  when: ({ actions }) => actions.includes('form_track'),
  Part: HistoryPart,
})
