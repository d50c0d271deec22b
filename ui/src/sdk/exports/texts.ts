import { exports as en } from '@/i18n/en/export'
import { exports as zh } from '@/i18n/zh/export'
import { addTexts, defineTexts } from '@/sdk/texts'

/** The texts of exports come with their dialogs, not with the list. */
const texts = defineTexts('export', { zh, en })
addTexts(texts)

export const { useText: useExportText, text: exportText } = texts
