import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { texts as en } from '@/i18n/en'
import { texts as zh } from '@/i18n/zh'
import { readDefinition } from './definition'
import { type FaultCode, faultOf, WORDS } from './faults'
import { allowed } from './http'
import { newPress } from './press'
import { parsePlain } from './protocol'
import { readExtraRows, readRequestChange, readResult, readRowMarks } from './results'
import { lockDown } from './sandbox'
import { faultText } from './use-page-script'

const fault = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    return faultOf(error)
  }
  return null
}
const run = () => {}
const options = { version: '1.1' }

describe('a definition', () => {
  it.each<[string, unknown, FaultCode, string]>([
    ['nothing', undefined, 'scriptInvalid', ''],
    ['a function, as in the first version', run, 'firstVersion', ''],
    ['no version', { hooks: {} }, 'versionNotFound', ''],
    ['version 2', { options: { version: '2.0' }, hooks: {} }, 'versionNotFound', ''],
    ['no hooks', { options }, 'hookNotFound', ''],
    ['an unknown hook', { options, hooks: { onClick: run } }, 'hookNotFound', 'onClick'],
    ['a hook that is none', { options, hooks: { onLoad: 1 } }, 'hookNotFound', 'onLoad'],
    ['an api without request', { options, hooks: {}, apis: { getQueryList: {} } }, 'apiRequest', 'getQueryList'],
    ['an unknown api', { options, hooks: {}, apis: { fetch: run } }, 'apiRequest', 'fetch'],
    ['an unknown mode', { options, hooks: {}, apis: { getQueryList: { request: run, mode: 'all' } } }, 'mode', 'all'],
  ])('with %s is refused', (_, exported, code, detail) => {
    expect(fault(() => readDefinition(exported, 'list'))).toEqual({ code, detail })
  })

  it('combines unless it says otherwise; apis came with version 1.1', () => {
    const apis = { getQueryList: run }
    expect(readDefinition({ options, hooks: {}, apis }, 'list').apis.get('getQueryList')?.mode).toBe('combine')
    expect(readDefinition({ options: { version: '1.0' }, hooks: {}, apis }, 'list').apis.size).toBe(0)
    const replace = { getQueryList: { request: run, mode: 'replace' } }
    expect(readDefinition({ options, hooks: {}, apis: replace }, 'list').apis.get('getQueryList')?.mode).toBe('replace')
    expect(readDefinition({ options, hooks: { onValidate: run } }, 'form').hooks.size).toBe(1)
  })
})

/** As i18next fills texts. */
const speaker = (texts: typeof zh) =>
  ((key: string, values: Record<string, string> = {}) => {
    const found = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], texts) as string
    return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
  }) as unknown as Parameters<typeof faultText>[0]

describe('faults', () => {
  it.each<[Exclude<FaultCode, 'firstVersion'>, string, string, string]>([
    [
      'hookNotFound',
      'onClick',
      '钩子不存在，或不是函数：onClick',
      "this hook doesn't exist or isn't a function: onClick",
    ],
    ['actionRequired', '', '未指定操作，或列表没有此操作', "no action was given, or the list doesn't have it"],
    ['scriptInvalid', '', '页面脚本无法加载', "the page script couldn't be loaded"],
    ['versionNotFound', '', 'options.version 须为 1.0 或 1.1', 'options.version must be 1.0 or 1.1'],
    [
      'apiRequest',
      '',
      'api 须为函数，或带 request 函数的对象',
      'an API must be a function, or an object with a request function',
    ],
    ['mode', 'all', 'mode 须为 combine 或 replace：all', 'mode must be combine or replace: all'],
    ['execution', 'Error: x', '页面脚本出错：Error: x', 'the page script failed: Error: x'],
    ['result', 'tone', '页面脚本返回的内容不符合要求：tone', 'the page script returned an unsupported value: tone'],
    [
      'silent',
      'onLoad',
      '页面脚本 2 秒未响应，已停止；重新打开页面后恢复：onLoad',
      "the page script didn't respond for 2 seconds and was stopped; reopen the page to restart it: onLoad",
    ],
  ])('%s is said in the words of the specification and in both languages', (code, detail, chinese, english) => {
    const words = `ListEventHooksHandler Error: ${WORDS[code]}`
    expect(faultText(speaker(zh), code, detail)).toBe(`${words}（${chinese}）`)
    expect(faultText(speaker(en as typeof zh), code, detail)).toBe(`${words} (${english})`)
  })

  it('have the exact words', () => {
    expect(Object.values(WORDS)).toEqual(
      expect.arrayContaining([
        ...['hook not found', 'action required', 'script string invalid', 'version not found'],
        ...['api.request should be a function', 'mode is not allowed', 'execution error'],
      ]),
    )
  })
})

