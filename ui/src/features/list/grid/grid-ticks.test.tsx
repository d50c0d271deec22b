import { act, fireEvent, render } from '@testing-library/react'
import {
  ClientSideRowModelModule,
  type GridApi,
  ModuleRegistry,
  RowApiModule,
  RowSelectionModule,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useMemo, useState } from 'react'
import { expect, it } from 'vitest'
import { useGridTicks } from './grid-ticks'

ModuleRegistry.registerModules([ClientSideRowModelModule, RowApiModule, RowSelectionModule])

interface Row {
  id: string
  text: string
}

const rowsOf = (text: string, ids = ['a', 'b', 'c']): Row[] => ids.map((id) => ({ id, text }))
const later = () => act(() => new Promise((done) => setTimeout(done, 50)))

function setUp() {
  const now: {
    api: GridApi<Row> | null
    ticked: string[]
    setRows: (rows: Row[]) => void
    setTicked: (ids: string[]) => void
  } = { api: null, ticked: [], setRows: () => {}, setTicked: () => {} }
  function Page() {
    const [rows, setRows] = useState(() => rowsOf('before'))
    const [ticked, setTicked] = useState<string[]>([])
    const [api, setApi] = useState<GridApi<Row> | null>(null)
    const of = useMemo(() => new Set(rows.map(({ id }) => id).filter((id) => ticked.includes(id))), [rows, ticked])
    Object.assign(now, { api, ticked, setRows, setTicked })
    const ticks = useGridTicks(api, of, (all) => setTicked(all.map(({ id }) => id)))
    return (
      <div {...ticks.around}>
        <AgGridReact<Row>
          rowData={rows}
          columnDefs={[{ field: 'text' }]}
          getRowId={({ data }) => data.id}
          rowSelection={{ mode: 'multiRow', checkboxes: true, isRowSelectable: ({ data }) => data?.text !== 'above' }}
          onGridReady={(event) => setApi(event.api)}
          onSelectionChanged={ticks.onSelectionChanged}
        />
      </div>
    )
  }
  render(<Page />)
  return {
    now,
    /** As a press on the row's box does; the grid tells the page later. */
    tick: (id: string, on = true) => now.api?.getRowNode(id)?.setSelected(on, false, 'checkboxSelected' as never),
    shown: () => now.api?.getSelectedRows().map(({ id }) => id),
  }
}

it('tells the page what is pressed before the next key comes', async () => {
  const { now } = setUp()
  await later()
  const boxes = document.querySelectorAll<HTMLElement>('.ag-row .ag-checkbox-input')
  fireEvent.click(boxes[1] as HTMLElement)
  expect(now.ticked).toEqual(['b'])
  const cell = document.querySelector<HTMLElement>('[row-id="c"] [col-id="text"]') as HTMLElement
  fireEvent.focus(cell)
  fireEvent.keyDown(cell, { key: ' ' })
  expect(now.ticked).toEqual(['b', 'c'])
  await later()
  expect(now.ticked).toEqual(['b', 'c'])
})

it('keeps what is ticked while rows are read again', async () => {
  const { now, tick, shown } = setUp()
  await later()
  act(() => {
    tick('a')
    now.setRows(rowsOf('after'))
  })
  await later()
  expect(now.ticked).toEqual(['a'])
  expect(shown()).toEqual(['a'])
})

it('keeps the second of two quick ticks', async () => {
  const { now, tick, shown } = setUp()
  await later()
  act(() => {
    tick('b')
    now.setTicked(['a']) // what the grid told of the first
  })
  expect(shown()).toContain('b')
  await later()
  expect([now.ticked.sort(), shown()?.sort()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

it('shows what the page says, also when it takes all back', async () => {
  const { now, tick, shown } = setUp()
  await later()
  tick('a')
  await later()
  act(() => now.setTicked(['b', 'c']))
  await later()
  expect(shown()).toEqual(['b', 'c'])
  tick('c', false)
  await later()
  expect(now.ticked).toEqual(['b'])
  act(() => now.setTicked([]))
  await later()
  expect(shown()).toEqual([])
})

it('ticks rows that went and came back, or could not be ticked for a while', async () => {
  const { now, shown } = setUp()
  await later()
  act(() => now.setTicked(['a']))
  act(() => now.setRows(rowsOf('others', ['d'])))
  await later()
  expect(shown()).toEqual([])
  act(() => now.setRows(rowsOf('again')))
  await later()
  expect(shown()).toEqual(['a'])
  act(() => now.setRows(rowsOf('above')))
  await later()
  expect(shown()).toEqual([])
  act(() => now.setRows(rowsOf('again')))
  await later()
  expect(shown()).toEqual(['a'])
  expect(now.ticked).toEqual(['a'])
})
