import { Drawer } from 'antd'
import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { useReturnFocus } from '@/lib/return-focus'
import { useText } from '@/sdk/use-text'
import { trackPath } from '@/sdk/work-items'
import { TrackView } from './track-view'

interface Props {
  workflowInstanceId: string
  workItemId?: string
  name: string
  onClose: () => void
}

/** The course of an instance over the page that asks for it. */
export function TrackDrawer({ workflowInstanceId, workItemId, name, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  return (
    <Drawer
      open
      size="min(680px, 100vw)"
      title={t('flow.track')}
      aria-label={t('flow.trackOf', { name })}
      onClose={onClose}
      extra={
        <Link
          to={trackPath(workflowInstanceId, workItemId)}
          aria-label={t('shell.fullPage')}
          title={t('shell.fullPage')}
        >
          <Icon name="expand" />
        </Link>
      }
    >
      <TrackView workflowInstanceId={workflowInstanceId} />
    </Drawer>
  )
}
