import { Tooltip } from 'antd'
import {
  type CSSProperties,
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'

interface Props {
  title: string | null | undefined
  /** Seconds that somebody points before it shows. */
  mouseEnterDelay?: number
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/**
 * A tooltip that is mounted on first hover. The control stays the same DOM element, so a press or the focus is never lost. It hides when
 * the control is pressed or anything scrolls, and shows again on the next hover: over what the control opened it would take the first
 * Escape, and its place is that of the control at the time of the hover.
 */
export function Hint({ title, mouseEnterDelay = 0.1, children }: Props) {
  const [place, setPlace] = useState<CSSProperties | null>(null)
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const over = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const close = () => setOpen(false)
    window.addEventListener('scroll', close, true)
    return () => window.removeEventListener('scroll', close, true)
  }, [open])
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  const point = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (over.current || !title) return
    over.current = true
    timer.current = setTimeout(() => {
      const { left, top, width, height } = currentTarget.getBoundingClientRect()
      setPlace({ position: 'fixed', left, top, width, height, pointerEvents: 'none' })
      setOpen(true)
    }, mouseEnterDelay * 1000)
  }
  const leave = () => {
    over.current = false
    hide()
  }
  const own = children.props
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event)
          point(event)
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event)
          leave()
        },
        onPointerDownCapture: hide,
        onClickCapture: hide,
      })}
      {place &&
        createPortal(
          <Tooltip title={title} open={open} destroyOnHidden afterOpenChange={(now) => !now && setPlace(null)}>
            <span aria-hidden="true" style={place} />
          </Tooltip>,
          document.body,
        )}
    </>
  )
}
