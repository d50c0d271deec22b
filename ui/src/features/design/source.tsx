import { useEffect, useRef, useState } from 'react'
import { useText } from '@/sdk/use-text'
import styles from './design.module.css'
import { type Flow, isFlow, readJson, writeJson } from './document'

/** The document as text. What can be read and drawn is taken over at once. */
export function Source({ flow, onChange }: { flow: Flow; onChange: (flow: Flow) => void }) {
  const t = useText()
  const [text, setText] = useState(() => writeJson(flow))
  const [wrong, setWrong] = useState('')
  const own = useRef(flow)
  useEffect(() => {
    if (flow === own.current) return
    own.current = flow // it was changed elsewhere, by undo for instance
    setText(writeJson(flow))
    setWrong('')
  }, [flow])
  const type = (next: string) => {
    setText(next)
    try {
      const value = readJson(next)
      if (!isFlow(value)) return setWrong(t('design.notAFlow'))
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
