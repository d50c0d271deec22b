import { Button, Checkbox, Radio } from 'antd'
import { useId, useState } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { Entry } from '@/api/types'
import { EntryPicker } from '@/sdk/entry-picker'
import { Sheet } from '@/sdk/sheet'
import { findPeople, type WorkflowChoice } from '../api'
import styles from './task.module.css'
import { useFlowWords } from './words'

/** Ids of the chosen people, by node. */
export type Chosen = Record<string, string[]>

/** The nodes whose people have to be chosen first, where that is why a call was refused. */
export function choicesOf(error: unknown): WorkflowChoice[] | null {
  if (!(error instanceof ApiError) || error.code !== ERROR.ChoiceNeeded) return null
  const { choices } = (error.data ?? {}) as { choices?: WorkflowChoice[] }
  return choices && choices.length > 0 ? choices : null
}

interface Props {
  choices: readonly WorkflowChoice[]
  sending: boolean
  /** Why it was refused. */
  error: string
  onClose: () => void
  onChoose: (chosen: Chosen) => void
}

/** Asks who handles the nodes that come. */
export function ChooseDialog({ choices, sending, error, onClose, onChoose }: Props) {
  const words = useFlowWords()
  const { t } = words
  const id = useId()
  const [chosen, setChosen] = useState<Chosen>({})
  const [picked, setPicked] = useState<Record<string, Entry[]>>({})
  const [tried, setTried] = useState(false)
  const fault = ({ activityCode, min, max }: WorkflowChoice) => {
    const count = chosen[activityCode]?.length ?? 0
    if (count < min) return t('flow.chooseMin', { count: min })
    return max > 0 && count > max ? t('flow.chooseMax', { count: max }) : ''
  }
  const choose = () => {
    setTried(true)
    if (choices.some((one) => fault(one) !== '')) return
    onChoose(chosen)
  }
  return (
    <Sheet
      title={t('flow.chooseTitle')}
      width={520}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" loading={sending} onClick={choose}>
            {t('flow.chooseDone')}
          </Button>
        </div>
      }
    >
      {choices.map((choice, at) => {
        const { activityCode, everybody, candidates, max } = choice
        const wrong = tried ? fault(choice) : ''
        const label = t('flow.chooseFor', {
          name: words.name({ name: choice.activityName, name_i18n: choice.activityName_i18n }),
        })
        const field = `${id}-${activityCode}`
        const set = (people: string[]) => setChosen((now) => ({ ...now, [activityCode]: people }))
        const options = candidates.map((person) => ({ value: person.id, label: person.name }))
        return everybody ? (
          <div key={activityCode} className={styles.field}>
            <label htmlFor={field} className={styles.label}>
              {label}
            </label>
            <EntryPicker
              id={field}
              schemaCode=""
              propertyCode="workItemPeople"
              find={findPeople}
              multiple={max !== 1}
              value={picked[activityCode] ?? []}
              onChange={(people) => {
                setPicked((now) => ({ ...now, [activityCode]: people }))
                set(people.map((one) => one.id))
              }}
              invalid={wrong !== ''}
              describedBy={`${field}-note`}
              autoFocus={at === 0}
            />
            <span id={`${field}-note`} className={styles.wrong} role="alert">
              {wrong}
            </span>
          </div>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: the boxes have their roles from the library
          <div key={activityCode} className={styles.field} role="group" aria-labelledby={`${field}-label`}>
            <span id={`${field}-label`} className={styles.label}>
              {label}
            </span>
            {max === 1 ? (
              <Radio.Group
                className={styles.radios ?? ''}
                value={chosen[activityCode]?.[0] ?? null}
                onChange={(event) => set([event.target.value as string])}
                options={options}
              />
            ) : (
              <Checkbox.Group
                className={styles.radios ?? ''}
                value={chosen[activityCode] ?? []}
                onChange={(ids) => set(ids)}
                options={options}
              />
            )}
            {wrong && (
              <span className={styles.wrong} role="alert">
                {wrong}
              </span>
            )}
          </div>
        )
      })}
      {error && (
        <p className={styles.wrong} role="alert">
          {error}
        </p>
      )}
    </Sheet>
  )
}
