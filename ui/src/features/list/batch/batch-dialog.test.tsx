import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ActionContext } from '@/sdk/action'
import { fakeServer, refuse } from '@/testing/fake-server'
import { placesOf } from '@/testing/places'
import type { ListController } from '../use-list-controller'
import { BatchDialog } from './batch-dialog'

const list = {
  config: { schemaCode: 'part', queryCode: 'parts', modelName: '零件', modelName_i18n: {} },
  request: { schemaCode: 'part', queryCode: 'parts' },
} as unknown as ListController
const field = { propertyCode: 'name', propertyType: 0, name: '名称', name_i18n: {}, settings: {}, initial: null }

describe('the change of one field in many records', () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  /** The dialog while nothing has answered, and what makes a call answer. */
  async function show() {
    const come = new Map<string, (answer: () => unknown) => void>()
    const late = (path: string) => [
      path,
      () =>
        new Promise((resolve, reject) =>
          come.set(path, (answer) => {
            try {
              resolve(answer())
            } catch (error) {
              reject(error)
            }
          }),
        ),
    ]
    const paths = ['/api/runtime/batch/fields', '/api/runtime/query/bulk_check']
    fakeServer(Object.fromEntries(paths.map(late)))
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter>
            <BatchDialog
              context={{ list, ids: ['0'], all: false } as ActionContext<ListController>}
              onClose={() => {}}
            />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    const dialog = await screen.findByRole('dialog')
    await waitFor(() => expect(come.size).toBe(2))
    const answer = (path: string, how: () => unknown) => act(async () => come.get(path)?.(how))
    return { dialog, answer }
  }

  it('has its buttons from the beginning: neither its fields nor the control of one, each late, move them', async () => {
    const { dialog, answer } = await show()
    const steady = placesOf(dialog)
    await answer('/api/runtime/query/bulk_check', () => ({ total: 1, refused: 1, workflow: 1 }))
    steady()
    await answer('/api/runtime/batch/fields', () => [field])
    steady()
    fireEvent.mouseDown(screen.getByRole('combobox'))
    fireEvent.click(await screen.findByTitle('名称'))
    const chosen = placesOf(dialog) // the control's file is on its way
    const value = await screen.findByRole('textbox', { name: '修改为' })
    chosen()
    fireEvent.change(value, { target: { value: '闸门' } })
    expect(screen.getByRole('button', { name: /^修\s?改$/ })).toHaveProperty('disabled', false)
  })

  it('says what went wrong in the place of what it says else', async () => {
    const { dialog, answer } = await show()
    const steady = placesOf(dialog)
    await answer('/api/runtime/query/bulk_check', () => refuse(404, 401001, '没有模型“part”'))
    await screen.findByRole('alert')
    steady()
  })
})
