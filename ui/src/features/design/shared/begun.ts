const CODE = /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/

/** Whether a text can be the code of a new document; the address of what is new has the word itself. */
export const isCode = (text: string) => CODE.test(text) && text !== 'new'

const documents = new Map<string, unknown>()

const keyOf = (kind: string, code: string) => `${kind}/${code.toLowerCase()}`

/** Keeps what a document under a new code begins with, in this tab, until its designer has opened. */
export const begin = (kind: string, code: string, document: unknown) => {
  documents.set(keyOf(kind, code), document)
}

/** What a document under a new code begins with; undefined: nobody began it here. */
export const begunWith = (kind: string, code: string) => documents.get(keyOf(kind, code))
