import { Button, Dropdown, Input } from 'antd'
import { type Ref, useId, useImperativeHandle, useRef } from 'react'
import { useText } from '@/sdk/use-text'
import styles from './task.module.css'

interface Props {
  value: string
  onChange: (value: string) => void
  maxLength: number
  required: boolean
  /** It is missing, and somebody tried to go on without it. */
  missing: boolean
  /** Which of the usual ones are offered. */
  quick?: keyof typeof QUICK
  /** It is the only one in a dialog: its label is seen. */
  labelled?: boolean
  focus?: Ref<{ focus: () => void }>
}

const QUICK = { all: ['a', 'b', 'c', 'd', 'e'], agree: ['a', 'b', 'c'], refuse: ['d', 'e'] } as const

/** What somebody says about their decision, with what is often said. */
export function OpinionBox({
  value,
  onChange,
  maxLength,
  required,
  missing,
  labelled = false,
  quick = 'all',
  focus,
}: Props) {
  const t = useText()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(focus, () => ({ focus: () => box.current?.querySelector('textarea')?.focus() }))
  const take = (text: string) => {
    onChange((value.trim() ? `${value.trim()} ${text}` : text).slice(0, maxLength))
    box.current?.querySelector('textarea')?.focus()
  }
  return (
    <div ref={box} className={styles.opinionBox}>
      <label htmlFor={id} className={labelled ? styles.label : 'visually-hidden'}>
        {t('flow.opinion')}
        {required && (
          <span className={styles.star} aria-hidden="true">
            *
          </span>
        )}
      </label>
      <div className={styles.opinionRow}>
        <Input.TextArea
          id={id}
          value={value}
          maxLength={maxLength}
          autoSize={{ minRows: labelled ? 3 : 1, maxRows: labelled ? 8 : 4 }}
          placeholder={t('flow.opinionHint')}
          aria-required={required}
          aria-describedby={missing ? `${id}-note` : undefined}
          status={missing ? 'error' : ''}
          onChange={(event) => onChange(event.target.value)}
        />
        <Dropdown
          trigger={['click']}
          menu={{
            items: QUICK[quick].map((name) => ({
              key: name,
              label: t(`flow.quicks.${name}`),
              onClick: () => take(t(`flow.quicks.${name}`)),
            })),
          }}
        >
          <Button>{t('flow.quick')}</Button>
        </Dropdown>
      </div>
      <div className={styles.opinionFoot}>
        {missing && (
          <span id={`${id}-note`} className={styles.wrong} role="alert">
            {t('flow.opinionNeeded')}
          </span>
        )}
        {value.length > 0 && (
          <span className={`${styles.figure} tabular`}>
            {value.length} / {maxLength}
          </span>
        )}
      </div>
    </div>
  )
}
