import { Checkbox } from 'antd'
import { useText } from '@/sdk/use-text'
import { alsoOf } from './assign-state'
import styles from './import.module.css'
import type { Head } from './use-head'

/** Of a file with several sheets: those that have the same columns as the one that is read and can come in with it, and why others cannot. */
export function OtherSheets({ of }: { of: Head }) {
  const t = useText()
  const { head, reading, add } = of
  if (!head || head.sheets.length < 2) return null
  const others = head.sheets.map((one, at) => ({ ...one, at })).filter(({ at }) => at !== head.sheet)
  const alike = others.filter((one) => one.alike)
  const differ = others.filter((one) => !one.alike)
  const chosen = alsoOf(head, reading)
  return (
    <>
      {alike.length > 0 && (
        <fieldset className={styles.field}>
          <legend>{t('import.also.title')}</legend>
          <div className={styles.sheets}>
            {alike.length > 1 && (
              <Checkbox
                checked={chosen.length === alike.length}
                indeterminate={chosen.length > 0 && chosen.length < alike.length}
                onChange={(event) => add(event.target.checked ? alike.map(({ at }) => at) : [])}
              >
                {t('import.also.all', { count: alike.length })}
              </Checkbox>
            )}
            {alike.map(({ name, at }) => (
              <Checkbox
                key={at}
                checked={chosen.includes(at)}
                onChange={(event) => add(event.target.checked ? [...chosen, at] : chosen.filter((one) => one !== at))}
              >
                {name}
              </Checkbox>
            ))}
          </div>
        </fieldset>
      )}
      {differ.length > 0 && (
        <details className={styles.differ}>
          <summary>{t('import.also.differ', { count: differ.length })}</summary>
          <ul>
            {differ.map(({ name, at, errmsg }) => (
              <li key={at}>{errmsg || name}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
