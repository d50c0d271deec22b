import { useState } from 'react'
import type { ListConfig } from '@/api/types'
import { readStored, writeStored } from '@/lib/stored'
import { propertyUI } from '@/registry/properties'

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** Whether the panel of a list stands open; the browser remembers it. */
export function useFilterPanel({ queryCode, queryConditions }: ListConfig) {
  const key = `${queryCode}_filter_panel`
  const [open, setOpen] = useState(() => readStored(key, isFlag) ?? true)
  return {
    has: queryConditions.some((condition) => condition.visible && propertyUI(condition.propertyType).Filter),
    open,
    setOpen: (next: boolean) => {
      setOpen(next)
      writeStored(key, next)
    },
  }
}

export type FilterPanel = ReturnType<typeof useFilterPanel>
