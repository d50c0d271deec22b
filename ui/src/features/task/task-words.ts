import { useEffect, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { isLive } from '@/sdk/jobs'
import { useText } from '@/sdk/use-text'
import type { JobOwner, Task } from './api'

/** How long a task took, or takes until now, in milliseconds; null before it began. */
export function tookMs(task: Pick<Task, 'startedTime' | 'finishedTime'>, now: number): number | null {
  if (!task.startedTime) return null
  const end = task.finishedTime ? Date.parse(task.finishedTime) : now
  return Math.max(0, end - Date.parse(task.startedTime))
}

export function splitTime(ms: number): {
  unit: 'moment' | 'seconds' | 'minutes' | 'hours'
  h: number
  m: number
  s: number
} {
  const all = Math.floor(ms / 1000)
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  return { unit: h > 0 ? 'hours' : m > 0 ? 'minutes' : s > 0 ? 'seconds' : 'moment', h, m, s }
}

/** The clock, for durations that still run. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}

export const COLOURS = { queued: 'gray', running: 'blue', done: 'green', failed: 'red', cancelled: 'orange' } as const

/** The words for parts of a task. */
export function useTaskWords() {
  const t = useText()
  const locale = useLocale()
  const known = (group: 'kinds' | 'figures', name: string) => {
    const words = t(`task.${group}`, { returnObjects: true }) as unknown as Record<string, string>
    return Object.hasOwn(words, name) ? words[name] : undefined
  }
  return {
    locale,
    state: (task: Task) => (task.cancelling && isLive(task) ? t('task.stopping') : t(`task.states.${task.state}`)),
    kind: (kind: string) => known('kinds', kind) ?? kind.replace(/^pack:/, ''),
    figure: (name: string) => known('figures', name) ?? name,
    owner: (owner: JobOwner) => (owner.id === 'system' ? t('task.system') : owner.name || t('task.gone')),
    progress: ({ state, ahead, done, total }: Task) => {
      if (state === 'queued' && ahead > 0) return t('task.ahead', { count: ahead })
      if (total > 0) return t('task.doneOf', { done, total })
      return done > 0 ? t('task.done', { done }) : ''
    },
    duration: (task: Task, now: number) => {
      const ms = tookMs(task, now)
      if (ms === null) return ''
      const { unit, ...parts } = splitTime(ms)
      return t(`task.${unit}`, parts)
    },
  }
}
