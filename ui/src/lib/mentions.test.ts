// @vitest-environment node
import { expect, test } from 'vitest'
import { lengthOf, mentionedIn, parts, wordAt } from './mentions'

const people = [
  { id: '1', name: '张伟' },
  { id: '2', name: '张伟民' },
  { id: '3', name: 'Ann Lee' },
]

test('who was picked and is still named is mentioned, once', () => {
  expect(mentionedIn('@张伟民 请看', [...people, ...people])).toEqual(['2']) // not who is called by the beginning of the name
  expect(mentionedIn('@张伟民 和 @张伟', [...people, ...people])).toEqual(['1', '2'])
  expect(mentionedIn('a@b.example, 张伟', people)).toEqual([])
})

test('the longest name is marked, other text stays as it was', () => {
  const said = parts('问@张伟民和@张伟，<b>@Ann Lee</b> @', people)
  expect(said.filter((part) => part.mention).map((part) => part.text)).toEqual(['@张伟民', '@张伟', '@Ann Lee'])
  expect(said.map((part) => part.text).join('')).toBe('问@张伟民和@张伟，<b>@Ann Lee</b> @')
  expect(parts('nobody', [])).toEqual([{ text: 'nobody', mention: false, at: 0 }])
  expect(parts('', people)).toEqual([])
})

test('a sign outside the basic plane is one character', () => expect(lengthOf(' 👍🏽字 ')).toBe(3))

test.each([
  ['@', ''],
  ['请@zw', 'zw'],
  ['look\n@张', '张'],
  ['ann@example', null],
  ['@Ann ', null],
  ['nothing', null],
])('behind the @ of %j stands %j', (before, word) => expect(wordAt(before)).toBe(word))
