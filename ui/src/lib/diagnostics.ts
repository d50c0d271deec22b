export interface Diagnostic {
  /** file:line:col, as editors open it */
  place: string
  code: string
  text: { zh: string; en: string }
  /** What can be done about a change that waits. */
  offer?: Offer
}

/** A step of the tables that `sluice dev` does not take by itself. */
export interface Offer {
  id: string
  keeps: boolean
  loses: boolean
  renames: string[]
}

interface Wire {
  file?: string
  line?: number
  column?: number
  position?: { file: string; line: number; column: number }
  code: string
  zh: string
  en: string
  offer?: Offer
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
      ...(item.offer && { offer: item.offer }),
    }
  })
}
