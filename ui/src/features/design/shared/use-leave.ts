import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'

/** Leaving with changes that were not published asks first. */
export function useLeave(unsaved: boolean, path: string) {
  const t = useText()
  const { modal } = useFeedback()
  const blocker = useBlocker(
    ({ nextLocation }) => unsaved && nextLocation.pathname !== '/login' && nextLocation.pathname !== path,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    modal.confirm({
      title: t('design.leaveTitle'),
      content: t('design.leaveText'),
      okText: t('design.leave'),
      cancelText: t('design.stay'),
      onOk: blocker.proceed,
      onCancel: blocker.reset,
    })
  }, [blocker, modal, t])
  useEffect(() => {
    if (!unsaved) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [unsaved])
}
