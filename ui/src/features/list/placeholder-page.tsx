import { useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { useText } from '@/sdk/use-text'
import { SkeletonRows } from './components/list-skeleton'
import styles from './table/list-table.module.css'

/** A list without data, to look at the frame around lists. */
export function PlaceholderPage() {
  const t = useText()
  const { schemaCode = '' } = useParams()
  return (
    <div className={styles.page}>
      <Notice
        page
        icon="table"
        title={t('table.placeholder')}
        text={t('table.placeholderText', { code: schemaCode })}
      />
      <SkeletonRows />
    </div>
  )
}
