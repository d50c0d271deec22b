/**
 * All that a plugin's user interface may import; docs/tutorial-interface.md shows it at work. A property lives in `plugins/<pack>/property/<name>/`: `ui.tsx` exports
 * `property` (cell, read text, filter: loaded with every list), `form.tsx` exports `FormWidget` (loaded when first drawn).
 */
export { ApiError, get, post } from '@/api/client'
export { ERROR } from '@/api/errors.gen'
export { fileAddress, isPicture, saveFile, type UploadOptions, uploadFile } from '@/api/files'
export type {
  ColumnPlan,
  Entry,
  FieldPlan,
  FormField,
  I18n,
  ListConfig,
  ListRequest,
  Option,
  QueryAction,
  QueryCondition,
  Row,
  StoredFile,
} from '@/api/types'
export { Avatar } from '@/components/avatar'
export { Choice } from '@/components/choice'
export { Icon, type IconName, iconElement, isIcon } from '@/components/icon'
export { Notice } from '@/components/notice'
export { OptionDot, OptionTag, optionColor, optionDot, optionTag } from '@/components/option-dot'
export { OverflowRow, overflowRow, shortList, WrappedRow } from '@/components/overflow-row'
export { useLocale } from '@/i18n/locale'
export { useIsDark } from '@/lib/appearance'
export { askQuery } from '@/lib/ask-query'
export { capitals } from '@/lib/capitals'
export { loadChunk } from '@/lib/chunk'
export {
  type DateKind,
  type DateTextContext,
  isStoredDate,
  kindOfFormat,
  readDate,
} from '@/lib/date-text'
export { dateFormat, formatDate, formatInstant, isInstantFormat } from '@/lib/dates'
export { canonical, compareTexts, exactSum, group, halfWidth, shift, toScale, trueMinus } from '@/lib/decimal'
export { deviceName } from '@/lib/device-name'
export { element } from '@/lib/element'
export { isFramed } from '@/lib/embedded'
export { plainText } from '@/lib/find-choice'
export { type Locale, localName } from '@/lib/local-name'
export { meant } from '@/lib/meant'
export { inSentence } from '@/lib/noun'
export { numeral } from '@/lib/numerals'
export { usePageTitle } from '@/lib/page-title'
export { isRelative, lastDaysOf, relativeRange, relativeWords } from '@/lib/relative-dates'
export { readStored, writeStored } from '@/lib/stored'
export { trimmed } from '@/lib/trimmed'
export { useHeldPhone } from '@/lib/use-held'
export { useIsPhone, useMedia } from '@/lib/use-media'
export { useSearch, withParams } from '@/lib/use-search'
export { useWidth } from '@/lib/use-width'
export { visible } from '@/lib/visible'
export {
  type ActionContext,
  type ActionDialogProps,
  type ActionInList,
  type ActionUI,
  defineAction,
  everyRowTakes,
} from './action'
export { Ago } from './ago'
export { associations, useAskButton, useOpenAnswer } from './buttons'
export { packDelete, packDownload, packGet, packPost, packPut, packSend } from './call'
export { type CellEdit, CellEditContext, useCellEdit } from './cell-edit'
export { ChoiceSelect, useChoices, useOptions } from './choice-select'
export { type Declared, defineCodes } from './codes'
export { defaultFilter, effectiveFilters, type Filters, requestFilters } from './conditions'
export { type CreateRecord, CreateRecordContext, FormIdContext, useCreateRecord } from './create-record'
export { DateBox, type DateBoxProps } from './date-box'
export { EntryChoice, type EntryOption, EntryPicker, type EntryPickerProps, entryOptions } from './entry-picker'
export { useErrorText } from './error-text'
export {
  type CellCheck,
  CellCheckContext,
  RefusalsContext,
  type RowErrors,
  RowErrorsContext,
  useAskedPlace,
  useCellCheck,
  useRefusals,
  useRowErrors,
} from './errors'
export { Failure, Forbidden } from './failure'
export { useFeedback } from './feedback'
export { divisionsQuery, foundDivisionsQuery, useDebounced, useFieldOptions } from './field-options'
export { FileJob } from './file-job'
export { FormHoldContext, useFormHold, useHolds } from './form-hold'
export { dependsOnValues, type FormPlace, FormPlaceContext, useFormPlace } from './form-place'
export { type HomePlace, useApps, usePlaces } from './home'
export { useKept } from './kept'
export { dropFiles, keepFiles, keptFiles } from './kept-files'
export type { ListHandle } from './list-handle'
export { useMe } from './me'
export { entryLink, type MenuLink } from './menu-link'
export { NodeTree, type NodeTreeProps } from './node-tree'
export { isOffline, newToken, type OutboxEntry, useOutbox } from './outbox'
export {
  definePack,
  definePage,
  defineRecordPart,
  defineView,
  defineWidget,
  type PackUI,
  type PageProps,
  type PageUI,
  type RecordPartProps,
  type RecordPartUI,
  type ViewProps,
  type ViewUI,
  type WidgetUI,
} from './pack'
export { Pages } from './pages'
export { EntryName, entryName } from './person'
export {
  GAP,
  heightOf,
  linesIn,
  optionText,
  type PortalHandle,
  type PortalRow,
  type PortalRows,
  type PortalRowsRequest,
  type PortalTarget,
  type PortalWidget,
  ROW,
  targetOf,
  usePortal,
  type WidgetProps,
} from './portal'
export { WidgetCard, WidgetEmpty, WidgetFailed, WidgetWaiting } from './portal-card'
export { PortalIcon } from './portal-icon'
export { PortalLink } from './portal-link'
export {
  handToProgram,
  isEmptyTemplate,
  isExternal,
  MOST_LABELS,
  MOST_PRINTED,
  type PrintLabels,
  type PrintTemplates,
  printTemplates,
  useOpenPrint,
} from './print'
export { useProject } from './project'
export {
  type CellProps,
  defineProperty,
  type FilterProps,
  type FilterValue,
  type FormWidget,
  type FormWidgetProps,
  isEmptyValue,
  isUnread,
  type PaintContext,
  type ParseContext,
  type PropertyUI,
  type ReadProps,
  type RecordRef,
  type TextContext,
  type TypeCheck,
  type Unread,
  type ValueFault,
} from './property'
export { useRecentEntries } from './recent-entries'
export { type RecordAddress, recordPath, useOpenRecord } from './record-link'
export {
  combine,
  figureText,
  geometry,
  isPercent,
  measureText,
  quotient,
  shareText,
} from './report/figures'
export { sparkOf } from './report/spark'
export { useReportOf } from './report/use-report-of'
export { groupText, useWords } from './report/words'
export { asksOf, resolveProperty, resolveWidget, useWidget, valueText } from './resolve'
export { plainDefaults, type RowDefaults, RowDefaultsContext, useRowDefaults } from './row-defaults'
export { type Choosable, SearchSelect } from './search-select'
export { displayFormatOf, numberSetting, textSetting } from './settings'
export { Sheet } from './sheet'
export { SplitPage } from './split-page'
export { useSystemConfig, useTextContext } from './system'
export { defineTexts } from './texts'
export { branchesOf, type TreeItem } from './tree-rows'
export { TypingContext, useTypedText } from './typing'
export { type Started, useMayStart, useStart } from './use-start'
export { useText } from './use-text'
export { SDK_VERSION } from './version'
export { useWorkCounts } from './work-counts'
export { trackPath, useWork, type WorkLine, type WorkSource, workPath } from './work-items'
