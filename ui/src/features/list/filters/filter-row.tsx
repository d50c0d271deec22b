import { Button } from 'antd'
import { type CSSProperties, type Ref, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { propertyUI } from '@/registry/properties'
import { useText } from '@/sdk/use-text'
import { useWidth } from '../table/pinned'
import type { ListController } from '../use-list-controller'
import { FilterControl } from './filter-control'
import styles from './filter-row.module.css'
import { firstConditions } from './panel'

interface Props {
  controller: ListController
  ref?: Ref<HTMLDivElement>
  /** Beside the table all stand in one column. */
  columns?: number | undefined
}

/** Least width of a condition, and what is between two, as in the style sheet. */
const [LEAST, GAP] = [200, 20]
/** A box whose text could not be read. */
const UNREAD = '[data-typed][aria-invalid="true"]'

/** The conditions: one row of them, the rest behind "More". They act when they change; Query reads again. */
export function FilterRow({ controller, ref, columns: wanted }: Props) {
  const t = useText()
  const [open, setOpen] = useState(false)
  /** Controls that are reset begin again: a text that could not be read goes too. */
  const [resets, setResets] = useState(0)
  const conditions = controller.config.queryConditions.filter(
    (condition) => condition.visible && propertyUI(condition.propertyType).Filter,
  )
  const columns = wanted ?? (controller.config.queryPresentation.queryPanelColumns || 3)
  const controls = useRef<HTMLDivElement>(null)
  const fit = Math.max(1, Math.floor((useWidth(controls) + GAP) / (LEAST + GAP)))
  const first = columns === 1 ? conditions : firstConditions(conditions, Math.min(columns, fit))
  const shown = open ? conditions : first
  return (
    <div className={styles.panel} ref={ref}>
      <div ref={controls} className={styles.controls} style={{ '--columns': columns } as CSSProperties}>
        {shown.map((condition) => (
          <FilterControl key={`${condition.propertyCode}/${resets}`} condition={condition} controller={controller} />
        ))}
      </div>
      <div className={styles.buttons}>
        <Button
          type="default"
          onClick={({ currentTarget }) => {
            // A text that could not be read is not a condition: the query waits until it is put right.
            const wrong = currentTarget.closest(`.${styles.panel}`)?.querySelector<HTMLElement>(UNREAD)
            if (wrong) wrong.focus()
            else void controller.refresh()
          }}
        >
          {t('list.query')}
        </Button>
        <Button
          type="text"
          onClick={() => {
            controller.resetFilters()
            setResets(resets + 1)
          }}
        >
          {t('list.reset')}
        </Button>
        {conditions.length > first.length && (
          <Button
            type="text"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            icon={<Icon name={open ? 'up' : 'down'} size={14} />}
            iconPlacement="end"
          >
            {open ? t('list.lessFilters') : t('list.moreFilters')}
          </Button>
        )}
      </div>
    </div>
  )
}
