import { Icon, useText } from '@sluice/sdk'
import { Button } from 'antd'

interface RowToolsProps {
  first: boolean
  last: boolean
  full: boolean
  onMove: (by: number) => void
  onCopy: () => void
  onRemove: () => void
}

/** What can be done with a row; shown on hover, on focus, and always where nothing hovers. */
export function RowTools({ first, last, full, onMove, onCopy, onRemove }: RowToolsProps) {
  const t = useText()
  const tools = [
    { icon: <Icon name="up" />, label: t('form.rowUp'), disabled: first, run: () => onMove(-1) },
    { icon: <Icon name="down" />, label: t('form.rowDown'), disabled: last, run: () => onMove(1) },
    { icon: <Icon name="copy" />, label: t('form.rowCopy'), disabled: full, run: onCopy },
    { icon: <Icon name="trash" />, label: t('form.rowRemove'), disabled: false, run: onRemove },
  ]
  return tools.map((tool) => (
    <Button
      key={tool.label}
      type="text"
      size="small"
      icon={tool.icon}
      aria-label={tool.label}
      title={tool.label}
      disabled={tool.disabled}
      onClick={tool.run}
    />
  ))
}
