import { Button, Checkbox, Dropdown } from 'antd'
import type { ReactNode, Ref } from 'react'
import { Icon } from '@/components/icon'
import { useIsPhone } from '@/lib/use-media'
import type { FormHandle } from '@/sdk/form-sender'
import { useText } from '@/sdk/use-text'
import { ACTIONS, type Action, type WorkItemDetail } from '../api'
import { NextStep } from './next-step'
import { OpinionBox } from './opinion-box'
import { OpinionText } from './remark'
import { needsSignature, type Said } from './said'
import styles from './task.module.css'

/** What is pressed most often is in the bar; the rest is behind More. */
const MAIN: readonly Action[] = ['agree', 'submit', 'claim']
const BESIDE: readonly Action[] = ['disagree', 'reject', 'save', 'release', 'withdraw']
const DECIDING: readonly Action[] = ['agree', 'submit', 'disagree', 'reject']

interface Props {
  detail: WorkItemDetail
  handle: FormHandle
  said: Said
  onSaid: (said: Said) => void
  onHeld: (held: boolean) => void
  required: boolean
  missing: boolean
  unsigned: boolean
  /** Whether the next task opens afterwards, and how many are left. */
  next: { on: boolean; left: number; set: (on: boolean) => void }
  focus: Ref<{ focus: () => void }>
  /** What is being sent. */
  sent: Action | null
  /** It is decided, and the next task or the list is on its way. */
  over: boolean
  onPress: (action: Action) => void
}

/** Below the form of a task: the opinion, what comes next, and what can be done. */
export function TaskBar({ detail, handle, sent, over, onPress, ...box }: Props) {
  const t = useText()
  const phone = useIsPhone()
  const busy = handle.sending || over
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
      loading={busy && sent === action}
      disabled={over || (busy && sent !== action)}
      onClick={() => onPress(action)}
    >
      {t(`flow.${action}`)}
    </Button>
  )
  const decides = actions.some((action) => DECIDING.includes(action))
  const last = detail.opinions.at(-1) // what was sent back begins with why
  return (
    <footer className={styles.bar}>
      {last?.operation === 'reject' && (
        <p className={styles.sentBack}>
          <strong>{t('flow.sentBackBy', { name: last.person?.name ?? t('flow.system') })}</strong>
          <OpinionText text={last.opinion} remark={last.remark} />
        </p>
      )}
      {decides && (
        <OpinionBox
          workItemId={detail.item.workItemId}
          value={box.said}
          onChange={box.onSaid}
          onHeld={box.onHeld}
          signs={actions.some((action) => needsSignature(detail.opinionRule.signature, action))}
          unsigned={box.unsigned}
          maxLength={detail.opinionRule.maxLength}
          required={box.required}
          missing={box.missing}
          focus={box.focus}
        />
      )}
      <div className={styles.buttons}>
        {(decides || handle.state.text) && (
          <div className={styles.state}>
            {handle.state.text && (
              <p data-bad={handle.state.faulty || undefined} aria-live="polite">
                {handle.state.text}
              </p>
            )}
            {forward && <NextStep command={{ workItemId: detail.item.workItemId, action: forward }} change={handle} />}
            {box.next.left > 0 && decides && (
              <Checkbox checked={box.next.on} onChange={(event) => box.next.set(event.target.checked)}>
                {t('opinion.keepNext')} · {t('opinion.left', { count: box.next.left })}
              </Checkbox>
            )}
          </div>
        )}
        {rest.length > 0 && (
          <Dropdown
            trigger={['click']}
            disabled={busy}
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
