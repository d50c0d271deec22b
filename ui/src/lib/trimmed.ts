/** A text without the white space at its ends, as the server takes it: Unicode's, and the marks of no width. */
export const trimmed = (text: string) => text.replace(EDGES, '')

const EDGES = /^[\s\u0085\u200b\u2060]+|[\s\u0085\u200b\u2060]+$/gu
