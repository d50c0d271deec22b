// Runs before each test file: says which break is on, and notes at the end which ones the file ran.
import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

const now = Number(process.env.MUTATION)
const notes = process.env.MUTATION_RAN
const ran = new Set<number>()

Object.assign(globalThis, {
  mutationOn(number: number) {
    ran.add(number)
    return number === now
  },
})

if (notes) {
  afterAll(() => appendFileSync(notes, `${JSON.stringify({ test: expect.getState().testPath, ran: [...ran] })}\n`))
}
