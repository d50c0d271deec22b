import { Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type Ref, useId, useImperativeHandle, useRef } from 'react'
import { lengthOf } from '@/lib/mentions'
import { useText } from '@/sdk/use-text'
import styles from './task.module.css'

/** So many characters an opinion or a reason has at most where its node doesn't say otherwise. */
export const LONGEST = 200

/** By how many characters a text is too long. It is kept as it was typed: what sends it stops first. */
export const overBy = (text: string, most = LONGEST) => Math.max(0, lengthOf(text) - most)

/** Says by how much a text is too long; renders nothing while it is not. */
export function OverNote({ id, text, most = LONGEST }: { id: string; text: string; most?: number }) {
  const t = useText()
  const count = overBy(text, most)
  return (
    <span id={id} className={styles.wrong} role="alert">
      {count > 0 && t('opinion.over', { count, most })}
    </span>
  )
}

interface Props {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  rows?: number
  focus?: Ref<{ focus: () => void }>
}

/** A few words that go with a command and into the log. */
export function WordsBox({ label, placeholder, value, onChange, rows = 2, focus }: Props) {
  const id = useId()
  const area = useRef<TextAreaRef>(null)
  useImperativeHandle(focus, () => ({ focus: () => area.current?.focus() }))
  const over = overBy(value) > 0
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <Input.TextArea
        ref={area}
        id={id}
        value={value}
        placeholder={placeholder}
        autoSize={{ minRows: rows, maxRows: 6 }}
        status={over ? 'error' : ''}
        aria-invalid={over || undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className={styles.wordsFoot}>
        <OverNote id={`${id}-note`} text={value} />
        {value !== '' && (
          <span className={`${styles.figure} tabular`} aria-hidden="true">
            {lengthOf(value)} / {LONGEST}
          </span>
        )}
      </div>
    </div>
  )
}
