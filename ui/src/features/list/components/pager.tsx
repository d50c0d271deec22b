import { Pages } from '@/sdk/pages'
import { useText } from '@/sdk/use-text'
import { PAGE_SIZES } from '../data/url-state'
import type { ListController } from '../use-list-controller'
import styles from './pager.module.css'

export function Pager({ controller }: { controller: ListController }) {
  const t = useText()
  if (!controller.total) return null
  return (
    <div className={styles.pager}>
      <Pages
        size="small"
        current={controller.view.page + 1}
        pageSize={controller.view.size}
        total={controller.total}
        pageSizeOptions={PAGE_SIZES}
        showSizeChanger
        showQuickJumper
        showTotal={(total) => t('list.total', { count: total })}
        onChange={(page, size) => controller.setPage(page - 1, size)}
      />
    </div>
  )
}
