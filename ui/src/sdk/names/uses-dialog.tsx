import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useText } from '../use-text'
import type { Named } from './api'
import { Uses } from './uses'

interface Props extends Named {
  /** What the thing is called. */
  title: string
}

/** A button that shows what names something. */
export function UsesButton({ title, small = false, ...of }: Props & { small?: boolean }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        type={small ? 'link' : 'text'}
        size={small ? 'small' : 'middle'}
        aria-label={t('uses.titleOf', { name: title })}
        onClick={() => setOpen(true)}
      >
        {t('uses.title')}
      </Button>
      {open && <UsesDialog title={title} {...of} onClose={() => setOpen(false)} />}
    </>
  )
}

function UsesDialog({ title, onClose, ...of }: Props & { onClose: () => void }) {
  useReturnFocus()
  const t = useText()
  return (
    <Modal open width={760} footer={null} title={t('uses.titleOf', { name: title })} onCancel={onClose}>
      <Uses {...of} />
    </Modal>
  )
}
