import { post } from '@/api/client'
import type { FormLoad } from '@/api/types'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useRecycle } from '@/sdk/recycle'
import { useText } from '@/sdk/use-text'
import { deleteRecord } from '../api'

/** Of the check before a delete: codes from here on stand in its way. */
const REFUSED = 1004
const PLAIN = 1000

/** Asks whether a record shall go, where it can: what is in the way is said before, as in lists. */
export function useRemove(load: FormLoad, title: string, done: () => Promise<void>) {
  const t = useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const { schemaCode } = load.form
  const { sayDeleted } = useRecycle(schemaCode)

  const remove = async (id: string) => {
    const result = await deleteRecord(schemaCode, id)
    if (result.errorCount > 0) {
      say.error(new Error(result.errors[0]?.resultDesc ?? ''))
      return
    }
    const text = t('form.deleted')
    if (result.recycled) sayDeleted(text, [id])
    else say.success(text)
    await done()
  }
  return async () => {
    const { id } = load
    if (!id) return
    try {
      const [check] = await post('/api/runtime/query/delete_check', { schemaCode, ids: [id] })
      if (check && (check.resultCode < PLAIN || check.resultCode >= REFUSED)) {
        say.modal.warning({ title: t('form.deleteBlocked'), content: check.resultDesc, okText: t('common.close') })
        return
      }
    } catch (error) {
      say.warning(errorText(error))
      return
    }
    say.modal.confirm({
      title: t('form.deleteTitle', { name: title }),
      content: t(load.actions.includes('recycle') ? 'life.deleteText' : 'form.deleteText'),
      okText: t('common.delete'),
      cancelText: t('common.cancel'),
      okButtonProps: { danger: true },
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => remove(id),
    })
  }
}
