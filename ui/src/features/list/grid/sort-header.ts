import type { IHeaderParams, IInnerHeaderComponent } from 'ag-grid-community'
import type { TFunction } from 'i18next'
import { iconElement } from '@/components/icon'
import { element } from '@/lib/element'
import styles from '../table/grid.module.css'

const DIRECTIONS = ['asc', 'desc'] as const
type Direction = (typeof DIRECTIONS)[number]

export type SortHeaderParams = IHeaderParams & { t: TFunction }

/**
 * The name of a column and its two arrows. An arrow sorts in its direction, the one that is in force sorts no more; a click
 * beside them goes through up, down and none, as the keyboard does.
 */
export class SortHeader implements IInnerHeaderComponent {
  private readonly name = document.createElement('span')
  private arrows: HTMLElement | null = null
  private params!: SortHeaderParams

  init(params: SortHeaderParams) {
    this.params = params
    this.name.textContent = params.displayName
    if (!params.enableSorting) return
    this.arrows = element('span', { className: styles.arrows }, ...DIRECTIONS.map((one) => this.arrow(one)))
    params.eGridHeader.append(this.arrows)
    params.column.addEventListener('sortChanged', this.mark)
    this.mark()
  }

  getGui() {
    return this.name
  }

  refresh(params: SortHeaderParams) {
    this.params = params
    this.name.textContent = params.displayName
    this.mark()
    return true
  }

  destroy() {
    this.arrows?.remove()
    this.params.column.removeEventListener('sortChanged', this.mark)
  }

  private arrow(direction: Direction): HTMLElement {
    const { t } = this.params
    const label = t(direction === 'asc' ? 'list.sortAscending' : 'list.sortDescending')
    const button = element(
      'button',
      { type: 'button', tabIndex: -1, 'aria-label': `${this.params.displayName} ${label}`, title: label },
      iconElement(direction === 'asc' ? 'up' : 'down', 12),
    )
    button.dataset.direction = direction
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      const { column, setSort } = this.params
      setSort(column.getSort() === direction ? null : direction, false)
    })
    return button
  }

  /** Shows which arrow is in force. */
  private readonly mark = () => {
    const sort = this.params.column.getSort()
    if (!this.arrows) return
    this.arrows.dataset.sort = sort ?? ''
    for (const button of this.arrows.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset.direction === sort))
  }
}
