import { common } from './common'
import { list } from './list'
import { session } from './session'
import { shell } from './shell'

export const texts = { common, session, shell, list }
