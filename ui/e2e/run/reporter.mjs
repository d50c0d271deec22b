// A reporter of node's test runner: each test that has no tests of its own, as a line of JSON with its outcome, the titles above it,
// and why it failed.
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
    const why = outcome === 'failed' ? reason(data.details.error?.cause ?? data.details.error) : undefined
    yield `${JSON.stringify({ outcome, title, why })}\n`
  }
}

/** The first lines of an error, where in its journey it came, and what the pages said then (tellPages in server.mjs). */
function reason(error) {
  const { message = String(error), stack = '', seen = '' } = error ?? {}
  const at = stack.split('\n').find((line) => /^\s+at .*\.test\.mjs/.test(line))
  const seenFirst = seen.split('\n').filter((line) => /^(http|notices: )|alert|dialog|\[active\]/.test(line))
  return [...message.split('\n').slice(0, 6), ...(at ? [at] : []), ...seenFirst.slice(0, 12)].join('\n')
}
