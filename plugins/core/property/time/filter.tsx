import { DateBox, type FilterProps, useText } from '@sluice/sdk'
import { useEffect, useState } from 'react'
import { TextFilter } from '../shared/text-filter'
import styles from './filter.module.css'
import { timeFormat } from './format'

/** A time of day; for "contains" a part of one, such as "08:". */
export function Filter(props: FilterProps) {
  const { id, field, operator, value, onChange, onSubmit } = props
  const t = useText()
  const [unread, setUnread] = useState<string | null>(null)
  const now = value?.value ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another condition leaves no text behind
  useEffect(() => setUnread(null), [now, operator])
  if (operator === 'Contains' || operator === 'NotContains') return <TextFilter {...props} />
  return (
    <>
      <DateBox
        id={id}
        kind="time"
        format={timeFormat(field)}
        value={now && /^\d\d:\d\d/.test(now) ? now : null}
        unread={unread}
        invalid={unread !== null}
        {...(unread === null ? {} : { describedBy: `${id}-note` })}
        onChange={(next) => {
          setUnread(null)
          onChange(next === null ? null : { value: next })
        }}
        onUnread={setUnread}
        onEnter={onSubmit}
      />
      {unread !== null && (
        <div id={`${id}-note`} className={styles.wrong} role="alert">
          {t('date.notApplied', { message: t('date.enter.time') })}
        </div>
      )}
    </>
  )
}
