// A module that is imported late and lies in a file with others gets a second file, which only passes its names on: a request of its own
// for fifty bytes. Here imports lead to the file that has the module, and the second one is removed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PASSES = /^export\{([^{}]*)\}from"\.\/([\w.-]+\.js)";?\s*$/
/** A library's text of the older kind of module, which its file makes when it is asked. */
const MADE = /^import\{([\w$]+) as (\w+)\}from"\.\/([\w.-]+\.js)";export default \2\(\);?\s*$/
const NAMES = /^[\w$]+$/

/** What a file passes on, and from where; null where it does more than that. */
export function facadeOf(code) {
  const made = MADE.exec(code)
  if (made) return { target: made[3], names: [{ from: `${made[1]}()`, as: 'default' }] }
  const [, list, target] = PASSES.exec(code) ?? []
  if (!list || !target) return null
  const names = list.split(',').map((one) => one.trim().split(/\s+as\s+/))
  if (!names.every((pair) => pair.every((name) => NAMES.test(name)))) return null
  return { target, names: names.map(([from, as = from]) => ({ from, as })) }
}

/** The names as a late import of the facade gives them. */
const given = ({ target, names }) =>
  `import(\`./${target}\`).then(e=>({${names.map(({ from, as }) => `${as}:e.${from}`).join()}}))`

/** The files of a build without its facades; `files` are their texts by name. */
export function folded(files) {
  const facades = new Map()
  for (const [name, code] of files) {
    const found = name.endsWith('.js') ? facadeOf(code) : null
    if (found) facades.set(name, found)
  }
  // One that another file needs before it runs stays, and one that passes on what a facade passes on.
  for (const code of files.values())
    for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) facades.delete(name)
  const out = new Map()
  for (const [name, code] of files) {
    if (facades.has(name)) continue
    const late = code.replace(/import\((?:`|"|')\.\/([\w.-]+\.js)(?:`|"|')\)/g, (all, of) => {
      const facade = facades.get(of)
      return facade ? given(facade) : all
    })
    // Lists of what is read ahead, of the page and of late imports.
    const ahead = late.replace(/(assets\/)([\w.-]+\.js)/g, (all, folder, of) => {
      const facade = facades.get(of)
      return facade ? folder + facade.target : all
    })
    out.set(name, ahead)
  }
  return out
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = fileURLToPath(new URL('../dist/', import.meta.url))
  const assets = `${dist}assets/`
  const read = (folder, names) => names.map((name) => [name, readFileSync(folder + name, 'utf8')])
  const files = new Map([
    ...read(
      assets,
      readdirSync(assets).filter((name) => name.endsWith('.js')),
    ),
    ...read(dist, ['index.html', '.vite/manifest.json']),
  ])
  const after = folded(files)
  let removed = 0
  for (const [name, code] of files) {
    const at = (name.endsWith('.js') ? assets : dist) + name
    const now = after.get(name)
    if (now === undefined) {
      rmSync(at)
      removed++
    } else if (now !== code) writeFileSync(at, now)
  }
  console.log(`fold-facades: ${removed} files that only passed names on`)
}
