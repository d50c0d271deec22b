import { useText } from '@/sdk/use-text'
import type { ListAction } from '../use-list-actions'
import type { ListController } from '../use-list-controller'

/** Opens the log of batch updates with its undo, for those who can make them: also long after one has ended. */
export function useLogAction(controller: ListController, actions: ListAction[]): ListAction[] {
  const t = useText()
  if (!actions.some((action) => action.type === 'batch_update')) return []
  return [
    {
      name: '#log',
      label: t('bulk.logOf'),
      icon: 'history',
      hint: null,
      danger: false,
      type: 'log',
      place: 'page',
      all: false,
      bulk: false,
      shortcut: null,
      enabled: () => true,
      run: () => controller.store.getState().openBulk({ kind: 'log' }),
    },
  ]
}
