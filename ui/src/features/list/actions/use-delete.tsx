import { ApiError, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { Row } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { noun } from '@/lib/noun'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useRecycle } from '@/sdk/recycle'
import { useText } from '@/sdk/use-text'
import { selectionOf } from '../bulk/api'
import type { ListController } from '../use-list-controller'
import { type DeleteCounts, DeleteNote, Refusals } from './delete-note'

const CHECKS = { 1000: 'business', 1001: 'process', 1002: 'parent', 1003: 'child', 1004: 'refused' } as const

type CheckKind = (typeof CHECKS)[keyof typeof CHECKS]

/** Errcodes of the two steps that are told in their own way. */
const CHECK_REFUSED = -1
const BUSY = ERROR.DeleteBusy

/** How many records of each sort a delete would touch. */
export function countChecks(codes: number[]): Map<CheckKind, number> {
  const counts = new Map<CheckKind, number>()
  for (const code of codes) {
    const kind = CHECKS[code as keyof typeof CHECKS] ?? 'refused'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

/** Checks, asks, deletes, and says what happened. */
export function useDelete(controller: ListController) {
  const { config, afterDelete: done } = controller
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const errorText = useErrorText()
  const { schemaCode, queryCode } = config
  const { sayDeleted } = useRecycle(schemaCode)

  const failed = (error: unknown) =>
    say.error(codeOf(error) === BUSY ? error : t('list.deleteFailed', { reason: errorText(error) }))

  const remove = async (ids: string[]) => {
    try {
      const result = await post('/api/runtime/query/delete', { schemaCode, queryCode, ids })
      const { successCount, errorCount } = result
      const kept = new Set(result.errors.map(({ objectId }) => objectId))
      const gone = ids.filter((id) => !kept.has(id))
      if (errorCount === 0 && result.recycled) sayDeleted(t('list.deleted'), gone)
      else if (errorCount === 0) say.success(t('list.deleted'))
      else if (successCount === 0) say.warning(t('list.noDeletePermission'), 4)
      else say.warning(t('list.deletedPartly', { done: successCount, failed: errorCount }), 4)
      await done(successCount)
      return result
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  const confirm = (count: number, counts: DeleteCounts, all: boolean, onOk: () => Promise<unknown>) =>
    new Promise<boolean>((resolve) =>
      say.modal.confirm({
        title: t(all ? 'bulk.deleteAllTitle' : 'list.deleteTitle', { count, name: noun(config, count, locale) }),
        content: <DeleteNote counts={counts} all={all} recycle={config.recycle} />,
        okText: t('common.delete'),
        cancelText: t('common.cancel'),
        okButtonProps: { danger: true },
        focusable: { autoFocusButton: 'cancel' },
        onOk: () => onOk().then(() => resolve(true)),
        onCancel: () => resolve(false),
      }),
    )

  /** Everything that the filters match: counted, asked for, and done by a job. */
  const removeAll = async () => {
    const selection = selectionOf(controller.request, [], true)
    const { total, refused, workflow } = await post('/api/runtime/query/bulk_check', { ...selection, action: 'delete' })
    const counts: DeleteCounts = [
      ['business', total - refused - workflow],
      ['process', workflow],
      ['kept', refused],
    ]
    await confirm(total, counts, true, async () => {
      try {
        const { jobId } = await post('/api/runtime/query/bulk_delete', selection)
        controller.store.getState().clearSelection()
        if (jobId) controller.store.getState().openBulk({ kind: 'job', id: jobId })
      } catch (error) {
        failed(error)
      }
    })
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
        const refused = checks.flatMap((check) => {
          const row = rows.find((one) => one.id === check.objectId)
          return row && CHECKS[check.resultCode as keyof typeof CHECKS] !== CHECKS[1004] && check.resultCode in CHECKS
            ? []
            : [{ row, reason: check.resultDesc }]
        })
        const ofProcess = refused.some(({ row }) => row?.workflowInstanceId)
        say.modal.warning({
          title: t(ofProcess ? 'list.processBlocked' : 'list.deleteBlocked'),
          content: <Refusals config={config} refused={refused} />,
          okText: t('common.close'),
        })
        return undefined
      }
      let result: Awaited<ReturnType<typeof remove>>
      await confirm(ids.length, [...counts], false, async () => {
        result = await remove(ids)
      })
      return result
    } catch (error) {
      if (codeOf(error) === CHECK_REFUSED) say.warning(errorText(error))
      else say.error(error)
      return undefined
    }
  }
}
