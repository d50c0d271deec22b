// A reporter of node's test runner: each test that has no tests of its own, as a line of JSON with its outcome and the titles above it.
export default async function* titles(source) {
  const above = []
  for await (const { type, data } of source) {
    if (type === 'test:start') above.splice(data.nesting, above.length, data.name)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const title = [...above.slice(0, data.nesting), data.name].join(' > ')
    const parent = data.details.type === 'suite' || data.details.error?.failureType === 'subtestsFailed'
    const outcome = type === 'test:fail' ? 'failed' : data.skip === undefined ? 'passed' : 'skipped'
    // A suite fails with its tests, which are told themselves, or by its own hooks.
    if (parent && (outcome !== 'failed' || data.details.error?.failureType === 'subtestsFailed')) continue
    yield `${JSON.stringify({ outcome, title })}\n`
  }
}
