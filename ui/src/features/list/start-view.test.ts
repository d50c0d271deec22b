import { beforeEach, expect, it } from 'vitest'
import type { ListConfig, SavedFilter } from '@/api/types'
import { startView } from './start-view'

const condition = (propertyCode: string, more: object = {}) => ({
  propertyCode,
  propertyType: 9,
  name: propertyCode,
  name_i18n: {},
  queryFilterType: 'In',
  operators: ['In'],
  visible: true,
  settings: {},
  relativeCode: null,
  ...more,
})
const config = {
  queryCode: 'lots',
  queryConditions: [
    condition('part'),
    condition('hidden', { relativeCode: 'site', visible: false }),
    condition('site', { relativeCode: 'Site' }),
  ],
} as unknown as ListConfig
const project = { projectKey: 'p1', projectName: '一号', model: 'site', keys: ['p1', 'p2'] }
const context = { zone: 'Asia/Shanghai', locale: 'zh' } as const
const start = (address: string, saved: SavedFilter[] = [], of: typeof project | null = project) =>
  Object.fromEntries(startView(config, new URLSearchParams(address), saved, 'u', context, of))

beforeEach(() => localStorage.clear())

it('begins with the chosen project and those below it, in the filter that the list has for them', () => {
  expect(start('code=lots')).toEqual({ code: 'lots', 'f.site': 'p1;p2', 'l.site': '一号' })
})

it('leaves an address that says something itself, and a list without such a filter', () => {
  expect(start('f.part=A')).toEqual({ 'f.part': 'A' })
  expect(start('f.site=')).toEqual({ 'f.site': '' })
  expect(start('code=lots', [], { ...project, model: 'other' })).toEqual({ code: 'lots' })
  expect(start('code=lots', [], null)).toEqual({ code: 'lots' })
})
