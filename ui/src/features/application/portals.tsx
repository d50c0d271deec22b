import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { get } from '@/api/client'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './application.module.css'

const portalsQuery = (appCode: string) => ({
  queryKey: ['managed', 'portals', appCode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/portal/page/designed', { appCode }, { signal }),
})

/** The portal pages of an application; each is designed in a tab of its own. */
export function Portals({ appCode }: { appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const { data } = useQuery(portalsQuery(appCode))
  if (!data) return null
  const label = (of: { zh: string; i18n?: Record<string, string> }) => of.i18n?.[locale] || of.zh
  const address = (code: string) => `/portal-design/${encodeURIComponent(code)}?appCode=${encodeURIComponent(appCode)}`
  return (
    <section aria-label={t('portalDesign.pagesTitle')}>
      <div className={styles.group}>
        <h2>{t('portalDesign.pagesTitle')}</h2>
        <Button size="small" href={address('new')} target="_blank" rel="noopener">
          {t('portalDesign.addPage')}
        </Button>
      </div>
      {data.length === 0 && <p className={styles.hint}>{t('portalDesign.noPages')}</p>}
      <ul className={styles.rows}>
        {data.map((one) => {
          const name = label(one.label)
          const facts = [
            one.appCode ? t('portalDesign.firstPage') : '',
            t(one.published ? 'portalDesign.published' : 'portalDesign.unpublished'),
            one.draftTime
              ? t('portalDesign.draftOf', {
                  name: one.draftBy ?? '',
                  time: formatInstant(one.draftTime, 'yyyy-MM-dd HH:mm', context),
                })
              : '',
            one.lockedBy ? t('portalDesign.lockedBy', { name: one.lockedBy }) : '',
            one.portalCode,
          ]
          return (
            <li key={one.portalCode} className={styles.row}>
              <Icon name={one.lockedBy ? 'key' : 'grid'} />
              <div className={styles.main}>
                <a className={styles.name} href={address(one.portalCode)} target="_blank" rel="noopener">
                  {name}
                </a>
                <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
              </div>
              <Button
                size="small"
                type="text"
                href={`/portal-page/${encodeURIComponent(one.portalCode)}`}
                target="_blank"
                rel="noopener"
                aria-label={t('portalDesign.openOf', { name })}
              >
                {t('portalDesign.open')}
              </Button>
              <Button
                size="small"
                href={address(one.portalCode)}
                target="_blank"
                rel="noopener"
                aria-label={t('portalDesign.designOf', { name })}
              >
                {t('design.design')}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
