import { Button } from 'antd'
import { type ComponentType, lazy, Suspense } from 'react'
import styles from './button-slot.module.css'
import { Icon, type IconName } from './icon'

/** Keeps the place of an icon button that is still on its way, or that this page does without: the same box, with nothing to press. */
export function ButtonSlot({ icon }: { icon?: IconName | undefined }) {
  return (
    <Button type="text" disabled aria-hidden="true" tabIndex={-1} className={styles.slot ?? ''}>
      {icon && <Icon name={icon} />}
    </Button>
  )
}

/** A button in a file of its own. Its place is kept until it is there: what is beside it never moves. */
export function lazyButton<P extends object>(load: () => Promise<ComponentType<P>>, icon: IconName) {
  const Late = lazy(() => load().then((loaded) => ({ default: loaded })))
  return function LazyButton(props: P) {
    return (
      <Suspense fallback={<ButtonSlot icon={icon} />}>
        <Late {...props} />
      </Suspense>
    )
  }
}
