import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { get } from '@/api/client'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import styles from './application.module.css'

const printsQuery = (appCode: string) => ({
  queryKey: ['managed', 'prints', appCode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/app/print/list', { appCode }, { signal }),
})

/** The print templates of an application; each is designed in a tab of its own. */
export function Prints({ appCode }: { appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(printsQuery(appCode))
  if (!data) return null
  const label = (of: { zh: string; i18n?: Record<string, string> }) => of.i18n?.[locale] || of.zh
  const address = (code: string) => `/print-design/${encodeURIComponent(appCode)}/${encodeURIComponent(code)}`
  return (
    <section aria-label={t('paper.templates')}>
      <div className={styles.group}>
        <h2>{t('paper.templates')}</h2>
        <Button size="small" href={address('new')} target="_blank" rel="noopener">
          {t('paper.addTemplate')}
        </Button>
      </div>
      {data.length === 0 && <p className={styles.hint}>{t('paper.noTemplates')}</p>}
      <ul className={styles.rows}>
        {data.map((one) => {
          const name = label(one.label)
          const facts = [
            label(one.modelLabel),
            one.external ? t('paper.external') : t('paper.pages', { count: one.pages }),
            one.printCode,
          ]
          return (
            <li key={one.printCode} className={styles.row}>
              <Icon name="print" />
              <div className={styles.main}>
                {one.external ? (
                  <span className={styles.name}>{name}</span>
                ) : (
                  <a className={styles.name} href={address(one.printCode)} target="_blank" rel="noopener">
                    {name}
                  </a>
                )}
                <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
              </div>
              {!one.external && (
                <Button
                  size="small"
                  href={address(one.printCode)}
                  target="_blank"
                  rel="noopener"
                  aria-label={t('paper.designOf', { name })}
                >
                  {t('design.design')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
