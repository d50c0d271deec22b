import { useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { useCurrentEntry } from '@/features/menu/use-current-entry'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'

/** A report that the menu offers: its definition is checked, and nothing draws it yet. */
export function ReportPage() {
  const t = useText()
  const locale = useLocale()
  const { appCode = '', reportCode = '' } = useParams()
  const entry = useCurrentEntry(appCode)
  const name = entry ? localName(entry, locale) : reportCode
  return <Notice page icon="table" title={t('shell.noReports', { name })} text={t('shell.noReportsText')} />
}
