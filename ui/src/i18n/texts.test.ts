import { describe, expect, it } from 'vitest'
import { texts as en } from './en'
import { texts as zh } from './zh'

function flat(node: object, path = ''): Map<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(node)) {
    const at = path ? `${path}.${key}` : key
    if (typeof value === 'string') all.set(at, value)
    else for (const [inner, text] of flat(value as object, at)) all.set(inner, text)
  }
  return all
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort()

describe('texts', () => {
  const [chinese, english] = [flat(zh), flat(en)]

  it('exist in both languages', () => {
    expect([...english.keys()].sort()).toEqual([...chinese.keys()].sort())
  })

  it('are not empty and use the same placeholders', () => {
    for (const [key, text] of chinese) {
      expect(text, key).not.toBe('')
      expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(text))
    }
  })

  it('use full-width punctuation in Chinese', () => {
    const wrong = [...chinese].filter(([, text]) => /\p{Script=Han}\s*[,;:!?](\s|$)/u.test(text))
    expect(wrong).toEqual([])
  })
})
