import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A part of the application in a file of its own. */
export interface Part<M> {
  /** Reads it, before it is drawn. */
  read: () => Promise<M>
  /** A component of it. One that has been read is drawn at once: React's own lazy shows its fallback first, and for a while. */
  draw: <P>(pick: (module: M) => ComponentType<P>) => LazyExoticComponent<ComponentType<P>>
}

export function lazyModule<M>(load: () => Promise<M>): Part<M> {
  let there: M | undefined
  const read = async () => {
    there = await load()
    return there
  }
  return {
    read,
    draw: (pick) =>
      lazy(() =>
        there === undefined ? read().then((module) => ({ default: pick(module) })) : atOnce({ default: pick(there) }),
      ),
  }
}

/** A promise that answers while it is asked: React takes such an answer without leaving the page for it. */
const atOnce = <T>(value: T) =>
  // biome-ignore lint/suspicious/noThenProperty: what makes it a promise to React
  ({ then: (done: (value: T) => void) => done(value) }) as unknown as Promise<T>
