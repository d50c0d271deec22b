/** What people do when they say something, as the log of a workflow calls it. */
const WORDS: Record<string, readonly [zh: string, en: string]> = {
  start: ['发起', 'Started'],
  submit: ['提交', 'Submitted'],
  agree: ['同意', 'Agreed'],
  disagree: ['不同意', 'Disagreed'],
  reject: ['退回', 'Sent back'],
  transfer: ['转办', 'Transferred'],
  addSign: ['加签', 'Added approvers'],
  assist: ['协办', 'Asked for advice'],
  circulate: ['传阅', 'Sent a copy'],
}

/** What was done, in words; what is not known stays as it is. */
export function done({ result, rule }: { result: string; rule: string }, locale: string): string {
  const known = Object.hasOwn(WORDS, result) ? WORDS[result] : undefined
  const word = known ? known[locale === 'zh' ? 0 : 1] : result
  if (!rule || !word) return word
  return locale === 'zh' ? `${word}（自动）` : `${word} (automatic)`
}

export const RESULTS = Object.keys(WORDS)
