// Has OpenAPI documents judged by programs that are not ours: Redocly's validator, which knows every key that the specification
// allows, and openapi-typescript, which makes a client of each. Prints the problems, one a line; exit code 1 when there are some.
import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'

const error = 'error'
const config = await createConfig({
  rules: {
    struct: error,
    'no-unresolved-refs': error,
    'no-identical-paths': error,
    'operation-operationId-unique': error,
    'operation-parameters-unique': error,
    'path-declaration-must-exist': error,
    'path-not-include-query': error,
    'path-parameters-defined': error,
    'security-defined': error,
    'no-invalid-media-type-examples': error,
    'no-invalid-schema-examples': error,
  },
})
for (const file of process.argv.slice(2)) {
  const source = await readFile(file, 'utf8')
  const problems = await lintFromString({ source, absoluteRef: file, config })
  for (const { ruleId, message, location } of problems) {
    console.log(`${file} ${location[0]?.pointer ?? ''} ${ruleId}: ${message.replaceAll('\n', ' ')}`)
  }
  if (problems.length === 0 && !astToString(await openapiTS(source)).includes('export interface paths')) {
    problems.push(console.log(`${file}: the client that was made of it has no paths`))
  }
  if (problems.length > 0) process.exitCode = 1
}
