import { plainText } from './find-choice'
import { visible } from './visible'

/**
 * Those of some things that a pasted name means: those that have it among their texts as it is spelled, else those that have it without case,
 * width and spaces. Never one that is called longer. Imports read cells so too (Meant in engine/property).
 */
export function meant<T>(name: string, all: readonly T[], texts: (one: T) => (string | null | undefined)[]): T[] {
  const plain = plainText(name)
  if (plain === '') return []
  const spelled = all.filter((one) => texts(one).includes(visible(name).trim()))
  return spelled.length > 0 ? spelled : all.filter((one) => texts(one).some((text) => plainText(text ?? '') === plain))
}
