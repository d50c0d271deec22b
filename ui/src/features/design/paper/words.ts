import { useCallback, useMemo } from 'react'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import type { Label, PrintModel } from './api'
import { isUpload } from './panels/upload'
import type { Element } from './template'

const PROPERTY = /\{\s*([^{}]+?)\s*\}/g

/** Names of what a template is made of, in the language of the reader. */
export function usePaperWords(model: PrintModel | undefined) {
  const t = useText()
  const locale = useLocale()
  const names = useMemo(() => new Map(model?.properties.map((one) => [one.code, one.label])), [model])
  const label = useCallback((of: Label) => of.i18n?.[locale] || of.zh, [locale])
  const property = useCallback(
    (code: unknown) => {
      const found = typeof code === 'string' ? names.get(code) : undefined
      return found ? label(found) : typeof code === 'string' ? code : ''
    },
    [names, label],
  )
  return useMemo(() => {
    /** A text of the document in the language of the reader. */
    const text = (of: object, key: string): string => {
      const bag = of as Record<string, unknown>
      const i18n = bag[`${key}_i18n`] as Record<string, string> | undefined
      const own = typeof bag[key] === 'string' ? bag[key] : ''
      return locale === 'zh' ? own : i18n?.[locale] || own
    }
    const filled = (of: string) => of.replace(PROPERTY, (_, code: string) => `‹${property(code)}›`)
    const picture = (name: unknown) =>
      typeof name === 'string' && isUpload(name) ? t('paper.ownPicture') : String(name)
    /** What an element is called in lists and by screen readers. */
    const element = (of: Element): string => {
      const type = t(`paper.types.${of.eleType}`)
      const what = () => {
        switch (of.eleType) {
          case 'text':
            return filled(text(of, 'text'))
          case 'picture':
            return of.picUrl ? picture(of.picUrl) : property(of.propertyCode)
          case 'signature':
            return of.node ? String(of.node) : property(of.propertyCode)
          case 'sheet':
            return of.queryCode ? String(of.queryCode) : property(of.propertyCode)
          default:
            return property(of.propertyCode)
        }
      }
      const named = what().slice(0, 40)
      return named ? t('paper.named', { type, name: named }) : type
    }
    return { label, property, picture, text, filled, element, locale }
  }, [t, locale, label, property])
}

export type PaperWords = ReturnType<typeof usePaperWords>
