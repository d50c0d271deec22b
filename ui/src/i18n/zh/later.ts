import { account } from './account'
import { application } from './application'
import { audit } from './audit'
import { branding } from './branding'
import { design } from './design'
import { flow } from './flow'
import { imports } from './import'
import { launch } from './launch'
import { mail } from './mail'
import { codes, operation } from './operation'
import { rights } from './rights'

/** What dialogs say that are rarely opened; it comes with the first of them. */
export const texts = {
  account,
  application,
  audit,
  branding,
  design,
  flow,
  import: imports,
  launch,
  mail,
  codes,
  operation,
  rights,
}
