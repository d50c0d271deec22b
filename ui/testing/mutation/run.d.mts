/** Runs component tests with the broken files whose texts it is given, by path from the root. */
export function runner(
  root: string,
  texts: Record<string, string>,
): {
  /** Runs tests without a break; throws when one fails. Returns the tests that run each number, and the milliseconds of the run. */
  notes: (tests: string[]) => Promise<{ ran: Map<number, string[]>; took: number }>
  /** Whether tests fail with a break; took is what notes returned. */
  sees: (number: number, tests: string[], took: number) => Promise<boolean>
  close: () => void
}
