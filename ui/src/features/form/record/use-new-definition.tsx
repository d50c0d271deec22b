import { Alert, Button } from 'antd'
import { useEffect, useRef } from 'react'
import type { FormLoad } from '@/api/types'
import { useText } from '@/sdk/use-text'
import styles from '../form.module.css'
import { type Values, withoutEmpty } from '../rules/values'

/** What an open form is told of definitions that have changed under it. */
export interface NewDefinition {
  /** The form by its new definition, with the record as it was opened; null while there is no other. */
  load: FormLoad | null
  /** Opens it; what is typed goes along. */
  take: (typed: Values) => void
  /** What was typed before. */
  typed: Values | null
}

/** The opened record in the form that was fetched since, where that is another one. */
export function inNewForm(opened: FormLoad | undefined, now: FormLoad | undefined): FormLoad | null {
  if (!opened || !now || opened === now || JSON.stringify(opened.form) === JSON.stringify(now.form)) return null
  // What others have changed meanwhile is met when it is saved, as it would have been before.
  return opened.version === now.version
    ? now
    : { ...now, version: opened.version, data: { ...now.data, ...opened.data } }
}

/** The typed values that the new form takes. */
export function stillFits(load: FormLoad, base: Values, typed: Values): Values {
  const fits = load.form.fields.filter((field) => !field.readOnly && field.propertyCode in typed)
  const kept = Object.fromEntries(fits.map(({ propertyCode }) => [propertyCode, typed[propertyCode]]))
  return withoutEmpty({ ...base, ...kept })
}

interface Use {
  news: NewDefinition
  load: FormLoad
  base: Values
  changes: Values
  busy: boolean
  change: (values: Values) => void
}

/** Follows changed definitions: an untouched form is drawn again, one with input when its person says so. */
export function useNewDefinition({ news, load, base, changes, busy, change }: Use) {
  const t = useText()
  const clean = Object.keys(changes).length === 0 && !busy
  const { typed } = news
  const filled = useRef(false)
  useEffect(() => {
    if (!typed || filled.current) return
    filled.current = true
    if (Object.keys(typed).length > 0) change(stillFits(load, base, typed))
  }, [typed, load, base, change])
  const waits = news.load !== null && (!typed || filled.current)
  const { take } = news
  useEffect(() => {
    if (waits && clean) take({})
  }, [waits, clean, take])
  return waits && !clean ? (
    <Alert
      className={styles.unsent ?? ''}
      type="info"
      showIcon
      title={t('form.newDefinition')}
      action={
        <Button size="small" disabled={busy} onClick={() => take(changes)}>
          {t('form.newDefinitionTake')}
        </Button>
      }
    />
  ) : null
}
