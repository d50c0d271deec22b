import { Tooltip } from 'antd'
import type { ReactElement } from 'react'
import { useSettled } from '@/lib/settled'

/** A tooltip that a page does not wait for. */
export function Hint({ title, children }: { title: string; children: ReactElement }) {
  return useSettled() ? <Tooltip title={title}>{children}</Tooltip> : children
}
