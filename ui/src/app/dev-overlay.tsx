import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { followEvents } from '@/api/events'
import { type Diagnostic, parseDiagnostics } from '@/lib/diagnostics'
import { useFeedback } from '@/sdk/feedback'
import { type SystemConfig, systemConfigQuery } from '@/sdk/system'
import { useText } from '@/sdk/use-text'

// Most pages never show one.
const DevProblems = lazy(() => import('./dev-problems').then((m) => ({ default: m.DevProblems })))

/** Follows the definitions: new ones are fetched without a reload, wrong ones are shown where their author looks. */
export function DevOverlay({ dev }: { dev: boolean }) {
  const t = useText()
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
    <Suspense>
      <DevProblems problems={problems} onClose={() => setHidden(true)} />
    </Suspense>
  )
}
