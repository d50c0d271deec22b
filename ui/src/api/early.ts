/**
 * The answer to a call that app/early.ts made before the application was read; who asks first takes it. From the first call on,
 * app/early.ts makes none.
 */
export function takeEarly(url: string, locale: string): Promise<Response> | undefined {
  const page = window as { sluiceEarly?: Map<string, Promise<Response>> }
  page.sluiceEarly ??= new Map()
  const key = `${locale} ${url}`
  const answer = page.sluiceEarly.get(key)
  page.sluiceEarly.delete(key)
  return answer
}
