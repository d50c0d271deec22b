import { useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { post } from '@/api/client'
import { useErrorText } from './error-text'
import styles from './recycle.module.css'
import { useText } from './use-text'

export interface RecycleRefused {
  id: string
  errcode: number
  errmsg: string
}

const LONG = 8

/** Restores deleted records or deletes them permanently, and shows the result. `name` is set for a single record. */
export function useRecycle(schemaCode: string) {
  const t = useText()
  const client = useQueryClient()
  const errorText = useErrorText()
  const { message, modal } = App.useApp()

  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['recycle', schemaCode] }),
      client.invalidateQueries({ queryKey: ['list', schemaCode] }),
      client.invalidateQueries({ queryKey: ['history', schemaCode] }),
    ])
  const call = async (what: 'restore' | 'purge', ids: string[]) => {
    try {
      const done = await post(`/api/runtime/recycle/${what}`, { schemaCode, ids })
      await refresh()
      return done
    } catch (error) {
      void message.error(errorText(error))
      return null
    }
  }
  const explain = (title: string, errors: RecycleRefused[], names: Map<string, string>) =>
    modal.warning({
      title,
      content: (
        <ul className={styles.refused}>
          {errors.map((error) => (
            <li key={error.id}>
              {names.has(error.id) && <strong>{names.get(error.id)}</strong>}
              <span>{error.errmsg}</span>
            </li>
          ))}
        </ul>
      ),
      okText: t('common.close'),
    })

  /** Answers how many came back. */
  const restore = async (ids: string[], names = new Map<string, string>(), said?: string): Promise<number> => {
    const done = await call('restore', ids)
    if (!done) return 0
    const { successCount, errorCount, errors } = done
    const only = ids.length === 1 && names.get(ids[0] ?? '')
    if (errorCount > 0)
      explain(
        successCount > 0
          ? t('life.restoredPartly', { done: successCount, failed: errorCount })
          : t('life.restoreFailed'),
        errors,
        names,
      )
    else
      void message.success(
        said ?? (only ? t('life.restoredOne', { name: only }) : t('life.restored', { count: successCount })),
      )
    return successCount
  }

  /** Asks first. `then` runs when something is gone. */
  const purge = (ids: string[], names: Map<string, string>, then?: () => void) =>
    modal.confirm({
      title:
        ids.length === 1 && names.has(ids[0] ?? '')
          ? t('life.purgeTitleOne', { name: names.get(ids[0] ?? '') ?? '' })
          : t('life.purgeTitle', { count: ids.length }),
      content: t('life.purgeText'),
      okText: t('life.purge'),
      cancelText: t('common.cancel'),
      okButtonProps: { danger: true },
      focusable: { autoFocusButton: 'cancel' },
      onOk: async () => {
        const done = await call('purge', ids)
        if (!done) return
        const { successCount, errorCount, errors } = done
        if (errorCount > 0) explain(t('life.purgedPartly', { done: successCount, failed: errorCount }), errors, names)
        else void message.success(t('life.purged', { count: successCount }))
        if (successCount > 0) then?.()
      },
    })

  /** Says that records were deleted, with a way back for a while. */
  const sayDeleted = (text: string, ids: string[], then?: () => void) => {
    const key = `deleted-${ids[0]}`
    const undo = async () => {
      message.destroy(key)
      if ((await restore(ids, undefined, t('life.undone'))) > 0) then?.()
    }
    void message.success({
      key,
      duration: LONG,
      content: (
        <span className={styles.said}>
          <span>{text}</span>
          <Button type="link" size="small" onClick={() => void undo()}>
            {t('life.undo')}
          </Button>
        </span>
      ),
    })
  }
  return { restore, purge, sayDeleted }
}
