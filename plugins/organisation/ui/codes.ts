import { defineCodes } from '@sluice/sdk'
import declared from './codes.json'

/** What the interface of the pack names in documents. */
export const codes = defineCodes(declared)
