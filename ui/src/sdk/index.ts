/**
 * All that a plugin's user interface may import. A property lives in `plugins/<pack>/property/<name>/`: `ui.tsx` exports
 * `property` (cell, read text, filter: loaded with every list), `form.tsx` exports `FormWidget` (loaded when first drawn).
 */
export { ApiError, get, post } from '@/api/client'
export type { Entry, FieldPlan, FormField, I18n, Option } from '@/api/types'
export { useLocale } from '@/i18n/locale'
export { type Locale, localName } from '@/lib/local-name'
export {
  type CellProps,
  defineProperty,
  type FilterProps,
  type FilterValue,
  type FormWidget,
  type FormWidgetProps,
  isEmptyValue,
  type PropertyUI,
  type ReadProps,
  type RecordRef,
  type TextContext,
} from './property'
export { useSystemConfig, useTextContext } from './system'
export { useText } from './use-text'
export { exactSum } from '@/lib/exact'
export { ChoiceSelect, OptionDot, useOptions } from './choice-select'
export { EntryPicker } from './entry-picker'
export { type RowErrors, RowErrorsContext, useRowErrors } from './errors'
export { type PropertyLookup, PropertyLookupContext, usePropertyLookup } from './lookup'
export { numberSetting, textSetting } from './settings'
