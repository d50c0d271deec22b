/** A figure of a report from which a list was opened: its data set and measure, as the list call names them, and what it is called. */
export interface Behind {
  of: string
  name: string
}

/** The figure that an address names: `behind=progress/lots/good&figure=合格`. */
export function readBehind(search: URLSearchParams): Behind | null {
  const of = search.get('behind')
  return of ? { of, name: search.get('figure') ?? '' } : null
}

export function writeBehind(search: URLSearchParams, { of, name }: Behind): void {
  search.set('behind', of)
  if (name) search.set('figure', name)
}
