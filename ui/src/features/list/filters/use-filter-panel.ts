import { useState } from 'react'
import type { ListConfig } from '@/api/types'
import { readStored, writeStored } from '@/lib/stored'
import { useIsNarrow } from '@/lib/use-media'
import { propertyUI } from '@/registry/properties'

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** Whether the panel of a list is open; the browser remembers it. */
export function useFilterPanel({ queryCode, queryConditions }: ListConfig) {
  const key = `${queryCode}_filter_panel`
  const [open, setOpen] = useState(() => readStored(key, isFlag) ?? true)
  const narrow = useIsNarrow()
  const [drawn, setDrawn] = useState(false)
  const has = queryConditions.some((condition) => condition.visible && propertyUI(condition.propertyType).Filter)
  return {
    has,
    /** Without room for it, the panel is a drawer behind a button, closed at first. */
    drawer: has && narrow,
    drawn: has && narrow && drawn,
    setDrawn,
    open: open && !narrow,
    setOpen: (next: boolean) => {
      setOpen(next)
      writeStored(key, next)
    },
  }
}

export type FilterPanel = ReturnType<typeof useFilterPanel>
