import { useEffect, useRef, useState } from 'react'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { readJson, writeJson } from './json'

interface Props<T> {
  document: T
  /** Whether the editor can draw a document. */
  draws: (value: unknown) => value is T
  /** Said of one that it cannot. */
  refusal: string
  onChange: (document: T) => void
  readOnly: boolean
}

/** The document as text. What can be read and drawn is taken over at once. */
export function Source<T>({ document, draws, refusal, onChange, readOnly }: Props<T>) {
  const t = useText()
  const [text, setText] = useState(() => writeJson(document))
  const [wrong, setWrong] = useState('')
  const own = useRef(document)
  useEffect(() => {
    if (document === own.current) return
    own.current = document // it was changed elsewhere, by undo for instance
    setText(writeJson(document))
    setWrong('')
  }, [document])
  const type = (next: string) => {
    setText(next)
    try {
      const value = readJson(next)
      if (!draws(value)) return setWrong(refusal)
      own.current = value
      setWrong('')
      onChange(value)
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className={styles.source}>
      <textarea
        aria-label={t('design.source')}
        aria-invalid={wrong !== ''}
        spellCheck={false}
        readOnly={readOnly}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      {wrong && (
        <p className={styles.wrong} role="alert">
          {t('design.notTaken', { why: wrong })}
        </p>
      )}
    </div>
  )
}
