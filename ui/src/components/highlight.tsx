import styles from './highlight.module.css'

/** A text with the characters marked that a search found. */
export function Highlight({ text, positions }: { text: string; positions: number[] | null }) {
  if (!positions?.length) return text
  const marked = new Set(positions)
  const parts: { text: string; hit: boolean }[] = []
  for (const [i, char] of Array.from(text).entries()) {
    const hit = marked.has(i)
    const last = parts.at(-1)
    if (last && last.hit === hit) last.text += char
    else parts.push({ text: char, hit })
  }
  return parts.map((part, i) =>
    part.hit ? (
      <mark key={i} className={styles.hit}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}
