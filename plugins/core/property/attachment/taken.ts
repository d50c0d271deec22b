import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react'

const carriesFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false

/** The files of a drop or a clipboard; folders are none. */
function filesOf(data: DataTransfer): File[] {
  const items = [...data.items].filter((item) => item.kind === 'file')
  if (items.length === 0) return [...data.files]
  return items
    .filter((item) => !item.webkitGetAsEntry?.()?.isDirectory)
    .map((item) => item.getAsFile())
    .filter((file) => file !== null)
}

const two = (n: number) => String(n).padStart(2, '0')

/** Files from the clipboard. Pictures that were cut from a screen are all called "image.png": they get a name with the time. */
export function pastedFiles({ clipboardData }: ClipboardEvent, named: (time: string) => string): File[] {
  if (!carriesFiles(clipboardData)) return []
  const now = new Date()
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')
  return filesOf(clipboardData).map((file) =>
    file.name === 'image.png' ? new File([file], `${named(time)}.png`, { type: file.type }) : file,
  )
}

/** A file that misses the field must not replace the page, and with it all that was typed. */
function useNoMiss() {
  useEffect(() => {
    const hold = (event: globalThis.DragEvent) => {
      if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', hold)
    window.addEventListener('drop', hold)
    return () => {
      window.removeEventListener('dragover', hold)
      window.removeEventListener('drop', hold)
    }
  }, [])
}

/** Files that are dragged over an element and dropped there. */
export function useDrop(take: (files: File[]) => void) {
  const [over, setOver] = useState(false)
  // Every child that is entered and left says so; only the last leave counts.
  const depth = useRef(0)
  useNoMiss()
  const move = (by: number) => (event: DragEvent) => {
    if (!carriesFiles(event.dataTransfer)) return
    depth.current += by
    setOver(depth.current > 0)
  }
  const handlers = {
    onDragEnter: move(1),
    onDragLeave: move(-1),
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      depth.current = 0
      setOver(false)
      take(filesOf(event.dataTransfer))
    },
  }
  return { over, handlers }
}
