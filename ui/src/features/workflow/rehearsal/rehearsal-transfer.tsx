import { Button } from 'antd'
import { useId, useState } from 'react'
import type { Entry } from '@/api/types'
import { EntryPicker } from '@/sdk/entry-picker'
import { Sheet } from '@/sdk/sheet'
import { findPeople, type RehearsedStep } from '../api'
import styles from '../task/task.module.css'
import type { FlowWords } from '../task/words'

interface Props {
  step: RehearsedStep
  words: FlowWords
  onClose: () => void
  onTake: (person: string) => void
}

/** Asks to whom somebody passes a task on in a rehearsal. */
export function RehearsalTransfer({ step, words, onClose, onTake }: Props) {
  const { t } = words
  const id = useId()
  const [to, setTo] = useState<Entry[]>([])
  const [tried, setTried] = useState(false)
  const lacks = tried && to.length === 0
  const take = () => {
    setTried(true)
    if (to[0]) onTake(to[0].id)
  }
  return (
    <Sheet
      title={t('rehearsal.transferTitle', { name: step.person?.name ?? '', node: words.activity(step) })}
      width={460}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" onClick={take}>
            {t('flow.transfer')}
          </Button>
        </div>
      }
    >
      <div className={styles.field}>
        <label htmlFor={`${id}-to`} className={styles.label}>
          {t('rehearsal.transferTo')}
          <span className={styles.star} aria-hidden="true">
            *
          </span>
        </label>
        <EntryPicker
          id={`${id}-to`}
          schemaCode=""
          propertyCode="workItemPeople"
          find={findPeople}
          value={to}
          onChange={setTo}
          invalid={lacks}
          describedBy={`${id}-lacks`}
          autoFocus
        />
        <span id={`${id}-lacks`} className={styles.wrong} role="alert">
          {lacks && t('flowAdmin.successorNeeded')}
        </span>
      </div>
    </Sheet>
  )
}
