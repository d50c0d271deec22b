import { Button } from 'antd'
import { Icon } from '@/components/icon'
import type { Zoom } from '@/sdk/paper/zoom'
import { useText } from '@/sdk/use-text'
import { align, distribute, reorder, sameSize } from './edit'
import styles from './paper.module.css'
import type { Setup, Template } from './template'
import { Tools, Zooming } from './tools'
import type { Acts } from './use-acts'
import type { Choosing } from './use-choice'

interface Props {
  now: Template
  setup: Setup
  choice: Choosing
  acts: Acts
  zoom: Zoom
  percent: number
  onZoom: (zoom: Zoom) => void
  /** Pieces and properties lie over the paper. */
  narrow: boolean
  phone: boolean
  onAdd: () => void
  /** Whether the preview is beside the paper; null: there is no room for it. */
  beside: boolean | null
  onBeside: (shown: boolean) => void
}

/** What is done to the paper and to what is chosen on it. */
export function Bar(props: Props) {
  const { now, setup, choice, acts, narrow, beside } = props
  const t = useText()
  const { chosen } = choice
  const area = { width: setup.inner, height: setup.usable }
  return (
    <div className={styles.bar}>
      {narrow && (
        <Button size="small" icon={<Icon name="plus" size={14} />} onClick={props.onAdd}>
          {t('paper.add')}
        </Button>
      )}
      <Tools
        count={chosen.at.length}
        canPaste={acts.canPaste}
        compact={props.phone}
        onAlign={(how) => acts.keep(align(now, chosen, how, area))}
        onDistribute={(axis) => acts.keep(distribute(now, chosen, axis))}
        onSame={(key) => acts.keep(sameSize(now, chosen, key))}
        onOrder={(how) => acts.go(reorder(now, chosen, how))}
        onCopy={() => acts.copy(chosen)}
        onPaste={acts.paste}
        onDuplicate={() => acts.duplicate(chosen)}
        onRemove={() => acts.remove(chosen)}
      />
      <span className={styles.space} />
      <Zooming zoom={props.zoom} percent={props.percent} onZoom={props.onZoom} />
      <Button size="small" onClick={() => choice.openSettings(chosen.page)}>
        {t('paper.settings')}
      </Button>
      {narrow && chosen.at.length > 0 && (
        <Button size="small" onClick={() => choice.open(chosen)}>
          {t('design.properties')}
        </Button>
      )}
      {beside !== null && (
        <Button
          size="small"
          aria-pressed={beside}
          type={beside ? 'primary' : 'default'}
          ghost={beside}
          icon={<Icon name="eye" size={14} />}
          onClick={() => props.onBeside(!beside)}
        >
          {t('paper.preview')}
        </Button>
      )}
    </div>
  )
}
