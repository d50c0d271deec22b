import { Button, Dropdown } from 'antd'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'

interface Props {
  at: number
  count: number
  onCopy: () => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

/** What can be done to a page as a whole. */
export function PageTools({ at, count, onCopy, onMove, onRemove }: Props) {
  const t = useText()
  return (
    <>
      <span>{t('paper.page', { n: at + 1 })}</span>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'copy', label: t('paper.copyPage') },
            { key: 'up', label: t('paper.pageUp'), disabled: at === 0 },
            { key: 'down', label: t('paper.pageDown'), disabled: at === count - 1 },
            { key: 'remove', label: t('paper.removePage'), disabled: count === 1, danger: true },
          ],
          onClick: ({ key }) => {
            if (key === 'copy') onCopy()
            else if (key === 'remove') onRemove()
            else onMove(key === 'up' ? -1 : 1)
          },
        }}
      >
        <Button
          type="text"
          size="small"
          icon={<Icon name="more" size={14} />}
          aria-label={t('paper.pageTools', { n: at + 1 })}
        />
      </Dropdown>
    </>
  )
}
