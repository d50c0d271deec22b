import { defineTexts } from '@sluice/sdk'
import { en } from './texts-en'
import { zh } from './texts-zh'

export const texts = defineTexts('quality', { zh, en })
