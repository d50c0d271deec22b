import { useQuery, useQueryClient } from '@tanstack/react-query'
import { deleteAt, post, putAt } from '@/api/client'
import type { SavedFilter } from '@/api/types'
import { effectiveFilters, requestFilters } from '@/sdk/conditions'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { savedFiltersQuery } from '../data/queries'
import type { ListController } from '../use-list-controller'
import { panelFilters } from './filters'

const PATH = '/api/runtime/query/saved_filters'
const ONE = '/api/runtime/query/saved_filters/{id}'

/** The saved filters of a list, and what may be done with them. */
export function useSavedFilters(controller: ListController) {
  const { config } = controller
  const { schemaCode, queryCode } = config
  const t = useText()
  const feedback = useFeedback()
  const client = useQueryClient()
  const { data } = useQuery(savedFiltersQuery(schemaCode, queryCode))
  const all = data?.content ?? []
  const current = all.find((one) => one.id === controller.view.saved) ?? null
  const visible = config.queryConditions.filter((condition) => condition.visible)
  const filters = requestFilters(visible, controller.filters)
  const refresh = () => client.invalidateQueries({ queryKey: ['list', schemaCode, 'saved'] })
  /** Does something on the server and says how it went. */
  const attempt = async (run: () => Promise<unknown>, done?: string) => {
    try {
      await run()
      await refresh()
      if (done) feedback.success(done)
      return true
    } catch (error) {
      feedback.error(error)
      return false
    }
  }
  const change = (one: SavedFilter, body: Parameters<typeof putAt<typeof ONE>>[2], done?: string) =>
    attempt(() => putAt(ONE, { id: one.id }, body), done)
  return {
    all,
    current,
    mayShare: data?.mayShare ?? false,
    /** Whether the panel says something else than the saved filter that was applied. */
    changed: current !== null && !sameFilters(requestFilters(visible, applied(controller, current)), filters),
    filters,
    apply: controller.applySaved,
    add: (name: string) =>
      attempt(
        async () => controller.nameSaved((await post(PATH, { schemaCode, queryCode, name, filters })).id),
        t('filter.saved.saved', { name }),
      ),
    overwrite: async (one: SavedFilter) => {
      if (await change(one, { filters }, t('filter.saved.overwritten', { name: one.name })))
        controller.nameSaved(one.id)
    },
    rename: (one: SavedFilter, name: string) => change(one, { name }),
    share: (one: SavedFilter) => change(one, { shared: !one.shared }),
    setDefault: (one: SavedFilter) => change(one, { default: !one.default }),
    remove: (one: SavedFilter) =>
      feedback.modal.confirm({
        title: t('filter.saved.deleteTitle', { name: one.name }),
        content: one.shared ? t('filter.saved.deleteShared') : null,
        okText: t('filter.saved.delete'),
        okButtonProps: { danger: true },
        onOk: async () => {
          await attempt(() => deleteAt(ONE, { id: one.id }), t('filter.saved.deleted', { name: one.name }))
          if (one.id === current?.id) controller.nameSaved(null)
        },
      }),
  }
}

function applied({ config }: ListController, saved: SavedFilter) {
  return effectiveFilters(config.queryConditions, panelFilters(config.queryConditions, saved.filters))
}

const plain = (filters: ReturnType<typeof requestFilters>) =>
  JSON.stringify(filters.map((one) => [one.propertyCode, String(one.propertyValue), one.queryFilterType]).sort())
const sameFilters = (a: ReturnType<typeof requestFilters>, b: ReturnType<typeof requestFilters>) =>
  plain(a) === plain(b)
