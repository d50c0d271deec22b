import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { Icon } from '@/components/icon'
import { administersWorkflows, useMe } from '@/sdk/me'
import type { Instance } from '@/sdk/work-items'
import type { TrackNode } from '../api'
import { useFlowWords } from '../task/words'
import type { AdminAct } from './admin-api'
import { AdminDialog, DeleteDialog } from './admin-dialog'

/** What an administrator, or who handled the step before, can do at a node of an instance. */
export function NodeMenu({ node, name, instance }: { node: TrackNode; name: string; instance: Instance }) {
  const { t } = useFlowWords()
  const [act, setAct] = useState<AdminAct | null>(null)
  if (node.actions.length === 0) return null
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: node.actions.map((one) => ({
            key: one,
            label: t(`flowAdmin.acts.${one}`),
            danger: one === 'cancelActivity',
            onClick: () => setAct(one),
          })),
        }}
      >
        <Button type="text" aria-label={t('flowAdmin.menu', { name })} icon={<Icon name="more" size={14} />} />
      </Dropdown>
      {act && <AdminDialog act={act} node={node} name={name} instance={instance} onClose={() => setAct(null)} />}
    </>
  )
}

/** What an administrator can do with a whole instance. */
export function InstanceActs({ instance }: { instance: Instance }) {
  const { t } = useFlowWords()
  const manages = administersWorkflows(useMe())
  const [act, setAct] = useState<'retry' | 'void' | 'delete' | null>(null)
  if (!manages) return null
  const close = () => setAct(null)
  return (
    <>
      {instance.canRetry && (
        <Button type="primary" onClick={() => setAct('retry')}>
          {t('flowAdmin.acts.retry')}
        </Button>
      )}
      {instance.canVoid && <Button onClick={() => setAct('void')}>{t('flowAdmin.acts.void')}</Button>}
      {instance.canDelete && (
        <Button danger onClick={() => setAct('delete')}>
          {t('flowAdmin.deleteAct')}
        </Button>
      )}
      {(act === 'retry' || act === 'void') && (
        <AdminDialog act={act} node={null} name={instance.instanceName} instance={instance} onClose={close} />
      )}
      {act === 'delete' && <DeleteDialog instance={instance} onClose={close} />}
    </>
  )
}
