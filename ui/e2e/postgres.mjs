// A PostgreSQL database for journeys: on the server of the whole run (.ci/with-postgres), or on one of our own.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server.mjs'

const packaged = '/usr/lib/postgresql'

/** The newest installed version's programs, or null. */
function programs() {
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  return (
    [...versions.map((version) => join(packaged, version, 'bin')), ...(process.env.PATH ?? '').split(':')].find(
      (path) => existsSync(join(path, 'initdb')),
    ) ?? null
  )
}

export const hasPostgres = () => programs() !== null

/** PostgreSQL refuses to run as root: there it runs as its own user. */
function owner() {
  if (process.getuid() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** A database on the server whose socket lies in a folder. */
function databaseOn(folder) {
  const psql = (text) => execFileSync('psql', ['-h', folder, '-U', 'postgres', '-qc', text], { stdio: 'pipe' })
  const name = `journey_${process.pid}_${Date.now()}`
  psql(`CREATE DATABASE ${name}`)
  return {
    url: `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`,
    stop: async () => psql(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

export async function startPostgres() {
  if (process.env.SLUICE_TEST_POSTGRES) return databaseOn(process.env.SLUICE_TEST_POSTGRES)
  const bin = programs()
  const as = owner()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pg-'))
  chmodSync(folder, 0o700)
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  const given = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(bin, 'initdb'), ['-D', data, ...given], { ...as, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off', `port=${port}`]
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...as,
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  for (let waited = 0; ; waited += 100) {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      break
    } catch {
      if (waited > 30_000 || server.exitCode !== null) throw new Error('PostgreSQL does not start')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
