import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { get } from '@/api/client'
import { Icon } from '@/components/icon'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { administersWorkflows, useMe } from '@/sdk/me'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './application.module.css'

const workflowsQuery = (appCode: string) => ({
  queryKey: ['managed', 'workflows', appCode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/app/workflow/list', { appCode }, { signal }),
})

/** The workflows of an application; each is designed in a tab of its own. */
export function Workflows({ appCode }: { appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const { data } = useQuery(workflowsQuery(appCode))
  const manages = administersWorkflows(useMe())
  if (!data) return null
  const label = (of: { zh: string; i18n?: Record<string, string> }) => of.i18n?.[locale] || of.zh
  const address = (code: string) => `/workflow-design/${encodeURIComponent(appCode)}/${encodeURIComponent(code)}`
  return (
    <section aria-label={t('design.workflows')}>
      <div className={styles.group}>
        <h2>{t('design.workflows')}</h2>
        <Button size="small" href={address('new')} target="_blank" rel="noopener">
          {t('design.addWorkflow')}
        </Button>
      </div>
      {data.length === 0 && <p className={styles.hint}>{t('design.noWorkflows')}</p>}
      <ul className={styles.rows}>
        {data.map((one) => {
          const name = label(one.label)
          const to = address(one.workflowCode)
          return (
            <li key={one.workflowCode} className={styles.row}>
              <Icon name="tree" />
              <div className={styles.main}>
                <a className={styles.name} href={to} target="_blank" rel="noopener">
                  {name}
                </a>
                <p className={styles.facts}>
                  {[
                    label(one.modelLabel),
                    one.begun ? t('design.unpublished') : t('design.steps', { count: one.steps }),
                    one.running > 0 && t('design.running', { count: one.running }),
                    one.draftTime &&
                      t('design.draftOf', {
                        name: one.draftBy ?? '',
                        time: formatInstant(one.draftTime, 'yyyy-MM-dd HH:mm', context),
                      }),
                    one.lockedBy && t('desk.editedBy', { name: one.lockedBy }),
                    one.workflowCode,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <span className={styles.state}>
                {!one.published && !one.begun && <OptionDot label={t('design.draft')} color="orange" />}
              </span>
              {manages && one.running > 0 && (
                <Button
                  size="small"
                  href={`/workflow-center/workflow-versions?workflowCode=${encodeURIComponent(one.workflowCode)}`}
                  aria-label={t('flowVersions.openOf', { name })}
                >
                  {t('design.versions')}
                </Button>
              )}
              <Button
                size="small"
                href={to}
                target="_blank"
                rel="noopener"
                aria-label={t(one.begun ? 'design.continueOf' : 'design.designOf', { name })}
              >
                {t(one.begun ? 'design.continue' : 'design.design')}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
