import { Icon, useText } from '@sluice/sdk'
import { type ReactNode, useMemo } from 'react'
import type { Grid } from './grid-commands'
import type { Range } from './range'

export interface RowAction {
  name: string
  label: string
  icon: ReactNode
  /** What the keyboard has for it. */
  keys?: string
  enabled: boolean
  danger?: boolean
  run: () => void
}

const glyph = (path: string) => (
  <svg
    width={16}
    height={16}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.7}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
)

/** What can be done with the selected rows: the same for the bar below the grid, its menu and a phone. */
export function rowActions(
  grid: Grid,
  t: ReturnType<typeof useText>,
  first: number,
  last: number,
  rows: number,
): RowAction[] {
  const some = rows > 0
  const room = grid.room() > 0
  const { rights } = grid.now()
  const all: RowAction[] = [
    {
      name: 'above',
      label: t('sheet.insertAbove'),
      icon: glyph('M4 13h16v6H4zM12 9V3M9 6h6'),
      enabled: some && room,
      run: () => grid.insert('above'),
    },
    {
      name: 'below',
      label: t('sheet.insertBelow'),
      icon: glyph('M4 5h16v6H4zM12 15v6M9 18h6'),
      enabled: some && room,
      run: () => grid.insert('below'),
    },
    { name: 'copy', label: t('form.rowCopy'), icon: <Icon name="copy" />, enabled: some && room, run: grid.copyRows },
    {
      name: 'up',
      label: t('form.rowUp'),
      icon: <Icon name="arrowUp" />,
      keys: 'Alt+↑',
      enabled: some && first > 0 && rights.edit,
      run: () => grid.move(-1),
    },
    {
      name: 'down',
      label: t('form.rowDown'),
      icon: <Icon name="arrowDown" />,
      keys: 'Alt+↓',
      enabled: some && last < rows - 1 && rights.edit,
      run: () => grid.move(1),
    },
    {
      name: 'remove',
      label: t('form.rowRemove'),
      icon: <Icon name="trash" />,
      enabled: grid.canRemove(),
      danger: true,
      run: grid.remove,
    },
  ]
  // What can never be done here is not offered.
  const adds = ['above', 'below', 'copy']
  const offered = ({ name }: RowAction) =>
    adds.includes(name) ? rights.add : name === 'remove' ? rights.delete || rights.add : rights.edit
  return all.filter(offered)
}

/** Back and forth through the grid's own changes. */
export const undoActions = (grid: Grid, t: ReturnType<typeof useText>): RowAction[] => [
  {
    name: 'undo',
    label: t('sheet.undo'),
    icon: glyph('M9 7L4.500 11.500 9 16M5 11.500h9a5 5 0 0 1 0 10'),
    keys: 'Ctrl+Z',
    enabled: grid.canUndo(),
    run: grid.undo,
  },
  {
    name: 'redo',
    label: t('sheet.redo'),
    icon: glyph('M15 7l4.500 4.500L15 16M19 11.500h-9a5 5 0 0 0 0 10'),
    keys: 'Ctrl+Y',
    enabled: grid.canRedo(),
    run: grid.redo,
  },
]

/** All of them; the same until one can be done that could not, or the other way round. */
export function useRowActions(grid: Grid, { top, bottom }: Range, count: number) {
  const t = useText()
  const rows = rowActions(grid, t, top, bottom, count)
  const all = [...rows, ...undoActions(grid, t)]
  const able = all.map(({ enabled }) => Number(enabled)).join('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: they differ in what can be done; the commands read what is selected
  return useMemo(() => ({ rows, all }), [grid, t, able])
}
