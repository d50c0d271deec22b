import { Drawer, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useIsPhone } from '@/lib/use-media'
import styles from './sheet.module.css'

interface SheetProps {
  title: ReactNode
  width: number
  onClose: () => void
  footer: ReactNode
  children: ReactNode
}

/** A dialog on a desktop, a sheet from below on a phone. */
export function Sheet({ title, width, onClose, footer, children }: SheetProps) {
  useReturnFocus()
  if (useIsPhone()) {
    return (
      <Drawer
        open
        rootClassName={styles.sheet ?? ''}
        placement="bottom"
        size="min(86dvh, 720px)"
        title={title}
        onClose={onClose}
        footer={footer}
      >
        {children}
      </Drawer>
    )
  }
  return (
    <Modal open title={title} width={`min(${width}px, 94vw)`} onCancel={onClose} footer={footer} destroyOnHidden>
      {children}
    </Modal>
  )
}
