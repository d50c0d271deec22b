import { Button, Dropdown } from 'antd'
import type { ReactNode, Ref } from 'react'
import { Icon } from '@/components/icon'
import { useIsPhone } from '@/lib/use-media'
import type { FormHandle } from '@/sdk/form-sender'
import { useText } from '@/sdk/use-text'
import { ACTIONS, type Action, type WorkItemDetail } from './api'
import { NextStep } from './next-step'
import { OpinionBox } from './opinion-box'
import styles from './task.module.css'

/** What is pressed most often is in the bar; the rest is behind More. */
const MAIN: readonly Action[] = ['agree', 'submit', 'claim']
const BESIDE: readonly Action[] = ['disagree', 'reject', 'save', 'withdraw']
const DECIDING: readonly Action[] = ['agree', 'submit', 'disagree', 'reject']

interface Props {
  detail: WorkItemDetail
  handle: FormHandle
  opinion: string
  onOpinion: (opinion: string) => void
  required: boolean
  missing: boolean
  focus: Ref<{ focus: () => void }>
  /** What is being sent. */
  sent: Action | null
  onPress: (action: Action) => void
}

/** Below the form of a task: the opinion, what comes next, and what can be done. */
export function TaskBar({ detail, handle, sent, onPress, ...box }: Props) {
  const t = useText()
  const phone = useIsPhone()
  const actions = ACTIONS.filter((action) => detail.actions.includes(action))
  if (actions.length === 0) return null
  const forward = actions.find((action) => action === 'agree' || action === 'submit')
  const inline = phone ? 1 : 3
  const main = actions.filter((action) => MAIN.includes(action))
  const beside = actions.filter((action) => BESIDE.includes(action)).slice(0, inline)
  const rest = actions.filter((action) => !main.includes(action) && !beside.includes(action))
  const button = (action: Action): ReactNode => (
    <Button
      key={action}
      type={MAIN.includes(action) ? 'primary' : 'default'}
      loading={handle.sending && sent === action}
      disabled={handle.sending && sent !== action}
      onClick={() => onPress(action)}
    >
      {t(`flow.${action}`)}
    </Button>
  )
  return (
    <footer className={styles.bar}>
      {actions.some((action) => DECIDING.includes(action)) && (
        <OpinionBox
          value={box.opinion}
          onChange={box.onOpinion}
          maxLength={detail.opinionRule.maxLength}
          required={box.required}
          missing={box.missing}
          focus={box.focus}
        />
      )}
      <div className={styles.buttons}>
        <div className={styles.state}>
          {handle.state.text && (
            <p data-bad={handle.state.faulty || undefined} aria-live="polite">
              {handle.state.text}
            </p>
          )}
          {forward && <NextStep workItemId={detail.item.workItemId} action={forward} change={handle} />}
        </div>
        {rest.length > 0 && (
          <Dropdown
            trigger={['click']}
            disabled={handle.sending}
            menu={{
              items: rest.map((action) => ({
                key: action,
                label: t(`flow.${action}`),
                onClick: () => onPress(action),
              })),
            }}
          >
            <Button aria-label={t('flow.more')} icon={<Icon name="more" />} />
          </Dropdown>
        )}
        {[...beside].reverse().map(button)}
        {main.map(button)}
      </div>
    </footer>
  )
}
