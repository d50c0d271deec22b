import { type FieldPlan, meant, type Option } from '@sluice/sdk'

/** The code of the one option that a text names, by its code or its label in any language, as imports read cells. */
const known = (field: FieldPlan, word: string): string | undefined => {
  const called = ({ code, name, name_i18n }: Option) => [code, name, ...Object.values(name_i18n ?? {})]
  const options = field.options ?? []
  const coded = options.filter(({ code }) => code === word.trim())
  const [one, another] = coded.length > 0 ? coded : meant(word, options, called)
  return one && !another && !one.disabled ? one.code : undefined
}

/** The option that a text names: by its label, else by its code. */
export const parseOption = (text: string, field: FieldPlan) => known(field, text)

/** The options that a text names, however it separates them; undefined when one of them is none. */
export function parseOptions(text: string, field: FieldPlan): string[] | undefined {
  // A label may itself hold a mark that separates others.
  for (const marks of [/[;；\n]/, /[、，,;；|\n]/]) {
    const words = text.split(marks).filter((word) => word.trim() !== '')
    const codes = words.map((word) => known(field, word))
    if (codes.length > 0 && codes.every((code) => code !== undefined)) return [...new Set(codes as string[])]
  }
  return undefined
}
