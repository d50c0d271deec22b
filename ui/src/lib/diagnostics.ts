export interface Diagnostic {
  /** file:line:col, as editors open it */
  place: string
  code: string
  text: { zh: string; en: string }
}

interface Wire {
  file?: string
  line?: number
  column?: number
  position?: { file: string; line: number; column: number }
  code: string
  zh: string
  en: string
}

/** Reads the list that the server sends when a saved file has errors; empty when they are gone. */
export function parseDiagnostics(data: string): Diagnostic[] {
  const list = JSON.parse(data) as Wire[] | null
  return (list ?? []).map((item) => {
    const { file, line, column } = { ...item, ...item.position }
    return {
      place: [file, line, column].filter(Boolean).join(':'),
      code: item.code,
      text: { zh: item.zh, en: item.en },
    }
  })
}