describe('what a hook returns', () => {
  it('may change filters and order, and nothing else', () => {
    const filters = [
      { propertyCode: 'a', propertyValue: '1', queryFilterType: 'Equal' },
      { or: [{ propertyCode: 'b' }] },
    ]
    expect(readRequestChange({ filters, orderType: 2 })).toEqual({ filters, orderType: 2 })
    expect(readRequestChange(undefined)).toBeNull()
    for (const wrong of [
      1,
      [],
      { size: 500 },
      { schemaCode: 'other' },
      { filters: {} },
      { filters: [{ propertyCode: {} }] },
      { filters: [{ sql: '1=1' }] },
      { filters: [{ propertyValue: 'x'.repeat(2001) }] },
      { filters: Array(51).fill({}) },
      { orderType: 3 },
      { orderByFields: ['a b'] },
    ])
      expect(fault(() => readRequestChange(wrong))?.code, JSON.stringify(wrong).slice(0, 80)).toBe('result')
  })

  it('may mark rows with tones, texts and class names of its own', () => {
    const row = { id: '1', tone: 'error', className: 'late very-late', cells: { 'a.b': { text: 'x', hint: 'y' } } }
    expect(readRowMarks({ rows: [row] }).get('1')).toEqual(row)
    for (const wrong of [
      { id: 1 },
      { id: '1', tone: 'red' },
      { id: '1', className: 'ant-modal' },
      { id: '1', className: 'ag-row' },
      { id: '1', className: '_row_1abc' },
      { id: '1', className: 'a b c d' },
      { id: '1', html: '<b>' },
      { id: '1', cells: { a: { text: 5 } } },
      { id: '1', cells: { a: { text: 'x'.repeat(201) } } },
      { id: '1', cells: { 'a b': {} } },
    ])
      expect(fault(() => readRowMarks({ rows: [wrong] }))?.code, JSON.stringify(wrong).slice(0, 80)).toBe('result')
    expect(fault(() => readRowMarks({ rows: Array(501).fill({ id: '1' }) }))?.code).toBe('result')
  })

  it('blocks an action only when it is false', () => {
    expect(readResult('list', 'onPreAction', false)).toBe(false)
    expect(readResult('list', 'onPreAction', undefined)).toBe(true)
    expect(fault(() => readResult('list', 'onPreAction', 'no'))?.code).toBe('result')
    expect(readResult('form', 'onValidate', { part: 'too long' })).toEqual({ part: 'too long' })
  })

  it('brings rows as texts', () => {
    const data = { a: 1.5, b: null, c: [{ id: '1', name: '甲' }, '乙'], d: { name: 'x' }, 'e f': 1, g: { a: 1 } }
    expect(readExtraRows({ content: [{ id: '1', data }], totalElements: 7 })).toEqual({
      rows: [{ id: '1', texts: { a: '1.5', b: '', c: '甲、乙', d: 'x', g: '' } }],
      total: 7,
    })
    for (const wrong of [
      null,
      { content: {} },
      { content: [{ id: '1' }] },
      { content: [{ data: {} }] },
      { content: [], totalElements: -1 },
    ])
      expect(fault(() => readExtraRows(wrong))?.code, JSON.stringify(wrong)).toBe('result')
  })

  it('cannot reach prototypes', () => {
    const value = parsePlain('{"__proto__": {"polluted": 1}, "a": {"__proto__": 1}}') as Record<string, unknown>
    expect(value.polluted).toBeUndefined()
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('http', () => {
  const loading = { what: 'hook', name: 'onLoad', press: null } as const
  const pressed = { what: 'hook', name: 'onActionDone', press: newPress() } as const
  it.each([
    ['GET', '/api/runtime/form/load', true],
    ['GET', '/api/app/function/tree', true],
    ['POST', '/api/runtime/query/list', true],
    ['GET', '/api/organization/user/info', false],
    ['GET', '/login/Authentication/get_token', false],
    ['GET', 'https://example.com/api/runtime/x', false],
    ['GET', '//example.com/api/runtime/x', false],
    ['GET', '/api/runtime/../organization/user/info', false],
    ['GET', '/api/runtime/%2e%2e/organization/user/info', false],
    ['GET', '/api/runtime/query/config?x', false],
    ['POST', '/api/runtime/query/delete', false],
    ['POST', '/api/login/logout', false],
    ['POST', '/api/runtime/form/save', false],
  ] as const)('%s %s: %s', (method, path, expected) => {
    expect(allowed(method, path, loading)).toBe(expected)
  })
  it('writes only after a person pressed a button', () => {
    expect(allowed('POST', '/api/runtime/form/save', pressed)).toBe(true)
    expect(allowed('POST', '/api/runtime/form/save', { what: 'hook', name: 'onActionDone', press: null })).toBe(false)
    expect(allowed('POST', 5, pressed)).toBe(false)
  })
})

describe('the sandbox', () => {
  it('leaves the language and nothing else', () => {
    const scope = createContext({})
    runInContext(
      `class Base { addEventListener() {} } class Scope extends Base { postMessage() {} get location() { return 1 } }
       Object.setPrototypeOf(globalThis, new Scope()); globalThis.fetch = () => 1; globalThis.indexedDB = {}
       Object.defineProperty(globalThis, 'fixed', { value: 1, writable: true, configurable: false })`,
      scope,
    )
    const before = runInContext('typeof fetch + typeof postMessage + typeof addEventListener + typeof location', scope)
    expect(before).toBe('functionfunctionfunctionnumber')
    lockDown(runInContext('globalThis', scope))
    for (const name of [
      ...['fetch', 'indexedDB', 'fixed', 'postMessage', 'addEventListener', 'location'],
      ...['eval', 'Function', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'escape'],
    ])
      expect(runInContext(`typeof ${name}`, scope), name).toBe('undefined')
    expect(runInContext('[1, 2].map((n) => n * 2).join() + JSON.stringify(new Map([[1, 2]]).size)', scope)).toBe('2,41')
  })
})
