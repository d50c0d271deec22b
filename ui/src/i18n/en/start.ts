import { common } from './common'
import { session } from './session'

/** What the pages before the sign-in say; the rest comes with the pages behind it. */
export const texts = { common, session }
