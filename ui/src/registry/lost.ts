/** Why nothing of a pack is drawn. */
const failures = new Map<string, string>()
/** The pack of each name and wire that a bundle would have defined. */
const lost = new Map<string, string>()

type Kind = 'properties' | 'actions' | 'pages' | 'parts' | 'views' | 'widgets'

/** The pack whose interface would draw this and could not be loaded; undefined when no pack says so. */
export const lostPack = (kind: Kind, name: string | number) => lost.get(`${kind} ${name}`)
export const failureOf = (pack: string) => failures.get(pack)

export function lose(
  pack: string,
  why: string,
  defines: Record<string, readonly (string | number | { name: string })[]>,
) {
  failures.set(pack, why)
  for (const [kind, names] of Object.entries(defines))
    for (const one of names) lost.set(`${kind} ${typeof one === 'object' ? one.name : one}`, pack)
}
