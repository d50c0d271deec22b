import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// A press that a journey repeats was lost for people too: it is a fault of the product, which the repeat would hide. So:
//
// 1. The body of a loop that goes on until something happens has no press. Such are `while`, `do`, `for (;;)` and `for` with a
//    condition that is more than a count: it awaits, calls, or joins tests. So is a loop over names or a count whose body can leave it
//    early: `break`, or `return` that is not of a function within.
// 2. A press whose failure is swallowed (`.click(…).catch(…)`) is none to rely on, and another one would follow it. Nor is one in
//    `catch`.
//
// Loops over names (`for … of`) and counts (`for (let i = 0; i < 6; i++)`) press other things or press on, which people do too. A body
// that only looks, or scrolls as no press does, may loop.

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../e2e')
/** Arrows and Tab move from place to place: how far is for the page to say. */
const MOVES = /'(Shift\+)?(Tab|Arrow\w+|Page(Up|Down)|Home|End)'/
const PRESS = new RegExp(
  [
    /\.(click|dblclick|tap|check|uncheck|fill|setChecked|selectOption|press|pressSequentially)\(/,
    /dispatchTouchEvent|(?<![\w.])(tap|press|pressed|asked)\(/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** Of one line: `Promise.all([waits, press])` has both. */
const SWALLOWED = /\.(click|dblclick|tap|check|fill|press)\((?:[^()]|\([^()]*\))*\)\s*\.(catch|then)\(/

/** The end of what begins with an opening bracket. Strings and comments that hold brackets of one sort only would mislead it: none do. */
function closing(text: string, open: number): number {
  const pairs: Record<string, string> = { '(': ')', '{': '}', '[': ']' }
  const wanted: string[] = []
  for (let at = open; at < text.length; at++) {
    const c = text[at] as string
    if (c in pairs) wanted.push(pairs[c] as string)
    else if (c === wanted.at(-1) && wanted.pop() && wanted.length === 0) return at
  }
  return text.length
}

/** Comments and the contents of strings and patterns do not count as code, but the keys that are pressed do. */
const plain = (text: string) =>
  text
    .replace(/^\s*\/\/.*$|\s\/\/ .*$|\/\*[\s\S]*?\*\//gm, (all) => all.replace(/[^\n]/g, ' '))
    .replace(/(?<=[=(,:\s!&|])\/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\])+\/[gimsuy]*/g, (all) =>
      ' '.repeat(all.length),
    )
    .replace(/(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g, (all, quote: string, of: string) =>
      MOVES.test(`'${of}'`) ? all : `${quote}${of.replace(/[(){}[\]]/g, ' ')}${quote}`,
    )

/** Whether the body of a loop can end the loop: what functions within it return does not. */
function leaves(body: string): boolean {
  let own = body
  const within = /(?:=>|\bfunction\b[^(\n]*\([^)]*\))\s*\{/
  for (let found = within.exec(own); found; found = within.exec(own)) {
    const open = found.index + found[0].length - 1
    own = own.slice(0, found.index) + own.slice(closing(own, open) + 1)
  }
  return /\b(break|return)\b/.test(own)
}

const presses = (text: string) => text.split('\n').some((one) => PRESS.test(one) && !MOVES.test(one))

/** Lines of a journey's text that repeat a press. */
export function repeated(source: string): number[] {
  const text = plain(source)
  const found = new Set<number>()
  const line = (at: number) => text.slice(0, at).split('\n').length
  for (const { index, 0: word, 1: kind } of text.matchAll(/\b(for|while|do)\b(?: await)?\s*(?=[({])/g)) {
    const open = index + word.length
    let body: string
    let head = ''
    if (kind === 'do') body = text.slice(open, closing(text, open) + 1)
    else {
      const end = closing(text, open)
      head = text.slice(open + 1, end)
      const rest = text.slice(end + 1)
      const start = end + 1 + (rest.length - rest.trimStart().length)
      body = text[start] === '{' ? text.slice(start, closing(text, start) + 1) : (rest.trimStart().split('\n')[0] ?? '')
    }
    const [, test = ''] = head.split(';')
    const ends = / of | in /.test(head) || /^\s*\w+\s*[<>]=?\s*[\w.+\- ]+$/.test(test)
    if (kind === 'for' && ends && !leaves(body)) continue
    // The condition of a `do` or `while` may press as well.
    const all = `${kind === 'while' ? head : ''}${kind === 'for' ? test : ''}${body}`
    if (presses(all)) found.add(line(index))
  }
  for (const { index, 0: word } of text.matchAll(/\bcatch\s*(?:\([^)]*\)\s*)?(?=\{)/g)) {
    const open = index + word.length
    if (presses(text.slice(open, closing(text, open)))) found.add(line(index))
  }
  for (const { index } of text.matchAll(new RegExp(SWALLOWED, 'g'))) found.add(line(index))
  return [...found].sort((a, b) => a - b)
}

describe('journeys', () => {
  it('press once: no press is repeated until something happens', () => {
    const wrong = readdirSync(folder)
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => repeated(readFileSync(join(folder, name), 'utf8')).map((line) => `${name}:${line}`))
    expect(wrong).toEqual([])
  })

  // `quiet` of server.mjs waits on any page; this one never comes where the stream of events opens early, and waits for nothing afterwards.
  it('do not ask the driver whether the network is idle', () => {
    const wrong = readdirSync(folder).filter(
      (name) => name.endsWith('.mjs') && /['"`]networkidle/.test(readFileSync(join(folder, name), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    [
      'a loop until it is there',
      'for (let i = 0; i < 3 && (await it.count()) === 0; i++) {\n  await edit.click()\n}',
      [1],
    ],
    ['for ever', 'for (let left = 4; ; left--) {\n  await pressed(page, w.edit)\n  if (await came()) break\n}', [1]],
    [
      'a count that ends early',
      "for (let i = 0; i < 20; i++) {\n  await page.keyboard.press('Enter')\n  if (x) return\n}",
      [1],
    ],
    ['while', "while (!done()) await page.locator('x').tap()", [1]],
    ['do', "do {\n  await page.keyboard.press('Control+z')\n} while (!same())", [1]],
    ['touches', "for (let n = 0; at() && n < 2; n++) {\n  await cdp.send('Input.dispatchTouchEvent', {})\n}", [1]],
    ['a swallowed press', "x\nawait page\n  .getByText('a)')\n  .click({ timeout: 1 })\n  .catch(() => {})", [4]],
    ['names until one works', 'for (const wait of [1, 2]) {\n  await b.click()\n  if (await came()) break\n}', [1]],
    ['a press after a failure', 'try {\n  await b.click()\n} catch {\n  await b.click()\n}', [3]],
    [
      'what a function in a loop returns',
      'for (const b of all) {\n  await b.click()\n  await b.evaluate(() => {\n    return 1\n  })\n}',
      [],
    ],
    ['names', "for (const name of ['a', 'b']) await page.getByText(name).click()", []],
    ['a count', "for (let i = 0; i < 6; i++) await page.keyboard.press('Enter')", []],
    ['places', "for (let i = 0; i < 6 && !(await look()); i++) await page.keyboard.press('Shift+Tab')", []],
    ['a loop that only looks', 'while (!(await same())) await page.evaluate(scroll)', []],
    ['a comment', '// while it loads, click( once\nawait page.click()', []],
  ])('the rule sees %s', (_, text, lines) => {
    expect(repeated(text)).toEqual(lines)
  })
})
