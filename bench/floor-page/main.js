// The floor of a reload: rows as texts in the grid, and nothing else. No rights, no definition, no menu, no filters, no language.
import { ClientSideRowModelModule, ModuleRegistry, RowSelectionModule } from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

ModuleRegistry.registerModules([ClientSideRowModelModule, RowSelectionModule])

const { columns, rows } = await (await fetch('/rows.json')).json()
createRoot(document.getElementById('root')).render(
  createElement(AgGridReact, {
    columnDefs: columns.map((field) => ({ field, headerName: field, width: 140, valueGetter: ({ data }) => data[field] })),
    rowData: rows,
    getRowId: ({ data }) => data.id,
    rowSelection: { mode: 'multiRow' },
  }),
)
