import { useState } from 'react'
import { post } from '@/api/client'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import type { Diagnostic, Offer } from '@/lib/diagnostics'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from './dev-problems.module.css'

/** What is wrong with definitions, and what their author can do about it. */
export function DevProblems({ problems, onClose }: { problems: Diagnostic[]; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  return (
    <aside className={styles.overlay} role="alert">
      <header>
        <Icon name="alert" />
        <strong>{t('shell.diagnostics', { count: problems.length })}</strong>
        <button type="button" aria-label={t('shell.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.place}${problem.code}${problem.text.zh}`}>
            <code>{problem.place}</code> <b>{problem.code}</b>
            <p>{problem.text[locale]}</p>
            {problem.offer && <Answers offer={problem.offer} />}
          </li>
        ))}
      </ul>
      <footer>{t('shell.diagnosticsText')}</footer>
    </aside>
  )
}

/** What can be done about a change that waits; what came of it is told by the events. */
function Answers({ offer }: { offer: Offer }) {
  const t = useText()
  const say = useFeedback()
  const [busy, setBusy] = useState(false)
  const answer = async (action: 'keep' | 'drop' | 'apply' | 'rename', to?: string) => {
    setBusy(true)
    try {
      await post('/api/dev/answer', { id: offer.id, do: action, ...(to !== undefined && { to }) })
    } catch (error) {
      say.error(error)
    }
    setBusy(false)
  }
  const button = (text: string, action: 'keep' | 'drop' | 'apply' | 'rename', to?: string) => (
    <button key={text} type="button" disabled={busy} onClick={() => void answer(action, to)}>
      {text}
    </button>
  )
  return (
    <div className={styles.answers}>
      {offer.keeps && button(t('shell.keepProperty'), 'keep')}
      {offer.renames.map((name) => button(t('shell.renamedTo', { name }), 'rename', name))}
      {offer.loses ? button(t('shell.dropProperty'), 'drop') : button(t('shell.applyStep'), 'apply')}
    </div>
  )
}
