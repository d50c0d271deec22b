import { useText } from '@/sdk/use-text'
import type { ListAction } from '../use-list-actions'
import type { ListController } from '../use-list-controller'

/** Opens the recycle bin, for those who may delete; it is at the end of what can be done with the list. */
export function useRecycleAction(controller: ListController): ListAction[] {
  const t = useText()
  if (!controller.config.recycle) return []
  return [
    {
      name: 'recycle',
      label: t('life.bin'),
      icon: 'trash',
      hint: null,
      danger: false,
      type: 'recycle',
      place: 'page',
      all: false,
      bulk: false,
      shortcut: null,
      enabled: () => true,
      run: () => controller.store.getState().openPanel({ kind: 'recycle' }),
    },
  ]
}
