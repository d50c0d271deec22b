import { common } from './common'
import { form } from './form'
import { picker } from './picker'

export const texts = { common, form, picker }
