export interface ChangedFile {
  file: string
  touched(line: number): boolean
}

export function changedSince(root: string, base: string | undefined, patterns: string[]): ChangedFile[]
