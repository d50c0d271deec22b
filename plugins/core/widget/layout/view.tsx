import type { WidgetProps } from '@sluice/sdk'
import styles from './layout.module.css'

interface Options {
  direction?: 'row' | 'column'
  gap?: number
}

/** Panels and sidebars beside or below each other. */
export function Layout({ widget, page }: WidgetProps<Options>) {
  const { direction = 'row', gap = 16 } = widget.options
  return (
    <div className={styles.layout} data-direction={direction} style={{ gap }}>
      {(widget.widgets ?? []).map((child) => (
        <div key={child.id} className={styles.child} data-fixed={child.type === 'LayoutSider' || undefined}>
          {page.drawn([child])}
        </div>
      ))}
    </div>
  )
}
