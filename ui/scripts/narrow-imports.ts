import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const COLOR = fileURLToPath(new URL('./antd-color.mjs', import.meta.url))

/**
 * Imports between antd's own modules that bring far more than the names they ask for, and the file that has only those. They are
 * part of every page, which would otherwise read the color picker, the collapse and the validator of forms.
 */
const NARROW = [
  {
    from: /\/antd\/es\/(button\/style\/token|tag\/style\/index|tooltip\/util)\.js$/,
    what: /\/color-picker\/(color|util|components\/ColorPresets)$/,
    to: COLOR,
  },
  { from: /\/antd\/es\/form\/context\.js$/, what: /^@rc-component\/form$/, to: '@rc-component/form/es/FormContext' },
]

export const narrowImports: Plugin = {
  name: 'narrow-imports',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const narrow = NARROW.find(({ from, what }) => what.test(source) && from.test(importer))
    return narrow ? this.resolve(narrow.to, importer, { skipSelf: true }) : null
  },
}
