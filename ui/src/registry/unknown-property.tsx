import { Placeholder } from '@/components/placeholder'
import type { PropertyUI } from '@/sdk/property'
import { lostPack } from './lost'

/** Stands in for a type that no loaded pack draws: visible, with its number, never a blank. */
export function unknownProperty(wire: number): PropertyUI<unknown> {
  const pack = lostPack('properties', wire)
  const name = `propertyType ${wire}${pack ? ` (${pack})` : ''}`
  return {
    name: `#${wire}`,
    wire,
    text: () => `#${wire}`,
    Cell: () => <Placeholder name={name} />,
    ReadValue: () => <Placeholder name={name} />,
  }
}
