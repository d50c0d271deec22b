// What the application shares with the interface of packs: modules with fixed names below /sdk/ that pass on what its own chunks hold. The build of the
// application writes them (sdk-modules.ts), and the build of a pack turns imports into addresses of them (build-pack.mjs).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const require = createRequire(import.meta.url)
const read = (path) => readFileSync(path, 'utf8')

export const SDK_INDEX = at('../src/sdk/index.ts')
export const sdkVersion = /SDK_VERSION = '([\d.]+)'/.exec(read(at('../src/sdk/version.ts')))[1]

/** Parts of antd that every page behind the sign-in has read anyway. */
const LIGHT = [
  'Alert',
  'App',
  'Button',
  'Checkbox',
  'Drawer',
  'Dropdown',
  'Empty',
  'Input',
  'Modal',
  'Pagination',
  'Segmented',
  'Skeleton',
  'Tooltip',
]
/** Files of the SDK that bring a picker, a calendar or a drawer along. */
const CONTROLS = ['choice-select', 'date-box', 'entry-picker', 'pages', 'search-select', 'sheet']

/** Names that a file exports with `export { a, type B, c as d } from '...'`, with the file they come from; types are left out. */
function exportsOf(text) {
  return [...text.matchAll(/export\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g)].flatMap(([, list, from]) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '))
      .map((name) => ({ name: name.split(/\s+as\s+/).at(-1), from })),
  )
}

const sdk = exportsOf(read(SDK_INDEX))
const isControl = ({ from }) => CONTROLS.some((file) => from.endsWith(`/${file}`))
const antd = exportsOf(read(require.resolve('antd/es/index.js'))).map(({ name }) => name)
const namesOf = (list) => list.map(({ name }) => name)

const named = (id, names, withDefault = false) =>
  `export { ${[...names, ...(withDefault ? ['default'] : [])].join(', ')} } from ${JSON.stringify(id)}\n`
/** A CommonJS package has its names only when it runs. */
const cjs = (id) => {
  const names = Object.keys(require(id)).filter(
    (name) => /^[A-Za-z]\w*$/.test(name) && !['default', 'act'].includes(name),
  )
  return named(id, names, true)
}

/** The text of each module below /sdk/. */
export const modules = {
  react: cjs('react'),
  'react-jsx-runtime': named('react/jsx-runtime', ['Fragment', 'jsx', 'jsxs']),
  'react-dom': cjs('react-dom'),
  // Names alone: all of these packages would be in every page.
  'react-query': named('@tanstack/react-query', [
    'keepPreviousData',
    'useInfiniteQuery',
    'useMutation',
    'useQuery',
    'useQueryClient',
  ]),
  'react-router': named('react-router', [
    'Link',
    'NavLink',
    'useLocation',
    'useNavigate',
    'useParams',
    'useSearchParams',
  ]),
  zustand: "export * from 'zustand'\n",
  dayjs: "export { default } from 'dayjs'\n",
  'antd-light': named('antd', LIGHT),
  antd: named(
    'antd',
    antd.filter((name) => !LIGHT.includes(name)),
  ),
  sdk: named(SDK_INDEX, namesOf(sdk.filter((one) => !isControl(one)))),
  'sdk-controls': named(SDK_INDEX, namesOf(sdk.filter(isControl))),
}

const address = (name) => `/sdk/${name}.js`

/** Packages that are one module. */
export const whole = {
  react: address('react'),
  'react/jsx-runtime': address('react-jsx-runtime'),
  'react-dom': address('react-dom'),
  '@tanstack/react-query': address('react-query'),
  'react-router': address('react-router'),
  zustand: address('zustand'),
  dayjs: address('dayjs'),
}

/** Packages whose names stand in two modules, so that who needs few reads little. */
export const split = {
  antd:
    named(address('antd-light'), LIGHT) +
    named(
      address('antd'),
      antd.filter((name) => !LIGHT.includes(name)),
    ),
  '@sluice/sdk':
    named(address('sdk'), namesOf(sdk.filter((one) => !isControl(one)))) +
    named(address('sdk-controls'), namesOf(sdk.filter(isControl))),
}
