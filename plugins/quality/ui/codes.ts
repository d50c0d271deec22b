import { defineCodes } from '@sluice/sdk'
import declared from './codes.json'

/** What the pages of the pack name in documents. */
export const codes = defineCodes(declared)
