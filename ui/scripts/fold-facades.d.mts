export interface Facade {
  target: string
  names: { from: string; as: string }[]
}
export function facadeOf(code: string): Facade | null
export function folded(files: ReadonlyMap<string, string>): Map<string, string>
