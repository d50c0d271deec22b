import { useQuery } from '@tanstack/react-query'
import { useLocale } from '@/i18n/locale'
import { useText } from '../use-text'
import { type Label, modelsQuery, type Right } from './api'

/** The actions that have words of their own; others are of lists and packs, which name them by code. */
const ACTIONS = [
  ...(['view', 'add', 'edit', 'delete', 'import', 'export', 'batch_update', 'change_owner', 'copy', 'amend'] as const),
  ...(['share_filter', 'form_track', 'print', 'batch_print', 'qr_code', 'external_link'] as const),
]

export const PERMISSIONS = ['APP_MNG', 'SYS_MNG', 'ADMIN', 'WORKFLOW_ADMIN', 'ACCOUNT_MNG'] as const

/** The words of rights in the reader's language. */
export function useRightsWords() {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(modelsQuery)
  const label = (of: Label, code = '') => of.i18n?.[locale] || of.zh || code
  return {
    label,
    action: (code: string) => {
      const known = ACTIONS.find((one) => one === code)
      const word = data?.words.find((one) => one.code === code)
      if (code === '*') return t('rights.allActions')
      return known ? t(`rights.action.${known}`) : word ? label(word.label, code) : code
    },
    /** The place of an action among others. */
    order: (code: string) => {
      const at = (ACTIONS as readonly string[]).indexOf(code)
      return at < 0 ? ACTIONS.length : at
    },
    permission: (code: string) => {
      const known = PERMISSIONS.find((one) => one === code)
      return known ? t(`rights.permission.${known}`) : code
    },
    /** A right as access documents write it: "-", "r", "rw", of a sub-table "rw+x" and less. */
    right: (right: Right) => {
      const base = right.startsWith('rw') ? 'rw' : right.startsWith('r') ? 'r' : '-'
      const rows = [right.includes('+') && t('rights.addRows'), right.endsWith('x') && t('rights.deleteRows')]
      return [t(`rights.right.${base}`), ...rows].filter(Boolean).join(locale === 'zh' ? '、' : ', ')
    },
    colon: locale === 'zh' ? '：' : ': ',
    list: (of: string[]) => of.join(locale === 'zh' ? '、' : ', '),
  }
}
