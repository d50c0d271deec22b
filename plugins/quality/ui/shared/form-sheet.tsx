import { Sheet, useText } from '@sluice/sdk'
import { Button } from 'antd'
import { type ReactNode, useId } from 'react'
import look from './look.module.css'
import { useOnce } from './use-once'

interface Props {
  title: string
  /** What the button says; the verb of the title. */
  ok: string
  ready: boolean
  busy: boolean
  width?: number
  onOk: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog that asks for something and does it: Enter in a field is the button. */
export function FormSheet({ title, ok, ready, busy, width = 480, onOk, onClose, children }: Props) {
  const product = useText()
  const id = useId()
  const once = useOnce(busy)
  return (
    <Sheet
      title={title}
      width={width}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button type="primary" htmlType="submit" form={id} disabled={!ready} loading={busy}>
            {ok}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={look.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) once(onOk)
        }}
      >
        {children}
      </form>
    </Sheet>
  )
}
