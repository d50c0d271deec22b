import { Pagination, type PaginationProps } from 'antd'
import { listPopup } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useText } from './use-text'

/** Pages of rows; the arrows have names in the language in use. */
export function Pages(props: PaginationProps) {
  const t = useText()
  const arrow = (label: string, icon: 'left' | 'right') => (
    <button type="button" tabIndex={-1} className="ant-pagination-item-link" aria-label={label}>
      <Icon name={icon} size={14} />
    </button>
  )
  return (
    <Pagination
      {...props}
      {...(props.showSizeChanger ? { showSizeChanger: { popupRender: listPopup, virtual: false } } : {})}
      itemRender={(_, type, element) => {
        if (type === 'prev') return arrow(t('common.previousPage'), 'left')
        if (type === 'next') return arrow(t('common.nextPage'), 'right')
        return element
      }}
    />
  )
}
