import { common } from './common'
import { form } from './form'
import { list } from './list'
import { picker } from './picker'
import { script } from './script'
import { session } from './session'
import { shell } from './shell'
import { table } from './table'

export const texts = { common, session, shell, list, form, picker, script, table }
