import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { Instance, WorkItem } from '@/sdk/work-items'
import type { Person } from '../api'

export const STATE_COLOURS = {
  DRAFT: 'gray',
  PROCESSING: 'blue',
  COMPLETED: 'green',
  CANCELED: 'gray',
  EXCEPTION: 'red',
} as const

export const RESULT_COLOURS = {
  '': 'gray',
  agree: 'green',
  submit: 'green',
  read: 'gray',
  disagree: 'red',
  reject: 'orange',
} as const

/** Days, hours and minutes of a span in milliseconds. */
export function splitSpan(ms: number): {
  unit: 'lessThanMinute' | 'minutes' | 'hours' | 'days'
  d: number
  h: number
  m: number
} {
  const all = Math.floor(Math.max(0, ms) / 60_000)
  const [d, h, m] = [Math.floor(all / 1440), Math.floor(all / 60) % 24, all % 60]
  return { unit: d > 0 ? 'days' : all >= 60 ? 'hours' : all > 0 ? 'minutes' : 'lessThanMinute', d, h, m }
}

/** The words for parts of a workflow. */
export function useFlowWords() {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const names = (people: Person[]) =>
    new Intl.ListFormat(locale, { type: 'unit', style: locale === 'zh' ? 'narrow' : 'long' }).format(
      people.map(({ name }) => name),
    )
  return {
    t,
    locale,
    workflow: (of: Pick<WorkItem, 'workflowName' | 'workflowName_i18n'>) =>
      localName({ name: of.workflowName, name_i18n: of.workflowName_i18n }, locale),
    activity: (of: Pick<WorkItem, 'activityName' | 'activityName_i18n'>) =>
      localName({ name: of.activityName, name_i18n: of.activityName_i18n }, locale),
    name: (of: { name: string; name_i18n?: Record<string, string> }) => localName(of, locale),
    names: (people: Person[]) => (locale === 'zh' ? people.map(({ name }) => name).join('、') : names(people)),
    time: (iso: string | null) => (iso ? formatInstant(iso, 'yyyy-MM-dd HH:mm', context) : ''),
    state: ({ state, result }: Pick<Instance, 'state' | 'result'>) =>
      state === 'COMPLETED' && result !== '' ? t(`flow.endings.${result}`) : t(`flow.states.${state}`),
    stateColour: ({ state, result }: Pick<Instance, 'state' | 'result'>) =>
      state === 'COMPLETED' && result === 'REJECTED' ? 'red' : STATE_COLOURS[state],
    span: (from: string, to: string | null, now = Date.now()) => {
      const { unit, d, h, m } = splitSpan((to ? Date.parse(to) : now) - Date.parse(from))
      return t(`flow.${unit}`, { d, h, m })
    },
  }
}

/** How the votes of a step stand, and what is needed; empty where one person decides. */
export function votesText(votes: WorkItem['votes'], t: ReturnType<typeof useText>): string {
  if (!votes) return ''
  const { all, agreed, disagreed, need } = votes
  const parts = [t('flow.votes', { agreed, all })]
  if (disagreed > 0) parts.push(t('flow.votesAgainst', { count: disagreed }))
  if (need > agreed) parts.push(t('flow.votesNeeded', { count: need - agreed }))
  return parts.join(t('flow.votesBetween'))
}

export type FlowWords = ReturnType<typeof useFlowWords>
