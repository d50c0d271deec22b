import { useEffect, useRef, useState } from 'react'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import type { Replaced, Replacement } from './api'
import styles from './correction.module.css'
import { rowTitle } from './row-place'

type Asked = Omit<Replacement, 'rows'>
type Answer = Replaced & { error?: unknown }

/** A moment after the last key the server is asked what a replacement would change. */
const PAUSE = 300

/** So many of the cells are shown. */
const SHOWN = 5

/** What a replacement as it is now would change; null until the answer is there. Without `preview` nothing is asked. */
export function useChanges(preview: ((asked: Asked) => Promise<Replaced>) | undefined, asked: Asked) {
  const [answer, setAnswer] = useState<{ of: string; is: Answer } | null>(null)
  const of = preview ? JSON.stringify(asked) : ''
  const latest = useRef(preview)
  latest.current = preview
  useEffect(() => {
    if (of === '') return
    let gone = false
    const timer = setTimeout(async () => {
      const is = await latest.current?.(JSON.parse(of)).catch((error) => ({ changedCount: 0, changes: [], error }))
      if (is && !gone) setAnswer({ of, is })
    }, PAUSE)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [of])
  return answer?.of === of ? answer.is : null
}

/** The first cells that a replacement would change, before and after. */
export function Changes({ changes }: { changes: Answer | null }) {
  const t = useText()
  const errorText = useErrorText()
  if (!changes) return <p className={styles.note}>{t('common.loading')}</p>
  if (changes.error) return <p className={styles.bad}>{errorText(changes.error)}</p>
  const more = changes.changedCount - SHOWN
  return (
    <div className={styles.changes} role="status">
      <p className={styles.note}>{t('import.willChange', { count: changes.changedCount })}</p>
      <ul>
        {changes.changes.slice(0, SHOWN).map(({ before, after, ...row }, at) => (
          <li key={at}>
            <span>{rowTitle(t, row)}</span>
            <del>{before}</del>
            <ins>{after === '' ? t('import.emptied') : after}</ins>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.note}>{t('import.moreChanges', { count: more })}</p>}
    </div>
  )
}
