export function importersOf(files: string[], read?: (file: string) => string): Map<string, string[]>
export function testsOf(importers: Map<string, string[]>, file: string): string[]
export function isTest(file: string): boolean
export function isBreakable(file: string): boolean
