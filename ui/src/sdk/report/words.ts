import { useMemo } from 'react'
import type { TextContext } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { GroupValue } from './api'

/** The words that charts are drawn with, and how figures are written. */
export interface Words extends TextContext {
  empty: string
  others: string
  total: string
  subtotal: string
  share: string
  running: string
  target: string
  more: string
}

export function useWords(): Words {
  const t = useText()
  const { locale, zone } = useTextContext()
  return useMemo(
    () => ({
      locale,
      zone,
      empty: t('report.emptyValue'),
      others: t('report.others'),
      total: t('report.total'),
      subtotal: t('report.subtotal'),
      share: t('report.share'),
      running: t('report.running'),
      target: t('report.target'),
      more: t('report.moreGroups'),
    }),
    [t, locale, zone],
  )
}

/** What a group value is called; empty ones and what top left over have words of ours. */
export const groupText = ({ text, value, others }: GroupValue, words: Words): string =>
  text || (others ? words.others : value === null || value === '' ? words.empty : value)
