import {
  type FormWidgetProps,
  localName,
  useAskedPlace,
  useLocale,
  useRefusals,
  useText,
  useTextContext,
} from '@sluice/sdk'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { busyKey, Editor } from './editor'
import styles from './grid.module.css'
import type { Editing } from './grid-commands'
import { GridHead } from './grid-head'
import { useTemplate } from './grid-layout'
import { GridRow, RowNumber } from './grid-row'
import { GridTools, PasteNotice } from './grid-tools'
import { KeyboardTarget } from './keyboard-target'
import { gridKey } from './keys'
import { at, rangeOf } from './range'
import { useRowActions } from './row-actions'
import { RowMenu, useRowMenu } from './row-menu'
import { keyOf, type SheetRow } from './rows'
import { SumRow } from './sum-row'
import { useClipboard } from './use-clipboard'
import type { GridState } from './use-grid'
import { usePointer } from './use-pointer'
import { useRowFaults } from './use-row-faults'
import { pageOf, ROW, useReveal, useRowWindow } from './use-row-window'

type GridProps = GridState &
  Pick<FormWidgetProps<SheetRow[]>, 'id' | 'field' | 'schemaCode' | 'values' | 'describedBy' | 'invalid'>

/** The rows of a sub-table as a spreadsheet. Only rows in sight are drawn, and only the cell being edited holds a widget. */
export function SheetGrid(props: GridProps) {
  const { id, field, schemaCode, values, describedBy, invalid, grid, rows, columns, selection, open, called } = props
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const scroll = useRef<HTMLDivElement>(null)
  const busy = useRef(new Set<string>())
  const held = (one: Editing) => busy.current.has(busyKey(one))
  const sheet = field.propertyCode
  const sums = field.sumRow ?? []
  const { first, last, onScroll } = useRowWindow(scroll, rows.length)
  useReveal(scroll, selection, sums.length > 0)
  const { drag, handlers } = usePointer(grid, scroll, held)
  const clip = useClipboard(grid, { schemaCode, sheet, values }, held)
  const { dismiss } = clip
  // What a paste came to is said until people go on.
  useEffect(() => {
    if (open.length > 0) dismiss()
  }, [open, dismiss])
  const range = rangeOf(selection)
  const template = useTemplate(columns, rows, sums, context)
  const faultsOf = useRowFaults(sheet, columns)
  const { minRows, maxRows, rights } = grid.now()

  // Each time that a save was refused, the first cell that is wrong is where people go on.
  const refusals = useRefusals()
  const met = useRef(0)
  useEffect(() => {
    if (met.current === refusals) return
    met.current = refusals
    for (const [row, one] of rows.entries()) {
      const column = faultsOf(one, row).cells.findIndex((fault) => fault !== null)
      if (column >= 0) return grid.point(at(row, column))
    }
  })

  // Somebody asked for one of its cells.
  const asked = useAskedPlace()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that somebody asks, and not when rows change
  useEffect(() => {
    if (asked?.code !== sheet || asked.row === undefined) return
    const column = columns.findIndex((one) => one.propertyCode === asked.column)
    grid.select(at(asked.row, Math.max(0, column)))
  }, [asked])

  const indexes = new Set<number>()
  for (let i = Math.max(0, first); i <= last; i++) indexes.add(i)
  const { active } = selection
  if (rows[active.row]) indexes.add(active.row)
  const editingAt = new Map<number, Editing[]>()
  if (open.length > 0) {
    const places = new Map(rows.map((row, index) => [keyOf(row, index), index]))
    for (const one of open) {
      const index = places.get(one.key)
      if (index === undefined) continue
      editingAt.set(index, [...(editingAt.get(index) ?? []), one])
      indexes.add(index)
    }
  }
  const inside = (index: number, row: SheetRow): Record<number, ReactNode> | undefined => {
    const editing = editingAt.get(index)
    if (!editing) return undefined
    const out: Record<number, ReactNode> = {}
    for (const one of editing) {
      const column = columns[one.column]
      if (!column) continue
      out[one.column] = (
        <Editor
          key={busyKey(one)}
          id={`${id}-${one.key}-${one.column}`}
          grid={grid}
          editing={one}
          column={column}
          sheet={sheet}
          schemaCode={schemaCode}
          row={row}
          values={values}
          invalid={false}
          busy={busy}
        />
      )
    }
    return out
  }
  const shown = [...indexes].sort((a, b) => a - b)
  const selected = (index: number) => rows.length > 0 && index >= range.top && index <= range.bottom
  const dragged = (index: number) => drag !== null && index >= drag.from && index <= drag.to
  const key = (event: KeyboardEvent) => gridKey(event, grid, pageOf(scroll.current))
  const activeRow = rows[active.row]
  const activeColumn = columns[active.column]
  const activeId = `${id}-at-${active.row}-${active.column}`
  const catcher = () => {
    const place = activeRow && activeColumn
    const wrong = place ? (faultsOf(activeRow, active.row).cells[active.column] ?? null) : null
    const label = place
      ? t('sheet.cell', { column: localName(activeColumn, locale), row: active.row + 1 })
      : t('sheet.empty')
    return (
      <KeyboardTarget
        {...(place ? { ...active, cell: activeId } : {})}
        label={[label, wrong].filter(Boolean).join(', ')}
        called={called}
        editing={grid.current() !== null}
        readOnly={activeRow !== undefined && (activeColumn?.readOnly === true || grid.fixed(activeRow))}
        invalid={wrong !== null}
        onKey={key}
        onText={(text) => {
          if (grid.size().rows === 0) grid.add()
          grid.edit(grid.now().selection.active, text, held)
        }}
        onCopy={clip.onCopy}
        onPaste={clip.onPaste}
      />
    )
  }
  const actions = useRowActions(grid, range, rows.length)
  const menu = useRowMenu(grid)
  return (
    <div className={styles.sheet} style={template}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it scrolls, and hears the pointer for the grid and its field */}
      <div
        ref={scroll}
        className={styles.scroll}
        data-invalid={invalid || undefined}
        data-dragging={drag ? true : undefined}
        onScroll={onScroll}
        onContextMenu={menu.open}
        {...handlers}
      >
        {/* The field for the keyboard is beside the grid and not in it: a grid holds rows and nothing else. */}
        <div
          id={id}
          role="grid"
          aria-label={localName(field, locale)}
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable
          aria-busy={clip.reading || undefined}
          aria-describedby={describedBy}
        >
          <GridHead columns={columns} />
          <div role="rowgroup" className={styles.body} style={{ height: rows.length * ROW }}>
            <div className={styles.numbers} aria-hidden>
              {shown.map((index) => (
                <RowNumber
                  key={keyOf(rows[index] as SheetRow, index)}
                  index={index}
                  on={selected(index)}
                  faulty={faultsOf(rows[index] as SheetRow, index).any}
                  dragged={dragged(index)}
                />
              ))}
            </div>
            {shown.map((index) => {
              const row = rows[index] as SheetRow
              const on = selected(index)
              return (
                <GridRow
                  key={keyOf(row, index)}
                  index={index}
                  row={row}
                  columns={columns}
                  context={context}
                  faults={faultsOf(row, index).cells}
                  from={on ? range.left : -1}
                  to={on ? range.right : -1}
                  active={index === active.row ? active.column : -1}
                  activeId={index === active.row ? activeId : ''}
                  inside={inside(index, row)}
                  fixed={grid.fixed(row)}
                  dragged={dragged(index)}
                />
              )
            })}
            {drag && <div className={styles.line} style={{ top: drag.line * ROW }} />}
          </div>
          {sums.length > 0 && rows.length > 0 && (
            <SumRow columns={columns} codes={sums} rows={rows} context={context} />
          )}
        </div>
        {rows.length > 0 && catcher()}
        {rows.length === 0 && (
          <div className={styles.empty}>
            {catcher()}
            <span>{t(rights.add ? 'sheet.empty' : 'sheet.emptyPhone')}</span>
          </div>
        )}
      </div>
      <RowMenu actions={actions.rows} place={menu.place} onClose={menu.close} />
      {clip.notice && <PasteNotice notice={clip.notice} maxRows={maxRows} onClose={clip.dismiss} />}
      <GridTools
        onAdd={rights.add ? grid.add : null}
        full={rows.length >= maxRows}
        actions={actions.all}
        count={rows.length}
        minRows={minRows}
        maxRows={maxRows}
      />
    </div>
  )
}
