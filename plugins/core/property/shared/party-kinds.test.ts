import { expect, it } from 'vitest'
import { offered, oneOnly } from './party-kinds'

const field = (settings: Record<string, unknown>) => ({
  propertyCode: 'p',
  propertyType: 50,
  name: 'p',
  name_i18n: {},
  settings,
})

it('offers people by the mode of the field, and departments where the operator compares with them', () => {
  const staff = (staffFilter: string) => field({ entries: ['user'], staffFilter })
  expect(offered(staff('all'), 'Contains')).toEqual({ kinds: ['user'], list: true, tree: true })
  expect(offered(staff('user'), 'Contains')).toEqual({ kinds: ['user'], list: true, tree: false })
  expect(offered(staff('org'), 'Contains')).toEqual({ kinds: ['user'], list: false, tree: true })
  expect(offered(staff('user'), 'Of')).toEqual({ kinds: ['department'], list: true, tree: true })
  expect(offered(field({ entries: ['department'] }), 'In').kinds).toEqual(['department'])
  expect(offered(field({ entries: ['user', 'department'] }), 'Have').kinds).toEqual(['user', 'department'])
})

it('takes one entry only where one is compared as a whole', () => {
  expect(oneOnly(field({ multiple: false }), 'Equal')).toBe(true)
  expect(oneOnly(field({ multiple: false }), 'Contains')).toBe(false)
  expect(oneOnly(field({ multiple: true }), 'Equal')).toBe(false)
  expect(oneOnly({ ...field({ multiple: true }), choiceType: 'single' }, 'Have')).toBe(true)
})
