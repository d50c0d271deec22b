import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '@/components/icon'
import { ProductMark } from '@/components/product-mark'
import { setLocale } from '@/i18n/i18n'
import { useLocale } from '@/i18n/locale'
import { usePageTitle } from '@/lib/page-title'
import { useText } from '@/sdk/use-text'
import styles from './entry-frame.module.css'

/** The page before the shell: sign-in and first set-up. */
export function EntryFrame({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const t = useText()
  usePageTitle(title)
  const locale = useLocale()
  return (
    <div className={styles.page}>
      <Button
        className={styles.language}
        type="text"
        icon={<Icon name="globe" />}
        lang={locale === 'zh' ? 'en' : 'zh'}
        onClick={() => void setLocale(locale === 'zh' ? 'en' : 'zh')}
      >
        {t('session.otherLanguage')}
      </Button>
      <main className={styles.panel}>
        <ProductMark size={40} />
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.text}>{text}</p>}
        {children}
      </main>
      <Gates />
    </div>
  )
}

/** The lock from above: two mitre gates between the chamber walls, water behind. */
function Gates() {
  return (
    <svg className={styles.gates} viewBox="0 0 1440 240" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.500">
        {[0, 1, 2, 3, 4, 5, 6].map((i) => (
          <path
            key={i}
            d={`M0 ${60 + i * 26} H${560 - i * 4} L720 ${128 + i * 26} L${880 + i * 4} ${60 + i * 26} H1440`}
            opacity={0.9 - i * 0.11}
          />
        ))}
      </g>
    </svg>
  )
}
