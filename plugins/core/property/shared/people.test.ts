import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meant } from '@sluice/sdk'
import { expect, it } from 'vitest'
import { tellings } from './listed'

interface Person {
  username: string
  name: string
  mobile?: string
  email?: string
  employeeNo?: string
  department?: string
}

/** The directory of the server reads the same lines. */
const corpus: { people: Person[]; cases: { text: string; means: string[]; detail?: true }[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../runtime/directory/testdata/people.json'), 'utf8'),
)
const texts = ({ username, name, mobile, email, employeeNo }: Person) => [username, name, mobile, email, employeeNo]
const names = (people: Person[]) => people.map(({ username }) => username).sort()

// A mobile number is read by the server alone (engine/phone): the browser asks it for people.
const written = corpus.cases.filter(({ text }) => !/^\+?\d+ /.test(text))

it.each(written.filter(({ detail }) => !detail))('$text means $means', ({ text, means }) => {
  expect(names(meant(text, corpus.people, texts))).toEqual(means)
})

it.each(written.filter(({ detail }) => detail))('$text tells $means', ({ text, means }) => {
  const found = tellings(text)
    .map(({ name, detail }) =>
      meant(name, corpus.people, (one) => [one.name, one.username]).filter(
        (one) => meant(detail, [one], (of) => [...texts(of), of.department]).length > 0,
      ),
    )
    .find((some) => some.length > 0)
  expect(meant(text, corpus.people, texts)).toEqual([])
  expect(names(found ?? [])).toEqual(means)
})
