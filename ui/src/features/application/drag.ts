import { type DragEvent, type KeyboardEvent, useState } from 'react'

export type Where = 'before' | 'behind' | 'inside'

/** Rows that are dragged by their handle with a mouse, or moved with the arrow keys while it has the focus. */
export function useDrag(
  done: (code: string, on: string, where: Where) => void,
  step: (code: string, by: 1 | -1) => void,
) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<{ code: string; where: Where } | null>(null)
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  return {
    dragged,
    over,
    handle: (code: string) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', code)
        setDragged(code)
      },
      onDragEnd: end,
      onKeyDown: (event: KeyboardEvent) => {
        const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
        if (!by) return
        event.preventDefault()
        step(code, by)
      },
    }),
    row: (code: string, folder: boolean) => ({
      onDragOver: (event: DragEvent) => {
        if (!dragged || dragged === code) return
        event.preventDefault()
        const box = event.currentTarget.getBoundingClientRect()
        const share = (event.clientY - box.top) / box.height
        const where = folder && share > 0.3 && share < 0.7 ? 'inside' : share < 0.5 ? 'before' : 'behind'
        if (over?.code !== code || over.where !== where) setOver({ code, where })
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (dragged && over) done(dragged, over.code, over.where)
        end()
      },
    }),
  }
}
