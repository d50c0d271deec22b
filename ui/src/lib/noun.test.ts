import { describe, expect, it } from 'vitest'
import { inSentence, listNoun, noun, pluralTitle } from './noun'

const lot = {
  modelName: '检验批',
  modelName_i18n: { en: 'Inspection lot' },
  modelNamePlural_i18n: { en: 'Inspection lots' },
}
const bim = { modelName: '模型', modelName_i18n: { en: 'BIM model' }, modelNamePlural_i18n: { en: 'BIM models' } }

describe('the noun of a model', () => {
  it('follows the number in English', () => {
    expect([1, 0, 2].map((count) => noun(lot, count, 'en'))).toEqual([
      'inspection lot',
      'inspection lots',
      'inspection lots',
    ])
  })

  it('has one form in Chinese', () => {
    expect([1, 2].map((count) => noun(lot, count, 'zh'))).toEqual(['检验批', '检验批'])
  })

  it('keeps abbreviations', () => {
    expect([1, 2].map((count) => noun(bim, count, 'en'))).toEqual(['BIM model', 'BIM models'])
    expect(['Part', 'Lot number', 'GIS', 'QR code', 'x'].map(inSentence)).toEqual([
      'part',
      'lot number',
      'GIS',
      'QR code',
      'x',
    ])
  })

  it('says records for several when the model has no plural', () => {
    const plain = { modelName: '零件', modelName_i18n: { en: 'Part' }, modelNamePlural_i18n: {} }
    expect([1, 3].map((count) => noun(plain, count, 'en'))).toEqual(['part', 'records'])
    expect(pluralTitle(plain, 'en')).toBe('Part')
  })

  it('is a heading with its capital', () => {
    expect(pluralTitle(lot, 'en')).toBe('Inspection lots')
    expect(pluralTitle(lot, 'zh')).toBe('检验批')
  })
})

it('a list of some of the records is called by its own name, one of all by its model', () => {
  const model = { modelName: '整改单', modelNamePlural_i18n: { en: 'Corrective actions' } }
  const some = { ...model, name: '安全隐患', name_i18n: { en: 'Hazards' }, narrowed: true }
  expect([listNoun(some, 'zh'), listNoun(some, 'en')]).toEqual(['安全隐患', 'hazards'])
  const all = { ...some, narrowed: false }
  expect([listNoun(all, 'zh'), listNoun(all, 'en')]).toEqual(['整改单', 'corrective actions'])
})
