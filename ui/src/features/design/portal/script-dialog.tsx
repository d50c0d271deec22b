import { Button, Modal } from 'antd'
import { type KeyboardEvent, useRef } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useText } from '@/sdk/use-text'
import { useProblemText } from '../shared/fields'
import styles from './portal.module.css'
import type { PortalProblem } from './problems'

interface Props {
  text: string
  problems: readonly PortalProblem[]
  checking: boolean
  readOnly: boolean
  onChange: (text: string) => void
  onClose: () => void
}

/** Where a line and column of a text are in it. */
function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}

/** The script of a page with the numbers of its lines, and what the compiler says of it, each leading to its place. */
export function ScriptDialog({ text, problems, checking, readOnly, onChange, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const say = useProblemText()
  const box = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLPreElement>(null)
  const lines = text.split('\n').length
  const lead = ({ line, column }: PortalProblem) => {
    const at = offsetOf(text, line, column)
    box.current?.focus()
    box.current?.setSelectionRange(at, at)
    if (box.current) box.current.scrollTop = Math.max(0, (line - 5) * 20)
  }
  // A new line begins below the one before. The browser writes it, so that it can take it back.
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey) return
    const { value, selectionStart } = event.currentTarget
    const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart)
    const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
    if (indent && document.execCommand('insertText', false, `\n${indent}`)) event.preventDefault()
  }
  const wrong = new Set(problems.map(({ line }) => line))
  return (
    <Modal
      open
      title={t('portalDesign.script')}
      width="min(960px, calc(100vw - 32px))"
      footer={
        <Button type="primary" onClick={onClose}>
          {t('portalDesign.scriptDone')}
        </Button>
      }
      onCancel={onClose}
      afterOpenChange={(open) => open && box.current?.focus()}
    >
      <p className={styles.note}>{t('portalDesign.scriptHow')}</p>
      <div className={styles.coded}>
        <pre ref={numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, i) => (
            <span key={i} data-wrong={wrong.has(i + 1) || undefined}>{`${i + 1}\n`}</span>
          ))}
        </pre>
        <textarea
          ref={box}
          aria-label={t('portalDesign.scriptText')}
          aria-invalid={problems.some(({ severity }) => severity === 'error')}
          readOnly={readOnly}
          spellCheck={false}
          wrap="off"
          rows={20}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKey}
          onScroll={({ currentTarget }) => {
            if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop
          }}
        />
      </div>
      <ul className={styles.scriptProblems} aria-label={t('portalDesign.scriptProblems')} aria-live="polite">
        {problems.map((one) => (
          <li key={`${one.code}${one.line}:${one.column}`} data-severity={one.severity}>
            <button type="button" onClick={() => lead(one)}>
              {t('portalDesign.scriptAt', { line: one.line, column: one.column })}
            </button>{' '}
            {say(one)}
          </li>
        ))}
        {problems.length === 0 && <li>{t(checking ? 'design.checking' : 'portalDesign.scriptSound')}</li>}
      </ul>
    </Modal>
  )
}
