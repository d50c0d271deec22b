import type { Plugin } from 'vite'
import { modules } from './shared.mjs'

const PREFIX = '\0sdk:'
const ADDRESS = /^\/sdk\/([\w-]+)\.js$/

/** Emits the modules below /sdk/ under their fixed names; the development server answers them too. */
export const sdkModules: Plugin = {
  name: 'sdk-modules',
  buildStart() {
    if (this.meta.watchMode || this.environment?.mode === 'dev') return
    for (const name of Object.keys(modules))
      this.emitFile({ type: 'chunk', id: PREFIX + name, fileName: `sdk/${name}.js`, preserveSignature: 'strict' })
  },
  resolveId(id) {
    if (id.startsWith(PREFIX)) return id
    const name = ADDRESS.exec(id)?.[1]
    return name && name in modules ? PREFIX + name : null
  },
  load: (id) => (id.startsWith(PREFIX) ? modules[id.slice(PREFIX.length) as keyof typeof modules] : null),
}
