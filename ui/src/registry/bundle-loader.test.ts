import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { InterfaceBundle } from '@/api/types'
import * as chunk from '@/lib/chunk'
import { defineAction } from '@/sdk/action'
import { definePack } from '@/sdk/pack'
import { defineProperty } from '@/sdk/property'
import { fitsSdk, SDK_VERSION } from '@/sdk/version'
import { isRebuilt, loadMissing, modules } from './bundle-loader'
import { bundlesQuery } from './bundles'
import { failureOf, lostPack } from './lost'
import { hasProperty, propertyUI } from './properties'
import { actionUI } from './registry'
import { unknownName } from './unknown'

const said = vi.spyOn(console, 'error').mockImplementation(() => {})
const imported = vi.spyOn(modules, 'import')
vi.spyOn(modules, 'style').mockResolvedValue()

let serial = 9000
const none = { properties: [], actions: [], pages: [], parts: [], views: [], widgets: [] }
const bundle = (pack: string, defines: Partial<InterfaceBundle['defines']>, sdk = SDK_VERSION): InterfaceBundle => ({
  pack,
  sdk,
  address: `/api/runtime/interface/${pack}/${serial++}/index.js`,
  styles: [],
  defines: { ...none, ...defines },
})
const clientOf = (...bundles: InterfaceBundle[]) => {
  const client = new QueryClient()
  client.setQueryData(bundlesQuery.queryKey, bundles)
  return client
}
/** Modules by address; that of the SDK is the application's. */
const serve = (answers: Record<string, unknown>, sdk: unknown = { definePack }) =>
  imported.mockImplementation(async (address) => {
    if (address === '/sdk/sdk.js') return sdk as Record<string, unknown>
    const answer = answers[address]
    if (answer instanceof Error) throw answer
    return { default: answer }
  })

beforeEach(() => {
  imported.mockReset()
  said.mockClear()
})

describe('bundles', () => {
  it('are loaded when something of them is needed and not before, once', async () => {
    const quay = bundle('quay', { properties: [9900], actions: ['berth'] })
    const client = clientOf(quay, bundle('other', { properties: [9901] }))
    const Weight = defineProperty<string>({ name: 'Weight', wire: 9900, text: String })
    serve({
      [quay.address]: definePack({ pack: 'quay', properties: [Weight], actions: [defineAction({ name: 'berth' })] }),
    })
    await loadMissing(client, { wires: [0, 1, 2], actions: ['custom'] })
    expect(imported).not.toHaveBeenCalled()
    await Promise.all([loadMissing(client, { wires: [9900] }), loadMissing(client, { actions: ['berth'] })])
    expect(imported.mock.calls).toEqual([['/sdk/sdk.js'], [quay.address]])
    expect(hasProperty(9900)).toBe(true)
    expect(actionUI('berth')).toBeDefined()
  })

  it('of a record are those with a part for its model', async () => {
    const one = bundle('one', { parts: [{ name: 'p1', models: ['lot'] }] })
    const every = bundle('every', { parts: [{ name: 'p2', models: null }] })
    serve({ [one.address]: definePack({ pack: 'one' }), [every.address]: definePack({ pack: 'every' }) })
    const client = clientOf(one, every)
    await loadMissing(client, { record: 'ship' })
    expect(imported.mock.calls.flat()).toEqual(['/sdk/sdk.js', every.address])
  })

  it.each(['2.0', '0.9', '1.99', 'new'])(
    'against version %s of the SDK are refused, in words and where they would stand',
    async (sdk) => {
      const wire = serial
      const old = bundle(`old${wire}`, { properties: [wire], actions: [`act${wire}`] }, sdk)
      await loadMissing(clientOf(old), { wires: [wire] })
      expect(imported).not.toHaveBeenCalled()
      expect(said.mock.calls[0]?.[0]).toContain(`"old${wire}" is not loaded: it is built against version ${sdk}`)
      expect(failureOf(`old${wire}`)).toContain(sdk)
      expect(lostPack('properties', wire)).toBe(`old${wire}`)
      expect(propertyUI(wire).name).toBe(`#${wire}`)
      expect(unknownName('actions', `act${wire}`)).toBe(`action act${wire} (old${wire})`)
    },
  )

  it('that fail, or define what is taken, leave nothing behind', async () => {
    const broken = bundle('broken', { properties: [9910] })
    const double = bundle('double', { properties: [9911], actions: ['twice'] })
    const wrong = bundle('wrong', { properties: [9912] })
    const type = (wire: number) => defineProperty<string>({ name: 'T', wire, text: String })
    serve({
      [broken.address]: new Error('no such module'),
      [double.address]: definePack({
        pack: 'double',
        properties: [type(9911)],
        actions: [defineAction({ name: 'twice' }), defineAction({ name: 'twice' })],
      }),
      [wrong.address]: definePack({ pack: 'another', properties: [type(9912)] }),
    })
    await loadMissing(clientOf(broken, double, wrong), { wires: [9910, 9911, 9912] })
    for (const wire of [9910, 9911, 9912]) expect(hasProperty(wire)).toBe(false)
    expect(failureOf('broken')).toBe('no such module')
    expect(failureOf('double')).toContain('already')
    expect(failureOf('wrong')).toContain("definePack({ pack: 'wrong' })")
    expect(said).toHaveBeenCalledTimes(3)
  })

  it('are not mixed with a page that is older than the server', async () => {
    const reload = vi.spyOn(chunk, 'reloadOnce').mockReturnValue(false)
    const late = bundle('late', { properties: [9920] })
    serve({}, { definePack: () => {} })
    await loadMissing(clientOf(late), { wires: [9920] })
    expect(reload).toHaveBeenCalledOnce()
    expect(failureOf('late')).toContain('older')
  })

  it('that were built anew are noticed', async () => {
    const first = bundle('twofold', { properties: [9930] })
    serve({ [first.address]: definePack({ pack: 'twofold' }) })
    const client = clientOf(first)
    await loadMissing(client, { wires: [9930] })
    const answer = vi.fn().mockResolvedValue([first])
    vi.spyOn(client, 'fetchQuery').mockImplementation(answer)
    expect(await isRebuilt(client)).toBe(false)
    answer.mockResolvedValue([bundle('twofold', {}), bundle('never', {})])
    expect(await isRebuilt(client)).toBe(true)
  })
})

it('a version fits the same major and no later minor', () => {
  for (const [built, own, fits] of [
    ['1.0', '1.0', true],
    ['1.0', '1.4', true],
    ['1.5', '1.4', false],
    ['2.0', '1.4', false],
    ['1', '1.4', false],
    ['1.0.1', '1.4', false],
  ] as const)
    expect(fitsSdk(built, own), `${built} in ${own}`).toBe(fits)
})
