import { ApiError, Choice, Failure, Notice, SplitPage } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Component, type ReactNode } from 'react'
import { texts } from '../texts'
import { authorityQuery } from './api'
import look from './look.module.css'
import { type ProjectPlace, useFresh, usePlace } from './use-place'

interface Props {
  title: string
  children: (project: ProjectPlace, beside: ReactNode) => ReactNode
}

/** A page about one project: which one, and what is said while there is none. */
export function ProjectPage({ title, children }: Props) {
  const t = texts.useText()
  const place = usePlace()
  // Buttons of the head would push what is below them away on a phone.
  const may = useQuery(authorityQuery(''))
  useFresh()
  if (place.error) return <Failure page error={place.error} onRetry={place.retry} />
  if (!place.projects || (may.isPending && may.fetchStatus === 'fetching' && !may.failureReason))
    return <Skeleton className={look.pad ?? ''} active title={false} paragraph={{ rows: 8 }} />
  if (!place.project) return <Notice page icon="inbox" title={title} text={t('noProject')} />
  const beside =
    place.projects.length > 1 ? (
      <Choice
        aria-label={t('project')}
        value={place.project.key}
        onChange={place.choose}
        popupMatchSelectWidth={false}
        style={{ maxWidth: 240 }}
        options={place.projects.map((one) => ({ value: one.key, label: one.name }))}
      />
    ) : (
      <span className={look.note}>{place.project.name}</span>
    )
  return <>{children(place.project, beside)}</>
}

export { SplitPage }

/** A part that fails says so in its place; the others go on. */
export class Part extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    if (!this.state.error) return this.props.children
    return <Failure error={this.state.error} onRetry={() => this.setState({ error: null })} />
  }
}

interface Asked<T> {
  data: T | undefined
  error: unknown
  failureReason?: unknown
  fetchStatus?: string
  refetch: () => unknown
}

const NO_NETWORK = () => new ApiError('', { code: 0, status: 0 })

/** What a query gives, once it has come. */
export function Ready<T>({
  query,
  rows = 4,
  className,
  children,
}: {
  query: Asked<T>
  rows?: number
  className?: string | undefined
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return <Part>{children(query.data)}</Part>
  // What is tried again by itself, or waits for the network, says so at once.
  const error = query.error ?? query.failureReason ?? (query.fetchStatus === 'paused' ? NO_NETWORK() : null)
  if (error) return <Failure error={error} onRetry={query.refetch} />
  return <Skeleton className={className ?? ''} active title={false} paragraph={{ rows }} />
}
