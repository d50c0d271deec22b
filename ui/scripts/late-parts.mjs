const NAME = '__loadChunk'

/** Each `import('...')` within a piece of a syntax tree. */
function* importsIn(node) {
  if (typeof node !== 'object' || node === null) return
  if (node.type === 'ImportExpression' && typeof node.source?.value === 'string') yield node
  for (const part of Object.values(node)) yield* importsIn(part)
}

/**
 * Puts `loadChunk`, which waits while the server is away, around each `import('...')` of the modules below a folder. `from` is the module
 * that has it.
 */
export const lateParts = (folder, from) => ({
  name: 'late-parts',
  enforce: 'post', // what import.meta.glob makes is there by then
  transform(code, id) {
    const file = id.split('?')[0]
    if (!/\bimport\(/.test(code) || file === from || !/\.[cm]?[jt]sx?$/.test(file)) return null
    if (!file.startsWith(`${folder}/`) || file.includes('/node_modules/')) return null
    const found = [...importsIn(this.parse(code))].sort((a, b) => b.start - a.start)
    if (found.length === 0) return null
    let changed = code
    for (const { start, end } of found)
      changed = `${changed.slice(0, start)}${NAME}(() => ${changed.slice(start, end)})${changed.slice(end)}`
    return { code: `import { loadChunk as ${NAME} } from ${JSON.stringify(from)};${changed}`, map: null }
  },
})
