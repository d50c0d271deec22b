import { type FieldPlan, meant, type Option, plainText } from '@sluice/sdk'
import { partList, tellings } from './listed'

const called = ({ code, name, name_i18n }: Option) => [code, name, ...Object.values(name_i18n ?? {})]

/** The options that a word names: by code, else by label in any language, else by a label with its code, "其他（C）", as imports read cells. */
function named(options: readonly Option[], word: string): readonly Option[] {
  const coded = options.filter(({ code }) => code === word)
  if (coded.length > 0) return coded
  const found = meant(word, options, called)
  if (found.length > 0) return found
  for (const { name, detail } of tellings(word)) {
    const alike = options.filter(
      (one) =>
        called(one).some((text) => plainText(text) === plainText(name)) && plainText(one.code) === plainText(detail),
    )
    const exact = alike.filter(({ code }) => code === detail)
    if (alike.length > 0) return exact.length > 0 ? exact : alike
  }
  return []
}

const codeOf = (found: readonly Option[]) =>
  found.length === 1 && found[0] && !found[0].disabled ? found[0].code : undefined

/** The option that a text names: by its label, else by its code. */
export const parseOption = (text: string, field: FieldPlan) => codeOf(named(field.options ?? [], text.trim()))

/** The options that a text names, however it separates them; undefined when one of them is none. */
export function parseOptions(text: string, field: FieldPlan): string[] | undefined {
  const options = field.options ?? []
  const codes = partList(text, (word) => named(options, word).length > 0).map((word) => codeOf(named(options, word)))
  return codes.length > 0 && codes.every((code) => code !== undefined) ? [...new Set(codes)] : undefined
}
