import { common } from './common'

export const texts = { common }
