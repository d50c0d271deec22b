import { Button, Dropdown } from 'antd'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { stepOf, ZOOMS, type Zoom } from '@/sdk/paper/zoom'
import { useText } from '@/sdk/use-text'
import type { Alignment, Order } from './edit'
import styles from './paper.module.css'

/** Small drawings on a 16 grid: a line, and two bars that lie on it. */
const ALIGN: Record<Alignment, string> = {
  left: 'M2.500 2v12M5 4.500h8v2.500H5zM5 9.500h5V12H5z',
  center: 'M8 2v12M3.500 4.500h9v2.500h-9zM5 9.500h6V12H5z',
  right: 'M13.500 2v12M3 4.500h8v2.500H3zM6 9.500h5V12H6z',
  top: 'M2 2.500h12M4.500 5v8H7V5zM9.500 5v5H12V5z',
  middle: 'M2 8h12M4.500 3.500v9H7v-9zM9.500 5v6H12V5z',
  bottom: 'M2 13.500h12M4.500 3v8H7V3zM9.500 6v5H12V6z',
}
const SPREAD = {
  x: 'M2.500 2v12M13.500 2v12M6.500 5h3v6h-3z',
  y: 'M2 2.500h12M2 13.500h12M5 6.500h6v3H5z',
}
const SAME = {
  width: 'M3 3.500h10v3.500H3zM3 9.500h10v3H3z',
  height: 'M3.500 3h3.500v10H3.500zM9.500 3h3v10h-3z',
}

const Drawing = ({ path }: { path: string }) => (
  <svg
    viewBox="0 0 16 16"
    width={16}
    height={16}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.2}
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
)

function Tool({
  label,
  path,
  disabled,
  onClick,
}: {
  label: string
  path: string
  disabled: boolean
  onClick: () => void
}) {
  return (
    <Hint title={label}>
      <Button
        type="text"
        size="small"
        aria-label={label}
        disabled={disabled}
        icon={<Drawing path={path} />}
        onClick={onClick}
      />
    </Hint>
  )
}

interface Props {
  /** How many elements are chosen. */
  count: number
  canPaste: boolean
  /** There is room for the menu only. */
  compact: boolean
  onAlign: (how: Alignment) => void
  onDistribute: (axis: 'x' | 'y') => void
  onSame: (key: 'width' | 'height') => void
  onOrder: (how: Order) => void
  onCopy: () => void
  onPaste: () => void
  onDuplicate: () => void
  onRemove: () => void
}

/** What is done to the chosen elements. */
export function Tools({
  count,
  canPaste,
  compact,
  onAlign,
  onDistribute,
  onSame,
  onOrder,
  onCopy,
  onPaste,
  onDuplicate,
  onRemove,
}: Props) {
  const t = useText()
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t('paper.tools')}>
      {!compact && (
        <>
          {(Object.keys(ALIGN) as Alignment[]).map((how) => (
            <Tool
              key={how}
              label={t(`paper.align.${how}`)}
              path={ALIGN[how]}
              disabled={count === 0}
              onClick={() => onAlign(how)}
            />
          ))}
          <i />
          <Tool label={t('paper.spreadX')} path={SPREAD.x} disabled={count < 3} onClick={() => onDistribute('x')} />
          <Tool label={t('paper.spreadY')} path={SPREAD.y} disabled={count < 3} onClick={() => onDistribute('y')} />
          <Tool label={t('paper.sameWidth')} path={SAME.width} disabled={count < 2} onClick={() => onSame('width')} />
          <Tool
            label={t('paper.sameHeight')}
            path={SAME.height}
            disabled={count < 2}
            onClick={() => onSame('height')}
          />
          <i />
        </>
      )}
      <Dropdown
        trigger={['click']}
        disabled={count === 0 && !canPaste}
        menu={{
          items: [
            ...(['front', 'forward', 'backward', 'back'] as const).map((key) => ({
              key,
              label: t(`paper.orders.${key}`),
              disabled: count === 0,
            })),
            { type: 'divider' as const },
            { key: 'copy', label: `${t('paper.copy')} (Ctrl+C)`, disabled: count === 0 },
            { key: 'paste', label: `${t('paper.paste')} (Ctrl+V)`, disabled: !canPaste },
            { key: 'duplicate', label: `${t('paper.duplicate')} (Ctrl+D)`, disabled: count === 0 },
            { key: 'remove', label: `${t('paper.remove')} (Delete)`, disabled: count === 0, danger: true },
          ],
          onClick: ({ key }) => {
            if (key === 'copy') onCopy()
            else if (key === 'paste') onPaste()
            else if (key === 'duplicate') onDuplicate()
            else if (key === 'remove') onRemove()
            else onOrder(key as Order)
          },
        }}
      >
        <Button type="text" size="small" icon={<Icon name="more" size={16} />} aria-label={t('paper.moreTools')} />
      </Dropdown>
    </div>
  )
}

interface ZoomProps {
  zoom: Zoom
  percent: number
  onZoom: (zoom: Zoom) => void
}

export function Zooming({ zoom, percent, onZoom }: ZoomProps) {
  const t = useText()
  return (
    <div className={styles.toolbar}>
      <Button
        type="text"
        size="small"
        aria-label={t('print.zoomOut')}
        disabled={percent <= Math.min(...ZOOMS)}
        icon={<Icon name="minus" size={14} />}
        onClick={() => onZoom(stepOf(percent, -1))}
      />
      <Dropdown
        trigger={['click']}
        menu={{
          selectable: true,
          selectedKeys: [String(zoom)],
          items: [
            { key: 'fit', label: t('print.fit') },
            { type: 'divider' as const },
            ...ZOOMS.map((one) => ({ key: String(one), label: `${one}%` })),
          ],
          onClick: ({ key }) => onZoom(key === 'fit' ? 'fit' : Number(key)),
        }}
      >
        <Button type="text" size="small" className={styles.percent ?? ''} aria-label={`${t('print.zoom')} ${percent}%`}>
          {percent}%
        </Button>
      </Dropdown>
      <Button
        type="text"
        size="small"
        aria-label={t('print.zoomIn')}
        disabled={percent >= Math.max(...ZOOMS)}
        icon={<Icon name="plus" size={14} />}
        onClick={() => onZoom(stepOf(percent, 1))}
      />
    </div>
  )
}
