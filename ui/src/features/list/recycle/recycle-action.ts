import { useText } from '@/sdk/use-text'
import { type ListAction, plainAction } from '../actions/list-action'
import type { ListController } from '../use-list-controller'

/** Opens the recycle bin, for those who may delete; it is at the end of what can be done with the list. */
export function useRecycleAction(controller: ListController): ListAction[] {
  const t = useText()
  if (!controller.config.recycle) return []
  return [
    plainAction({
      name: 'recycle',
      label: t('life.bin'),
      icon: 'trash',
      run: () => controller.store.getState().openPanel({ kind: 'recycle' }),
    }),
  ]
}
