import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Skeleton } from 'antd'
import { useParams } from 'react-router'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { useSaid } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { type Report, reportQuery } from '@/sdk/report/api'
import { useText } from '@/sdk/use-text'
import { Board } from './board'
import { FilterPanel } from './filter-panel'
import styles from './report.module.css'
import { useExport } from './use-export'
import { useReport } from './use-report'

/** A report that the menu offers (route /application/:appCode/application-report/:reportCode). */
export function ReportPage() {
  const t = useText()
  const { reportCode = '' } = useParams()
  const { data, error, isFetching, refetch } = useQuery(reportQuery(reportCode))
  if (lostOf({ data, error }) && !isFetching)
    return <Failure page error={error} title={t('report.failed')} gone={t('report.gone')} onRetry={refetch} />
  if (!data) {
    return (
      <div className={styles.page} role="status" aria-label={t('report.loading')}>
        <Skeleton className={styles.waiting ?? ''} active paragraph={{ rows: 8 }} />
      </div>
    )
  }
  return <Shown key={data.code} report={data} />
}

function Shown({ report }: { report: Report }) {
  const t = useText()
  const locale = useLocale()
  const controller = useReport(report)
  const { data } = controller
  const files = useExport(report, controller.asked)
  const name = localName(report, locale)
  usePageTitle(name)
  const failed = data.error && !data.isFetching
  // What is on the screen stays when it cannot be read again.
  useSaid(failed && data.data ? data.error : null)
  return (
    <div className={styles.page}>
      <header className={styles.title}>
        <h1 title={name}>{name}</h1>
        <span role="status" className={styles.state}>
          {data.isFetching && data.data ? t('report.updating') : ''}
        </span>
        {files.types.length > 0 && report.charts.length > 0 && (
          <Dropdown
            trigger={['click']}
            placement="bottomRight"
            menu={{
              items: files.types.map((type) => ({
                key: type,
                label: t(`report.${type}`),
                onClick: () => files.save(type),
              })),
            }}
          >
            <Button type="text" aria-haspopup="menu" icon={<Icon name="download" />} loading={files.busy}>
              {t('report.export')}
            </Button>
          </Dropdown>
        )}
        <Hint title={t('list.refresh')}>
          <Button
            type="text"
            aria-label={t('list.refresh')}
            icon={<Icon name="refresh" />}
            onClick={() => void data.refetch()}
          />
        </Hint>
      </header>
      <FilterPanel controller={controller} />
      {failed && !data.data && <Failure error={data.error} title={t('report.dataFailed')} onRetry={data.refetch} />}
      {report.charts.length === 0 ? (
        <Notice icon="chart" title={t('report.noCharts')} text={t('report.noChartsText')} />
      ) : (
        !(failed && !data.data) && <Board controller={controller} />
      )}
    </div>
  )
}
