import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import '@/testing/properties'
import { addTexts } from '@/testing/texts'
import type { DueList } from '../shared/due'
import { texts } from '../texts'
import { DuePart, WhyPending } from './due-part'

beforeAll(async () => {
  await startI18n()
  addTexts(texts)
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const node = { id: 'n', title: 'Slab' }
const nothing: DueList = {
  ...{ set: null, items: [], kinds: [], sheets: [], consents: [], changes: [], missing: [], signed: false },
  may: { set: false, change: false, consent: false, deviate: false },
}
const item = {
  ...{ itemId: 'i', name: 'Top level', itemClass: 'MAIN', evalMethod: 'POINT', recordKind: 'SELF', unit: 'mm' },
  ...{ devLow: '-15', devHigh: '15', limitLow: null, limitHigh: null },
  ...{ tolerance: '±15', designValue: null, minPoints: 3, differs: true, judged: { SELF: 'OK', SUP: 'NOT_OK' } },
}
const consent = {
  ...{ code: 'POUR', title: 'Pouring', roles: ['R_SUP', 'R_X'], processCode: '', id: '', by: '', time: '' },
  mayRelease: false,
}
const due: DueList = {
  ...nothing,
  set: { id: 's', code: 'SLAB', title: 'Concrete slab', revision: 2, current: 3, inherited: true, outdated: null },
  items: [
    item,
    { ...item, itemId: 'g', name: 'Flatness', itemClass: 'GENERAL', differs: false, judged: {} },
    {
      ...item,
      itemId: 'c',
      name: 'Strength',
      tolerance: '',
      designValue: '30',
      unit: 'MPa',
      differs: false,
      judged: {},
    },
  ],
  kinds: [{ recordKind: 'SUP', judges: 'MAIN', share: '0.34', workflowCode: '', have: 1, need: 2, differs: false }],
  consents: [consent],
  changes: [
    {
      ...{ id: 'c', sequenceNo: 'BG-1', what: 'ITEM', effect: 'CHANGE', name: 'Top level', reason: 'Letter 7' },
      ...{ by: 'Li', time: '2026-11-02T02:00:00Z', above: true },
    },
  ],
  missing: [
    { what: 'ITEM', key: 'g', name: 'Flatness', itemClass: 'GENERAL', kind: 'SELF', have: 0, need: 1 },
    { what: 'CONSENT', key: 'POUR', name: 'Pouring', roles: ['R_SUP', 'R_X'], have: 0, need: 1 },
  ],
}

const differing = [
  { itemId: 'i', name: 'Top level', changes: [{ propertyCode: 'devHigh', was: '15', is: '-8.5' }] },
  { itemId: 'g', name: 'Flatness', changes: [{ propertyCode: 'safetyFlag', was: '', is: 'true' }] },
]
const column = (propertyCode: string, name: string, propertyType: number) => ({
  ...{ propertyCode, name, propertyType, name_i18n: { en: name } },
})
const children = [
  { ...column('devHigh', 'Upper tolerance', 2), scale: 4 },
  column('safetyFlag', 'Structural safety', 4),
]
const dueSetRecord = {
  ...{ id: 's', version: 1, data: {} },
  form: { fields: [{ ...column('items', 'Items', 9), children }] },
}

const lot = {
  ...{ id: 'b', schemaCode: 'q_record', title: 'Lot', bizKind: 'LOT', required: true, multi: true, instances: 0 },
  status: 'NONE',
}

const process = { id: 'p', name: 'Lot', status: 'OPEN', prevIds: [] as string[], biz: [lot] }

function open(list: DueList | (() => never), kinds: string[] = ['SELF'], processes: object[] = [process]) {
  let bound = false
  const server = fakeServer({
    '/api/quality/v2/qbs/due': list,
    '/api/quality/v2/jbs/node': processes,
    '/api/quality/v2/bizsheet/bind': () => (bound ? [lot] : []),
    '/api/quality/v2/qbs/due/bind': () => {
      bound = true
      return { id: 'b' }
    },
    '/api/quality/v2/qbs/authority': { kinds },
    '/api/runtime/form/save': { id: 'new' },
    '/api/runtime/query/list': { content: [{ id: 'p', data: { projectKey: 'lock' } }], totalElements: 1 },
    '/api/quality/v2/qbs/due/library': ({ body }: { body?: unknown }) => {
      const { itemIds } = body as { itemIds?: string[] }
      const items = differing.filter(({ itemId }) => !itemIds || itemIds.includes(itemId))
      return { revision: itemIds ? 4 : 3, items }
    },
    '/api/runtime/form/load': dueSetRecord,
    '/api/quality/v2/qbs/due/upgrade': { nodes: 1, pending: 1, signed: 0 },
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter([
    { path: '/', element: <DuePart node={node} /> },
    { path: '*', element: null },
  ])
  render(
    <QueryClientProvider client={client}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
  return { server, router }
}

describe('what is due of a node', () => {
  it('names what is missing first, with the sheet for those who record it, and who else has to act', async () => {
    const { router } = open(due)
    const list = await screen.findByRole('list', { name: '2 missing' })
    within(list).getByText('check item “Flatness” (Self-inspection)')
    within(list).getByText('released by: supervising engineer or R_X')
    expect(within(list).queryByRole('button', { name: /Release/ })).toBeNull()
    fireEvent.click(await within(list).findByRole('button', { name: /^Fill in check item “Flatness”/ }))
    expect(router.state.location.search).toContain('node=n&fill=b')
  })

  it('binds what is due and bound nowhere when somebody begins it who may', async () => {
    const { server, router } = open(due, ['SELF'], [])
    fireEvent.click(await screen.findByRole('button', { name: /^Fill in check item “Flatness”/ }))
    await waitFor(() => expect(router.state.location.search).toContain('node=n&fill=b'))
    expect(server.of('/api/quality/v2/qbs/due/bind').map(({ body }) => body)).toEqual([
      { qbsId: 'n', schemaCode: 'q_record', kind: 'SELF' },
    ])
  })

  it('offers no sheet that somebody may not add', async () => {
    const sheet = { schemaCode: 'q_doccheck', title: 'Documents', bizKind: '', workflowCode: '', done: false }
    const missing = [{ what: 'SHEET' as const, key: 'q_doccheck', name: 'Documents', have: 0, need: 1 }]
    for (const mayBegin of [false, true]) {
      open({ ...due, sheets: [{ ...sheet, differs: false, mayBegin }], missing }, ['SELF'], [])
      await screen.findByText('Concrete slab, revision 2 of 3')
      if (mayBegin) await screen.findByRole('button', { name: /Fill in/ })
      else expect(screen.queryByRole('button', { name: /Fill in/ })).toBeNull()
      cleanup()
    }
  })

  it('offers the one of two sheets of a model that somebody may fill in, and says who fills in the other one', async () => {
    const sheet = { schemaCode: 'q_doccheck', workflowCode: '', done: false, differs: false }
    const list: DueList = {
      ...due,
      sheets: [
        { ...sheet, title: 'Documents', bizKind: 'RECORD', mayBegin: true },
        { ...sheet, title: 'Functions', bizKind: 'TEST', mayBegin: false },
      ],
      missing: [
        { what: 'SHEET', key: 'q_doccheck', name: 'Documents', kind: 'RECORD', have: 0, need: 1 },
        { what: 'SHEET', key: 'q_doccheck', name: 'Functions', kind: 'TEST', have: 0, need: 1 },
      ],
    }
    const binding = { ...lot, id: 'd', schemaCode: 'q_doccheck', bizKind: 'TEST', mayFill: false }
    for (const processes of [[], [{ ...process, biz: [binding] }]]) {
      open(list, ['SELF'], processes)
      await screen.findByText('filled in by the supervisor or the laboratory')
      const buttons = screen.getAllByRole('button', { name: /Fill in/ })
      expect(buttons.map((one) => one.getAttribute('aria-label'))).toEqual(['Fill in sheet “Documents”'])
      cleanup()
    }
  })

  it('offers no sheet whose process waits for another one, and names that', async () => {
    const earlier = { ...process, id: 'e', name: 'Pouring', biz: [] }
    open(due, ['SELF'], [earlier, { ...process, status: 'LOCKED', prevIds: ['e'] }])
    await screen.findByText('First finish Pouring')
    expect(screen.queryByRole('button', { name: /Fill in/ })).toBeNull()
  })

  it('offers no sheet to those who may not record that kind of inspection', async () => {
    open(due, ['SUP'])
    await screen.findByText('inspected by the contractor')
    expect(screen.queryByRole('button', { name: /Fill in/ })).toBeNull()
  })

  it('tells tolerance, who judged each item, and what differs from the set with its reason', async () => {
    open(due)
    const main = await screen.findByRole('region', { name: 'Main item' })
    within(main).getByText('±15 mm')
    within(main).getByText('differs from the set')
    within(main).getByText('Design 30 MPa')
    within(main).getByText('✓ Self-inspection: passed')
    within(main).getByText("✗ Supervisor's check: failed")
    const general = screen.getByRole('region', { name: 'General item' })
    within(general).getByText('Self-inspection: not judged')
    expect(within(general).queryByText('differs from the set')).toBeNull()
    screen.getByText('Letter 7')
    screen.getByText('1 of 2')
    screen.getByText('share of the lots: 34%')
    screen.getByText('Concrete slab, revision 2 of 3')
    expect(screen.queryByRole('button', { name: /Upgrade|Change|Add a check item/ })).toBeNull()
  })

  it('releases a hold point with a remark, by those who may', async () => {
    const { server } = open({ ...due, consents: [{ ...consent, mayRelease: true }] })
    fireEvent.click(await screen.findByRole('button', { name: 'Release Pouring' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: ' Steel seen ' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Release' }))
    await waitFor(() => expect(server.of('/api/runtime/form/save')).toHaveLength(1))
    expect(server.of('/api/runtime/form/save')[0]?.body).toMatchObject({
      schemaCode: 'q_consent',
      data: { qbsId: 'n', dueCode: 'POUR', remark: 'Steel seen' },
    })
  })

  it('says that nothing is set, and who can set it', async () => {
    const unset = { ...nothing, missing: [{ what: 'SET' as const, have: 0, need: 1 }] }
    open(unset)
    await screen.findByText('Nothing is set as due: the node stays pending')
    screen.getByText('The supervisor or the employer chooses the kind of work.')
    expect(screen.queryByRole('button')).toBeNull()
    cleanup()
    open({ ...unset, may: { set: true, change: false, consent: false, deviate: false } })
    await screen.findByRole('button', { name: 'Choose the kind of work' })
  })

  it('counts before it upgrades', async () => {
    const { server } = open({ ...due, may: { ...due.may, set: true } })
    fireEvent.click(await screen.findByRole('button', { name: 'Upgrade to revision 3' }))
    await waitFor(() => expect(server.of('/api/quality/v2/qbs/due/upgrade')).toHaveLength(1))
    expect(server.of('/api/quality/v2/qbs/due/upgrade')[0]?.body).toMatchObject({ qbsIds: ['n'], dryRun: true })
    const dialog = await screen.findByRole('dialog')
    within(dialog).getByText(/become pending: 1/)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Upgrade to revision 3' }))
    await waitFor(() => expect(server.of('/api/quality/v2/qbs/due/upgrade')).toHaveLength(2))
    expect(server.of('/api/quality/v2/qbs/due/upgrade')[1]?.body).toMatchObject({ dryRun: false })
  })

  it('takes over what the library says now: all that differ are shown first, and those that stay chosen are taken', async () => {
    const { server } = open({ ...due, set: due.set && { ...due.set, outdated: 2 } })
    fireEvent.click(await screen.findByRole('button', { name: '2 items differ from the library' }))
    const dialog = await screen.findByRole('dialog')
    const list = await within(dialog).findByRole('list', { name: 'Items that differ from the library' })
    within(list).getByText('Upper tolerance: 15 → −8.5')
    within(list).getByText('Structural safety: empty → Yes')
    fireEvent.click(within(list).getByRole('checkbox', { name: 'Flatness' }))
    fireEvent.click(within(dialog).getByRole('button', { name: 'Take over 1 item' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.of('/api/quality/v2/qbs/due/library').map(({ body }) => body)).toEqual([
      { dueSetId: 's', dryRun: true },
      { dueSetId: 's', itemIds: ['i'] },
    ])
    await screen.findByText('1 item taken over; the set is at revision 4 now')
  })

  it('offers the values of the library to nobody who may not change the set, and not where nothing differs', async () => {
    for (const outdated of [null, 0]) {
      open({ ...due, set: due.set && { ...due.set, outdated } })
      await screen.findByText('Concrete slab, revision 2 of 3')
      expect(screen.queryByRole('button', { name: /library/ })).toBeNull()
      cleanup()
    }
  })

  it('changes nothing after the signature, and says so', async () => {
    open({ ...due, signed: true, may: { set: true, change: false, consent: false, deviate: false } })
    await screen.findByText(/The evaluation was signed/)
    expect(screen.queryByRole('button', { name: /Upgrade|kind of work|Change/ })).toBeNull()
  })

  it('tells those who may not see it', async () => {
    open(() => refuse(403, 700001, 'no'))
    await screen.findByText('What is due is not visible to you')
  })
})

it('a pending node says how much it lacks, and the names on a press', async () => {
  fakeServer({ '/api/quality/v2/qbs/due': due })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WhyPending id="n" count={2} />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: '2 missing' }))
  await screen.findByText('check item “Flatness” (Self-inspection), release of the hold point “Pouring”')
})
