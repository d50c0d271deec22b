import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '@/api/client'
import { followEvents } from '@/api/events'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { type Diagnostic, type Offer, parseDiagnostics } from '@/lib/diagnostics'
import { useFeedback } from '@/sdk/feedback'
import { type SystemConfig, systemConfigQuery } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './dev-overlay.module.css'

/** Follows the definitions: new ones are fetched without a reload, wrong ones are shown where their author looks. */
export function DevOverlay({ dev }: { dev: boolean }) {
  const t = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const say = useFeedback()
  const [problems, setProblems] = useState<Diagnostic[]>([])
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    const onCatalog = (event: MessageEvent<string>) => {
      setProblems([])
      // The server also names its definitions when a page begins to follow; only other ones than the page's are news.
      const known = client.getQueryData<SystemConfig>(systemConfigQuery.queryKey)?.digest
      if (known === undefined || event.data.includes(known)) return
      void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'me' })
      if (!dev) return
      say.success(t('shell.updated'))
      import('@/registry/bundle-loader')
        .then((m) => m.isRebuilt(client))
        .then(
          (rebuilt) => rebuilt && window.location.reload(),
          () => {},
        )
    }
    const onDiagnostics = (event: MessageEvent<string>) => {
      setProblems(parseDiagnostics(event.data))
      setHidden(false)
    }
    return followEvents(
      { catalog: onCatalog, diagnostics: onDiagnostics },
      () => void client.invalidateQueries({ queryKey: ['system'] }),
    )
  }, [client, dev, say, t])
  if (problems.length === 0 || hidden) return null
  return (
    <aside className={styles.overlay} role="alert">
      <header>
        <Icon name="alert" />
        <strong>{t('shell.diagnostics', { count: problems.length })}</strong>
        <button type="button" aria-label={t('shell.close')} onClick={() => setHidden(true)}>
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
