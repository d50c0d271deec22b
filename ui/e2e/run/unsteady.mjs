// .ci/unsteady: journeys that were red once and green three times after it, and whose cause is not known yet. One line each, as the run
// prints it: FILE > SUITE > TEST. At most three. A line goes with a commit that says "Cause: ..." in its message.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../server.mjs'

const PATH = '.ci/unsteady'

/** How many entries there may be, and within how many merges a journey that is listed may not be red again. */
export const ENTRIES = 3
export const MERGES = 10

export const entriesOf = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))

/** What git knows of the list. */
export function historyOf(base, folder = root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const quietly = (...args) => {
    try {
      return git(...args)
    } catch {
      return ''
    }
  }
  const at = (commit) => entriesOf(quietly('show', `${commit}:${PATH}`))
  /** The last commit that changed whether an entry is listed: a line that went may come back. */
  const last = (entry) => {
    const asked = ['--format=%H', '--diff-merges=first-parent', '--fixed-strings', `-S${entry}`]
    return (
      quietly('log', ...asked, '--', PATH)
        .split('\n')
        .filter(Boolean)[0] ?? null
    )
  }
  return {
    listed: existsSync(join(folder, PATH)) ? entriesOf(readFileSync(join(folder, PATH), 'utf8')) : [],
    listedBefore: at(base ?? 'HEAD~1'), // without a base an entry is new in the last commit only
    /** Merges since an entry came; 0 for one that is not committed. */
    merges: (entry) => {
      const commit = last(entry)
      return commit ? Number(quietly('rev-list', '--count', '--merges', `${commit}..HEAD`)) : 0
    },
    /** Whether the commit that took an entry out says why the journey was red. */
    explained: (entry) => {
      const commit = last(entry)
      return (
        commit !== null &&
        !at(commit).includes(entry) &&
        /^Cause: \S/m.test(quietly('log', '-1', '--format=%B', commit))
      )
    },
  }
}

/** What is wrong with the list itself, before anything has run. */
export function faultsOf({ listed, listedBefore, explained }) {
  const faults = []
  if (listed.length > ENTRIES) faults.push(`${PATH} has ${listed.length} entries; at most ${ENTRIES} are allowed`)
  for (const entry of listedBefore.filter((one) => !listed.includes(one) && !explained(one)))
    faults.push(`"${entry}" left ${PATH}, and no commit says "Cause: ..." in its message`)
  return faults
}

/**
 * Judges journeys that were red and then green three times: what is wrong, and the lines to put into the list. Without any of both
 * the run passes.
 */
export function judge(red, { listed, listedBefore, merges }) {
  const faults = []
  const paste = red.filter((entry) => !listed.includes(entry))
  for (const entry of red.filter((one) => listed.includes(one) && listedBefore.includes(one)))
    if (merges(entry) < MERGES)
      faults.push(`"${entry}" is red again ${merges(entry)} merges after it was listed: find its cause`)
  return { faults, paste }
}
