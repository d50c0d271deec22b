import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FormField, ParseContext } from '@sluice/sdk'
import { describe, expect, it } from 'vitest'
import { property as checkbox } from '../checkbox/ui'
import { property as date } from '../date/ui'
import { property as dropdown } from '../dropdown/ui'
import { property as dropdownMulti } from '../dropdownmulti/ui'
import { property as logic } from '../logic/ui'
import { property as number } from '../number/ui'
import { property as radio } from '../radio/ui'
import { property as time } from '../time/ui'

interface Case {
  type: string
  options: string
  text: string
  value: unknown
}

/** A value of the file: "-" is none. */
const saidBy = (text: string): unknown =>
  text === '-' ? null : /^(?:true|false|\[.*)$/.test(text) ? JSON.parse(text) : text

/** What imports make of texts is tested with the same lines (plugins/core/property/internal/spelling). */
function read(text: string): { zone: string; cases: Case[] } {
  let [zone, type, options] = ['', '', '']
  const cases: Case[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    const head = /^\[(\w+) (.*)\]$/.exec(line)
    if (head) [, type = '', options = ''] = head
    else if (line.startsWith('zone ')) zone = line.slice('zone '.length)
    else if (line !== '' && !line.startsWith('# ')) {
      const [given = '', value = ''] = line.split(' | ')
      const one = given.startsWith('"') ? JSON.parse(given) : given
      cases.push({ type, options, text: one, value: saidBy((value.split(' ~ ')[0] as string).trim()) })
    }
  }
  return { zone, cases }
}

const { zone, cases } = read(readFileSync(join(import.meta.dirname, '../internal/spelling/testdata/texts.txt'), 'utf8'))

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
const context: ParseContext = { locale: 'zh', zone, find: async () => [], meant: async () => [] }

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

it('there are many', () => expect(cases.length).toBeGreaterThan(450))

describe('texts as values', () => {
  it.each(cases.map((one) => [one.type, one.options, one.text, one] as const))(
    'of a %s %s: %j',
    async (type, _, text, { options, value }) => {
      const { parseText } = readers[type as keyof typeof readers]
      const got = await parseText?.(text, fieldOf(JSON.parse(options)), context)
      if (value === 'this year') expect(got).toMatch(/^\d{4}-03-05$/)
      else expect(got ?? null).toEqual(value)
    },
  )
})
