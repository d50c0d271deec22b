import { describe, expect, it } from 'vitest'
import type { App } from '@/api/types'
import { groupApps } from './group-apps'

const app = (code: string, group: string | null, en?: string): App => ({
  code,
  name: code,
  name_i18n: {},
  group,
  group_i18n: en ? { en } : {},
  logoUrl: null,
  icon: null,
  color: null,
})

describe('groupApps', () => {
  const apps = [app('a', null), app('b', '工程'), app('c', '示例'), app('d', '工程', 'Engineering')]

  it('names a group in the language as soon as one of its applications does', () => {
    expect(groupApps(apps, 'en').map(({ name }) => name)).toEqual(['Engineering', '示例', null])
    expect(groupApps(apps, 'zh').map(({ name }) => name)).toEqual(['工程', '示例', null])
  })

  it('keeps applications of one group together, those without one last', () => {
    expect(groupApps(apps, 'en').map((one) => one.apps.map(({ code }) => code))).toEqual([['b', 'd'], ['c'], ['a']])
  })
})
