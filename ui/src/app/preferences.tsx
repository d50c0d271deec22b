import { Segmented } from 'antd'
import { setLocale } from '@/i18n/i18n'
import { useLocale } from '@/i18n/locale'
import { type AppearanceChoice, useAppearance } from '@/lib/appearance'
import type { Locale } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import styles from './preferences.module.css'

/** Language and appearance: the same two rows in the person menu and on the page "Me". */
export function Preferences() {
  const t = useText()
  const locale = useLocale()
  const { choice, choose } = useAppearance()
  return (
    <div className={styles.rows}>
      <div className={styles.row}>
        <span>{t('shell.language')}</span>
        <Segmented<Locale>
          size="small"
          aria-label={t('shell.language')}
          value={locale}
          onChange={(value) => void setLocale(value)}
          options={[
            { value: 'zh', label: '中文' },
            { value: 'en', label: 'English' },
          ]}
        />
      </div>
      <div className={styles.row}>
        <span>{t('shell.appearance')}</span>
        <Segmented<AppearanceChoice>
          size="small"
          aria-label={t('shell.appearance')}
          value={choice}
          onChange={choose}
          options={[
            { value: 'light', label: t('shell.light') },
            { value: 'dark', label: t('shell.dark') },
            { value: 'system', label: t('shell.system') },
          ]}
        />
      </div>
    </div>
  )
}
