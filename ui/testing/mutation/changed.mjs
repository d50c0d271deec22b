// Which lines of which files a change touches.
import { execFileSync } from 'node:child_process'

/** Lists the changed files of a checkout that a pattern names, each with the test whether a line of it is new. */
export function changedSince(root, base, patterns) {
  const git = (...args) => execFileSync('git', ['-c', 'core.quotePath=off', ...args], { cwd: root, encoding: 'utf8' })
  const from = base ? git('merge-base', 'HEAD', base).trim() : defaultBase(git)
  const sides = ['--src-prefix=a/', '--dst-prefix=b/']
  const diff = git(
    'diff',
    '-U0',
    '-M',
    '--no-color',
    '--no-ext-diff',
    '--diff-filter=d',
    ...sides,
    from,
    '--',
    ...patterns,
  )
  const files = []
  for (const line of diff.split('\n')) {
    const name = /^\+\+\+ b\/([^\t]*)/.exec(line)
    const span = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (name) files.push({ file: name[1], spans: [] })
    else if (span) files.at(-1)?.spans.push([Number(span[1]), Number(span[1]) + Number(span[2] ?? 1)])
  }
  const unknown = git('ls-files', '--others', '--exclude-standard', '--', ...patterns)
    .split('\n')
    .filter(Boolean)
  return [...files, ...unknown.map((file) => ({ file, spans: [[1, Number.POSITIVE_INFINITY]] }))].map(
    ({ file, spans }) => ({ file, touched: (line) => spans.some(([first, after]) => first <= line && line < after) }),
  )
}

/** Where HEAD left origin/main; the commit before in a checkout that has no origin/main, or nothing beyond it. */
function defaultBase(git) {
  const known = (commit) => {
    try {
      return git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`).trim()
    } catch {
      return ''
    }
  }
  if (!known('origin/main')) return git('merge-base', 'HEAD', 'HEAD~1').trim()
  const from = git('merge-base', 'HEAD', 'origin/main').trim()
  if (from !== known('HEAD') || git('status', '--porcelain', '--untracked-files=no') !== '') return from
  return known('HEAD~1') || from
}
