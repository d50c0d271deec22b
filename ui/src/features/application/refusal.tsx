import { Alert } from 'antd'
import { ApiError } from '@/api/client'
import { useLocale } from '@/i18n/locale'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import type { Managed } from './api'
import styles from './application.module.css'

/** Why nothing was changed, with the errors of the compiler where it found some. */
export function Refusal({ error }: { error: unknown }) {
  const errorText = useErrorText()
  if (!error) return null
  const data = error instanceof ApiError ? (error.data as Partial<Managed> | null) : null
  return (
    <Alert
      type="error"
      showIcon
      title={errorText(error)}
      description={data?.diagnostics && <Problems diagnostics={data.diagnostics} />}
    />
  )
}

export function Problems({ diagnostics }: { diagnostics: Managed['diagnostics'] }) {
  const t = useText()
  const locale = useLocale()
  const errors = diagnostics.filter((one) => one.severity === 'error')
  if (errors.length === 0) return null
  return (
    <ul className={styles.plain} aria-label={t('application.errors')}>
      {errors.map((one) => (
        <li key={`${one.file}:${one.line}:${one.code}`}>
          {locale === 'zh' ? one.zh : one.en} <span className={styles.faint}>{one.file}</span>
        </li>
      ))}
    </ul>
  )
}
