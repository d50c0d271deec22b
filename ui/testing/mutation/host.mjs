// A process that keeps the component tests ready and runs some of them with a break, when its parent says so.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const root = at('../../../')

/** The files with their breaks in them, by path from the root. */
const texts = JSON.parse(readFileSync(process.argv[2], 'utf8'))

/** Gives the tests the broken files. What Vite adds to a name (?raw, ?url) asks for something else. */
const breaks = {
  name: 'mutation',
  enforce: 'pre',
  transform(_, id) {
    const text = id.startsWith(root) ? texts[id.slice(root.length)] : undefined
    return text === undefined ? null : { code: text, map: null }
  },
  config: ({ test }) => {
    test.setupFiles = [at('./setup.ts'), test.setupFiles].flat()
  },
}

const vitest = await createVitest(
  'test',
  { root: at('../..'), config: at('../../vite.config.ts'), watch: false, reporters: [{}], silent: true, bail: 0 },
  { plugins: [breaks] },
)
await vitest.standalone()
const project = vitest.getRootProject()

process.on('message', async ({ number, tests, notes }) => {
  project.config.env = { ...project.config.env, MUTATION: String(number), MUTATION_RAN: notes ?? '' }
  project.config.bail = vitest.config.bail = notes ? 0 : 1
  try {
    const specifications = tests.map((test) => project.createSpecification(root + test))
    const asked = specifications.map(({ moduleId }) => moduleId)
    // What it tells is of all runs so far.
    vitest.state.clearFiles(project, asked)
    vitest.state.clearErrors()
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    const failed = testModules.filter((one) => asked.includes(one.moduleId) && one.state() === 'failed').map(faultOf)
    process.send({ failed, errors: unhandledErrors.map(String) })
  } catch (error) {
    process.send({ failed: [], errors: [String(error?.stack ?? error)] })
  }
})
process.on('disconnect', () => process.exit())
process.send('ready')

function faultOf(module) {
  const tests = [...module.children.allTests('failed')].map(
    (test) => `${test.fullName}: ${test.result().errors?.[0]?.message}`,
  )
  return [module.moduleId.slice(root.length), ...module.errors().map(({ message }) => message), ...tests].join('\n  ')
}
