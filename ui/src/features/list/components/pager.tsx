import { Pages } from '@/sdk/pages'
import { useText } from '@/sdk/use-text'
import { PAGE_SIZES } from '../data/url-state'
import type { ListController } from '../use-list-controller'
import styles from './pager.module.css'

/** The title says how many records there are; a page without it says so here. */
export function Pager({ controller, counts }: { controller: ListController; counts: boolean }) {
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
        {...(counts && { showTotal: (total: number) => t('list.total', { count: total }) })}
        onChange={(page, size) => controller.setPage(page - 1, size)}
      />
    </div>
  )
}
