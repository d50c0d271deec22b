import { Button } from 'antd'
import { type KeyboardEvent, useRef } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import { everyWidget, type Found, listAt, type Page, sameWay, type Way } from './page'
import styles from './portal.module.css'
import type { PortalProblem } from './problems'
import { iconOf, type PortalWords } from './words'

interface Props {
  page: Page
  words: PortalWords
  chosen: Way | null
  problems: readonly PortalProblem[]
  readOnly: boolean
  onChoose: (way: Way) => void
  onMove: (way: Way, by: 1 | -1) => void
  onRemove: (way: Way) => void
}

/** The widgets of the page as a tree, with those that layouts hold. */
export function Outline({ page, words, chosen, problems, readOnly, onChoose, onMove, onRemove }: Props) {
  const t = useText()
  const tree = useRef<HTMLDivElement>(null)
  const all = everyWidget(page)
  const at = chosen ? all.findIndex((one) => sameWay(one.way, chosen)) : -1
  const go = (to: number) => {
    const one = all[to]
    if (!one) return
    onChoose(one.way)
    tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[to]?.focus()
  }
  const onKey = (event: KeyboardEvent, { way }: Found, i: number) => {
    if (event.target !== event.currentTarget) return
    const step = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Delete' && !readOnly) onRemove(way)
    else if (event.altKey && step !== undefined && !readOnly && Math.abs(step - i) === 1) onMove(way, step > i ? 1 : -1)
    else if (step !== undefined) go(step)
    else if (event.key === 'ArrowLeft' && way.length > 1) go(all.findIndex((one) => sameWay(one.way, way.slice(0, -1))))
    else if (event.key === 'Enter' || event.key === ' ') onChoose(way)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  if (all.length === 0) return <p className={styles.note}>{t('portalDesign.emptyPage')}</p>
  return (
    <div className={styles.outline} role="tree" aria-label={t('portalDesign.outline')} ref={tree}>
      {all.map((one, i) => {
        const { widget, way } = one
        const name = words.widget(widget)
        const list = listAt(page, way.slice(0, -1))
        const place = way.at(-1) ?? 0
        const wrong = problems.some((problem) => problem.way && sameWay(problem.way, way))
        const isChosen = i === at
        return (
          <div
            key={way.join('.')}
            role="treeitem"
            aria-level={way.length}
            aria-selected={isChosen}
            {...(widget.widgets ? { 'aria-expanded': true } : {})}
            tabIndex={isChosen || (at < 0 && i === 0) ? 0 : -1}
            style={{ paddingInlineStart: 8 + (way.length - 1) * 16 }}
            onClick={() => onChoose(way)}
            onKeyDown={(event) => onKey(event, one, i)}
          >
            <Icon name={iconOf(widget.type)} size={14} />
            <span title={name}>{name}</span>
            {wrong && <i className={styles.wrongDot} />}
            {isChosen && !readOnly && (
              <span className={styles.outlineTools}>
                <Button
                  type="text"
                  size="small"
                  disabled={place === 0}
                  aria-label={t('paper.moveUp', { name })}
                  icon={<Icon name="up" size={14} />}
                  onClick={(event) => {
                    event.stopPropagation()
                    onMove(way, -1)
                  }}
                />
                <Button
                  type="text"
                  size="small"
                  disabled={place === list.length - 1}
                  aria-label={t('paper.moveDown', { name })}
                  icon={<Icon name="down" size={14} />}
                  onClick={(event) => {
                    event.stopPropagation()
                    onMove(way, 1)
                  }}
                />
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}
