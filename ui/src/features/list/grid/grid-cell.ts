import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { ReactNode } from 'react'
import type { GridContext, GridRow } from '../table/grid'
import styles from '../table/grid.module.css'

/** What the grid gives a cell. */
export type CellParams = ICellRendererParams<GridRow>

/** How the cells of a column are drawn. */
export interface CellLook {
  /** As plain elements; null when only the component can draw it. */
  paint: (params: CellParams, context: GridContext) => Node | string | null
  /** The same with all that it answers to: controls in the same order. Without it nothing in the cell answers. */
  component?: (params: CellParams) => ReactNode
}

export const contextOf = ({ context }: Pick<CellParams, 'context'>) => (context as { get: () => GridContext }).get()

/** Somebody who only passes by wakes nothing. */
const REST = 60
const CONTROLS = 'button, a'
/** What answers to pointing: a set shows its rest. */
const ANSWERS = `${CONTROLS}, [role="note"]`

/**
 * A cell of the grid: plain elements, because components in every cell that scrolls by cost more than a frame has. When
 * somebody points at it, its component takes their place; a click before that is passed on to it.
 */
export class GridCell implements ICellRendererComp<GridRow> {
  private readonly box = document.createElement('span')
  private params!: CellParams
  private look!: CellLook
  private awake = false
  private timer: ReturnType<typeof setTimeout> | undefined

  init(params: CellParams & { look: CellLook }) {
    this.box.className = styles.cell ?? ''
    this.look = params.look
    this.params = params
    this.draw()
    if (!this.look.component) return
    this.box.addEventListener('pointerover', ({ clientX, clientY }) => {
      if (this.awake || !this.box.querySelector(ANSWERS)) return
      this.timer ??= setTimeout(() => this.point(clientX, clientY), REST)
    })
    this.box.addEventListener('pointerleave', this.rest)
    this.box.addEventListener('pointerdown', this.rest)
    this.box.addEventListener('click', this.passOn)
  }

  getGui() {
    return this.box
  }

  refresh(params: CellParams): boolean {
    this.params = params
    if (this.awake) this.component()
    else this.draw()
    return true
  }

  destroy() {
    this.rest()
    if (this.awake) contextOf(this.params).portals.remove(this.box)
  }

  private draw() {
    const painted = this.look.paint(this.params, contextOf(this.params))
    if (painted !== null) this.box.replaceChildren(painted)
    else if (this.look.component) this.wake()
  }

  private component() {
    contextOf(this.params).portals.put(this.box, this.look.component?.(this.params))
  }

  private readonly rest = () => {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private readonly wake = () => {
    this.rest()
    this.awake = true
    this.box.replaceChildren()
    this.component()
  }

  /** Somebody points at it: the component hears that, though the pointer rests. */
  private point(x: number, y: number) {
    this.wake()
    contextOf(this.params).portals.flush()
    const at = document.elementFromPoint(x, y)
    if (!at || !this.box.contains(at)) return
    at.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, clientX: x, clientY: y, pointerType: 'mouse' }))
    at.dispatchEvent(new MouseEvent('mouseover', { bubbles: true, clientX: x, clientY: y }))
  }

  private readonly passOn = (event: MouseEvent) => {
    const control = this.awake ? null : (event.target as Element).closest(CONTROLS)
    if (!control || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    const place = [...this.box.querySelectorAll(CONTROLS)].indexOf(control)
    this.wake()
    contextOf(this.params).portals.flush()
    const own = this.box.querySelectorAll<HTMLElement>(CONTROLS)[place]
    own?.focus({ preventScroll: true })
    own?.click()
  }
}
