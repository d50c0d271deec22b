import { useText } from '@/sdk/use-text'
import styles from './list-skeleton.module.css'

/** Rows to come, where they will stand. */
export function SkeletonRows({ rows = 16 }: { rows?: number }) {
  return (
    <div className={styles.rows} aria-hidden="true" data-rows-come>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          {[18, 30, 14, 24, 12, 16].map((width, i) => (
            <span key={i} style={{ width: `${width * (0.62 + ((row * 7 + i * 3) % 5) / 12)}%` }} />
          ))}
        </div>
      ))}
    </div>
  )
}

export function ListSkeleton() {
  const t = useText()
  return (
    <div className={styles.page} role="status" aria-label={t('common.loading')}>
      <div className={styles.title} />
      <SkeletonRows />
    </div>
  )
}
