/** The answer to a call that app/early.ts made before the application was read; who asks first takes it. */
export function takeEarly(url: string, locale: string): Promise<Response> | undefined {
  const { sluiceEarly } = window as { sluiceEarly?: Map<string, Promise<Response>> }
  const key = `${locale} ${url}`
  const answer = sluiceEarly?.get(key)
  sluiceEarly?.delete(key)
  return answer
}
