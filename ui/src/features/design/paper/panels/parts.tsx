import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import { type Option, PickField, Row, useFieldPlace } from '../../shared/fields'
import type { PrintModel, PrintProperty } from '../api'
import type { PaperWords } from '../words'

export const optionsOf = (properties: PrintProperty[], words: PaperWords): Option[] =>
  properties.map((one) => ({ value: one.code, label: words.label(one.label) }))

/** Properties with one value, of the record and of related ones. */
export const single = (model: PrintModel | undefined) => {
  const sheets = new Set(model?.properties.filter((one) => one.sheet).map((one) => one.code))
  return (model?.properties ?? []).filter((one) => !one.sheet && !sheets.has(one.code.split('.')[0] ?? ''))
}

export function Overflow() {
  const t = useText()
  return (
    <PickField
      path={['textAreaType']}
      label={t('paper.overflow')}
      fallback="grow"
      options={(['grow', 'cut', 'shrink'] as const).map((value) => ({ value, label: t(`paper.overflows.${value}`) }))}
    />
  )
}

/** Puts a property in braces behind a text. */
export function Insert({ model, words, path }: { model: PrintModel | undefined; words: PaperWords; path: string }) {
  const t = useText()
  const { of, set } = useFieldPlace()
  return (
    <Row label={t('paper.insert')}>
      {(id) => (
        <Choice<string>
          id={id}
          value={null}
          placeholder={t('design.choose')}
          options={optionsOf(single(model), words)}
          onChange={(next) => next && set([path], `${typeof of[path] === 'string' ? of[path] : ''}{${next}}`)}
        />
      )}
    </Row>
  )
}

/** Sets one key of several that cannot be beside each other. */
export function useEither(keys: string[]) {
  const { of, set } = useFieldPlace()
  return (chosen: string, value: unknown) => {
    const next = { ...of }
    for (const key of keys) if (key !== chosen || value === undefined) delete next[key]
    set([], value === undefined ? next : { ...next, [chosen]: value })
  }
}
