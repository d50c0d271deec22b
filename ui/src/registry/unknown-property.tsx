import { Placeholder } from '@/components/placeholder'
import type { PropertyUI } from '@/sdk/property'

/** Stands in for a type that no loaded pack draws: visible, with its number, never a blank. */
export function unknownProperty(wire: number): PropertyUI<unknown> {
  return {
    name: `#${wire}`,
    wire,
    text: () => `#${wire}`,
    Cell: () => <Placeholder name={`propertyType ${wire}`} />,
    ReadValue: () => <Placeholder name={`propertyType ${wire}`} />,
  }
}
