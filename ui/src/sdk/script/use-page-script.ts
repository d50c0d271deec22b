import { App } from 'antd'
import { useEffect, useId, useMemo, useRef } from 'react'
import { warm } from '@/api/client'
import { useLocale } from '@/i18n/locale'
import { useText } from '../use-text'
import { type Fault, type FaultCode, faultOf, PREFIX, SHOWN, WORDS } from './faults'
import type { Methods, ScriptHost } from './host'
import type { Press } from './press'
import { type ApiMode, LIMITS, type PageKind, shorten } from './protocol'
import { text } from './read-text'
import type { HookName, HookResult } from './results'

/** The script of a page. Without one, and after it failed, everything answers as if no hook were there. */
export interface PageScript<K extends PageKind> {
  /** Null without a script; else names this page view, so that what it loads is not mistaken for another's. */
  view: string | null
  run: <H extends HookName<K>>(hook: H, payload: unknown, press?: Press) => Promise<HookResult<K, H> | undefined>
  /** How the script's api works with the page's own call. */
  mode: (api: string) => Promise<ApiMode | null>
  /** Calls an api of the script; undefined when it failed. */
  request: <T>(api: string, payload: unknown, read: (value: unknown) => T) => Promise<T | undefined>
}

/** The words of the specification, and what they mean here. */
export function faultText(t: ReturnType<typeof useText>, code: Exclude<FaultCode, 'firstVersion'>, detail: string) {
  const plain = t(`script.${code}`)
  const why = detail ? t('script.detailed', { why: plain, detail }) : plain
  return t('script.fault', { words: PREFIX + WORDS[code], why })
}

/** Above the bar with the buttons of a form. */
const corner = { duration: SHOWN, placement: 'bottomLeft', style: { marginBottom: 48 } } as const

/**
 * Shows faults for five seconds; a script of the first version is passed over in silence. Messages stand alone, and that a form
 * was saved must not take a fault away: forms say it in a corner.
 */
function useFaultReport(kind: PageKind) {
  const t = useText()
  const { message, notification } = App.useApp()
  return ({ code, detail }: Fault) => {
    if (code === 'firstVersion') return
    const said = faultText(t, code, detail)
    if (kind === 'form') notification.error({ ...corner, title: t('script.execution'), description: said })
    else void message.error(said, SHOWN)
  }
}

/** What every page lets its script do. */
function useCommonMethods(): Methods {
  const t = useText()
  const { message, modal } = App.useApp()
  return {
    message: ([said, kind]) => {
      const level = (['info', 'success', 'warning', 'error'] as const).find((one) => one === kind) ?? 'info'
      void message[level](shorten(text(said, LIMITS.text, 'message')), 3)
    },
    confirm: ([said, title]) =>
      new Promise<boolean>((resolve) => {
        modal.confirm({
          title: typeof title === 'string' ? shorten(title) : t('script.confirm'),
          content: shorten(text(said, LIMITS.text, 'confirm')),
          okText: t('common.confirm'),
          cancelText: t('common.cancel'),
          onOk: () => resolve(true),
          onCancel: () => resolve(false),
        })
      }),
  }
}

async function open(kind: PageKind, url: string, locale: string, methods: Methods, report: (fault: Fault) => void) {
  const [{ openWorker, startScript }, { httpMethods }] = await Promise.all([
    import('./host'),
    import('./http'),
    import('./results'), // which reads what hooks answer
  ])
  const own = { ...methods, ...httpMethods }
  return startScript({ kind, url, locale, methods: own, open: openWorker, fetch: warm, report })
}

/**
 * Starts the script of a page when the page first asks for one of its hooks, in a worker of its own, and ends it with the page.
 * `methods` is what this kind of page lets its script do, besides what all pages do.
 */
export function usePageScript<K extends PageKind>(
  kind: K,
  code: string,
  url: string | null | undefined,
  methods: Methods,
  /** The hook that runs when the page is left; the worker ends after it. */
  last?: string | null,
): PageScript<K> {
  const id = useId()
  const locale = useLocale()
  const report = useFaultReport(kind)
  const own = { ...useCommonMethods(), ...methods }
  const live = useRef({ report, own, gone: false })
  live.current.report = report
  live.current.own = own
  const names = Object.keys(own).join()
  const started = useMemo(() => {
    let host: Promise<ScriptHost | null> | null = null
    const say = (fault: Fault) => !live.current.gone && live.current.report(fault)
    // Methods follow the page as it is when they are called.
    const current = Object.fromEntries(
      names.split(',').map((name) => [name, (args, run) => live.current.own[name]?.(args, run)]),
    ) as Methods
    return {
      say,
      host: (): Promise<ScriptHost | null> => {
        if (!url || live.current.gone) return Promise.resolve(null)
        host ??= open(kind, url, locale, current, say).catch((error: unknown) => {
          say({ code: 'scriptInvalid', detail: error instanceof Error ? shorten(error.message) : '' })
          return null
        })
        return host
      },
      stop: () => {
        const ending = host
        host = null
        void ending?.then(async (is) => {
          if (last) await is?.run('hook', last, {})
          is?.stop()
        })
      },
    }
  }, [kind, url, locale, names, last])
  useEffect(() => {
    live.current.gone = false
    return () => {
      live.current.gone = true
      started.stop()
    }
  }, [started])
  return useMemo(() => {
    const checked = <T>(read: () => T): T | undefined => {
      try {
        return read()
      } catch (error) {
        const fault = faultOf(error)
        if (!fault) throw error
        started.say(fault)
        return undefined
      }
    }
    return {
      view: url ? `${code}${id}` : null,
      run: async (hook, payload, press) => {
        const host = await started.host()
        if (!host) return undefined
        const value = await host.run('hook', hook, payload, press)
        const { readResult } = await import('./results')
        return checked(() => readResult(kind, hook, value))
      },
      mode: async (api) => (await started.host())?.mode(api) ?? null,
      request: async (api, payload, read) => {
        const value = await (await started.host())?.run('api', api, payload)
        return value === undefined ? undefined : checked(() => read(value))
      },
    }
  }, [kind, code, id, url, started])
}
