import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField } from '@/api/types'
import { formWidget } from '@/registry/properties'
import { FormPlaceContext } from '@/sdk/form-place'
import type { FormWidgetProps } from '@/sdk/property'
import { fakeServer } from '@/testing/fake-server'

/** The widgets of RelevanceForm and Dropdown, as a form looks them up. */
const Relation = formWidget(9) as ComponentType<FormWidgetProps<unknown>>
const Dropdown = formWidget(14) as ComponentType<FormWidgetProps<unknown>>

/** The widgets are loaded when they are first drawn. */
const patient = { timeout: 15_000 }

const OPTIONS = '/api/runtime/form/options'
const field = (more: object): FormField =>
  ({ propertyCode: 'supplier', propertyType: 9, name: '供方', name_i18n: {}, children: null, ...more }) as FormField
const entry = (id: string, name: string, fill?: object) => ({ id, name, imgUrl: null, type: null, leaf: true, fill })

function show(widget: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const tree = (inner: ReactNode) => (
    <QueryClientProvider client={client}>
      <FormPlaceContext value={{ sheetCode: 'lots', objectId: 'r1' }}>
        <Suspense>{inner}</Suspense>
      </FormPlaceContext>
    </QueryClientProvider>
  )
  const { rerender } = render(tree(widget))
  return (next: ReactNode) => rerender(tree(next))
}

describe('choices that depend on other values', { timeout: 40_000 }, () => {
  let asked: Record<string, unknown>[]
  beforeEach(() => {
    asked = []
    fakeServer({
      [OPTIONS]: ({ body }: { body: unknown }) => {
        const request = body as { propertyCode: string; form: { region?: string } }
        asked.push(request)
        if (request.propertyCode === 'kind')
          return { content: request.form.region === 'north' ? [entry('A', '甲')] : [], totalElements: 1 }
        return { content: [entry('s1', '一号', { rate: '3' })], totalElements: 1 }
      },
    })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('asks with the values of the form and fills in what the choice brings', async () => {
    const fill = vi.fn()
    const change = vi.fn()
    show(
      <Relation
        id="supplier"
        field={field({ settings: { narrowedBy: ['region'], fills: true } })}
        schemaCode="lot"
        value={null}
        onChange={change}
        fill={fill}
        values={() => ({ region: 'north', other: 1 })}
      />,
    )
    fireEvent.mouseDown(await screen.findByRole('combobox', {}, patient))
    fireEvent.click(await screen.findByText('一号', {}, patient))
    expect(asked[0]).toMatchObject({
      schemaCode: 'lot',
      sheetCode: 'lots',
      objectId: 'r1',
      propertyCode: 'supplier',
      form: { region: 'north' },
    })
    expect(asked[0]?.form).not.toHaveProperty('other')
    expect(change).not.toHaveBeenCalled()
    expect(fill).toHaveBeenCalledWith({ supplier: expect.objectContaining({ id: 's1' }), rate: '3' })
    expect(fill.mock.calls[0]?.[0].supplier).not.toHaveProperty('fill')
  })

  it('offers other options when the form changes', async () => {
    const options = ['A', 'B'].map((code) => ({
      code,
      name: `选项${code}`,
      name_i18n: {},
      color: null,
      disabled: false,
      parent: null,
    }))
    const widget = (region: string) => (
      <Dropdown
        id="kind"
        field={field({ propertyCode: 'kind', options, settings: { narrowedBy: ['region'] } })}
        schemaCode="lot"
        value={null}
        onChange={() => {}}
        values={() => ({ region })}
      />
    )
    const update = show(widget('north'))
    fireEvent.mouseDown(await screen.findByRole('combobox', {}, patient))
    await waitFor(() => expect(screen.queryByText('选项B')).toBeNull(), patient)
    expect(screen.getAllByText('选项A').length).toBeGreaterThan(0)
    update(widget('south'))
    await waitFor(() => expect(screen.queryByText('选项A')).toBeNull(), patient)
    expect(asked.map((request) => (request.form as { region: string }).region)).toEqual(['north', 'south'])
  })
})
