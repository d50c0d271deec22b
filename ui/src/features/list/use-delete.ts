import { post } from '@/api/client'
import type { Row } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { selectionOf } from './bulk/api'
import type { ListController } from './use-list-controller'

const CHECKS = { 1000: 'business', 1001: 'process', 1002: 'parent', 1003: 'child', 1004: 'refused' } as const

type CheckKind = (typeof CHECKS)[keyof typeof CHECKS]

/** How many records of each sort a delete would touch. */
export function countChecks(codes: number[]): Map<CheckKind, number> {
  const counts = new Map<CheckKind, number>()
  for (const code of codes) {
    const kind = CHECKS[code as keyof typeof CHECKS] ?? 'refused'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** Checks, asks, deletes, and says what happened. */
export function useDelete(controller: ListController) {
  const { config, afterDelete: done } = controller
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const { schemaCode, queryCode } = config
  const name = localName({ name: config.modelName, name_i18n: config.modelName_i18n }, locale)

  const remove = async (ids: string[]) => {
    try {
      const result = await post('/api/runtime/query/delete', { schemaCode, queryCode, ids })
      const { successCount, errorCount } = result
      if (errorCount === 0) say.success(t('list.deleted'))
      else if (successCount === 0) say.warning(t('list.noDeletePermission'))
      else say.warning(t('list.deletedPartly', { done: successCount, failed: errorCount }))
      await done(successCount)
      return result
    } catch (error) {
      say.error(error)
      return undefined
    }
  }

  /** Everything that the filters match: counted, asked for, and done by a job. */
  const removeAll = async () => {
    const selection = selectionOf(controller.request, [], true)
    const counts = await post('/api/runtime/query/bulk_check', { ...selection, action: 'delete' })
    await new Promise<void>((resolve) =>
      say.modal.confirm({
        title: t('bulk.deleteAllTitle', { count: counts.total, name }),
        content: counts.refused > 0 ? t('bulk.deleteAllText', { refused: counts.refused }) : t('list.deleteText'),
        okText: t('common.delete'),
        cancelText: t('common.cancel'),
        okButtonProps: { danger: true },
        focusable: { autoFocusButton: 'cancel' },
        onOk: async () => {
          try {
            const { jobId } = await post('/api/runtime/query/bulk_delete', selection)
            controller.store.getState().clearSelection()
            if (jobId) controller.store.getState().openBulk({ kind: 'job', id: jobId })
          } catch (error) {
            say.error(error)
          }
          resolve()
        },
        onCancel: () => resolve(),
      }),
    )
    return undefined
  }

  /** Answers the counts; undefined when nothing was deleted. */
  return async (rows: Row[]) => {
    const ids = rows.map((row) => row.id)
    try {
      if (controller.store.getState().all) return await removeAll()
      const checks = await post('/api/runtime/query/delete_check', { schemaCode, queryCode, ids })
      const counts = countChecks(checks.map((check) => check.resultCode))
      if (counts.has('refused')) {
        const reason = checks.find((check) => check.resultCode === 1004)?.resultDesc
        say.modal.warning({
          title: t('list.processBlocked'),
          content: reason || t('list.deleteChecks.refused', { count: counts.get('refused') }),
        })
        return undefined
      }
      const lines = [...counts]
        .filter(([kind]) => kind !== 'business' || counts.size > 1)
        .map(([kind, count]) => t(`list.deleteChecks.${kind}`, { count }))
      return await new Promise<Awaited<ReturnType<typeof remove>>>((resolve) =>
        say.modal.confirm({
          title: t('list.deleteTitle', { count: ids.length, name }),
          content: [...lines, t('list.deleteText')].join(' '),
          okText: t('common.delete'),
          cancelText: t('common.cancel'),
          okButtonProps: { danger: true },
          focusable: { autoFocusButton: 'cancel' },
          onOk: async () => resolve(await remove(ids)),
          onCancel: () => resolve(undefined),
        }),
      )
    } catch (error) {
      say.error(error)
      return undefined
    }
  }
}
