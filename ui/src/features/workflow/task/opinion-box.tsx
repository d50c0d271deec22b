import { Button, Dropdown, type MenuProps } from 'antd'
import { type Ref, Suspense, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { lengthOf } from '@/lib/mentions'
import { formWidget } from '@/registry/properties'
import { FormHoldContext, useHolds } from '@/sdk/form-hold'
import { MentionField } from '@/sdk/mention-field'
import { useText } from '@/sdk/use-text'
import { mentionableQuery } from '../api'
import { usePreferences, useQuickTexts } from '../settings/preferences'
import extra from './opinion.module.css'
import { QuickOpinionsDialog } from './quick-opinions'
import { ATTACHMENT, filesField } from './remark'
import type { Said } from './said'
import { SignField } from './sign-field'
import styles from './task.module.css'
import { OverNote, overBy } from './words-box'

interface Props {
  workItemId: string
  value: Said
  onChange: (value: Said) => void
  maxLength: number
  required: boolean
  /** It is missing, and somebody tried to go on without it. */
  missing: boolean
  /** Which of the usual ones are offered. */
  quick?: 'all' | 'refuse'
  /** It is the only one in a dialog: its label is seen. */
  labelled?: boolean
  /** A signature is asked for, and whether somebody tried to go on without it. */
  signs?: boolean
  unsigned?: boolean
  /** Files are on their way, or did not arrive. */
  onHeld: (held: boolean) => void
  focus?: Ref<{ focus: () => void }>
}

/** What somebody says about their decision: words with mentions, what is often said, files, and a signature. */
export function OpinionBox(props: Props) {
  const { workItemId, value, onChange, maxLength, required, missing, labelled = false, quick = 'all', onHeld } = props
  const t = useText()
  const id = useId()
  const field = useRef<{ focus: () => void }>(null)
  // A name is picked and written at once: the text that follows must not lose who was picked.
  const picked = useRef(value.picked)
  const [attaching, setAttaching] = useState(value.files.length > 0)
  const [editing, setEditing] = useState(false)
  const { waiting, failed, hold } = useHolds()
  useImperativeHandle(props.focus, () => ({ focus: () => field.current?.focus() }))
  const held = waiting + failed > 0
  useEffect(() => onHeld(held), [held, onHeld])
  const take = (text: string) => {
    const before = value.text.trim()
    onChange({ ...value, text: before ? `${before} ${text}` : text })
    field.current?.focus()
  }
  const over = overBy(value.text, maxLength) > 0
  const FilesWidget = formWidget(ATTACHMENT)
  return (
    <div className={styles.opinionBox}>
      <label htmlFor={id} className={labelled ? styles.label : 'visually-hidden'}>
        {t('flow.opinion')}
        {required && (
          <span className={styles.star} aria-hidden="true">
            *
          </span>
        )}
      </label>
      <MentionField
        id={id}
        focus={field}
        people={(word) => mentionableQuery(workItemId, word)}
        words={{ people: t('opinion.people'), nobody: t('opinion.nobody') }}
        value={value.text}
        onChange={(text) => onChange({ ...value, text, picked: picked.current })}
        onPick={({ id: person, name }) => {
          picked.current = [...picked.current, { id: person, name }]
        }}
        offers={labelled ? 'below' : 'above'}
        invalid={missing || over}
        placeholder={`${t('flow.opinionHint')}${t('opinion.mentionHint')}`}
        required={required}
        describedBy={missing ? `${id}-note` : over ? `${id}-over` : undefined}
        rows={{ min: labelled ? 3 : 1, max: labelled ? 8 : 4 }}
      />
      {missing && (
        <span id={`${id}-note`} className={styles.wrong} role="alert">
          {t('flow.opinionNeeded')}
        </span>
      )}
      <OverNote id={`${id}-over`} text={value.text} most={maxLength} />
      {attaching && FilesWidget && (
        <FormHoldContext value={hold}>
          <Suspense fallback={null}>
            <FilesWidget
              id={`${id}-files`}
              field={filesField(t('opinion.attachments'))}
              schemaCode=""
              value={value.files.length > 0 ? value.files : null}
              onChange={(next) => onChange({ ...value, files: (next as Said['files'] | null) ?? [] })}
              values={() => ({})}
              inCell
            />
          </Suspense>
        </FormHoldContext>
      )}
      <div className={extra.tools}>
        <QuickMenu quick={quick} onTake={take} onEdit={() => setEditing(true)} />
        <Hint title={t('opinion.attach')}>
          <Button
            type="text"
            icon={<Icon name="clip" />}
            aria-label={t('opinion.attach')}
            aria-pressed={attaching}
            onClick={() => setAttaching((now) => !now || value.files.length > 0)}
          />
        </Hint>
        {props.signs && (
          <SignField
            value={value.signature}
            onChange={(signature) => onChange({ ...value, signature })}
            missing={props.unsigned ?? false}
          />
        )}
        {value.text.length > 0 && (
          <span className={`${styles.figure} tabular`}>
            {lengthOf(value.text)} / {maxLength}
          </span>
        )}
      </div>
      {editing && <QuickOpinionsDialog onClose={() => setEditing(false)} />}
    </div>
  )
}

/** What is often said: the person's own first, then what everybody is offered. */
function QuickMenu({
  quick,
  onTake,
  onEdit,
}: {
  quick: 'all' | 'refuse'
  onTake: (text: string) => void
  onEdit: () => void
}) {
  const t = useText()
  const preferences = usePreferences()
  const { own, common, products } = useQuickTexts(preferences)
  const others = (quick === 'refuse' && !preferences?.common ? products.slice(3) : common).filter(
    (text) => !own.includes(text),
  )
  const entries = (texts: string[]) => texts.map((text) => ({ key: text, label: text, onClick: () => onTake(text) }))
  const items: NonNullable<MenuProps['items']> = [
    ...entries(own),
    ...(own.length > 0 && others.length > 0 ? [{ type: 'divider' as const, key: '-1' }] : []),
    ...entries(others),
    { type: 'divider', key: '-2' },
    { key: '-edit', label: t('opinion.editQuick'), onClick: onEdit },
  ]
  return (
    <Dropdown trigger={['click']} menu={{ items, className: extra.quickMenu ?? '' }}>
      <Button>{t('flow.quick')}</Button>
    </Dropdown>
  )
}
