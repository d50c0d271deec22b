// Chooses the journeys of a run: all of them, or those that a change asks for (areas.mjs).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../server.mjs'
import { AREAS, BASE, EVERYTHING } from './areas.mjs'

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const lines = (text) => text.split('\n').filter(Boolean)

/** A commit's id, or null where git does not know it. */
function commit(name) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).trim()
  } catch {
    return null
  }
}

/**
 * What a change is against: the commit named in BASE, or where the branch left origin/main. Null where there is no such commit, or
 * nothing has changed since: what is tested is then not known to differ from anything that has passed.
 */
export function baseOf(named = process.env.BASE) {
  const head = commit('HEAD')
  if (!head) return null
  if (named) {
    const base = commit(named)
    if (!base) throw new Error(`BASE=${named} is no commit`)
    if (base === head && changedSince(base).length === 0) throw new Error(`BASE=${named} is what is tested`)
    return base
  }
  const base = commit('origin/main') && mergeBase()
  return base === head && changedSince(base).length === 0 ? null : base
}

/** Where HEAD left origin/main; null in a shallow clone that does not hold it. */
function mergeBase() {
  try {
    return git('merge-base', 'HEAD', 'origin/main').trim()
  } catch {
    return null
  }
}

/** Paths that differ from a commit in the working tree, those of new files and of deleted ones among them. */
export const changedSince = (base) => [
  ...lines(git('diff', '--name-only', '--no-renames', base)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
]

const isTest = (path) => /(_test\.go|\.test\.tsx?)$|(^|\/)(testdata|tests)\//.test(path)

/** The row of AREAS that a path belongs to, or undefined. */
export const areaOf = (path) =>
  AREAS.filter(([start]) => path.startsWith(start)).sort(([a], [b]) => b.length - a.length)[0]

/** The journeys that a module of ui/e2e is part of: they import it, or import what imports it. */
export function importers(all, path) {
  const reaches = (file, seen = new Set()) => {
    if (file === path) return true
    if (seen.has(file) || !existsSync(join(root, file))) return false
    seen.add(file)
    const imports = readFileSync(join(root, file), 'utf8').matchAll(/from '\.\/([\w-]+\.mjs)'/g)
    return [...imports].some(([, name]) => reaches(`ui/e2e/${name}`, seen))
  }
  return all.filter((name) => reaches(`ui/e2e/${name}.test.mjs`))
}

/**
 * The journeys that a change of these paths asks for, those that it leaves out, and the reason. `paths` is null where the change is
 * not known, which asks for everything.
 */
export function choose(all, paths) {
  if (!paths) return { chosen: all, left: [], why: 'there is no commit to compare with' }
  const program = paths.filter((path) => !isTest(path))
  const general = program.find((path) => EVERYTHING.some((start) => path.startsWith(start)))
  if (general) return { chosen: all, left: [], why: `${general} differs` }
  const wanted = new Set(BASE)
  for (const path of program) {
    const journeys = /^ui\/e2e\/[^/]+\.mjs$/.test(path)
    for (const name of journeys ? importers(all, path) : (areaOf(path)?.[1] ?? all)) wanted.add(name)
  }
  const chosen = all.filter((name) => wanted.has(name))
  return { chosen, left: all.filter((name) => !wanted.has(name)), why: `${paths.length} files differ` }
}
