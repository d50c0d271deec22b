type Attributes = { className?: string | undefined; style?: Partial<CSSStyleDeclaration> } & Record<
  `data-${string}` | `aria-${string}` | 'title' | 'role' | 'type' | 'tabIndex' | 'href' | 'src' | 'alt' | 'loading',
  string | number | boolean | undefined
>

/** A plain element. Where hundreds are drawn while somebody scrolls, components are too dear. */
export function element(
  tag: string,
  { className, style, ...attributes }: Partial<Attributes> = {},
  ...children: (Node | string | null | undefined | false)[]
): HTMLElement {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (style) Object.assign(made.style, style)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, String(value))
  }
  for (const child of children) if (child) made.append(child)
  return made
}
