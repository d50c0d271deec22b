import { App } from 'antd'
import { useEffect } from 'react'
import { useText } from '@/sdk/use-text'
import { useLeaveGuard } from './use-leave-guard'

interface Leaving {
  /** Leaving loses something. */
  unsaved: boolean
  isNew: boolean
  onDirty: ((dirty: boolean) => void) | undefined
  /** What was typed is given up. */
  discard: () => void
  reset: () => void
  toRead: () => void
  close: () => void
}

/** Ways out of a form that is being edited: with what was typed lost, the person is asked first. */
export function useLeaving({ unsaved, isNew, onDirty, discard, reset, toRead, close }: Leaving) {
  const t = useText()
  const { modal } = App.useApp()
  useEffect(() => onDirty?.(unsaved), [unsaved, onDirty])
  const confirm = (leave: () => void, stay?: () => void) =>
    modal.confirm({
      title: t('form.leaveTitle'),
      content: t('form.leaveText'),
      okText: t('form.discard'),
      cancelText: t('form.keepEditing'),
      focusable: { autoFocusButton: 'cancel' },
      okButtonProps: { danger: true },
      onOk: () => {
        discard()
        leave()
      },
      ...(stay ? { onCancel: stay } : {}),
    })
  const guard = useLeaveGuard(unsaved, confirm)
  const leave = () => {
    if (!unsaved) return isNew ? close() : toRead()
    confirm(() => {
      reset()
      onDirty?.(false)
      if (!isNew) return toRead()
      guard.agree()
      close()
    })
  }
  return { leave, kept: guard.kept }
}
