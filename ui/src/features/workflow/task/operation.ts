import { useText } from '@/sdk/use-text'

/** The word for what was done with an instance; one that is not known stays as it is. */
export function useOperation() {
  const t = useText()
  const words = t('flow.operations', { returnObjects: true }) as unknown as Record<string, string>
  return (operation: string) => {
    const name = operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return Object.hasOwn(words, name) ? (words[name] ?? operation) : operation
  }
}
