import type { FormField, ParseContext } from '@sluice/sdk'
import { describe, expect, it } from 'vitest'
import { property as checkbox } from '../checkbox/ui'
import { property as date } from '../date/ui'
import { property as dropdown } from '../dropdown/ui'
import { property as dropdownMulti } from '../dropdownmulti/ui'
import corpus from '../internal/spelling/testdata/texts.json'
import { property as logic } from '../logic/ui'
import { property as number } from '../number/ui'
import { property as radio } from '../radio/ui'
import { property as time } from '../time/ui'

interface Corpus {
  zone: string
  types: { type: string; options: Record<string, unknown>; cases: Record<string, unknown> }[]
}

/** What imports make of texts is tested with the same cases (plugins/core/property/internal/spelling). */
const { zone, types } = corpus as unknown as Corpus

const readers = {
  Checkbox: checkbox,
  Date: date,
  Dropdown: dropdown,
  DropdownMulti: dropdownMulti,
  Logic: logic,
  Number: number,
  Radio: radio,
  Time: time,
}
const context: ParseContext = { locale: 'zh', zone, find: async () => [] }

const fieldOf = ({ options, unit, scale, ...more }: Record<string, unknown>) =>
  ({
    propertyCode: 'f',
    propertyType: 0,
    name: 'f',
    name_i18n: {},
    settings: { unit, scale },
    ...more,
    ...(options
      ? { options: (options as object[]).map((o) => ({ color: null, disabled: false, parent: null, ...o })) }
      : {}),
  }) as unknown as FormField

const typed = (v: unknown) => (typeof v === 'object' && v !== null && 'typed' in v ? v.typed : v)

describe.each(types.map((t) => [t.type, t] as const))('texts as values of a %s', (type, { options, cases }) => {
  it.each(Object.entries(cases))('%s', async (text, value) => {
    const { parseText } = readers[type as keyof typeof readers]
    const got = await parseText?.(text, fieldOf(options), context)
    if (typed(value) === 'this year') expect(got).toMatch(/^\d{4}-03-05$/)
    else expect(got ?? null).toEqual(typed(value))
  })
})
