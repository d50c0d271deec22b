import { Button } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { inSentence, listNoun, noun } from '@/lib/noun'
import { Failure } from '@/sdk/failure'
import { useFeedback, useSaid } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../actions/list-action'
import type { ListController } from '../use-list-controller'
import { SkeletonRows } from './list-skeleton'

/** The table, or what is in its place: coming, failed, empty, nothing found, no columns. */
export function ListState({
  controller,
  actions,
  children,
}: {
  controller: ListController
  actions: ListAction[]
  children: ReactNode
}) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const { query, config } = controller
  useSaid(query.error)
  const { beyond } = controller
  useEffect(() => {
    if (beyond) say.warning(t('list.lastPage', { page: beyond.page }))
  }, [beyond, say, t])
  const name = noun(config, 0, locale)
  const listed = listNoun(config, locale)
  if (query.isPending) return <SkeletonRows />
  if (query.error && !query.data) {
    return <Failure error={query.error} title={t('list.failed', { name })} onRetry={query.refetch} />
  }
  const keyword = config.searchable ? controller.view.keyword : undefined
  const narrowing = [
    ...(keyword ? [t('filter.keyword')] : []),
    ...controller.visibleFilters.map((condition) => localName(condition, locale)),
  ].map(inSentence)
  if (controller.total === 0 && narrowing.length > 0) {
    return (
      <Notice
        icon="search"
        title={t('list.noMatch', { name: listed })}
        text={t('filter.noMatchNamed', {
          names: narrowing.join(locale === 'zh' ? '、' : ', '),
        })}
        actions={<Button onClick={controller.clearFilters}>{t('list.clearFilters')}</Button>}
      />
    )
  }
  if (controller.total === 0) {
    const add = actions.find((action) => action.name === 'add')
    return (
      <Notice
        icon="inbox"
        title={t('list.empty', { name: listed })}
        actions={
          add && (
            <Button type="primary" icon={<Icon name="plus" />} onClick={() => add.run([])}>
              {add.label}
            </Button>
          )
        }
      />
    )
  }
  if (controller.shownColumns.length === 0) {
    return (
      <Notice
        icon="table"
        title={t('list.noColumns')}
        text={t('list.noColumnsText')}
        actions={<Button onClick={controller.store.getState().resetColumns}>{t('list.resetColumns')}</Button>}
      />
    )
  }
  return children
}
