import type { Break } from './breaks.mjs'

export function keyOf(one: Break): string
export function readEquivalent(): Map<string, string>
