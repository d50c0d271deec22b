import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isOwnPath } from '@/lib/address'
import { useMe } from '@/sdk/me'
import type { PortalPage, PortalWidget } from '@/sdk/portal'
import { scriptError } from '@/sdk/script/faults'
import type { Methods } from '@/sdk/script/host'
import { text } from '@/sdk/script/read-text'
import { usePageScript } from '@/sdk/script/use-page-script'
import { everyWidget } from './places'

/** Reads and moves that a script may ask for in a minute: a page that leads to itself would never end. */
const MOVES = 20

const refuse = (what: string): never => {
  throw scriptError('execution', what)
}

/** The page's script: what it hides. Its functions run when somebody enters the page, and when they leave it. */
export function usePortalScript(page: PortalPage): ReadonlySet<string> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const me = useMe()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const moves = useRef<number[]>([])
  const { portalCode, widgets } = page
  const { onEnter, onLeave } = page.page

  const budget = (method: string) => {
    const now = Date.now()
    moves.current = [...moves.current.filter((at) => now - at < 60_000), now]
    if (moves.current.length > MOVES) refuse(`${method}: more than ${MOVES} times a minute`)
  }
  const known = (code: unknown): PortalWidget =>
    everyWidget(widgets).find((one) => one.code !== null && one.code === code) ?? refuse(String(code).slice(0, 100))
  const renew = (...queryKey: string[]) => void client.invalidateQueries({ queryKey })
  const methods: Methods = {
    refresh: ([code]) => {
      budget('refresh')
      const only = code === undefined || code === null ? null : known(code)
      const report = only ? only.options.reportCode : null
      renew('portal', portalCode, 'rows', ...(only ? [only.id] : []))
      if (!only || typeof report === 'string') renew('report', ...(typeof report === 'string' ? [report] : []))
      if (!only || !('schemaCode' in only.options)) renew('workflow')
    },
    setVisible: ([code, visible]) => {
      const of = known(code).code ?? ''
      setHidden((before) => {
        const next = new Set(before)
        if (visible === true) next.delete(of)
        else next.add(of)
        return next
      })
    },
    navigate: ([path]) => {
      budget('navigate')
      const to = text(path, 2000, 'navigate')
      if (!isOwnPath(to)) refuse('navigate')
      void navigate(to)
    },
  }
  const script = usePageScript('portal', portalCode, page.script, methods, onLeave)
  const user = me ? { id: me.id, name: me.name } : null
  const entered = useRef<unknown>(null)
  useEffect(() => {
    if (!script.view || !user || entered.current === script) return
    entered.current = script
    const event = { portalCode, name: page.name, user }
    void (async () => {
      await script.run('onPageEnter', event)
      if (onEnter && onEnter !== 'onPageEnter') await script.run(onEnter, event)
    })()
  }, [script, user, portalCode, page.name, onEnter])
  return hidden
}
