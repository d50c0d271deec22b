import { Tooltip } from 'antd'
import { cloneElement, type HTMLAttributes, type ReactElement, useRef, useState } from 'react'
import { useSettled } from '@/lib/settled'

interface Props {
  title: string | null | undefined
  /** Seconds that somebody points before it shows. */
  mouseEnterDelay?: number
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/**
 * A tooltip that a page does not wait for. It goes when its control is pressed, and comes back when that is pointed at again: over
 * what the control opened it would take the first Escape.
 */
export function Hint({ title, mouseEnterDelay = 0.1, children }: Props) {
  const settled = useSettled()
  const [open, setOpen] = useState(false)
  const pressed = useRef(false)
  if (!settled) return children
  const press = () => {
    pressed.current = true
    setOpen(false)
  }
  const free = () => {
    pressed.current = false
  }
  return (
    <Tooltip
      title={title}
      mouseEnterDelay={mouseEnterDelay}
      open={open}
      onOpenChange={(next) => setOpen(next && !pressed.current)}
    >
      {cloneElement(children, {
        onPointerDownCapture: press,
        onClickCapture: press,
        onPointerLeave: free,
        onBlur: free,
      })}
    </Tooltip>
  )
}
