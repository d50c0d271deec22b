import { Notice, type PageProps, packGet, useErrorText } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { texts } from './texts'

interface Overview {
  points: Record<string, number>
  campaigns: Record<string, number>
}

const grades = ['A', 'B'] as const
const states = ['OPEN', 'DONE'] as const

/** How many points and campaigns there are, by grade and state. */
export default function OverviewPage({ title }: PageProps) {
  const t = texts.useText()
  const errorText = useErrorText()
  const { data, error } = useQuery({
    queryKey: ['survey', 'overview'],
    queryFn: () => packGet<Overview>('/api/survey/overview'),
  })
  if (error) return <Notice page icon="alert" role="alert" title={errorText(error)} />
  return (
    <div className="survey-page">
      <h1>{title}</h1>
      {!data && <Skeleton active />}
      {data && (
        <div className="survey-figures">
          <section>
            <h2>{t('points')}</h2>
            {grades.map((grade) => (
              <p key={grade}>
                {t(`grade.${grade}`)} <strong>{t('pointCount', { count: data.points[grade] ?? 0 })}</strong>
              </p>
            ))}
          </section>
          <section>
            <h2>{t('campaigns')}</h2>
            {states.map((state) => (
              <p key={state}>
                {t(`status.${state}`)} <strong>{t('campaignCount', { count: data.campaigns[state] ?? 0 })}</strong>
              </p>
            ))}
          </section>
        </div>
      )}
    </div>
  )
}
